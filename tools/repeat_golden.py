#!/usr/bin/env python3
"""Runs golden tests again and again, with run-time flags that change from run to run, to find
errors that happen only sometimes: races and deadlocks.

  python3 tools/repeat_golden.py COUNT FILTER ...

Each test whose path contains a FILTER runs COUNT times; tests of phase `persist` use the fault
tiers in turn. If a program does not end, gdb prints the stacks of all its threads. The last line is
`N passed, N failed`; status 1 if any failed.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from typing import List, Tuple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import run_golden  # noqa: E402  (found through the path just added)
from golden_test import GoldenTest, read_golden_test  # noqa: E402

# Flags that must not change a program's results.
MOODS = [[], ["@M3nursery=128K"], ["@M3paranoidgc"], ["@M3gcstress=500"], ["@M3noincremental"],
         ["@M3nursery=128K", "@M3gcinplace=always", "@M3paranoidgc"]]


def stacks_of(process: int) -> str:
    try:
        return subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all bt"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              timeout=120).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no stacks: {error}\n"


def build(path: str, options: run_golden.Options, package: str) -> GoldenTest:
    test = read_golden_test(path, run_golden.GOLDEN_ROOT)
    os.mkdir(package)
    run_golden.write_package(test, package)
    built = run_golden.build_program(test, options, package, [])
    if built.status != 0:
        sys.exit(f"{path} does not compile\n{built.stderr}")
    return test


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", default="build", metavar="DIR")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("filter", nargs="+", metavar="FILTER")
    arguments = parser.parse_args()
    options = run_golden.Options(build_dir=arguments.build_dir, timeout=arguments.timeout)

    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="repeat-golden-") as directory:
        programs: List[Tuple[GoldenTest, str]] = []
        for path in run_golden.find_tests(arguments.filter):
            package = os.path.join(directory, str(len(programs)))
            programs.append((build(path, options, package), package))
        run_golden.evidence_of_hang = stacks_of
        for count in range(arguments.count):
            for test, package in programs:
                variants = run_golden.variants_of(test, options)
                name, flags, cannot = variants[count % len(variants)]
                if cannot:
                    continue
                mood = [] if test.runtime_flags else random.choice(MOODS)
                try:
                    run_golden.run_variant(test, options, package, flags + mood)
                    passed += 1
                except run_golden.Failure as failure:
                    failed += 1
                    print(f"{test.path} ({name} {' '.join(mood)}): {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    if failed or not passed:
        sys.exit(1)


if __name__ == "__main__":
    main()
