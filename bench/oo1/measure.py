"""OO1 in Tenure and in the alternatives to it, all in the same run: cold, warm and hot (Hosking &
Moss 1993, 5).

Each operation is a fresh process per round, on a store that has been dropped from the page cache,
which mincore confirms. Of its eleven iterations the first is cold, the next nine, with other random
parts each, are warm, and the last, which repeats the tenth, is hot; a transaction ends after each.
All programs must see the same values in each iteration, and inserted parts must be there for a
later process; otherwise the run fails.
"""

import os
import statistics
import sys
import tempfile
from typing import Dict, List

from bench.support import measuring
from bench.support.lines import Process, process_of
from bench.oo7.goals import Goal, at_most, not_measured, print_goals, times
from bench.support.peers import PEERS, commands_of

OPERATIONS = ["lookup", "traversal", "insert"]
DURABLE = "insert and commit"  # name used as an operation in the results
SOFTWARE = "Tenure software"   # with write barriers in software instead of traps
SOFTWARE_INSERT = 0.5          # of the time with traps
ROUNDS = 5
PARTS, LOOKUPS, INSERTED = 20000, 1000, 11 * 100
PHASES = {"cold": slice(0, 1), "warm": slice(1, 10), "hot": slice(10, 11)}

# Milliseconds by operation, phase and program, one figure for each round.
Figures = Dict[str, Dict[str, Dict[str, List[float]]]]


class Bench:
    def __init__(self, directory: str) -> None:
        self.directory = directory
        program = measuring.build_program("oo1/tenure", os.path.join(directory, "oo1"))
        # Programs with a store, which have the commands create and measure; programs without one.
        self.stored = {"Tenure": [program], SOFTWARE: [measuring.build_program(
            "oo1/tenure", os.path.join(directory, "oo1-software"), "--barriers=software")]}
        self.in_memory = {"Tenure in memory": [program, "measure", "--memory"]}
        commands = commands_of(PEERS, "oo1")
        self.peers = [peer for peer in PEERS if peer.name in commands]
        for peer in self.peers:
            (self.stored if peer.stored else self.in_memory)[peer.name] = commands[peer.name]
        self.figures: Figures = {}
        self.processor_ms: Dict[str, Dict[str, List[float]]] = {}  # of Tenure's hot insertions
        self.open_ms: Dict[str, List[float]] = {}
        self.create_ms: Dict[str, float] = {}
        self.sizes: Dict[str, int] = {}
        self.peaks: Dict[str, float] = {}
        self.counters: Dict[str, Dict[str, Dict[str, float]]] = {}  # of Tenure, by operation and phase

    def path(self, who: str) -> str:
        return os.path.join(self.directory, "store-" + who)

    def create(self) -> None:
        for who, command in self.stored.items():
            made = process_of([*command, "create", self.path(who)])
            self.create_ms[who] = made.of("create")[0].ms
            self.sizes[who] = measuring.bytes_on_disk(self.path(who))

    def measure_stored(self, who: str, operation: str) -> Process:
        """Runs in a copy of the store, which the next run makes anew."""
        copy = self.path("copy")
        measuring.copy_store(self.path(who), copy)
        measuring.make_cold(copy)
        process = process_of([*self.stored[who], "measure", copy, operation])
        if operation == "insert":
            after = process_of([*self.stored[who], "measure", copy, "lookup"])
            there = after.of("open")[0].numbers["count"]
            if there != PARTS + INSERTED:
                sys.exit(f"oo1: {who}: {there:.0f} parts are there after {INSERTED} were inserted")
        return process

    def one_round(self, operation: str) -> None:
        """All run in turn, so that all run under the same load of the machine."""
        found = {who: process_of([*command, operation]) for who, command in self.in_memory.items()}
        for who in self.stored:
            found[who] = self.measure_stored(who, operation)
        counts = {who: [part.numbers["count"] for part in process.of("iteration")]
                  for who, process in found.items()}
        for who, count in counts.items():
            if count != counts["C++"]:
                sys.exit(f"oo1: {operation}: {who} counted {count}, C++ {counts['C++']}")
        for who, process in found.items():
            self.add(operation, who, process)

    def add(self, operation: str, who: str, process: Process) -> None:
        iterations, ends = process.of("iteration"), process.of("chain")
        took = {operation: [part.ms for part in iterations]}
        if operation == "insert" and ends:
            took[DURABLE] = [part.ms + end.ms for part, end in zip(iterations, ends)]
        for name, ms in took.items():
            for phase, which in PHASES.items():
                values = self.figures.setdefault(name, {}).setdefault(phase, {}).setdefault(who, [])
                values.append(statistics.median(ms[which]))
        if who in self.stored:
            self.open_ms.setdefault(who, []).append(process.of("open")[0].ms)
        self.peaks[who] = max(process.peak_mb, self.peaks.get(who, 0))
        if operation == "insert" and who in ("Tenure", SOFTWARE):
            for name, parts in (("insert", iterations), (DURABLE, ends)):
                numbers = parts[-1].numbers
                self.processor_ms.setdefault(name, {}).setdefault(who, []).append(
                    (numbers["user_us"] + numbers["system_us"]) / 1000)
            # The commit and the insertion before it.
            self.processor_ms[DURABLE][who][-1] += self.processor_ms["insert"][who][-1]
        if who == "Tenure":
            self.counters[operation] = {"cold": iterations[0].numbers, "hot": iterations[-1].numbers,
                                        "commit": ends[-1].numbers}

    def results(self) -> Dict[str, object]:
        return {"rounds": ROUNDS, "peers": {peer.name: peer.what for peer in self.peers},
                "operations": self.figures, "processor_ms": self.processor_ms,
                "open_ms": self.open_ms, "create_ms": self.create_ms,
                "bytes_on_disk": self.sizes, "peak_mb": self.peaks, "counters": self.counters}


def goals(results: Dict) -> List[Goal]:
    """The figures of software barriers beside those of traps."""
    found = []
    for operation, limit in (("insert", SOFTWARE_INSERT), (DURABLE, None)):
        hot = results["operations"][operation]["hot"]
        about = f"{operation}, hot, software barriers, times traps"
        if SOFTWARE not in hot:
            found += [not_measured(about, f"at most {limit:g}")] if limit else []
            continue
        ratio = times(hot[SOFTWARE], hot["Tenure"])
        processor = results["processor_ms"][operation]
        found.append(at_most(about, ratio, limit) if limit else Goal(about, "", f"{ratio:.2f}", None))
        found.append(Goal(f"{about}, of processor time", "",
                          f"{times(processor[SOFTWARE], processor['Tenure']):.2f}", None))
    return found


def bench() -> None:
    with tempfile.TemporaryDirectory(prefix="tenure-oo1-") as directory:
        work = Bench(directory)
        work.create()
        for operation in OPERATIONS:
            for _ in range(ROUNDS):
                work.one_round(operation)
            print(f"  {operation} done", file=sys.stderr)
        results = work.results()
    print(f"OO1, {ROUNDS} rounds: median milliseconds of an iteration, and times C++ with malloc")
    for operation, phases in work.figures.items():
        base = work.figures["insert" if operation == DURABLE else operation]
        for phase, whose in phases.items():
            print(f"  {operation}, {phase}: " + ", ".join(
                f"{who} {statistics.median(values):.4f} ({times(values, base[phase]['C++']):.2f})"
                for who, values in whose.items()))
    print_goals(goals(results))
    print("written to " + os.path.relpath(measuring.write_results("oo1", results), measuring.ROOT))
