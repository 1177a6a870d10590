#!/usr/bin/env python3
"""Runs all that is fast: the layering check, the unit tests of C++ and of Python, short fuzz runs
and the golden tests. The last line is the count: N passed, N failed.

Tests in Python are tests/**/*_test.py, run by unittest in a process of their own, with
TENURE_BUILD_DIR (absolute) in the environment. The program of a fuzz test takes a seed as its only
argument and exits with 0 if all was well.
"""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time
from typing import Callable, List, NamedTuple, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import check_layers  # noqa: E402
import run_golden  # noqa: E402

FAST_SEEDS = range(1, 6)
LONG_SEEDS = range(1, 301)
TIMEOUT_S = 1800
LONG_TIMEOUT_S = 7200
# A crash test forks once for each operation, and a fork takes longer the more memory tests before
# it have touched: in small parts all are quicker, and a slow machine shows how far it is.
SHARDS_PER_WORKER = 4

GTEST_VERDICT = re.compile(r"^\[\s*(OK|FAILED|SKIPPED)\s*\] (\S+?),?(?: \(\d+ ms\)|\s|$)")
GTEST_RUN = re.compile(r"^\[ RUN      \] (\S+)")
UNITTEST_SKIPPED = re.compile(r"^(\w.*?)(?: \(\S+\))? \.\.\. .*skipped ['\"]")
UNITTEST_FAILURE = re.compile(r"^(?:FAIL|ERROR): (\w+) \(")
UNITTEST_COUNT = re.compile(r"^Ran (\d+) tests? in ")
SANITIZER_SUMMARY = re.compile(r"^SUMMARY: .*", re.MULTILINE)
SANITIZER_REPORT = re.compile(r"^WARNING: ThreadSanitizer.*?(?=^SUMMARY)", re.MULTILINE | re.DOTALL)


class Report(NamedTuple):
    """What one test program gave: the names of those that passed, the failures with their text."""
    title: str
    passed: int
    failures: List[Tuple[str, str]]
    skipped: List[str]
    seconds: float


