"""OO7 by several programs through the page server.

Each module is a database of its own in one store, so programs that work on different modules share
no page.

Reading: T1 of one module in chained read-only transactions, by the store's only program, through
`tenure serve`, by several programs at once, and while another program updates a module of its own.
Each round drops the store from the page cache and starts the server anew, so that the first
iteration is cold; all later ones are hot, and take no trap. The comparison is the same in C++ with
malloc.

Updating: 1 to 5 programs, each with T2A and a durable commit on a module of its own, as fast as
they can; reports the commits per second of all together, and what occupied the machine meanwhile.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Tuple

from bench.support import measuring
from bench.support.lines import Process, parts_of, process_of
from bench.support.measuring import run
from bench.support.servers import TenureServer

CONFIGURATION = "small"
PROGRAMS = 5
ROUNDS = 3
UPDATE_ROUNDS = 2
READINGS = 12  # iterations of T1; the first is cold
READERS = 2    # programs that share the pages they read
WRITTEN = 1    # the module that another program updates meanwhile
UPDATES = 40    # transactions of each program; the first five do not count


class Together(NamedTuple):
    """The times of programs that ran at the same time."""
    processes: List[Process]
    elapsed_s: float
    cpu_s: float


def run_together(commands: List[List[str]], until: int) -> Together:
    """Runs all at once; when the first `until` of them have ended, stops the others."""
    begin = time.monotonic()
    files = [tempfile.TemporaryFile("w+") for _ in commands]
    children = [subprocess.Popen(command, stdout=file) for command, file in zip(commands, files)]
    processes, cpu = [], 0.0
    for number, (child, file) in enumerate(zip(children, files)):
        if number >= until:
            child.kill()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        cpu += usage.ru_utime + usage.ru_stime
        if number < until:
            if child.returncode != 0:
                for other in children[number + 1:]:
                    other.kill()
                sys.exit(f"oo7: status {child.returncode} of {' '.join(commands[number])}")
            file.seek(0)
            processes.append(Process(parts_of(file.read())))
        file.close()
    return Together(processes, time.monotonic() - begin, cpu)


class Bench:
    def __init__(self, directory: str) -> None:
        self.store = os.path.join(directory, "store")
        self.program = measuring.build_program("oo7/tenure", os.path.join(directory, "oo7"))
        self.malloc = os.path.join(measuring.BUILD, "bench", "oo7_malloc")
        for number in range(PROGRAMS):
            run([self.program, "create", self.database(number), CONFIGURATION])

    def database(self, number: int) -> str:
        return f"{self.store}:module{number}"

    def measure(self, operation: str, database: int, iterations: int) -> List[str]:
        return [self.program, "measure", self.database(database), operation, "many", "0",
                str(iterations)]

    # ---- Reading

    def read(self, served: bool, readers: int, writer: bool) -> List[Process]:
        measuring.make_cold(self.store)
        server = TenureServer(self.store) if served else None
        commands = [self.measure("T1", 0, READINGS)] * readers
        if writer:
            commands.append(self.measure("T2A", WRITTEN, 1000000))
        together = run_together(commands, readers)
        if server:
            server.end()
        return together.processes

    def readings(self) -> Dict[str, object]:
        kinds: List[Tuple[str, bool, int, bool]] = [
            ("alone, no server", False, 1, False),
            ("served", True, 1, False),
            (f"served, {READERS} programs read the same", True, READERS, False),
            ("served, another updates a module of its own", True, 1, True)]
        cold: Dict[str, List[float]] = {}
        hot: Dict[str, List[float]] = {}
        traps: Dict[str, int] = {}
        base: List[float] = []
        for _ in range(ROUNDS):
            process = process_of([self.malloc, CONFIGURATION, "T1"])
            base.append(statistics.median(part.ms for part in process.of("iteration")[1:]))
            expected = process.of("iteration")[0].numbers["count"]
            for name, served, readers, writer in kinds:
                for process in self.read(served, readers, writer):
                    parts = process.of("iteration")
                    if any(part.numbers["count"] != expected for part in parts):
                        sys.exit(f"oo7: T1, {name}: other counts than C++")
                    cold.setdefault(name, []).append(process.of("open")[0].ms + parts[0].ms)
                    # The first hot iteration still takes traps that the cold one left.
                    hot.setdefault(name, []).append(statistics.median(p.ms for p in parts[1:]))
                    traps[name] = traps.get(name, 0) + int(sum(
                        p.numbers.get("read_faults", 0) + p.numbers.get("write_faults", 0)
                        for p in parts[1:]))
            print("  a round of reading done", file=sys.stderr)
        return {"cold_ms": cold, "hot_ms": hot, "hot_traps": traps, "malloc_hot_ms": base}

    # ---- Updating

    def update(self, programs: int) -> Dict[str, object]:
        server = TenureServer(self.store)
        before = server.cpu_s()
        together = run_together([self.measure("T2A", number, UPDATES)
                                 for number in range(programs)], programs)
        server_cpu = server.cpu_s() - before
        server.end()
        rates, commits, works, aborts = [], [], [], 0.0
        for process in together.processes:
            pairs = list(zip(process.of("iteration"), process.of("chain")))[5:]
            rates.append(1000 / statistics.mean(a.ms + b.ms for a, b in pairs))
            aborts += sum(part.numbers["times"] for part in process.of("aborted"))
            works += [a.ms for a, _ in pairs]
            commits += [b.ms for _, b in pairs]
        return {"programs": programs, "per_s": sum(rates), "least_per_s": min(rates),
                "aborted": aborts, "work_ms": statistics.median(works), "commit_ms": statistics.median(commits),
                "server_busy": server_cpu / together.elapsed_s,
                "programs_busy": together.cpu_s / together.elapsed_s}

    def updates(self) -> List[Dict[str, object]]:
        found: Dict[int, List[Dict[str, object]]] = {}
        for _ in range(UPDATE_ROUNDS):
            for programs in range(1, PROGRAMS + 1):
                found.setdefault(programs, []).append(self.update(programs))
                print(f"  {programs} programs done", file=sys.stderr)
        for number in range(PROGRAMS):
            print("  " + run([self.program, "check", self.database(number)]).output.strip(),
                  file=sys.stderr)
        return [{**{key: statistics.median(turn[key] for turn in turns) for key in turns[0]},
                 "programs": programs} for programs, turns in found.items()]


def limit(entry: Dict[str, float], processors: int) -> str:
    """The bottleneck of the throughput."""
    busy = (entry["server_busy"] + entry["programs_busy"]) / processors
    if busy > 0.85:
        return f"the {processors} processors, {busy:.0%} busy"
    return (f"waits, for the disk and for pages that other programs have; the {processors} processors"
            f" are {busy:.0%} busy")


def bench() -> None:
    with tempfile.TemporaryDirectory(prefix="tenure-oo7-") as directory:
        made = Bench(directory)
        results: Dict[str, object] = {"configuration": CONFIGURATION, "rounds": ROUNDS}
        results["reading"] = reading = made.readings()
        results["updating"] = updating = made.updates()
        shutil.rmtree(made.store)
    results["processors"] = processors = os.cpu_count()
    results["limit"] = limit(updating[-1], processors)
    base = statistics.median(reading["malloc_hot_ms"])
    print(f"OO7 through the page server, {CONFIGURATION}, {ROUNDS} rounds")
    print(f"T1 in chained transactions; milliseconds, and how many times C++ with malloc ({base:.2f})")
    for name, values in reading["hot_ms"].items():
        middle = statistics.median(values)
        print(f"  {name:46} cold {statistics.median(reading['cold_ms'][name]):8.2f}  hot"
              f" {middle:7.3f}  {middle / base:5.2f}  traps {reading['hot_traps'][name]}")
    print("T2A with a durable commit, each program on a module of its own")
    for entry in updating:
        print(f"  {entry['programs']} programs {entry['per_s']:8.0f} a second,"
              f" {entry['per_s'] / updating[0]['per_s']:.2f} times one; work"
              f" {entry['work_ms']:.2f} ms, commit {entry['commit_ms']:.2f} ms, {entry['aborted']:.0f} aborted; processors: server"
              f" {entry['server_busy']:.2f}, programs {entry['programs_busy']:.2f}")
    print(f"  limit: {results['limit']}")
    print("written: " + os.path.relpath(measuring.write_results("oo7-served", results)))
