#!/usr/bin/env python3
"""Runs the golden tests: Modula-3 files with their expectations in comments.

  (* golden: PHASE[, with lib/A, lib/B][, OPTIONS] *)    the first line. PHASE is one of these:
        lex, parse, check   the diagnostics; with `expect:` lines also the tree (--dump=ast)
        lower               `expect:` lines occur in this order in the LLVM code (--dump=llvm)
        run                 the program's output
        persist             the same, with a database, in every fault tier; once as in a container,
                            and once with few mappings for protections
                            A program that starts threads also runs with workers, and with threads
                            that move between workers at each switch.
        `with` names files of tests/golden that are part of the program; OPTIONS are flags of
        `tenure build` (-O0 ...) or of the run time (@M3...); stress=N: the program allocates so
        much that --stress collects at every Nth allocation only; tenure-gc: not with --gc=boehm.
  (* unit: Name.i3 *)                      the lines from here are this file of the program; also
                                           Name.c, which m3makefile names, and m3makefile
  (* expect-error: TEXT *)                 this line gives this error; also `above` (the nearest
  (* expect-error above: TEXT *)           line of code before) and `below`; TEXT is the message or
  (* expect-warning below: TEXT *)         part of it, its code in front if wanted
  (* expect: TEXT *)                       a line of stdout, one for each
  (* expect-stderr: TEXT *)                occurs in stderr
  (* expect-status: N *)                   exit status of the program, 0 if not given
  (* args: WORDS *)  (* stdin: TEXT *)     arguments; a line of standard input
  (* restart *)                            the program runs again; what follows is about that run
  (* crash after-write N *)                this run ends after N operations on the files of its store
                                           (writes, syncs, renames ...), as if killed; what it prints
                                           must be the beginning of what is expected

Examples: run_golden.py while          the tests whose path contains `while`
          run_golden.py --update fib   rewrites the expectations; review the difference
"""

import argparse
import concurrent.futures
import ctypes
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import container_filter  # noqa: E402  (found through the path just added)
from golden_test import (BadTest, Diagnostic, GoldenTest, Step, read_golden_test,  # noqa: E402
                         updated_lines)
from golden_coverage import MESSAGE, codes_of_other_tests, read, rules_named, sections  # noqa: E402

GOLDEN_ROOT = os.path.join(ROOT, "tests", "golden")
RULE_OF_MESSAGE = re.compile(
    r'TN_MESSAGE\(\s*\w+,\s*"([MW]\d+)",\s*\w+,\s*"(?:[^"\\]|\\.)*",\s*"([\d.]+)"\)')
DIAGNOSTIC = re.compile(r"^(.*?):(\d+):(\d+): (error|warning)\[(\w+)\]: (.*)$")
CRASH_STATUS = 77  # store/files/store_io.h
# Among a variant's flags: its processes run under the filter that Docker sets up.
CONTAINED = "contained"
TIMEOUT_S = 180.0  # limit of a step, which normally takes a second or two: a loaded machine is slow


class Options(NamedTuple):
    build_dir: str = "build"
    optimize: Optional[str] = None   # -O0, -O2
    stress: bool = False
    update: bool = False
    timeout: float = TIMEOUT_S
    gc: str = "tenure"
    served: bool = False
    barriers: str = "trap"           # or hybrid, software; told: software, and each commit checks
    codes: Optional[Set[str]] = None  # collects the codes of all printed diagnostics


class Outcome(NamedTuple):
    name: str
    verdict: str     # passed, failed, skipped
    reason: str = ""
    seconds: float = 0.0  # of the whole file, in its first outcome


class Finished(NamedTuple):
    status: int      # negative: ended by that signal
    stdout: str
    stderr: str


class Failure(Exception):
    """The failures that the test found."""


class CannotRun(Exception):
    """The reason why a variant makes no sense."""


def evidence_of_hang(process: int) -> str:
    """Returns more information about a program that does not end, before it is killed. Replaced
    by repeat_golden.py."""
    return ""


