"""OO7 in Tenure and in the alternatives to it, all in the same run.

Each (program, operation, mode) is a fresh process per round: it opens its store, does the operation
five times, in one transaction or in many chained ones, and prints the time of each part; an
operation that lasts microseconds is repeated many times in each iteration but the first. The first
iteration is cold (the store is dropped from the page cache before, which mincore confirms), the
last one includes the closing, those in the middle are hot (Hosking & Chen 1999, 5.4). The second
counts as neither: if an iteration repeats an operation many times, the second is the first to meet
most objects. All programs must count the same in each iteration, or the run fails.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from typing import Dict, List, Optional, Set, Tuple

from bench.support import measuring
from bench.support.lines import Process, process_of
from bench.support.measuring import remove, run
from bench.oo7.floor import Floor
from bench.oo7.goals import HOT as HOT_GOALS, oo7_goals, print_goals, times
from bench.oo7.operations import OPERATIONS, left_out_text, peers_for
from bench.support.peers import Peer, commands_of

POLICIES = ("redo", "diff")  # policies of commit records, the default first; Tenure runs with each
DURABLE = ["T2A", "T2B", "T2C"]
# Operations that are also measured with write barriers in software instead of traps.
BARRIERS = ["T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C"]
SOFTWARE = "Tenure software"
UPDATES = {"T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T5", "CU", "insert", "delete"}
ROUNDS = {"small": 5, "medium": 3}
SLOW_ROUNDS = {"small": 2, "medium": 1}  # rounds of the peers that take a hundred times as long
# More rounds of Tenure and C++ alone, where a goal compares their hot times: these differ by half
# and more from one process to the next, depending on the placement of memory. Their stores are not
# cold.
PAIRS = {"small": 12, "medium": 6}
# Factor of rounds for an operation with so few misses that each miss shows.
MORE_PAIRS = {"T7": 4}
# A process that took longer than this is not run again. T3C of C++ alone takes a minute on medium.
LONG_S = 10
HOT = slice(2, 4)
MOST_CREATING_MS = 30000  # no more rounds after this waiting time
# Threads that do T1 at the same time, in read-only transactions of their own; processes that measure
# this.
READERS = 2
READER_ROUNDS = 7
GROWTH = ["small", "small-x5", "medium"]  # compared with each other: the cost per object
GROWTH_ROUNDS = 15


def by_policy(policy: str) -> str:
    """The name of Tenure's figures with this policy."""
    return "Tenure" if policy == POLICIES[0] else f"Tenure {policy}"


def modes_of(peer: Peer, operation: str) -> List[str]:
    """The modes of an operation of a stored peer whose figures are shown. Hot and cold
    figures come from iterations in one transaction, durable ones from iterations in many."""
    if operation not in DURABLE:
        return ["one"]
    return ["many"] if peer.slow else ["one", "many"]


