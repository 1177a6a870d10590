#!/usr/bin/env python3
"""Runs the benchmarks: run.py [NAME ...] [--commit=diff|whole|redo]. Each answers one question.

  oo7    What do the operations of OO7 take, cold, hot and durable, beside the same in C++ with malloc
         and in other stores? See oo7_bench.py. oo7-medium is the same for the medium database.
  oo1    The same of OO1, beside C++ with malloc; see oo1_bench.py.
  served OO7 by several programs through the page server; see oo7_served.py.
  commit Does a commit of few objects cost the same beside a large heap, a large database and many
         displaced objects as beside small ones? And beside one transaction of Berkeley DB?
         And what does each policy of commit records make of it? (--commit: with which one Tenure's
         programs run.)
  gc     What do allocation and collection cost beside C++ with malloc and free, in processor time
         and memory, and how long are the pauses, also beside a gigabyte that lives? A program that
         has twins in Go and Java (bench/gc/others) runs beside these too, where they are installed.
         And what does one more thread give a full collection of a gigabyte?
  library  How fast are texts, tables, sorting, streams and numbers beside the C++ standard library?
  mutator  What do allocation, the write barrier and checks cost lists, trees and arrays beside C++
         with an arena?
  compile  How long does the compiler take? See compile_bench.py.

The programs come from the build directory (TENURE_BUILD_DIR, or build/).
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Tuple

import oo1_bench
import oo7_bench
import oo7_served
from measuring import BUILD, ROOT, Ran, TookTooLong, build_program, run

COMMIT_SECONDS = 220  # for all of it
GC_ROUNDS = 5
RATIO_ROUNDS = 3


class CommitCost(NamedTuple):
    ms: float
    processor_ms: float
    log_bytes: int


Costs = Dict[str, Dict[str, CommitCost]]  # by what it is beside, and by kind and number


def commit_costs(output: str) -> Costs:
    """The lines `BESIDE KIND TIME ms TIME processor LOG-BYTES log` of a program."""
    found: Costs = {}
    for line in output.splitlines():
        words = line.split()
        if words[3:4] == ["ms"]:
            found.setdefault(words[0], {})[words[1]] = CommitCost(
                float(words[2]), float(words[4]), int(words[6]))
    return found


def least(a: Dict[str, CommitCost], b: Dict[str, CommitCost]) -> Dict[str, CommitCost]:
    """Of each figure: a sync's time is the disk's mood."""
    return {kind: CommitCost(*map(min, a.get(kind, cost), cost)) for kind, cost in b.items()}


POLICIES = ("diff", "whole", "redo")


class CommitBench:
    """Goes on to the next step when its time is over, and says so."""

    def __init__(self, directory: str) -> None:
        self.store = os.path.join(directory, "store")
        self.bdb_store = os.path.join(directory, "bdb")
        self.program = build_program("commit", os.path.join(directory, "commit"))
        self.start = time.monotonic()

    def say(self, text: str) -> None:
        print(f"  {text} after {time.monotonic() - self.start:.0f} s", file=sys.stderr, flush=True)

    def measure(self, about: str, *words: str) -> Costs:
        left = self.start + COMMIT_SECONDS - time.monotonic()
        try:
            output = run([self.program, self.store, *words], max(left, 1)).output
            self.say(f"{about} done")
        except TookTooLong as stopped:
            output = str(stopped)
            self.say(f"{about} stopped")
        shutil.rmtree(self.store, ignore_errors=True)
        return commit_costs(output)

    def bdb(self) -> Dict[str, CommitCost]:
        """One transaction of one page."""
        program = os.path.join(BUILD, "bench", "commit_bdb")
        found = commit_costs(run([program, self.bdb_store, "200"]).output)["plain"]
        shutil.rmtree(self.bdb_store)
        return found


def bench_commit() -> None:
    """What is small is measured before and after what is large."""
    with tempfile.TemporaryDirectory(prefix="tenure-commit-") as directory:
        bench = CommitBench(directory)
        small = bench.measure("beside 1 MB", "1", "1").get("plain", {})
        bdb = bench.bdb()
        policies = {}
        for policy in POLICIES:
            found = bench.measure(f"by {policy}", "1", "1", f"@M3recovery={policy}")
            policies[policy] = found.get("plain", {})
        middle = bench.measure("beside 100 MB", "100", "100")
        large = bench.measure("beside 1 GB", "1000", "1000", "all")
        again = bench.measure("beside 1 MB", "1", "1").get("plain", {})
        small = {**small, **least(small, again)}
        bdb = least(bdb, bench.bdb())["bdb-1"]
    beside = {"100 MB": middle.get("plain"), "1 GB": large.get("plain"),
              "1 GB and 4 MB young": large.get("nursery"),
              "1 GB and 100,000 displaced": large.get("displaced")}
    print("commit: median times, of a processor, and bytes of log; beside more: times that")
    for kind, cost in small.items():
        print(f"  {kind:<14} {cost.ms:>7.3f} ms {cost.processor_ms:>7.3f} ms"
              f" {cost.log_bytes:>8} bytes")
        for about, found in beside.items():
            if found and kind in found:
                print(f"    beside {about:<28} {found[kind].ms / cost.ms:5.2f}x"
                      f" {found[kind].processor_ms / cost.processor_ms:5.2f}x")
            else:
                print(f"    beside {about:<28} not measured in {COMMIT_SECONDS} s")
    print(f"  one page in Berkeley DB {bdb.ms:.3f} ms {bdb.processor_ms:.3f} ms {bdb.log_bytes} bytes:"
          f" changed-1 is {small['changed-1'].ms / bdb.ms:.2f}x,"
          f" {small['changed-1'].processor_ms / bdb.processor_ms:.2f}x that")
    for policy, found in policies.items():
        if "changed-1" in found and "new-1" in found:
            print(f"    by {policy:<6} {found['changed-1'].ms / bdb.ms:.2f}x,"
                  f" {found['changed-1'].processor_ms / bdb.processor_ms:.2f}x of a processor,"
                  f" {found['changed-1'].log_bytes} bytes of log; new-1 {found['new-1'].log_bytes}")
    print("commit by policy: milliseconds, of a processor, and bytes of all logs, pages put later"
          " included")
    for kind in small:
        cells = (f"{policy} {found[kind].ms:8.3f} {found[kind].processor_ms:7.3f}"
                 f" {found[kind].log_bytes:>8}" for policy, found in policies.items() if kind in found)
        print(f"  {kind:<14} " + "   ".join(cells))


def other_twins(name: str, directory: str) -> Dict[str, List[str]]:
    """The commands that run a program's twins in other languages, by what runs them."""
    others = os.path.join(ROOT, "bench", "gc", "others")
    commands = {}
    go_source = os.path.join(others, name + ".go")
    if os.path.exists(go_source) and shutil.which("go"):
        program = os.path.join(directory, name + "-go")
        run(["go", "build", "-o", program, go_source])
        commands["Go"] = [program]
    java_class = name.capitalize()
    java_source = os.path.join(others, java_class + ".java")
    if os.path.exists(java_source) and shutil.which("javac") and shutil.which("java"):
        run(["javac", "-d", directory, java_source])
        for collector in ("Serial", "Parallel"):
            commands["Java " + collector] = ["java", f"-XX:+Use{collector}GC", "-cp", directory,
                                             java_class]
    return commands


