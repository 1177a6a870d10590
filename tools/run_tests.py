#!/usr/bin/env python3
"""Runs the fast tests: layers and code format, the unit tests of C++ and of Python, short fuzz runs
and the golden tests. The last line is the count: N passed, N failed.

  run_tests.py [FILTER ...]     all, or the tests whose names contain one of FILTER

Names are those of GoogleTest (Suite.Test), of files and methods of Python tests, of golden files,
and of test programs. The first line then has the number of matching tests; it is an error if no
test matches.

Tests in Python are tests/**/*_test.py, each file in a process of its own (run_unittest.py), with
TENURE_BUILD_DIR (absolute) in the environment. The program of a fuzz test takes a seed as its only
argument and exits with 0 on success.
"""

import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import check_format  # noqa: E402
import check_functions  # noqa: E402
import check_groups  # noqa: E402
import check_layers  # noqa: E402
import run_golden  # noqa: E402

FAST_SEEDS = range(1, 6)
LONG_SEEDS = range(1, 301)
TIMEOUT_S = 1800
LONG_TIMEOUT_S = 7200
# A crash test forks once for each operation, and a fork takes longer the more memory earlier tests
# have touched. Small parts are quicker together, and show progress on a slow machine.
SHARDS_PER_WORKER = 4
# After so many tests the slowest are named.
MANY_TESTS, SLOWEST = 100, 10

PYTHON_TEST = re.compile(r"^    def (test_\w+)\(", re.M)
SANITIZER_SUMMARY = re.compile(r"^SUMMARY: .*", re.MULTILINE)
SANITIZER_REPORT = re.compile(r"^WARNING: ThreadSanitizer.*?(?=^SUMMARY)", re.MULTILINE | re.DOTALL)


class Report(NamedTuple):
    """The result of one test program: the names of passed tests, and the failures with their
    text."""
    title: str
    passed: int
    failures: List[Tuple[str, str]]
    skipped: List[str]
    seconds: float
    times: Sequence[Tuple[str, float]] = ()  # of each test, in seconds


def run_captured(command: List[str], timeout: float, environment=None) -> Tuple[int, str]:
    """Returns the status and the output of both streams; a status of None means a timeout."""
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


def between(text: str, begin: str, end: str) -> str:
    """The part of `text` behind the line `begin`, up to `end`."""
    return text.partition(begin + "\n")[2].partition(end)[0]