class Bench:
    def __init__(self, configuration: str, directory: str, rounds: int) -> None:
        """0 rounds: the configuration's own number."""
        self.configuration = configuration
        self.rounds = rounds or ROUNDS[configuration]
        self.slow_rounds = min(self.rounds, SLOW_ROUNDS[configuration])
        self.pairs = 0 if rounds else PAIRS[configuration]
        self.directory = directory
        self.program = measuring.build_program("oo7/tenure", os.path.join(directory, "oo7"))
        self.software = measuring.build_program(
            "oo7/tenure", os.path.join(directory, "oo7-software"), "--barriers=software")
        peers = peers_for(configuration)
        self.commands = commands_of(peers, "oo7")  # by peer
        self.peers = [peer for peer in peers if peer.name in self.commands]
        # (who, operation, mode) -> a process per round
        self.runs: Dict[Tuple[str, str, str], List[Process]] = {}
        self.warm_runs: Dict[Tuple[str, str, str], List[Process]] = {}  # of the pairs
        self.long: Set[Tuple[str, str, str]] = set()  # programs that took longer than LONG_S
        self.floor: Optional[Floor] = None
        self.created: Dict[str, float] = {}
        self.grown: Dict[str, Dict[str, float]] = {}
        self.sizes: Dict[str, int] = {}

    # ---- Stores

    def path(self, who: str) -> str:
        return os.path.join(self.directory, "store-" + who)

    def tenure_create(self, configuration: str) -> Tuple[float, float]:
        """Milliseconds until the database is durable, and of the first collection after that."""
        remove(self.path("Tenure"))
        words = run([self.program, "create", self.path("Tenure"),
                     configuration]).output.split()
        return float(words[words.index("create") + 2]), float(words[words.index("collect") + 2])

    def stored(self) -> Dict[str, int]:
        """The contents of Tenure's store: objects, their bytes and pages, and the files by kind."""
        store = self.path("Tenure")
        stat = json.loads(run([measuring.TENURE, "db", "stat", "--json", store]).output)
        main = stat["databases"][0]
        files = {name: os.stat(name).st_blocks * 512 for name in measuring.files_of(store)}
        log = sum(size for name, size in files.items() if os.path.basename(name).startswith("log."))
        return {"objects": main["objects"], "bytes": main["bytes"], "pages": main["pages"],
                "file": files[os.path.join(store, "main.db")], "log": log,
                "other_files": sum(files.values()) - files[os.path.join(store, "main.db")] - log}

    def growth(self) -> Dict[str, Dict[str, float]]:
        """Larger databases: linear work costs the same per object."""
        found = {}
        for configuration in GROWTH:
            created: List[float] = []
            collected: List[float] = []
            beside: List[float] = []
            for _ in range(GROWTH_ROUNDS):
                create, collect = self.tenure_create(configuration)
                created.append(create)
                collected.append(collect)
                build = process_of([*self.commands["C++"], configuration, "T9"]).of("build")
                beside.append(build[0].ms)
            mapped = self.path("growth")
            objects = run([*self.commands["mapped"], "create", mapped,
                           configuration]).output.split()
            remove(mapped)
            found[configuration] = {"create_ms": statistics.median(created),
                                    "collect_ms": statistics.median(collected),
                                    "cpp_ms": statistics.median(beside),
                                    # The ratio of neighbouring measurements, because the host's
                                    # speed differs from second to second.
                                    "times_cpp": statistics.median(
                                        ours / cpp for ours, cpp in zip(created, beside)),
                                    "cpp_bytes": int(objects[objects.index("bytes") + 1]),
                                    **self.stored()}
        remove(self.path("Tenure"))
        return found

    def create_stores(self) -> None:
        # The store that was made last is measured.
        commands = {by_policy(policy): [self.program, "create", self.path("Tenure"),
                                        self.configuration, f"@M3recovery={policy}"]
                    for policy in reversed(POLICIES)}
        for peer in self.peers:
            if peer.stored:
                commands[peer.name] = [*self.commands[peer.name], "create", self.path(peer.name),
                                       self.configuration]
        for who, command in commands.items():
            times: List[float] = []
            store = self.path(who.split()[0])
            while len(times) < self.rounds and sum(times) < MOST_CREATING_MS:
                remove(store)
                output = run(command).output.split()
                times.append(float(output[2]) if who.startswith("Tenure")
                             else float(output[4]) / 1000)
            self.created[who] = statistics.median(times)
            if who in ("Tenure", *self.commands):
                self.sizes[who] = measuring.bytes_on_disk(store)

    def readers(self) -> Dict[str, List[float]]:
        """Milliseconds for each traversal by one thread, and by READERS threads at the same time,
        a figure per process."""
        found: Dict[str, List[float]] = {"one_ms": [], "all_ms": []}
        for _ in range(READER_ROUNDS):
            process = process_of([self.program, "readers", self.path("Tenure"), str(READERS)])
            for key, threads in zip(found, (1, READERS)):
                found[key].append(process.of(f"readers-{threads}")[0].ms)
        return found

    # ---- Running

    def process(self, who: str, command: List[str], operation: str, stored: bool,
                cold: bool = True) -> Process:
        """Runs in a copy of the store if the operation changes the store."""
        path = self.path(who)
        if stored and operation in UPDATES:
            copy = self.path("copy")
            measuring.copy_store(path, copy)
            command = [copy if word == path else word for word in command]
            path = copy
        if stored and cold:
            measuring.make_cold(path)
        process = process_of(command)
        if operation in DURABLE and who == "Tenure" and cold:
            run([self.program, "check", copy])  # ends this program if an update is missing
        return process

    def measure(self) -> None:
        self.floor = Floor(self.program, self.path("Tenure"))
        for operation in OPERATIONS:
            start = time.monotonic()
            for turn in range(self.rounds):
                self.one_round(operation, slow=turn < self.slow_rounds)
            if operation in HOT_GOALS:
                for _ in range(self.pairs * MORE_PAIRS.get(operation, 1)):
                    self.pair(operation)
            print(f"  {operation} done in {time.monotonic() - start:.0f} s", file=sys.stderr)

    def once_text(self) -> str:
        if self.rounds == 1:
            return ""
        return ", ".join(sorted({f"{who} {operation}" for who, operation, _ in self.long}))

    def one_round(self, operation: str, slow: bool) -> None:
        """All run in turn, so that all run under the same load of the machine."""
        counts: Dict[str, List[float]] = {}

        def add(who: str, mode: str, store: str, command: List[str]) -> None:
            self.add(self.runs, counts, (who, operation, mode), store, command)

        add("Tenure in memory", "one", "",
            [self.program, "measure", "--memory=" + self.configuration, operation])
        for policy in POLICIES if operation in DURABLE else POLICIES[:1]:
            for mode in ("one", "many") if policy == POLICIES[0] else ("many",):
                add(by_policy(policy), mode, "Tenure",
                    self.tenure_command(operation, mode, policy))
        if operation == "T1":
            self.floor.measure()
        for peer in self.peers:
            if operation not in peer.operations or (peer.slow and not slow):
                continue
            if not peer.stored:
                add(peer.name, "one", "", self.memory_command(peer.name, operation))
                continue
            for mode in modes_of(peer, operation):
                add(peer.name, mode, peer.name, [
                    *self.commands[peer.name], "measure", self.path(peer.name), operation, mode])
        self.compare(operation, counts)

    def pair(self, operation: str) -> None:
        """C++ and Tenure once more, without making the store cold."""
        counts: Dict[str, List[float]] = {}
        self.add(self.warm_runs, counts, ("C++", operation, "one"), "",
                 self.memory_command("C++", operation), cold=False)
        for mode in ("one", "many") if operation == "T1" else ("one",):
            self.add(self.warm_runs, counts, ("Tenure", operation, mode), "Tenure",
                     self.tenure_command(operation, mode, POLICIES[0]), cold=False)
        if operation in BARRIERS:
            self.add(self.warm_runs, counts, (SOFTWARE, operation, "one"), "Tenure",
                     [self.software, *self.tenure_command(operation, "one", POLICIES[0])[1:]], cold=False)
        self.compare(operation, counts)

    def add(self, runs: Dict[Tuple[str, str, str], List[Process]], counts: Dict[str, List[float]],
            which: Tuple[str, str, str], store: str, command: List[str], cold: bool = True) -> None:
        """Runs the program, unless it took too long before. An empty `store`: it has no store."""
        if which in self.long:
            return
        who, operation, mode = which
        start = time.monotonic()
        process = self.process(store, command, operation, bool(store), cold)
        if time.monotonic() - start > LONG_S:
            self.long.add(which)
        runs.setdefault(which, []).append(process)
        counts[f"{who} {mode}"] = [part.numbers["count"] for part in process.of("iteration")]

    def compare(self, operation: str, counts: Dict[str, List[float]]) -> None:
        expected = [part.numbers["count"]
                    for part in self.runs[("C++", operation, "one")][-1].of("iteration")]
        for who, found in counts.items():
            if found != expected:
                sys.exit(f"oo7: {operation}: {who} counted {found}, C++ {expected}")

    def tenure_command(self, operation: str, mode: str, policy: str) -> List[str]:
        return [self.program, "measure", self.path("Tenure"), operation, mode,
                f"@M3recovery={policy}"]

    def memory_command(self, peer: str, operation: str) -> List[str]:
        return [*self.commands[peer], self.configuration, operation]

    # ---- Figures

    def hot_ms(self, who: str, operation: str, mode: str) -> List[float]:
        """One figure per round, from the hot iterations."""
        which = (who, operation, mode)
        return [statistics.median(part.ms for part in process.of("iteration")[HOT])
                for process in self.runs.get(which, []) + self.warm_runs.get(which, [])]

    def barriers_ms(self, operation: str) -> Dict[str, List[float]]:
        """Hot times of both kinds of barriers, in turns."""
        return {who: [statistics.median(part.ms for part in process.of("iteration")[HOT])
                      for process in self.warm_runs[(who, operation, "one")]]
                for who in ("Tenure", SOFTWARE) if (SOFTWARE, operation, "one") in self.warm_runs}

    def durable_ms(self, who: str, operation: str) -> List[float]:
        """A hot iteration with the commit after it."""
        return [statistics.median(a.ms + b.ms for a, b in
                                  zip(process.of("iteration")[HOT], process.of("chain")[HOT]))
                for process in self.runs.get((who, operation, "many"), [])]

    def cold_ms(self, who: str, operation: str) -> Tuple[List[float], List[float]]:
        """The opening, and the first iteration."""
        processes = self.runs.get((who, operation, "one"), [])
        return ([process.of("open")[0].ms for process in processes],
                [process.of("iteration")[0].ms for process in processes])

    def counters(self, operation: str, mode: str) -> Dict[str, Dict[str, float]]:
        """The counters of Tenure's first and third iteration and of the third commit, from the
        last round."""
        process = self.runs[("Tenure", operation, mode)][-1]
        found = {"cold": process.of("iteration")[0].numbers,
                 "hot": process.of("iteration")[2].numbers}
        ends = process.of("chain")[2:3] or process.of("commit")
        found["commit"] = ends[0].numbers
        return found

    def t2a_commit(self) -> Dict[str, float]:
        """T2A's hot commits, and the lower bound of their work, in the same directory, after
        work in memory as long as T2A's."""
        found: Dict[str, float] = {}
        for policy in POLICIES:
            ends = [part for process in self.runs[(by_policy(policy), "T2A", "many")]
                    for part in process.of("chain")[HOT]]
            found[policy + "_ms"] = statistics.median(part.ms for part in ends)
        found["pages"] = ends[0].numbers["pages_written"]
        found["bytes"] = ends[0].numbers["bytes_written"]
        work_ms = statistics.median(self.hot_ms("Tenure", "T2A", "many"))
        store = self.path("floor")
        output = run([os.path.join(measuring.BUILD, "bench", "commit_bdb"), store, "50",
                      str(int(found["pages"])), str(int(found["bytes"])),
                      str(int(1000 * work_ms))]).output
        remove(store)
        for line in output.splitlines():
            words = line.split()
            found[words[0].split("-")[0] + "_ms"] = float(words[1])
        return found

    def results(self) -> Dict[str, object]:
        policies = [by_policy(policy) for policy in POLICIES[1:]]
        stored = ["Tenure"] + [peer.name for peer in self.peers if peer.stored]
        everybody = ["Tenure", "Tenure in memory"] + [peer.name for peer in self.peers]
        per_operation: Dict[str, object] = {}
        for operation in OPERATIONS:
            entry: Dict[str, object] = {
                "hot_ms": {who: figures for who in everybody
                           if (figures := self.hot_ms(who, operation, "one"))},
                "open_ms": {}, "cold_ms": {},
                "chained_ms": {who: figures for who in stored
                               if (figures := self.hot_ms(who, operation, "many"))},
                "durable_ms": {who: figures for who in stored + policies
                               if (figures := self.durable_ms(who, operation))},
                "counters": {mode: self.counters(operation, mode) for mode in ("one", "many")}}
            for who in stored:
                if (who, operation, "one") in self.runs:
                    entry["open_ms"][who], entry["cold_ms"][who] = self.cold_ms(who, operation)
            per_operation[operation] = entry
        cold_t1 = self.runs[("Tenure", "T1", "one")][-1].of("iteration")[0].numbers
        peaks = {who: max(process.peak_mb for process in self.runs[(who, "T1", "one")])
                 for who in everybody}
        return {"configuration": self.configuration, "rounds": self.rounds, "pairs": self.pairs,
                "growth": self.grown, "readers": self.readers(),
                "barriers": {operation: ms for operation in BARRIERS
                             if (ms := self.barriers_ms(operation))},
                "peers": {peer.name: peer.what for peer in self.peers},
                "crash_safe": [peer.name for peer in self.peers if peer.crash_safe],
                "left_out": left_out_text(self.configuration), "once": self.once_text(),
                "long_s": LONG_S, "slow_rounds": self.slow_rounds,
                "slow": [peer.name for peer in self.peers if peer.slow],
                "floor": self.floor.results(cold_t1["pages_read"]),
                "create_ms": self.created, "t2a_commit": self.t2a_commit(),
                "bytes_on_disk": self.sizes, "peak_mb_t1": peaks, "operations": per_operation}


