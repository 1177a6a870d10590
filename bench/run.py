#!/usr/bin/env python3
"""Runs the benchmarks: run.py [NAME ...]. Each answers one question.

  oo7    How much slower is OO7 small, hot and persistent, than the same traversal in C++ with
         malloc? And how long does it take cold, in a fresh process, with the
         database's files dropped from the page cache?
  commit Does a commit of few objects cost the same beside a large heap, a large database and many
         displaced objects as beside small ones? And beside one transaction of Berkeley DB?
  gc     What do allocation and collection cost beside C++ with malloc and free, in processor time
         and memory, and how long are the pauses?
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
from typing import Dict, List, NamedTuple, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

ROUNDS = 15
COLD_ROUNDS = 5
COMMIT_ROUNDS = 3
GC_ROUNDS = 5


class Operation(NamedTuple):
    count: int
    ms: float


def run(command: List[str]) -> str:
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode != 0:
        sys.exit(f"run.py: status {ran.returncode} of {' '.join(command)}")
    return ran.stdout


def operations(output: str) -> Dict[str, Operation]:
    """The lines `NAME COUNT TIME ms` of a program."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 4 and words[3] == "ms":
            found[words[0]] = Operation(int(words[1]), float(words[2]))
    return found


def statistics_of(output: str) -> Dict[str, int]:
    """The lines `NAME NUMBER` of a program."""
    lines = [line.rsplit(" ", 1) for line in output.splitlines()]
    return {words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdigit()}


