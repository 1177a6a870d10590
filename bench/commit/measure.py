"""What does a commit cost in a program with many live objects, compared with one transaction of
Berkeley DB?

Programs with heaps and databases of different sizes wait side by side and commit in turns, a few
commits each, so that disturbances of disk and machine affect all of them alike.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple

from bench.support import measuring

POLICIES = ("diff", "whole", "redo", "pd-esm", "wpl")
BARRIER_POLICIES = ("sd", "sl")  # of a program with software barriers
ALL_POLICIES = POLICIES + BARRIER_POLICIES
NUMBERS = (1, 10, 400, 10000)
KINDS = [(kind, count) for count in NUMBERS for kind in ("new", "changed")]
TURNS = 12
# A commit of many objects leaves work for later, which must not fall into the next turn.
PAUSE_S = 0.3
MANY = 1000
BDB = "Berkeley DB"
BDB_KIND = ("changed", 1)  # the only meaningful one there


class Cost(NamedTuple):
    ms: float
    processor_ms: float
    log_bytes: int


Costs = Dict[str, Dict[str, Cost]]  # by program, kind and number


def row_name(kind: str, count: int) -> str:
    return f"{kind}-{count}"


class Committer:
    """A program that commits on request (see bench/commit)."""

    def __init__(self, command: List[str]) -> None:
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.log = 0
        self.logged: Dict[str, int] = {}
        self.times: Dict[str, List[List[float]]] = {}

    def answer(self) -> List[List[float]]:
        """Waits until the program reports the length of its logs, and computes their growth."""
        times: List[List[float]] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            words = line.split()
            if words[0] == "log":
                self.grown, self.log = int(words[1]) - self.log, int(words[1])
                return times
            times.append([float(word) for word in words])
        sys.exit(f"status {self.process.wait()} of {' '.join(self.command)}")

    def tell(self, command: str) -> List[List[float]]:
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.answer()

    def take_turn(self, kind: str, count: int) -> None:
        commits = 10 if count <= MANY else 3
        name = row_name(kind, count)
        self.times.setdefault(name, []).extend(self.tell(f"{kind} {count} {commits}"))
        time.sleep(PAUSE_S if count > MANY else 0)
        self.logged[name] = self.logged.get(name, 0) + self.grown

    def forget(self, kind: str, count: int) -> None:
        name = row_name(kind, count)
        del self.times[name], self.logged[name]

    def costs(self) -> Dict[str, Cost]:
        return {name: Cost(*(statistics.median(column) for column in zip(*times)),
                           self.logged[name] // len(times)) for name, times in self.times.items()}

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Bench:
    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.program = measuring.build_program("commit/tenure", os.path.join(directory, "program"))
        self.with_barriers = measuring.build_program(
            "commit/tenure", os.path.join(directory, "with_barriers"), "--barriers=software")
        self.start = time.monotonic()
        self.started: Dict[str, Committer] = {}

    def say(self, text: str) -> None:
        print(f"  {text} after {time.monotonic() - self.start:.0f} s", file=sys.stderr, flush=True)

    def begin(self, name: str, program: str, *words: str) -> None:
        store = os.path.join(self.directory, name.replace(" ", "-"))
        self.started[name] = Committer([program, store, *words])

    def settle(self) -> None:
        """All started programs are ready, and no writes are pending."""
        for committer in self.started.values():
            committer.answer()
        time.sleep(6)  # the next checkpoint writes the objects of the set-up
        os.sync()
        self.say(f"{', '.join(self.started)}: made")

    def take_turns(self, *names: str, before: str = "") -> Costs:
        """The times of each program; `before` is sent to all but the first."""
        committers = [self.started[name] for name in names]
        for committer in committers:
            committer.times, committer.logged = {}, {}
        for committer in committers[1:]:
            if before:
                committer.tell(before)
        for kind in KINDS:
            busy = [self.started[name] for name in names if name != BDB or kind == BDB_KIND]
            for committer in busy:  # not measured: the first commit does extra work
                committer.take_turn(*kind)
                committer.forget(*kind)
            for _ in range(TURNS):
                for committer in busy:
                    committer.take_turn(*kind)
        self.say(f"{before or ', '.join(names)}: measured")
        return {name: self.started[name].costs() for name in names}

    def close(self) -> None:
        for committer in self.started.values():
            committer.close()
        self.started = {}


def measure() -> Dict[str, Costs]:
    with tempfile.TemporaryDirectory(prefix="tenure-commit-") as directory:
        bench = Bench(directory)
        for policy in ALL_POLICIES:
            program = bench.with_barriers if policy in BARRIER_POLICIES else bench.program
            bench.begin(policy, program, "1", "1", f"@M3recovery={policy}")
        bench.begin(BDB, os.path.join(measuring.BUILD, "bench", "commit_bdb"))
        bench.settle()
        results = {"policies": bench.take_turns(*ALL_POLICIES, BDB)}
        bench.close()
        for name, megabytes in (("1 MB", "1"), ("100 MB", "100"), ("1 GB", "1000")):
            bench.begin(name, bench.program, megabytes, megabytes)
        bench.settle()
        results["sizes"] = bench.take_turns("1 MB", "100 MB", "1 GB")
        results["young"] = bench.take_turns("1 MB", "1 GB", before="young")
        results["displaced"] = bench.take_turns("1 MB", "1 GB", before="displaced")
        bench.close()
    return results


# The comparisons, as in the tables.
BESIDE = {"100 MB": ("sizes", "100 MB"), "1 GB": ("sizes", "1 GB"),
          "1 GB and 4 MB young": ("young", "1 GB"),
          "1 GB and 100,000 displaced": ("displaced", "1 GB")}


def times_small(results: Dict[str, Costs], about: str, kind: str, column: int) -> float:
    phase, name = BESIDE[about]
    return results[phase][name][kind][column] / results[phase]["1 MB"][kind][column]


def times_page(results: Dict[str, Costs], policy: str, column: int) -> float:
    """A changed object's commit, times a transaction of Berkeley DB that changes one page."""
    found = results["policies"]
    return found[policy]["changed-1"][column] / found[BDB]["changed-1"][column]


def bench() -> None:
    results = measure()
    print("commit: median times, of a processor, and bytes of log; beside more: times that")
    for kind, cost in results["sizes"]["1 MB"].items():
        ms, processor_ms, log_bytes = cost
        print(f"  {kind:<14} {ms:>7.3f} ms {processor_ms:>7.3f} ms {log_bytes:>8} bytes")
        for about in BESIDE:
            print(f"    beside {about:<28} {times_small(results, about, kind, 0):5.2f}x"
                  f" {times_small(results, about, kind, 1):5.2f}x")
    print("changed-1, times one page in Berkeley DB")
    for policy in ALL_POLICIES:
        print(f"  by {policy:<6} {times_page(results, policy, 0):.2f}x"
              f" {times_page(results, policy, 1):.2f}x of a processor")
    print("commit by policy: milliseconds, of a processor, and bytes of all logs, pages put later"
          " included")
    for kind in results["sizes"]["1 MB"]:
        cells = (f"{name} {cost.ms:8.3f} {cost.processor_ms:7.3f} {cost.log_bytes:>8}"
                 for name in ALL_POLICIES for cost in [results["policies"][name][kind]])
        print(f"  {kind:<14} " + "   ".join(cells))
    measuring.write_results("commit", results)