def bench_gc() -> None:
    print(f"collector, {GC_ROUNDS} rounds: processor seconds, median (least to most)")
    for name in ("binary_trees", "gcbench", "threads", "texts", "graph", "arrays"):
        twin = os.path.join(BUILD, "bench", name)
        with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
            program = build_program(os.path.join("gc", name), os.path.join(directory, name))
            ours: List[Ran] = []
            theirs: List[Ran] = []
            for _ in range(GC_ROUNDS):
                ours.append(run([program, "@M3gcstats=json"]))
                theirs.append(run([twin]))
                if ours[-1].output != theirs[-1].output:
                    sys.exit(f"run.py: {name} and its twin do not print the same")
            others = {who: [run(command) for _ in range(GC_ROUNDS)]
                      for who, command in other_twins(name, directory).items()}
        for who, ran in others.items():
            if any(one.output != theirs[-1].output for one in ran):
                sys.exit(f"run.py: {name} in {who} does not print the same")
        pauses = json.loads(ours[-1].errors)["gc"]
        ratio = statistics.median(a.cpu_s / b.cpu_s for a, b in zip(ours, theirs))
        for who, costs in (("Tenure", ours), ("C++", theirs), *others.items()):
            times = [cost.cpu_s for cost in costs]
            print(f"  {name:<13} {who:<13} {statistics.median(times):.2f}"
                  f" ({min(times):.2f} to {max(times):.2f}), peak {costs[-1].peak_mb:.0f} MB")
        print(f"  {name:<13} ratio         {ratio:.2f}; {pauses['minor_collections']} minor and"
              f" {pauses['major_collections']} major collections,"
              f" {pauses['old_collections']} in {pauses['old_slices']} slices, pauses p50"
              f" {pauses['pause_us_p50']} us, p99 {pauses['pause_us_p99']} us, at most"
              f" {pauses['pause_us_max']} us")
    bench_pauses()
    bench_full_collection()