def drop_from_page_cache(store: str) -> None:
    for folder, _, names in os.walk(store):
        for name in names:
            descriptor = os.open(os.path.join(folder, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def spread(values: List[float]) -> str:
    return f"{statistics.median(values):.3f} ms ({min(values):.3f} to {max(values):.3f})"


EXPECTED = {"T1": 43740, "T1-hot": 43740, "T6": 2187, "T2A": 2187, "T2B": 43740, "T2C": 174960,
            "T8": 10000, "T9": 0}


def check_counts(who: str, found: Dict[str, Operation]) -> None:
    for name, operation in found.items():
        want = EXPECTED.get(name, operation.count)
        if operation.count != want:
            sys.exit(f"run.py: {who}: {name} counted {operation.count}, expected {want}")


def bench_oo7() -> None:
    cpp = os.path.join(BUILD, "bench", "oo7_cpp")
    with tempfile.TemporaryDirectory(prefix="tenure-oo7-") as directory:
        program = os.path.join(directory, "oo7")
        run([TENURE, "build", os.path.join(ROOT, "bench", "oo7"), "-O2", "--no-checks",
             "-o", program])
        store = os.path.join(directory, "store")
        run([program, "create", store])

        # Alternately, so that both see the machine in the same mood.
        ours: Dict[str, List[float]] = {}
        theirs: Dict[str, List[float]] = {}
        memory: List[float] = []
        ratios: List[float] = []
        for _ in range(ROUNDS):
            a = operations(run([program, "run", store]))
            b = operations(run([cpp]))
            c = operations(run([program, "memory"]))
            for who, found in (("oo7 run", a), ("oo7_cpp", b), ("oo7 memory", c)):
                check_counts(who, found)
            for name, operation in a.items():
                ours.setdefault(name, []).append(operation.ms)
            for name, operation in b.items():
                theirs.setdefault(name, []).append(operation.ms)
            memory.append(c["T1-hot"].ms)
            ratios.append(a["T1-hot"].ms / b["T1-hot"].ms)
        run([program, "check", store])

        cold: List[float] = []
        for _ in range(COLD_ROUNDS):
            drop_from_page_cache(store)
            output = run([program, "cold", store])
            cold.append(operations(output)["T1"].ms)
        numbers = statistics_of(output)

    print(f"oo7 small, {ROUNDS} rounds: median (least to most)")
    for name in ours:
        beside = f"   C++ {spread(theirs[name])}" if name in theirs else ""
        print(f"  {name:<7} {spread(ours[name])}{beside}")
    print(f"  T1-hot without a database {spread(memory)}")
    fastest = min(theirs["T1-hot"])
    print(f"  T1-hot, persistent / C++: {statistics.median(ratios):.2f}"
          f" (median of the rounds), {min(ours['T1-hot']) / fastest:.2f} (fastest / fastest)")
    print(f"  T1-hot, without a database / C++, fastest / fastest: {min(memory) / fastest:.2f}")
    about = ", ".join(f"{number} {name.replace('-', ' ')}" for name, number in numbers.items())
    print(f"  T1 cold, {COLD_ROUNDS} rounds: {spread(cold)}" + (f": {about}" if about else ""))


def commit_lines(output: str) -> Dict[str, Tuple[float, int]]:
    """The lines `NAME TIME ms LOG-BYTES` of a program."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 4 and words[2] == "ms":
            found[words[0]] = (float(words[1]), int(words[3]))
    return found


def bench_commit() -> None:
    """Rounds alternate, and the least of each counts: a sync's time is the disk's mood."""
    sizes = {"1 MB": ("1", "1", "0"), "100 MB": ("100", "100", "0"),
             "1 GB, 100,000 displaced": ("1000", "1000", "100000")}
    least: Dict[str, Dict[str, Tuple[float, int]]] = {name: {} for name in [*sizes, "bdb"]}
    with tempfile.TemporaryDirectory(prefix="tenure-commit-") as directory:
        program = os.path.join(directory, "commit")
        run([TENURE, "build", os.path.join(ROOT, "bench", "commit"), "-O2", "-o", program])
        for turn in range(COMMIT_ROUNDS):
            for name, words in sizes.items():
                store = os.path.join(directory, "store")
                found = commit_lines(run([program, store, *words]))
                shutil.rmtree(store)
                for kind, result in found.items():
                    least[name][kind] = min(result, least[name].get(kind, result))
            bdb = os.path.join(directory, f"bdb{turn}")
            for kind, result in commit_lines(
                    run([os.path.join(BUILD, "bench", "commit_bdb"), bdb, "200"])).items():
                least["bdb"][kind] = min(result, least["bdb"].get(kind, result))
    print(f"commit, least of {COMMIT_ROUNDS} medians, and bytes of log")
    small, *larger = sizes
    for kind, (ms, log) in least[small].items():
        beside = ", ".join(f"{name} {least[name][kind][0] / ms:.2f}x" for name in larger)
        print(f"  {kind:<14} {ms:.3f} ms {log:>8} bytes   {beside}")
    ms, log = least["bdb"]["bdb-1"]
    print(f"  one page in Berkeley DB {ms:.3f} ms {log} bytes: changed-1 is "
          f"{least[small]['changed-1'][0] / ms:.2f}x that")


class Cost(NamedTuple):
    cpu_s: float
    peak_mb: float
    output: str
    errors: str


def cost_of(command: List[str]) -> Cost:
    """What one run of a program took."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            sys.exit(f"run.py: status {child.returncode} of {' '.join(command)}: {err.read()}")
        return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read(), err.read())


def bench_gc() -> None:
    print(f"collector, {GC_ROUNDS} rounds: processor seconds, median (least to most)")
    for name in ("binary_trees", "gcbench", "threads"):
        twin = os.path.join(BUILD, "bench", name)
        with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
            program = os.path.join(directory, name)
            run([TENURE, "build", os.path.join(ROOT, "bench", "gc", name), "-O2", "-o", program])
            ours: List[Cost] = []
            theirs: List[Cost] = []
            for _ in range(GC_ROUNDS):
                ours.append(cost_of([program, "@M3gcstats=json"]))
                theirs.append(cost_of([twin]))
                if ours[-1].output != theirs[-1].output:
                    sys.exit(f"run.py: {name} and its twin do not print the same")
        pauses = json.loads(ours[-1].errors)["gc"]
        ratio = statistics.median(a.cpu_s / b.cpu_s for a, b in zip(ours, theirs))
        for who, costs in (("Tenure", ours), ("C++", theirs)):
            times = [cost.cpu_s for cost in costs]
            print(f"  {name:<13} {who:<7} {statistics.median(times):.2f}"
                  f" ({min(times):.2f} to {max(times):.2f}), peak {costs[-1].peak_mb:.0f} MB")
        print(f"  {name:<13} ratio   {ratio:.2f}; {pauses['minor_collections']} minor and"
              f" {pauses['major_collections']} major collections, pauses p50"
              f" {pauses['pause_us_p50']} us, p99 {pauses['pause_us_p99']} us, at most"
              f" {pauses['pause_us_max']} us")


def bench_compile() -> None:
    sys.stdout.flush()
    subprocess.run([sys.executable, os.path.join(ROOT, "bench", "compile_bench.py")], check=True)


BENCHMARKS = {"oo7": bench_oo7, "commit": bench_commit, "gc": bench_gc, "compile": bench_compile}


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    for name in names:
        if name not in BENCHMARKS:
            sys.exit(f"run.py: there is no benchmark {name}; there is {', '.join(BENCHMARKS)}")
    for name in names:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