def read_gtest_results(results: Optional[dict], output: str,
                       status) -> Tuple[int, List[Tuple[str, str]], List[str]]:
    """Counts the tests in GoogleTest's JSON; the text of a failure is what the test printed.
    Without JSON the program ended before its last test: the running test has failed."""
    passed, failures, skipped = 0, [], []
    if results is None:
        running = output.rpartition("[ RUN      ] ")[2].split("\n", 1) if "[ RUN " in output else []
        name = running[0] if running else "(the whole program)"
        text = running[1] if len(running) > 1 else output
        return 0, [(name, f"the program {how_it_ended(status)}; its other tests were not counted\n"
                    + last_lines(text))], []
    for suite in results["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test["status"] != "RUN":
                continue  # of another part, or disabled
            if test.get("failures"):
                text = between(output, f"[ RUN      ] {name}", f"[  FAILED  ] {name}")
                text = text or "\n".join(failure["failure"] for failure in test["failures"])
                failures.append((name, last_lines(text)))
            elif test.get("result") == "SKIPPED":
                skipped.append(name)
            else:
                passed += 1
    if status != 0 and not failures:
        failures.append(("(the whole program)", f"it {how_it_ended(status)}\n"
                         + last_lines(sanitizer_report(output) or output)))
    return passed, failures, skipped


def gtest_times(results: Optional[dict]) -> List[Tuple[str, float]]:
    """The tests that ran, and how long each took."""
    return [(f"{suite['name']}.{test['name']}", float(test.get("time", "0s").rstrip("s")))
            for suite in (results or {"testsuites": []})["testsuites"] for test in suite["testsuite"]
            if test["status"] == "RUN"]


def sanitizer_report(output: str) -> str:
    """The errors that a sanitizer found although all tests passed: its first reports, each place
    once."""
    first = SANITIZER_REPORT.search(output)
    if not first:
        return ""
    lines = first.group(0).split("\n")[:60] + sorted(set(SANITIZER_SUMMARY.findall(output)))
    return last_lines("\n".join(lines), len(lines))


def read_json(path: str) -> Optional[dict]:
    """None if the file is missing or incomplete."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def gtest_job(program: str, shard: int, shards: int, timeout: float,
              patterns: Sequence[str] = ()) -> Report:
    """Runs every shards-th test of a program, so that a slow program keeps all processors busy; with
    patterns only tests that match one of them."""
    start = time.monotonic()
    environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(shards), GTEST_SHARD_INDEX=str(shard))
    with tempfile.TemporaryDirectory(prefix="run-tests-") as directory:
        results = os.path.join(directory, "results.json")
        command = [program, "--gtest_color=no", f"--gtest_output=json:{results}"]
        if patterns:
            command.append("--gtest_filter=" + ":".join(patterns))
        status, output = run_captured(command, timeout, environment)
        found = read_json(results)
        passed, failures, skipped = read_gtest_results(found, output, status)
    title = f"{os.path.basename(program)} {shard + 1}/{shards}"
    return Report(title, passed, failures, skipped, time.monotonic() - start, gtest_times(found))


def read_unittest_results(results: Optional[dict], output: str,
                          status) -> Tuple[int, List[Tuple[str, str]], List[str]]:
    """Counts the tests in the results of run_unittest.py."""
    if results is None:
        return 0, [("(the whole file)", f"it {how_it_ended(status)}\n" + last_lines(output))], []
    failures = [(name, last_lines(output + "\n" + text)) for name, text in results["failures"]]
    if not results["passed"] and not failures and not results["skipped"]:
        failures.append(("(the whole file)", "    | it has no tests"))
    if status != 0 and not failures:
        failures.append(("(the whole file)", f"it {how_it_ended(status)}\n" + last_lines(output)))
    return len(results["passed"]), failures, results["skipped"]


def unittest_job(path: str, build_dir: str, timeout: float, names: Sequence[str] = ()) -> Report:
    start = time.monotonic()
    environment = dict(os.environ, TENURE_BUILD_DIR=os.path.abspath(build_dir),
                       PYTHONDONTWRITEBYTECODE="1",
                       PYTHONPATH=os.pathsep.join([ROOT, os.path.join(ROOT, "tools")]))
    runner = os.path.join(ROOT, "tools", "run_unittest.py")
    with tempfile.TemporaryDirectory(prefix="run-tests-") as directory:
        results = os.path.join(directory, "results.json")
        status, output = run_captured([sys.executable, runner, path, results, *names], timeout,
                                      environment)
        found = read_json(results)
        passed, failures, skipped = read_unittest_results(found, output, status)
    return Report(os.path.relpath(path, ROOT), passed, failures, skipped, time.monotonic() - start,
                  (found or {}).get("times", []))


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


def sources_job(title: str, rule: str, check: Callable[[], List[str]]) -> Report:
    """`check` returns the errors in the sources, each as a line."""
    start = time.monotonic()
    problems = check()
    failures = [(rule, "\n".join("    | " + p for p in problems))] if problems else []
    return Report(title, 0 if problems else 1, failures, [], time.monotonic() - start)


def format_job(workers: int = 1) -> Report:
    start = time.monotonic()
    title = "clang-format"
    if not check_format.is_installed():
        return Report(title, 0, [], [f"{check_format.FORMATTER} is not installed"], 0.0)
    wrong = check_format.badly_formatted(check_format.formatted_files(), workers=workers)
    return Report(title, 0 if wrong else 1,
                  [(file, f"    | run {check_format.FORMATTER} -i on it") for file in wrong], [],
                  time.monotonic() - start)


def library_job() -> Report:
    """The coverage of the library by the golden tests; the title has the count."""
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
        self.times: List[Tuple[float, str]] = []  # seconds of each test

    def add(self, report: Report) -> None:
        self.passed += report.passed
        self.failed += len(report.failures)
        self.skipped += len(report.skipped)
        self.times += [(seconds, f"{report.title.split()[0]} {name}") for name, seconds in report.times]
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
        self.times.append((outcome.seconds, f"golden {outcome.name}"))
        run_golden.print_outcome(outcome)

    def add_totals(self, other: "Totals") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.times += other.times

    def counts(self) -> str:
        return f"{self.passed} passed, {self.failed} failed"

    def print_last(self) -> None:
        """Prints the slowest tests, if there were many, and the count, alone on the last line, for scripts that read
        it."""
        if len(self.times) >= MANY_TESTS:
            print("the slowest tests:", flush=True)
            for seconds, name in sorted(self.times, reverse=True)[:SLOWEST]:
                print(f"  {seconds:6.1f} s  {name}", flush=True)
        if self.skipped:
            print(f"({self.skipped} skipped)", flush=True)
        print(self.counts(), flush=True)


def run_jobs(jobs: List[Callable[[], Report]], workers: int, totals: Totals) -> None:
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        for finished in concurrent.futures.as_completed([pool.submit(job) for job in jobs]):
            totals.add(finished.result())


def unit_jobs(build_dir: str, workers: int, seeds: range,
              timeout: float) -> List[Callable[[], Report]]:
    """The jobs that need only C++ programs: a sanitizer build has no others."""
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
                     filters: Sequence[str] = (), **options) -> None:
    paths = run_golden.find_tests(list(filters))
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


def checks(workers: int) -> Dict[str, Callable[[], Report]]:
    """The checks that only read the sources, by name."""
    return {"check_layers": lambda: sources_job("check_layers", "layering", lambda: check_layers.check_tree(ROOT)[1]),
            "check_groups": lambda: sources_job("check_groups", "local names", check_groups.check_tree),
            "check_functions": lambda: sources_job("check_functions", "long functions",
                                                   lambda: check_functions.check_tree(ROOT)),
            "clang-format": lambda: format_job(workers), "library_coverage": library_job}


def run_fast(build_dir: str, workers: int, totals: Totals) -> None:
    # A file in Python is one job and may take a minute, a shard of a C++ program takes seconds: short jobs at the end
    # leave no processor without work.
    jobs = [lambda p=p: unittest_job(p, build_dir, TIMEOUT_S) for p in python_tests()]
    jobs += list(checks(workers).values()) + fast_jobs(build_dir, workers)
    run_jobs(jobs, workers, totals)
    run_golden_suite(build_dir, workers, totals)


# ---- some tests only

def read_test_list(output: str) -> List[str]:
    """The names in the output of `--gtest_list_tests`: suites, and indented below each its
    tests."""
    names, suite = [], ""
    for line in output.split("\n"):
        word = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return names


def matches(name: str, filters: Sequence[str]) -> bool:
    return any(text in name for text in filters)


class Selection(NamedTuple):
    """The tests whose names contain a filter: their number, and the jobs
    that run them."""
    count: int
    jobs: List[Callable[[], Report]]
    golden: bool


def select_gtests(program: str, workers: int, filters: Sequence[str]) -> Selection:
    _, listed = run_captured([program, "--gtest_list_tests"], TIMEOUT_S)
    names = read_test_list(listed)
    patterns: List[str] = []
    if not matches(os.path.basename(program), filters):
        names = [name for name in names if matches(name, filters)]
        # A test's name has no `-` and no `:`, which have another meaning in a pattern.
        patterns = [f"*{text}*" for text in filters if "-" not in text and ":" not in text]
    if not names:
        return Selection(0, [], False)
    shards = min(workers, len(names))
    return Selection(len(names), [lambda s=s: gtest_job(program, s, shards, TIMEOUT_S, patterns)
                                  for s in range(shards)], False)


def select_python_tests(path: str, build_dir: str, filters: Sequence[str]) -> Selection:
    """The whole file, or the methods whose names contain a filter."""
    with open(path, encoding="utf-8") as file:
        methods = PYTHON_TEST.findall(file.read())
    if matches(os.path.relpath(path, ROOT), filters):
        return Selection(len(methods), [lambda: unittest_job(path, build_dir, TIMEOUT_S)], False)
    methods = [name for name in methods if matches(name, filters)]
    if not methods:
        return Selection(0, [], False)
    return Selection(len(methods), [lambda: unittest_job(path, build_dir, TIMEOUT_S, methods)], False)


def select(build_dir: str, workers: int, filters: Sequence[str]) -> Selection:
    golden = run_golden.find_tests(list(filters))
    found = [Selection(1, [job], False) for name, job in checks(workers).items()
             if matches(name, filters)]
    found += [select_gtests(program, workers, filters)
              for program in programs_in(os.path.join(build_dir, "tests"))]
    found += [Selection(1, [lambda p=p: fuzz_job(p, FAST_SEEDS, TIMEOUT_S)], False)
              for p in programs_in(os.path.join(build_dir, "fuzz"))
              if matches(os.path.basename(p), filters)]
    found += [select_python_tests(path, build_dir, filters) for path in python_tests()]
    return Selection(sum(part.count for part in found) + len(golden),
                     [job for part in found for job in part.jobs], bool(golden))


def run_some(build_dir: str, workers: int, totals: Totals, filters: Sequence[str]) -> bool:
    """Runs the tests whose names contain one of the filters. False: no test
    matches."""
    chosen = select(build_dir, workers, filters)
    number = "1 test matches" if chosen.count == 1 else f"{chosen.count or 'no'} tests match"
    print(f"{number} {' or '.join(filters)}", flush=True)
    run_jobs(chosen.jobs, workers, totals)
    if chosen.golden:
        run_golden_suite(build_dir, workers, totals, filters=filters)
    return chosen.count > 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", metavar="FILTER")
    parser.add_argument("--build-dir", default="build", metavar="DIR")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    totals = Totals()
    if arguments.filters:
        run_some(arguments.build_dir, arguments.jobs, totals, arguments.filters)
    else:
        run_fast(arguments.build_dir, arguments.jobs, totals)
    totals.print_last()
    sys.exit(1 if totals.failed or not totals.passed else 0)


if __name__ == "__main__":
    main()
