"""OO7 in Tenure and beside it in what one would use instead, all in the same run.

Each (program, operation, mode) is a fresh process per round: it opens its store, does the operation
five times, in one transaction or in many chained ones, and prints what each part took; what lasts
microseconds is done many times in each iteration but the first. The first
iteration is cold (the store is dropped from the page cache before, which mincore confirms), the three
in the middle are hot, the last one takes the end upon it (Hosking & Chen 1999, 5.4). All must count
the same, iteration by iteration, or the run fails.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple, Tuple

import measuring
from measuring import run

OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T5", "T6", "T7", "T8", "T9",
              "CU", "Q1", "Q2", "Q3", "Q4", "Q5", "Q7", "Q8", "insert", "delete"]
RECORD_OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T6", "T8"]
POLICIES = ("diff", "redo")  # of commit records; the durable updates are measured with both
DURABLE = ["T2A", "T2B", "T2C"]
UPDATES = {"T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T5", "CU", "insert", "delete"}
ROUNDS = {"small": 5, "medium": 3}
PEER_ROUNDS = 2  # of those that take a hundred times as long
HOT = slice(1, 4)
MOST_CREATING_MS = 30000  # no more rounds when one has waited that long
GROWTH = ["small", "small-x5", "medium"]  # beside each other: what an object of each costs
GROWTH_ROUNDS = 3


class Peer(NamedTuple):
    name: str
    program: str  # in the build folder; empty: see FOREIGN
    what: str
    operations: List[str]
    stored: bool  # or else in memory only
    slow: bool = False
    file: bool = False  # the store is one file, not a directory


PEERS = [
    Peer("C++", "oo7_malloc", "C++ objects with malloc, no store", OPERATIONS, False),
    Peer("libgc", "oo7_libgc", "C++ objects with libgc, no store", OPERATIONS, False),
    Peer("mapped", "oo7_mapped", "C++ in a mapped file, msync; not crash-safe", OPERATIONS, True,
         file=True),
    Peer("LMDB", "oo7_lmdb", "a record per object", RECORD_OPERATIONS, True, True),
    # Where there is no persistent memory each of its T2B takes more than a second.
    Peer("PMDK", "oo7_pmdk", "libpmemobj, objects with persistent pointers",
         ["T1", "T2A", "T2B", "T6", "T8"], True, True, True),
    Peer("BDB", "oo7_bdb", "Berkeley DB, a record per object", RECORD_OPERATIONS, True, True),
    Peer("SQLite", "oo7_sqlite", "a table per class", RECORD_OPERATIONS, True, True, True),
    Peer("ZODB", "", "Python objects", RECORD_OPERATIONS, True, True, True),
    Peer("EclipseStore", "", "Java objects", RECORD_OPERATIONS, True, True),
]
# With libpmemobj each change is written through to the disk, where there is no persistent memory: the
# medium configuration takes hours.
ONLY_SMALL = {"PMDK"}


class Part(NamedTuple):
    """A line of a program: open, iteration, chain or commit."""
    what: str
    numbers: Dict[str, float]

    @property
    def ms(self) -> float:
        return self.numbers["elapsed_us"] / 1000


class Process(NamedTuple):
    parts: List[Part]

    @property
    def peak_mb(self) -> float:
        return self.of("memory")[0].numbers["peak_kb"] / 1024

    def of(self, what: str) -> List[Part]:
        return [part for part in self.parts if part.what == what]


def parts_of(output: str) -> List[Part]:
    parts = []
    for line in output.splitlines():
        what, *words = line.split()
        numbers = {name: float(number) for name, number in zip(words[::2], words[1::2])}
        repeats = numbers.pop("repeats", 1)
        for time in ("elapsed_us", "user_us", "system_us"):
            if time in numbers:
                numbers[time] /= repeats
        parts.append(Part(what, numbers))
    return parts


def made(commands: List[List[str]], who: str) -> bool:
    """Runs them; says what was in the way when one of them fails."""
    for command in commands:
        try:
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, timeout=600)
        except (OSError, subprocess.TimeoutExpired) as e:
            print(f"oo7: without {who}: {e}", file=sys.stderr)
            return False
        if ran.returncode != 0:
            print(f"oo7: without {who}: {' '.join(ran.stdout.split()[-40:])}", file=sys.stderr)
            return False
    return True


def zodb_command() -> List[str]:
    """With a Python of its own with ZODB from PyPI; empty if it cannot be had."""
    folder = os.path.join(measuring.BUILD, "zodb")
    python = os.path.join(folder, "bin", "python")
    venv = [] if os.path.exists(python) else [[sys.executable, "-m", "venv", folder]]
    if not made([*venv, [python, "-m", "pip", "install", "-q", "ZODB"]], "ZODB"):
        return []
    return [python, os.path.join(measuring.ROOT, "bench", "oo7_zodb.py")]


def eclipse_store_command() -> List[str]:
    """With its archives from Maven; empty if there is no JDK, or they cannot be had."""
    folder = os.path.join(measuring.BUILD, "eclipsestore")
    source = os.path.join(measuring.ROOT, "bench", "oo7_eclipsestore")
    jars = os.path.join(folder, "jars")
    fetch = [] if os.path.isdir(jars) else [
        ["mvn", "-q", "-B", "-f", os.path.join(source, "pom.xml"),
         "dependency:copy-dependencies", "-DoutputDirectory=" + jars]]
    if not made([*fetch, ["javac", "-d", folder, "-cp", jars + "/*",
                          os.path.join(source, "OO7.java")]], "EclipseStore"):
        return []
    return ["java", "-cp", f"{folder}:{jars}/*", "OO7"]


# Those that are no program of ours, and how they are started.
FOREIGN = {"ZODB": zodb_command, "EclipseStore": eclipse_store_command}


class Bench:
    def __init__(self, configuration: str, directory: str) -> None:
        self.configuration = configuration
        self.rounds = ROUNDS[configuration.split("-")[0]]
        self.directory = directory
        self.program = measuring.build_program("oo7", os.path.join(directory, "oo7"),
                                               "--no-checks")
        self.peers: List[Peer] = []
        self.commands: Dict[str, List[str]] = {}  # by peer
        for peer in PEERS:
            if peer.name in ONLY_SMALL and configuration != "small":
                continue
            command = [os.path.join(measuring.BUILD, "bench", peer.program)]
            if peer.name in FOREIGN:
                command = FOREIGN[peer.name]() if configuration in ROUNDS else []
            if command:
                self.peers.append(peer)
                self.commands[peer.name] = command
        # (who, operation, mode) -> a process per round
        self.runs: Dict[Tuple[str, str, str], List[Process]] = {}
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
        """What is in Tenure's store: objects, their bytes and pages, and the files by kind."""
        store = self.path("Tenure")
        stat = json.loads(run([measuring.TENURE, "db", "stat", "--json", store]).output)
        main = stat["databases"][0]
        files = {name: os.stat(name).st_blocks * 512 for name in measuring.files_of(store)}
        log = sum(size for name, size in files.items() if os.path.basename(name).startswith("log."))
        return {"objects": main["objects"], "bytes": main["bytes"], "pages": main["pages"],
                "file": files[os.path.join(store, "main.db")], "log": log,
                "other_files": sum(files.values()) - files[os.path.join(store, "main.db")] - log}

    def growth(self) -> Dict[str, Dict[str, float]]:
        """Larger databases: what is linear costs the same per object."""
        found = {}
        for configuration in GROWTH:
            created: List[float] = []
            collected: List[float] = []
            beside: List[float] = []
            for _ in range(GROWTH_ROUNDS):
                create, collect = self.tenure_create(configuration)
                created.append(create)
                collected.append(collect)
                build = parts_of(run([*self.commands["C++"], configuration, "T9"]).output)[0]
                beside.append(build.ms)
            mapped = self.path("growth")
            objects = run([*self.commands["mapped"], "create", mapped,
                           configuration]).output.split()
            remove(mapped)
            found[configuration] = {"create_ms": statistics.median(created),
                                    "collect_ms": statistics.median(collected),
                                    "cpp_ms": statistics.median(beside),
                                    "cpp_bytes": int(objects[objects.index("bytes") + 1]),
                                    **self.stored()}
        remove(self.path("Tenure"))
        return found

    def create_stores(self) -> None:
        commands = {"Tenure": [self.program, "create", self.path("Tenure"), self.configuration]}
        for peer in self.peers:
            if peer.stored:
                commands[peer.name] = [*self.commands[peer.name], "create", self.path(peer.name),
                                       self.configuration]
        for policy in POLICIES:
            commands[f"Tenure {policy}"] = [*commands["Tenure"], f"@M3recovery={policy}"]
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

    # ---- Running

    def process(self, who: str, command: List[str], operation: str, stored: bool) -> Process:
        """In a copy of the store when the operation changes it, cold in any case."""
        path = self.path(who)
        if stored and operation in UPDATES:
            copy = self.path("copy")
            remove(copy)
            (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, copy)
            command = [copy if word == path else word for word in command]
            path = copy
        if stored:
            measuring.drop_from_page_cache(path)
            left = measuring.cached_pages(path)
            if left:
                sys.exit(f"oo7: {left} pages of {path} stay in the page cache")
        return Process(parts_of(run(command).output))

    def measure(self) -> None:
        for operation in OPERATIONS:
            for turn in range(self.rounds):
                self.one_round(operation, slow=turn < PEER_ROUNDS)
            print(f"  {operation} done", file=sys.stderr)

    def one_round(self, operation: str, slow: bool) -> None:
        """All in turn, so that all see the machine in the same mood."""
        counts: Dict[str, List[float]] = {}

        def add(who: str, mode: str, process: Process) -> None:
            self.runs.setdefault((who, operation, mode), []).append(process)
            counts[f"{who} {mode}"] = [part.numbers["count"] for part in process.of("iteration")]

        add("Tenure in memory", "one", self.process(
            "", [self.program, "measure", "--memory=" + self.configuration, operation], operation,
            False))
        for mode in ("one", "many"):
            add("Tenure", mode, self.process(
                "Tenure", [self.program, "measure", self.path("Tenure"), operation, mode],
                operation, True))
        if operation in DURABLE:
            for policy in POLICIES:
                add(f"Tenure {policy}", "many", self.process(
                    "Tenure", [self.program, "measure", self.path("Tenure"), operation, "many",
                               f"@M3recovery={policy}"], operation, True))
        for peer in self.peers:
            if operation not in peer.operations or (peer.slow and not slow):
                continue
            if not peer.stored:
                add(peer.name, "one", self.process("", [
                    *self.commands[peer.name], self.configuration, operation], operation, False))
                continue
            for mode in ("one", "many"):
                add(peer.name, mode, self.process(peer.name, [
                    *self.commands[peer.name], "measure", self.path(peer.name), operation, mode],
                                                  operation, True))
        expected = counts["C++ one"]
        for who, found in counts.items():
            if found != expected:
                sys.exit(f"oo7: {operation}: {who} counted {found}, C++ {expected}")

    # ---- Figures

    def hot_ms(self, who: str, operation: str, mode: str) -> List[float]:
        """One figure per round: the median of the three hot iterations."""
        return [statistics.median(part.ms for part in process.of("iteration")[HOT])
                for process in self.runs.get((who, operation, mode), [])]

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
        """What Tenure's first and third iteration did, and the third commit; of the last round."""
        process = self.runs[("Tenure", operation, mode)][-1]
        found = {"cold": process.of("iteration")[0].numbers,
                 "hot": process.of("iteration")[2].numbers}
        ends = process.of("chain")[2:3] or process.of("commit")
        found["commit"] = ends[0].numbers
        return found

    def t2a_commit(self) -> Dict[str, float]:
        """T2A's hot commits, and what is the least that they could do, in the same directory."""
        found: Dict[str, float] = {}
        for policy in POLICIES:
            ends = [part for process in self.runs[(f"Tenure {policy}", "T2A", "many")]
                    for part in process.of("chain")[HOT]]
            found[policy + "_ms"] = statistics.median(part.ms for part in ends)
        found["pages"] = ends[0].numbers["pages_written"]
        found["bytes"] = ends[0].numbers["bytes_written"]
        store = self.path("floor")
        output = run([os.path.join(measuring.BUILD, "bench", "commit_bdb"), store, "50",
                      str(int(found["pages"])), str(int(found["bytes"]))]).output
        remove(store)
        for line in output.splitlines():
            words = line.split()
            found[words[1].split("-")[0] + "_ms"] = float(words[2])
        return found

    def results(self) -> Dict[str, object]:
        policies = [f"Tenure {policy}" for policy in POLICIES]
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
        peaks = {who: max(process.peak_mb for process in self.runs[(who, "T1", "one")])
                 for who in everybody}
        return {"configuration": self.configuration, "rounds": self.rounds, "growth": self.grown,
                "peers": {peer.name: peer.what for peer in self.peers},
                "create_ms": self.created, "t2a_commit": self.t2a_commit(),
                "bytes_on_disk": self.sizes, "peak_mb_t1": peaks, "operations": per_operation}