def commit_text(t2a: Dict[str, float]) -> str:
    return (f"T2A's commit, {t2a['pages']:.0f} pages: with redo {t2a['redo_ms']:.3f} ms,"
            f" {t2a['redo_ms'] / t2a['append_after_work_ms']:.2f} times a durable append of its"
            f" {t2a['bytes']:.0f} changed bytes after as long a traversal"
            f" ({t2a['append_after_work_ms']:.3f} ms; {t2a['append_ms']:.3f} ms if one append"
            " follows the other); with diff"
            f" {t2a['diff_ms']:.3f} ms, {t2a['diff_ms'] / t2a['puts_ms']:.2f} times partial puts of"
            f" as many pages in Berkeley DB ({t2a['puts_ms']:.3f} ms).")


def growth_text(growth: Dict[str, Dict[str, float]]) -> List[str]:
    """A line per configuration."""
    lines = []
    least = growth[GROWTH[0]]
    for name, of in growth.items():
        per_object = of["create_ms"] / of["objects"] * 1000
        first = least["create_ms"] / least["objects"] * 1000
        lines.append(
            f"{name}: {of['objects']:,} objects made durable in {of['create_ms']:.0f} ms,"
            f" {of['create_ms'] / of['cpp_ms']:.2f} times C++ without a store, {per_object:.2f} us an"
            f" object ({per_object / first:.2f} times {GROWTH[0]}); the first collection after it"
            f" {of['collect_ms']:.0f} ms; {of['pages'] * 8192 / 1e6:.2f} MB of pages,"
            f" {of['pages'] * 8192 / of['cpp_bytes']:.2f} times the objects of C++; file"
            f" {of['file'] / 1e6:.1f} MB, log {of['log'] / 1e6:.1f}, others"
            f" {of['other_files'] / 1e6:.1f}.")
    return lines