def run_captured(command: List[str], timeout: float, environment=None) -> Tuple[int, str]:
    """Status and the output of both streams; a status of None means that time ran out."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output.decode(errors="replace")


def how_it_ended(status) -> str:
    if status is None:
        return "did not end in time"
    return f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"


def last_lines(text: str, count: int = 40) -> str:
    return "\n".join("    | " + line for line in text.rstrip("\n").split("\n")[-count:])


def read_gtest_output(output: str, status) -> Tuple[int, List[Tuple[str, str]], List[str]]:
    """Counts what GoogleTest printed. A test that began and never ended is a failure too."""
    passed, failures, skipped = 0, [], []
    running, text = None, []
    for line in output.split("\n"):
        started = GTEST_RUN.match(line)
        if started:
            running, text = started.group(1), []
            continue
        verdict = GTEST_VERDICT.match(line)
        if verdict and running and verdict.group(2) == running:
            word = verdict.group(1)
            if word == "OK":
                passed += 1
            elif word == "FAILED":
                failures.append((running, last_lines("\n".join(text))))
            else:
                skipped.append(running)
            running = None
        elif running:
            text.append(line)
    if running:
        failures.append((running, f"the program {how_it_ended(status)}\n"
                         + last_lines("\n".join(text))))
    elif status != 0 and not failures:
        failures.append(("(the whole program)", f"it {how_it_ended(status)}\n"
                         + last_lines(sanitizer_report(output) or output)))
    return passed, failures, skipped


def sanitizer_report(output: str) -> str:
    """What a sanitizer found while all tests passed: the first of its reports, each place once."""
    first = SANITIZER_REPORT.search(output)
    if not first:
        return ""
    lines = first.group(0).split("\n")[:60] + sorted(set(SANITIZER_SUMMARY.findall(output)))
    return last_lines("\n".join(lines), len(lines))


def gtest_job(program: str, shard: int, shards: int, timeout: float) -> Report:
    """Runs every shards-th test of a program, so that a slow program keeps all processors busy."""
    start = time.monotonic()
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard))
    status, output = run_captured([program, "--gtest_color=no"], timeout, environment)
    passed, failures, skipped = read_gtest_output(output, status)
    title = f"{os.path.basename(program)} {shard + 1}/{shards}"
    return Report(title, passed, failures, skipped, time.monotonic() - start)


def read_unittest_output(output: str, status) -> Tuple[int, List[Tuple[str, str]], List[str]]:
    """Counts what unittest printed with -v. What a test itself prints may stand within the line of
    its verdict: those that passed are known from the count at the end."""
    count, failures, skipped = 0, [], []
    for line in output.split("\n"):
        if skip := UNITTEST_SKIPPED.match(line):
            skipped.append(skip.group(1))
        elif failure := UNITTEST_FAILURE.match(line):
            failures.append((failure.group(1), last_lines(output)))
        elif total := UNITTEST_COUNT.match(line):
            count = int(total.group(1))
    if status != 0 and not failures:
        failures.append(("(the whole file)", f"it {how_it_ended(status)}\n" + last_lines(output)))
    return max(0, count - len(failures) - len(skipped)), failures, skipped


def unittest_job(path: str, build_dir: str, timeout: float) -> Report:
    start = time.monotonic()
    environment = dict(os.environ, TENURE_BUILD_DIR=os.path.abspath(build_dir),
                       PYTHONDONTWRITEBYTECODE="1",
                       PYTHONPATH=os.pathsep.join([ROOT, os.path.join(ROOT, "tools")]))
    status, output = run_captured([sys.executable, path, "-v"], timeout, environment)
    passed, failures, skipped = read_unittest_output(output, status)
    return Report(os.path.relpath(path, ROOT), passed, failures, skipped,
                  time.monotonic() - start)


def fuzz_job(program: str, seeds: range, timeout: float) -> Report:
    start = time.monotonic()
    passed, failures = 0, []
    for seed in seeds:
        left = timeout - (time.monotonic() - start)
        if left <= 0:
            failures.append((f"seed {seed}", "time ran out before this seed"))
            break
        status, output = run_captured([program, str(seed)], left)
        if status == 0:
            passed += 1
        else:
            failures.append((f"seed {seed}", f"it {how_it_ended(status)}\n" + last_lines(output)))
    return Report(os.path.basename(program), passed, failures, [], time.monotonic() - start)


def layering_job() -> Report:
    start = time.monotonic()
    _, problems = check_layers.check_tree(ROOT)
    failures = [("layering", "\n".join("    | " + p for p in problems))] if problems else []
    return Report("check_layers", 0 if problems else 1, failures, [], time.monotonic() - start)


def library_job() -> Report:
    """What of the library the golden tests use; the title has the count."""
    start = time.monotonic()
    tool = os.path.join(ROOT, "tools", "library_coverage.py")
    status, output = run_captured([sys.executable, tool, "--check"], TIMEOUT_S)
    *problems, count = output.rstrip("\n").split("\n")
    failures = [] if status == 0 else [("coverage", last_lines("\n".join(problems + [count])))]
    return Report(f"library_coverage ({count})", 0 if failures else 1, failures, [],
                  time.monotonic() - start)


def programs_in(folder: str) -> List[str]:
    if not os.path.isdir(folder):
        return []
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if os.access(os.path.join(folder, name), os.X_OK)
            and os.path.isfile(os.path.join(folder, name))]


def python_tests() -> List[str]:
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(
        os.path.join(ROOT, "tests")) for name in names if name.endswith("_test.py"))


class Totals:
    def __init__(self) -> None:
        self.passed, self.failed, self.skipped = 0, 0, 0

    def add(self, report: Report) -> None:
        self.passed += report.passed
        self.failed += len(report.failures)
        self.skipped += len(report.skipped)
        line = f"{report.title}: {report.passed} passed, {len(report.failures)} failed"
        if report.skipped:
            line += f", {len(report.skipped)} skipped"
        print(f"{line} ({report.seconds:.1f} s)", flush=True)
        for name in report.skipped:
            print(f"  skipped {name}", flush=True)
        for name, text in report.failures:
            print(f"  FAILED {report.title} {name}\n{text}", flush=True)

    def add_golden(self, outcome: run_golden.Outcome) -> None:
        self.passed += outcome.verdict == "passed"
        self.failed += outcome.verdict == "failed"
        self.skipped += outcome.verdict == "skipped"
        run_golden.print_outcome(outcome)

    def add_totals(self, other: "Totals") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def counts(self) -> str:
        return f"{self.passed} passed, {self.failed} failed"

    def print_last(self) -> None:
        """The count, alone on the last line, for whoever reads it."""
        if self.skipped:
            print(f"({self.skipped} skipped)", flush=True)
        print(self.counts(), flush=True)


def run_jobs(jobs: List[Callable[[], Report]], workers: int, totals: Totals) -> None:
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        for finished in concurrent.futures.as_completed([pool.submit(job) for job in jobs]):
            totals.add(finished.result())


def unit_jobs(build_dir: str, workers: int, seeds: range,
              timeout: float) -> List[Callable[[], Report]]:
    """The jobs that need only C++ programs: in a sanitizer build there is nothing else."""
    shards = SHARDS_PER_WORKER * workers
    jobs = [lambda p=p, s=s: gtest_job(p, s, shards, timeout)
            for p in programs_in(os.path.join(build_dir, "tests")) for s in range(shards)]
    jobs += [lambda p=p: fuzz_job(p, seeds, timeout)
             for p in programs_in(os.path.join(build_dir, "fuzz"))]
    return jobs


def fast_jobs(build_dir: str, workers: int) -> List[Callable[[], Report]]:
    return unit_jobs(build_dir, workers, FAST_SEEDS, TIMEOUT_S)


def long_jobs(build_dir: str, workers: int) -> List[Callable[[], Report]]:
    return unit_jobs(build_dir, workers, LONG_SEEDS, LONG_TIMEOUT_S)


def run_golden_suite(build_dir: str, workers: int, totals: Totals, title: str = "golden",
                     **options) -> None:
    paths = run_golden.find_tests([])
    if not paths:
        print(f"{title}: there are no tests", flush=True)
        return
    if not os.path.exists(os.path.join(build_dir, "bin", "tenure")):
        totals.add(Report(title, 0, [("(all)", "    | bin/tenure has not been built")], [], 0.0))
        return
    print(f"{title}: {len(paths)} files", flush=True)
    suite, start = Totals(), time.monotonic()
    run_golden.run_suite(paths, run_golden.Options(build_dir=build_dir, **options), workers,
                         suite.add_golden)
    totals.add_totals(suite)
    print(f"{title}: {suite.counts()} ({time.monotonic() - start:.1f} s)", flush=True)


def run_fast(build_dir: str, workers: int, totals: Totals) -> None:
    jobs = [layering_job, library_job] + fast_jobs(build_dir, workers)
    jobs += [lambda p=p: unittest_job(p, build_dir, TIMEOUT_S) for p in python_tests()]
    run_jobs(jobs, workers, totals)
    run_golden_suite(build_dir, workers, totals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", default="build", metavar="DIR")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    totals = Totals()
    run_fast(arguments.build_dir, arguments.jobs, totals)
    totals.print_last()
    sys.exit(1 if totals.failed or not totals.passed else 0)


if __name__ == "__main__":
    main()
