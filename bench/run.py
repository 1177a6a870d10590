#!/usr/bin/env python3
"""Runs the benchmarks. Each answers one question.

  oo7    What do the operations of OO7 take, cold, hot and durable, beside the same in C++ with malloc
         and in other stores? See oo7/measure.py.
  oo7-medium  The same for the medium database; half an hour. Operations that are left out, or
         measured less often than the rest, are named in the results.
  oo1    The same of OO1; see oo1/measure.py.
  served OO7 by several programs through the page server; see oo7/served.py.
  commit Does a commit of few objects cost the same with a large heap, a large database and many
         displaced objects as with small ones? How does it compare with one transaction of
         Berkeley DB? And with each policy of commit records? See commit/measure.py.
  transfers  How many durable transfers between two of 100,000 accounts in a second, by threads, by threads with
         tickets, and by programs through the page server, beside SQLite, LMDB, RocksDB and PostgreSQL? See
         transfers/measure.py.
  cluster  What do hot and cold T1, commits of one object and T2A cost over a cluster of three machines on this one,
         beside `tenure serve` and a program alone? And with 1 to 8 stores? See cluster/measure.py.
  growth  What do opening, a cold fault, a commit, a look-up, collecting, verifying and backing up cost in
         stores of 1, 8 and 32 GB? Needs 96 GB of disk, or measures smaller stores. See growth/measure.py.
  gc     What do allocation and collection cost beside C++ with malloc and free, libgc, Go, Java and
         OCaml, and how long are the pauses, also with a live gigabyte? See gc/measure.py.
  library  How fast are texts, tables, sorting, streams and numbers beside the C++ standard library?
  kernels  What do small programs of many kinds cost beside the same in C++ by two compilers, Go, Java and
         OCaml? Names of programs may follow: kernels sieve json. See kernels/measure.py.
  mutator  What do allocation, the write barrier and checks cost lists, trees and arrays beside C++
         with an arena? The arena has no collector, so pauses are reported separately.
  compile  How long does the compiler take? See compile/measure.py.
  flames  In which procedures do OO7's T1, hot and cold, T2B and its commits spend their time? Needs perf;
         see flames/flame.py.

The programs come from the build directory (TENURE_BUILD_DIR, or build/).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True

from bench.commit import measure as commit_bench  # noqa: E402
from bench.gc import measure as gc_bench  # noqa: E402
from bench.growth import measure as growth_bench  # noqa: E402
from bench.kernels import measure as kernels_bench  # noqa: E402
from bench.support import measuring  # noqa: E402
from bench.oo1 import measure as oo1_bench  # noqa: E402
from bench.oo7 import measure as oo7_bench  # noqa: E402
from bench.oo7 import served as oo7_served  # noqa: E402
from bench.transfers import measure as transfers_bench  # noqa: E402
from bench.support.measuring import BUILD, ROOT, build_program, run  # noqa: E402

RATIO_ROUNDS = 3
# The clock rate of a shared machine varies, and these rows take tenths of a second.
MUTATOR_ROUNDS = 7


class Operation(NamedTuple):
    count: int
    ms: float
    pauses_ms: float  # the collector's part of them; 0 if a program does not report it


def operations(output: str) -> Dict[str, Operation]:
    """The lines `NAME COUNT TIME ms [PAUSES ms]` of a program."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) in (4, 6) and words[3] == words[-1] == "ms":
            found[words[0]] = Operation(int(words[1]), float(words[2]),
                                        float(words[4]) if len(words) == 6 else 0.0)
    return found


def bench_beside(name: str, about: str, with_file: bool, rounds: int) -> None:
    """A program whose lines `operations` reads, and its twin in C++ with the same results."""
    with tempfile.TemporaryDirectory(prefix="tenure-bench-") as directory:
        program = os.path.join(directory, name)
        build_program(f"{name}/tenure", program)
        arguments = [os.path.join(directory, "file")] if with_file else []
        ours: Dict[str, List[float]] = {}
        theirs: Dict[str, List[float]] = {}
        pauses: Dict[str, List[float]] = {}
        for _ in range(rounds):
            a = operations(run([program, *arguments]).output)
            b = operations(run([os.path.join(BUILD, "bench", name), *arguments]).output)
            if [(n, o.count) for n, o in a.items()] != [(n, o.count) for n, o in b.items()]:
                sys.exit(f"run.py: {name} and its twin do not come to the same results")
            for kind in a:
                ours.setdefault(kind, []).append(a[kind].ms)
                theirs.setdefault(kind, []).append(b[kind].ms)
                pauses.setdefault(kind, []).append(a[kind].pauses_ms)
    print(f"{about}, {rounds} rounds: least processor time, and the ratio of the least")
    results = {"rounds": rounds, "Tenure": ours, "C++": theirs}
    if any(sum(ms) for ms in pauses.values()):
        results["pauses"] = pauses
    for kind in ours:
        least, beside = min(ours[kind]), min(theirs[kind])
        print(f"  {kind:<20} {least:>9.3f} ms   C++ {beside:>9.3f} ms   {least / beside:.2f}", end="")
        if "pauses" in results:
            alone, of_pauses = measuring.without_pauses(results, kind)
            print(f"   of that pauses {of_pauses:>7.3f} ms; without {alone:>9.3f} ms"
                  f"   {alone / beside:.2f}", end="")
        print()
    measuring.write_results(name, results)