def print_tables(results: Dict[str, object]) -> None:
    operations = results["operations"]
    print(f"\nOO7 {results['configuration']}: {rounds_text(results)}")
    print("Median milliseconds of hot iterations in one transaction, and how many times C++ with"
          " malloc")
    print(f"  {'':8}{'Tenure':>12}{'C++':>10}{'ratio':>7}{'in memory':>11}{'libgc':>7}"
          f"{'mapped':>8}{'chained':>9}")
    for name, entry in operations.items():
        hot = entry["hot_ms"]
        base = hot["C++"]
        print(f"  {name:8}{statistics.median(hot['Tenure']):12.4f}{statistics.median(base):10.4f}"
              f"{times(hot['Tenure'], base):7.2f}{times(hot['Tenure in memory'], base):11.2f}"
              f"{times(hot['libgc'], base):7.2f}{times(hot['mapped'], base):8.2f}"
              f"{times(entry['chained_ms']['Tenure'], base):9.2f}")
    for title, key, names in (
            ("Cold: opening + first iteration, milliseconds", "cold_ms", ["T1", "T6", "T8"]),
            ("Durable: hot iteration and its commit, milliseconds", "durable_ms",
             DURABLE)):
        print(f"\n{title}")
        for name in names:
            entry = operations[name]
            figures = []
            for who, values in entry[key].items():
                text = f"{statistics.median(values):.2f}"
                if key == "cold_ms":
                    text = f"{statistics.median(entry['open_ms'][who]):.2f} + {text}"
                figures.append(f"{who} {text}")
            print(f"  {name:4} " + ", ".join(figures))
    print("\n" + commit_text(results["t2a_commit"]))
    readers = {key: statistics.median(values) for key, values in results["readers"].items()}
    print(f"T1 hot in read-only transactions, milliseconds a traversal: one thread"
          f" {readers['one_ms']:.3f}, {READERS} threads together {readers['all_ms']:.3f}.")
    if results["growth"]:
        print("\n" + "\n".join(growth_text(results["growth"])))
    print("\nCreating, milliseconds: " + ", ".join(
        f"{who} {ms:.0f}" for who, ms in results["create_ms"].items()))
    print("On disk, megabytes: " + ", ".join(
        f"{who} {size / 1e6:.1f}" for who, size in results["bytes_on_disk"].items()))
    print("Peak memory in T1, megabytes: " + ", ".join(
        f"{who} {mb:.0f}" for who, mb in results["peak_mb_t1"].items()))


def rounds_text(results: Dict[str, object]) -> str:
    """Operations that were measured less often than the rest, or not at all."""
    texts = [f"{results['rounds']} round{'s' if results['rounds'] > 1 else ''}"]
    if results["slow_rounds"] < results["rounds"]:
        texts.append(f"{results['slow_rounds']} of {', '.join(results['slow'])}")
    if results.get("pairs"):
        texts.append(f"{results['pairs']} more of Tenure and C++ alone where a goal compares their hot"
                     " times")
    if results["once"]:
        texts.append(f"one of what takes a process more than {results['long_s']} s:"
                     f" {results['once']}")
    if results["left_out"]:
        texts.append("left out, since they take many minutes: " + ", ".join(results["left_out"]))
    return "; ".join(texts)


def bench(configuration: str = "small", rounds: int = 0) -> None:
    with tempfile.TemporaryDirectory(prefix="tenure-oo7-") as directory:
        work = Bench(configuration, directory, rounds)
        if configuration == "small":
            work.grown = work.growth()
        work.create_stores()
        work.measure()
        results = work.results()
    print_tables(results)
    print_goals(oo7_goals(results))
    print("written to " + os.path.relpath(
        measuring.write_results("oo7-" + configuration, results), measuring.ROOT))