def remove(path: str) -> None:
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def ratio(a: List[float], b: List[float]) -> float:
    return statistics.median(a) / statistics.median(b)


def commit_text(t2a: Dict[str, float]) -> str:
    return (f"T2A's commit, {t2a['pages']:.0f} pages: with redo {t2a['redo_ms']:.3f} ms,"
            f" {t2a['redo_ms'] / t2a['append_ms']:.2f} times a durable append of its"
            f" {t2a['bytes']:.0f} changed bytes ({t2a['append_ms']:.3f} ms); with diff"
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
    print(f"\nOO7 {results['configuration']}, {results['rounds']} rounds; median milliseconds of hot"
          " iterations in one transaction, and how many times C++ with malloc")
    print(f"  {'':8}{'Tenure':>12}{'C++':>10}{'ratio':>7}{'in memory':>11}{'libgc':>7}"
          f"{'mapped':>8}{'chained':>9}")
    for name, entry in operations.items():
        hot = entry["hot_ms"]
        base = hot["C++"]
        print(f"  {name:8}{statistics.median(hot['Tenure']):12.4f}{statistics.median(base):10.4f}"
              f"{ratio(hot['Tenure'], base):7.2f}{ratio(hot['Tenure in memory'], base):11.2f}"
              f"{ratio(hot['libgc'], base):7.2f}{ratio(hot['mapped'], base):8.2f}"
              f"{ratio(entry['chained_ms']['Tenure'], base):9.2f}")
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
    if results["growth"]:
        print("\n" + "\n".join(growth_text(results["growth"])))
    print("\nCreating, milliseconds: " + ", ".join(
        f"{who} {ms:.0f}" for who, ms in results["create_ms"].items()))
    print("On disk, megabytes: " + ", ".join(
        f"{who} {size / 1e6:.1f}" for who, size in results["bytes_on_disk"].items()))
    print("Peak memory in T1, megabytes: " + ", ".join(
        f"{who} {mb:.0f}" for who, mb in results["peak_mb_t1"].items()))


def bench(configuration: str = "small") -> None:
    with tempfile.TemporaryDirectory(prefix="tenure-oo7-") as directory:
        work = Bench(configuration, directory)
        if configuration == "small":
            work.grown = work.growth()
        work.create_stores()
        work.measure()
        results = work.results()
    print_tables(results)
    print("written to " + os.path.relpath(
        measuring.write_results("oo7-" + configuration, results), measuring.ROOT))