def bench_library() -> None:
    bench_beside("library", "library beside the C++ standard library", True, RATIO_ROUNDS)


def bench_mutator() -> None:
    bench_beside("mutator", "mutator beside C++ with an arena", False, MUTATOR_ROUNDS)


def bench_by_script(name: str, *options: str) -> None:
    sys.stdout.flush()
    if subprocess.run([sys.executable, os.path.join(ROOT, "bench", name), *options]).returncode != 0:
        sys.exit(f"run.py: {name} failed")


# Each gets the arguments of this program.
BENCHMARKS = {"oo7": lambda arguments: oo7_bench.bench("small", arguments.rounds),
              "oo7-medium": lambda arguments: oo7_bench.bench("medium", arguments.rounds),
              "served": lambda _: oo7_served.bench(), "oo1": lambda _: oo1_bench.bench(),
              "commit": lambda _: commit_bench.bench(),
              "transfers": lambda arguments: transfers_bench.bench(arguments.quick),
              "cluster": lambda arguments: bench_by_script(os.path.join("cluster", "measure.py"),
                                                           *(["--quick"] if arguments.quick else [])),
              "growth": lambda arguments: growth_bench.bench(arguments.quick, arguments.sizes),
              "gc": lambda _: gc_bench.bench(),
              "kernels": lambda arguments: kernels_bench.bench(arguments.kernels, arguments.quick),
              "library": lambda _: bench_library(), "mutator": lambda _: bench_mutator(),
              "compile": lambda _: bench_by_script(os.path.join("compile", "measure.py")),
              "flames": lambda _: bench_by_script(os.path.join("flames", "flame.py"))}


def sizes_of(text: str) -> List[int]:
    if not re.fullmatch(r"[1-9][0-9]{0,3}(,[1-9][0-9]{0,3})*", text):
        raise argparse.ArgumentTypeError(f"{text} is not a list of sizes in GB, such as 1,4")
    return [int(word) for word in text.split(",")]


# Those that --quick makes shorter.
QUICK = ("transfers", "growth", "kernels", "cluster")


def main() -> None:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="one of " + ", ".join(BENCHMARKS) + "; if none is named, all of them that can"
                        " be run here")
    parser.add_argument("--commit", choices=commit_bench.POLICIES,
                        help="the policy of commit records that Tenure's programs run with;"
                        " those of oo7 run with redo, and durable updates with diff as well")
    parser.add_argument("--rounds", type=int, default=0, metavar="N",
                        help="of oo7 and oo7-medium, instead of their own number: 1 to see that all"
                        " counts agree")
    parser.add_argument("--quick", action="store_true",
                        help="of transfers: one round of two seconds each, to see that all programs work; of"
                        " growth: stores of 1 and 2 GB; of kernels: one round with little work. No results are"
                        " written")
    parser.add_argument("--sizes", type=sizes_of, default=(), metavar="GB,GB",
                        help="of growth: the sizes of its stores, 1,4 for example. No results are written")
    arguments = parser.parse_args()
    kernels = [kernel.name for kernel in kernels_bench.KERNELS]
    arguments.kernels = [name for name in arguments.names if name in kernels]
    arguments.names = [name for name in arguments.names if name not in kernels]
    if arguments.kernels and "kernels" not in arguments.names:
        parser.error(f"{arguments.kernels[0]} is a program of the benchmark kernels: kernels"
                     f" {' '.join(arguments.kernels)}")
    for name in arguments.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name}; there is {', '.join(BENCHMARKS)}")
    if arguments.quick:
        for name in arguments.names:
            if name not in QUICK:
                parser.error(f"--quick: {name} has no short form; {', '.join(QUICK)} have one")
        arguments.names = arguments.names or list(QUICK)
    if arguments.sizes and "growth" not in arguments.names:
        parser.error("--sizes is of growth")
    if arguments.rounds < 0:
        parser.error("--rounds: a number from 1")
    if arguments.commit:
        options = f"{os.environ.get('TENURE_OPTIONS', '')} @M3recovery={arguments.commit}"
        os.environ["TENURE_OPTIONS"] = options.strip()
        print(f"commits by the policy {arguments.commit}")
    needed = {"flames": "perf", "cluster": "etcd"}
    everything = [name for name in BENCHMARKS if name not in needed or shutil.which(needed[name])]
    for name in arguments.names or everything:
        BENCHMARKS[name](arguments)


if __name__ == "__main__":
    main()