def run_process(command: List[str], directory: str, environment=None, stdin: str = "",
                timeout: float = TIMEOUT_S, before=None) -> Finished:
    """`before` is called in the new process."""
    process = subprocess.Popen(
        command, cwd=directory, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True, preexec_fn=before)
    try:
        out, err = process.communicate(stdin.encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        evidence = evidence_of_hang(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise Failure(f"did not end within {timeout:.0f} s\n{evidence}"
                      + tail(out.decode(errors="replace")))
    return Finished(process.returncode, out.decode("utf-8", "surrogateescape"),
                    err.decode("utf-8", "surrogateescape"))


def tail(text: str, lines: int = 15) -> str:
    kept = text.rstrip("\n").split("\n")[-lines:]
    return "\n".join("    | " + line for line in kept if line)


def userfaultfd_missing() -> Optional[str]:
    """The reason why the userfaultfd tier cannot run here, or None."""
    version = tuple(int(n) for n in re.findall(r"\d+", platform.release())[:2])
    if version < (6, 4):
        return f"Linux {platform.release()} is older than 6.4"
    libc = ctypes.CDLL(None, use_errno=True)
    user_mode_only, syscall_number = 1, 323
    descriptor = libc.syscall(syscall_number, os.O_CLOEXEC | user_mode_only)
    if descriptor < 0:
        return f"userfaultfd is refused: {os.strerror(ctypes.get_errno())}"
    os.close(descriptor)
    return None


def variants_of(test: GoldenTest, options: Options) -> List[Tuple[str, List[str], Optional[str]]]:
    """Name, run-time flags and, if a variant cannot run here, the reason."""
    by_threads = [(mode, [f"@M3threads={mode}"], None) for mode in ("workers", "migrate")
                  if test.starts_threads() and options.gc == "tenure"]
    if test.phase == "run":
        return [("", [], None), *by_threads]
    if test.phase != "persist":
        return [("", [], None)]
    if options.served:
        crashes = any(step.crash_after_write is not None for step in test.steps)
        return [("served", [], "the files are the server's" if crashes else None)]
    missing = userfaultfd_missing()
    # If the filter cannot be set up, ask for the tier that it would leave.
    contained = ["@M3faults=mprotect"] if container_filter.missing() else [CONTAINED]
    return [*by_threads,
            ("in a container", contained, None),
            ("uffd", ["@M3faults=uffd"], missing),
            ("mprotect, random base, few mappings",
             ["@M3faults=mprotect", "@M3dbbase=random", "@M3mappings=64"], None),
            ("uffd, random base", ["@M3faults=uffd", "@M3dbbase=random"], missing)]


def write_package(test: GoldenTest, directory: str) -> None:
    for name, text in test.units.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8",
                  errors="surrogateescape") as file:
            file.write(text)
    for path in test.companions:
        shutil.copy(path, directory)
    if not any(re.search(r"\bMODULE\s+Main\b", text) or "EXPORTS Main" in text
               for text in test.units.values()) and \
            not os.path.exists(os.path.join(directory, "Main.m3")):
        with open(os.path.join(directory, "Main.m3"), "w", encoding="utf-8") as file:
            file.write("MODULE Main;\nBEGIN\nEND Main.\n")


def read_diagnostics(stderr: str, test: GoldenTest, options: Options) -> List[Diagnostic]:
    found = []
    for line in stderr.split("\n"):
        match = DIAGNOSTIC.match(line)
        if match:
            file, number, _, kind, code, text = match.groups()
            if options.codes is not None:
                options.codes.add(code)
            ours = os.path.basename(file) in test.units
            found.append(Diagnostic(int(number) if ours else 0, kind,
                                    f"{code}: {text}" if ours else f"{code}: {file}: {text}"))
    return found


def compare_diagnostics(expected: List[Diagnostic], found: List[Diagnostic]) -> None:
    wrong, left = [], list(found)
    for want in expected:
        match = next((d for d in left if d.line == want.line and d.kind == want.kind
                      and want.text.strip() in d.text), None)
        if match is None:
            wrong.append(f"  missing    {want}")
        else:
            left.remove(match)
    wrong += [f"  unexpected {d}" for d in left]
    if wrong:
        raise Failure("\n".join(wrong))


def build_program(test: GoldenTest, options: Options, package: str, extra: List[str]) -> Finished:
    optimize = [options.optimize] if options.optimize else []
    if options.gc != "tenure":
        optimize.append(f"--gc={options.gc}")
    if options.barriers != "trap":
        mode = "software" if options.barriers == "told" else options.barriers
        optimize.append(f"--barriers={mode}")
    if any(flag.startswith("@M3dbfail=") for flag in test.runtime_flags) or \
            any(step.crash_after_write is not None for step in test.steps):
        optimize.append("--faults")
    command = [os.path.join(ROOT, options.build_dir, "bin", "tenure"), "build", package,
               "-o", os.path.join(package, "program"), *optimize, *test.compiler_flags, *extra]
    return run_process(command, package, timeout=max(options.timeout, TIMEOUT_S))


def check_compilation(test: GoldenTest, options: Options, package: str) -> None:
    """Tests the phases before the program runs: diagnostics, status, and a dump if one is
    expected."""
    wants_dump = bool(test.steps[0].stdout)
    dump = []
    if wants_dump:
        dump = ["--dump=llvm" if test.phase == "lower" else "--dump=ast"]
    built = build_program(test, options, package, dump)
    found = read_diagnostics(built.stderr, test, options)
    if options.update:
        # A new expectation gets the text without its code: codes are optional.
        plain = [Diagnostic(d.line, d.kind, d.text.split(": ", 1)[1]) for d in found if d.line]
        rewrite(test, plain, None)
        return
    compare_diagnostics(test.diagnostics, found)
    status = 1 if any(d.kind == "error" for d in test.diagnostics) else 0
    if built.status != status:
        raise Failure(f"  the compiler's status is {built.status}, expected {status}\n"
                      + tail(built.stderr))
    if wants_dump:
        lines = iter(built.stdout.split("\n"))
        for want in test.steps[0].stdout:
            if not any(want.strip() in line for line in lines):
                raise Failure(f"  not in the dump, or not in this order: {want}")


def run_step(test: GoldenTest, step: Step, package: str, directory: str, flags: List[str],
             timeout: float) -> Finished:
    environment = dict(os.environ)
    before = container_filter.installer() if CONTAINED in flags else None
    flags = [f for f in flags if f != CONTAINED] + test.runtime_flags
    if step.crash_after_write is not None:
        flags = flags + [f"@M3dbfail=crash:{step.crash_after_write + 1}"]
    environment["TENURE_OPTIONS"] = " ".join(
        [environment.get("TENURE_OPTIONS", ""), *flags]).strip()
    stdin = "".join(line + "\n" for line in step.stdin)
    return run_process([os.path.join(package, "program"), *step.args], directory, environment,
                       stdin, timeout, before)


def stdout_lines(text: str) -> List[str]:
    return text[:-1].split("\n") if text.endswith("\n") else text.split("\n") if text else []


def compare_step(step: Step, ran: Finished, where: str, noisy: bool) -> None:
    got = stdout_lines(ran.stdout)
    if step.crash_after_write is not None:
        if ran.status not in (CRASH_STATUS, -signal.SIGKILL):
            raise Failure(f"  {where}was to crash after write {step.crash_after_write}, but "
                          f"ended with status {ran.status}\n" + tail(ran.stderr))
        if got != step.stdout[:len(got)]:
            raise Failure(f"  {where}before the crash it printed\n{tail(ran.stdout)}")
        return
    wrong = []
    if ran.status != step.status:
        ended = f"signal {-ran.status}" if ran.status < 0 else f"status {ran.status}"
        wrong.append(f"  {where}ended with {ended}, expected status {step.status}")
    for number in range(max(len(got), len(step.stdout))):
        want = step.stdout[number] if number < len(step.stdout) else None
        have = got[number] if number < len(got) else None
        if want != have:
            wrong.append(f"  {where}stdout line {number + 1}: "
                         f"{'no more lines' if have is None else repr(have)}, expected "
                         f"{'no more lines' if want is None else repr(want)}")
            break
    wrong += [f"  {where}stderr lacks: {text}" for text in step.stderr
              if text.strip() not in ran.stderr]
    if step.status == 0 and not step.stderr and ran.stderr and not noisy:
        wrong.append(f"  {where}wrote to stderr")
    if wrong:
        raise Failure("\n".join(wrong) + ("\n" + tail(ran.stderr) if ran.stderr else ""))


def find_stores(test: GoldenTest, package: str, timeout: float) -> List[str]:
    """The stores that the program makes, found by running it alone."""
    with tempfile.TemporaryDirectory(prefix="golden-alone-") as directory:
        for step in test.steps:
            run_step(test, step, package, directory, [], timeout)
        return sorted(name for name in os.listdir(directory)
                      if os.path.exists(os.path.join(directory, name, "FORMAT")))


class Servers:
    """Page servers of stores in a directory, while a test runs."""

    def __init__(self, options: Options, directory: str, stores: List[str]):
        self.command = [os.path.join(ROOT, options.build_dir, "bin", "tenure"), "serve"]
        self.directory, self.stores, self.processes = directory, stores, []

    def __enter__(self):
        for store in self.stores:
            self.processes.append(subprocess.Popen([*self.command, store], cwd=self.directory,
                                                   stdout=subprocess.PIPE))
            if not self.processes[-1].stdout.readline():
                raise Failure(f"  no server for {store}")

    def __exit__(self, *_):
        wrong = []
        for process in self.processes:
            process.terminate()
            process.communicate()
            if process.returncode != 0:
                wrong.append(process.returncode)
        if wrong:
            raise Failure(f"  a server ended with status {wrong[0]}")


def run_variant(test: GoldenTest, options: Options, package: str, flags: List[str]) -> None:
    stress = []
    if options.stress:
        stress = [f"@M3gcstress={test.stress}", "@M3paranoidgc", "@M3gcthreads=2"]
    if options.barriers == "told":
        stress.append("@M3paranoidbarriers")
    timeout = options.timeout * (4 if options.stress else 1)
    stores = find_stores(test, package, timeout) if options.served else []
    with tempfile.TemporaryDirectory(prefix="golden-run-") as directory, \
            Servers(options, directory, stores):
        for number, step in enumerate(test.steps, 1):
            where = f"run {number}: " if len(test.steps) > 1 else ""
            ran = run_step(test, step, package, directory, flags + stress, timeout)
            if options.update:
                step.stdout = stdout_lines(ran.stdout)
                if step.crash_after_write is None:
                    step.status = max(ran.status, 0)
                step.stderr = [t for t in step.stderr if t in ran.stderr]
            else:
                compare_step(step, ran, where, noisy=options.stress)


def rewrite(test: GoldenTest, diagnostics: Optional[List[Diagnostic]],
            steps: Optional[List[Step]]) -> None:
    text = "\n".join(updated_lines(test.lines, diagnostics, steps)) + "\n"
    with open(test.path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def check_program(test: GoldenTest, options: Options, package: str, name: str) -> List[Outcome]:
    built = build_program(test, options, package, [])
    try:
        if not options.update:
            compare_diagnostics(test.diagnostics, read_diagnostics(built.stderr, test, options))
        if built.status != 0:
            raise Failure(f"  does not compile (status {built.status})\n{tail(built.stderr)}")
    except Failure as failure:
        return [Outcome(name, "failed", str(failure))]
    if options.update:
        run_variant(test, options, package, [])
        rewrite(test, None, test.steps)
        return [Outcome(name, "passed", "updated")]
    outcomes = []
    for variant, flags, missing in variants_of(test, options):
        full = f"{name} ({variant})" if variant else name
        try:
            if missing:
                outcomes.append(Outcome(full, "skipped", missing))
                continue
            run_variant(test, options, package, flags)
            outcomes.append(Outcome(full, "passed"))
        except CannotRun as reason:
            outcomes.append(Outcome(full, "skipped", str(reason)))
        except Failure as failure:
            outcomes.append(Outcome(full, "failed", str(failure)))
    return outcomes


def run_test(path: str, options: Options) -> List[Outcome]:
    name = os.path.relpath(path, GOLDEN_ROOT)
    try:
        test = read_golden_test(path, GOLDEN_ROOT)
        if options.gc != "tenure" and (test.phase != "run" or test.only_tenure_gc):
            return []
        with tempfile.TemporaryDirectory(prefix="golden-") as package:
            write_package(test, package)
            if test.phase in ("run", "persist"):
                return check_program(test, options, package, name)
            check_compilation(test, options, package)
            return [Outcome(name, "passed")]
    except BadTest as problem:
        return [Outcome(name, "failed", f"  {problem}")]
    except Failure as failure:
        return [Outcome(name, "failed", str(failure))]
    except (OSError, UnicodeError, ValueError) as problem:
        return [Outcome(name, "failed", f"  {type(problem).__name__}: {problem}")]


def find_tests(filters: List[str]) -> List[str]:
    tests = []
    for folder, _, names in os.walk(GOLDEN_ROOT):
        if os.path.relpath(folder, GOLDEN_ROOT).split(os.sep)[0] == "lib":
            continue
        tests += [os.path.join(folder, n) for n in names if n.endswith((".m3", ".i3"))]
    return sorted(path for path in tests if not filters or any(
        f in os.path.relpath(path, GOLDEN_ROOT) for f in filters))


def timed_test(path: str, options: Options) -> List[Outcome]:
    start = time.monotonic()
    outcomes = run_test(path, options)
    seconds = time.monotonic() - start
    return [outcome._replace(seconds=seconds) if at == 0 else outcome for at, outcome in enumerate(outcomes)]


def run_suite(paths: List[str], options: Options, jobs: int, report) -> List[Outcome]:
    """Runs the tests and calls report(outcome) for each, in the order of the paths."""
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        for result in pool.map(lambda path: timed_test(path, options), paths):
            for outcome in result:
                outcomes.append(outcome)
                report(outcome)
    return outcomes


def print_outcome(outcome: Outcome) -> None:
    if outcome.verdict == "failed":
        print(f"FAILED {outcome.name}\n{outcome.reason}", flush=True)
    elif outcome.verdict == "skipped":
        print(f"skipped {outcome.name}: {outcome.reason}", flush=True)


def print_coverage(codes: Set[str]) -> None:
    """Lists the errors and warnings of messages.def whose codes no test provoked."""
    text = read(os.path.join(ROOT, "compiler/diagnostics/messages.def"))
    messages = MESSAGE.findall(text)
    elsewhere = codes_of_other_tests()
    missing = [m for m in messages if m[1] not in codes]
    for name, code, wording in missing:
        print(f"{code} {name}: {wording}{'  (tested elsewhere)' if code in elsewhere else ''}")
    print(f"{len(missing)} of {len(messages)} messages are provoked by no golden test, "
          f"{sum(m[1] not in elsewhere for m in missing)} by none at all")
    print_rule_coverage(codes, {code: rule for code, rule in RULE_OF_MESSAGE.findall(text)})


def print_rule_coverage(codes: Set[str], rules: Dict[str, str]) -> None:
    """Prints for each numbered section of docs/language.md the tests that name it and its
    errors that were provoked. A test names rules as `(language.md 14.8, 20)` in the comments
    before its code."""
    named: Dict[str, int] = {}
    for path in find_tests([]):
        for rule in rules_named(read(path)):
            named[rule] = named.get(rule, 0) + 1
    below = lambda rule, section: rule == section or rule.startswith(section + ".")
    print("rule    legal tests  errors provoked  title")
    bare = 0
    for section, title in sections():
        legal = sum(n for rule, n in named.items() if below(rule, section))
        errors = sum(below(rules.get(code, ""), section) for code in codes)
        bare += not legal and not errors
        print(f"{section:7} {legal:11}  {errors:15}  {title}")
    print(f"{bare} of {len(sections())} sections are named by no test and have no provoked error")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="*", help="run tests whose path contains one of these")
    parser.add_argument("--build-dir", default="build", metavar="DIR")
    parser.add_argument("--update", action="store_true", help="rewrite the expectations")
    parser.add_argument("--coverage", action="store_true",
                        help="list the messages that no test provokes, and tests by rule")
    parser.add_argument("-O0", dest="optimize", action="store_const", const="-O0")
    parser.add_argument("-O2", dest="optimize", action="store_const", const="-O2")
    parser.add_argument("--stress", action="store_true",
                        help="with @M3gcstress=1 @M3paranoidgc @M3gcthreads=2")
    parser.add_argument("--gc", choices=["tenure", "boehm"], default="tenure",
                        help="the collector; with boehm only the phase `run`")
    parser.add_argument("--served", action="store_true",
                        help="persist: the stores are served by `tenure serve`")
    parser.add_argument("--barriers", choices=["trap", "hybrid", "software", "told"], default="trap",
                        help="how stores are noticed; told: software, with @M3paranoidbarriers")
    parser.add_argument("--timeout", type=float, default=TIMEOUT_S, metavar="SECONDS")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    os.chdir(ROOT)

    paths = find_tests(arguments.filter)
    if not paths:
        sys.exit("run_golden: no test matches")
    if not os.path.exists(os.path.join(ROOT, arguments.build_dir, "bin", "tenure")):
        sys.exit(f"run_golden: {arguments.build_dir}/bin/tenure is missing; run: ninja")
    options = Options(arguments.build_dir, arguments.optimize, arguments.stress, arguments.update,
                      arguments.timeout, arguments.gc, arguments.served,
                      arguments.barriers, set() if arguments.coverage else None)
    outcomes = run_suite(paths, options, arguments.jobs, print_outcome)
    count = {v: sum(o.verdict == v for o in outcomes) for v in ("passed", "failed", "skipped")}
    print(f"golden: {count['passed']} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped")
    if arguments.coverage:
        print_coverage(options.codes)
    sys.exit(1 if count["failed"] else 0)


if __name__ == "__main__":
    main()