def bench_pauses() -> None:
    """Beside a gigabyte that lives and is changed, without and with old displaced objects."""
    with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
        program = build_program(os.path.join("gc", "pauses"), os.path.join(directory, "pauses"))
        store = os.path.join(directory, "store")
        for about, words in (("1 GB", ["1000"]),
                             ("1 GB, 100,000 displaced", ["1000", "100000", store])):
            pauses = json.loads(run([program, *words, "@M3gcstats=json"]).errors)["gc"]
            for clock, key in (("", "pause_us"), (" of a processor", "pause_processor_us")):
                print(f"  pauses beside {about}{clock}: p50 {pauses[key + '_p50']} us, p99"
                      f" {pauses[key + '_p99']} us, at most {pauses[key + '_max']} us, in all"
                      f" {pauses[key + '_total'] / 1e6:.1f} s")


def bench_full_collection() -> None:
    """Pauses of full collections of the same gigabyte."""
    with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
        program = build_program(os.path.join("gc", "full"), os.path.join(directory, "full"))
        for threads in (1, 2):
            ran = run([program, "1000", f"@M3gcthreads={threads}", "@M3gcstats=json"])
            print(f"  full collection of 1 GB, {threads} threads: {ran.output.strip()}")


class Operation(NamedTuple):
    count: int
    ms: float


def operations(output: str) -> Dict[str, Operation]:
    """The lines `NAME COUNT TIME ms` of a program."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 4 and words[3] == "ms":
            found[words[0]] = Operation(int(words[1]), float(words[2]))
    return found


def bench_beside(name: str, about: str, with_file: bool) -> None:
    """A program whose lines are `NAME RESULT TIME ms`, and its twin in C++ that prints the same."""
    with tempfile.TemporaryDirectory(prefix="tenure-bench-") as directory:
        program = os.path.join(directory, name)
        build_program(name, program)
        arguments = [os.path.join(directory, "file")] if with_file else []
        ours: Dict[str, List[float]] = {}
        theirs: Dict[str, List[float]] = {}
        for _ in range(RATIO_ROUNDS):
            a = operations(run([program, *arguments]).output)
            b = operations(run([os.path.join(BUILD, "bench", name), *arguments]).output)
            if [(n, o.count) for n, o in a.items()] != [(n, o.count) for n, o in b.items()]:
                sys.exit(f"run.py: {name} and its twin do not come to the same results")
            for kind in a:
                ours.setdefault(kind, []).append(a[kind].ms)
                theirs.setdefault(kind, []).append(b[kind].ms)
    print(f"{about}, {RATIO_ROUNDS} rounds: least processor time, and the ratio of the least")
    for kind in ours:
        least, beside = min(ours[kind]), min(theirs[kind])
        print(f"  {kind:<20} {least:>9.3f} ms   C++ {beside:>9.3f} ms   {least / beside:.2f}")


def bench_library() -> None:
    bench_beside("library", "library beside the C++ standard library", True)


def bench_mutator() -> None:
    bench_beside("mutator", "mutator beside C++ with an arena", False)


def bench_compile() -> None:
    sys.stdout.flush()
    subprocess.run([sys.executable, os.path.join(ROOT, "bench", "compile_bench.py")], check=True)


BENCHMARKS = {"oo7": oo7_bench.bench, "oo7-medium": lambda: oo7_bench.bench("medium"),
              "served": oo7_served.bench, "oo1": oo1_bench.bench, "commit": bench_commit, "gc": bench_gc,
              "library": bench_library, "mutator": bench_mutator, "compile": bench_compile}


def main() -> None:
    words = sys.argv[1:]
    for word in [word for word in words if word.startswith("--commit=")]:
        words.remove(word)
        policy = word.partition("=")[2]
        if policy not in POLICIES:
            sys.exit(f"run.py: {word}: there is {', '.join(POLICIES)}")
        options = f"{os.environ.get('TENURE_OPTIONS', '')} @M3recovery={policy}"
        os.environ["TENURE_OPTIONS"] = options.strip()
        print(f"commits by the policy {policy}")
    names = words or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            sys.exit(f"run.py: there is no benchmark {name}; there is {', '.join(BENCHMARKS)}")
    for name in names:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
