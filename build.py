#!/usr/bin/env python3
"""The one door to Tenure: sets up the machine, builds, installs, shows, tests and measures.

  python3 build.py setup           install what those need who write programs (Debian packages);
                                   --tests, --bench: as well what tests, what benchmarks need; --all
  python3 build.py build           build the compiler, the runtime and the library
  python3 build.py install         install it: --prefix DIR (default: /usr/local), --destdir DIR
  python3 build.py uninstall       remove what `install` installed there
  python3 build.py package         make a Debian package of it
  python3 build.py release         make the files of a release: a tar, packages, a repository, a container
  python3 build.py demo            run a persistent program twice, and OO7 in two processes
  python3 build.py cluster         three machines on this one: OO7 goes on when PostgreSQL's primary dies;
                                   --storm: 200 faults while programs commit 100000 times, all checked
  python3 build.py test [FILTER]   all fast tests, or those whose names contain FILTER; the last line
                                   is `N passed, N failed`
  python3 build.py check [PART]    test, and clang-tidy, GC stress, sanitizers, long seeds, storms
  python3 build.py bench [NAME]    benchmarks, all or one
  python3 build.py lab [PAPER]     the experiments of the papers about persistence, beside each other
  python3 build.py guide           web pages of the guide and all documents, with a search

Each command builds what it needs. `setup`, `demo`, `cluster`, `test`, `lab` and `guide` install missing packages, and
just those that they need; the others print the command that installs them and end. No service is started. Exit status: 0 all well; 1 something failed to build or
a test failed; 2 wrong usage; 3 the machine lacks something.
"""

import argparse
import contextlib
import importlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, Iterator, List, Sequence

ROOT = os.path.dirname(os.path.abspath(__file__))
kFailed, kEnvironment = 1, 3

class Stop(Exception):
    """Ends this script with a status and a message."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def say(text: str) -> None:
    print(f"build.py: {text}", flush=True)


def import_tool(name: str):
    """A module of tools/."""
    tools = os.path.join(ROOT, "tools")
    if tools not in sys.path:
        sys.path.insert(0, tools)
    sys.dont_write_bytecode = True
    return importlib.import_module(name)


def run(command: Sequence[str], environment=None) -> None:
    """Runs a command whose output the user sees; its failure is ours. When this process is to end, so is the command,
    and it is waited for: it may have processes and directories to remove."""
    wait_for(command, environment, of_ours=False)


def wait_for(command: Sequence[str], environment, of_ours: bool) -> None:
    """See run(). `of_ours`: a program of this project, which ends once however often it is told to, and whose status
    says whether the machine lacks something."""
    ending = 0

    def end(number: int, _frame) -> None:
        nonlocal ending
        # A terminal sends SIGINT to the command as well. A second one would interrupt the removing of others.
        if number != signal.SIGINT or ending or of_ours:
            process.send_signal(signal.SIGTERM)
        ending = number

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    process = subprocess.Popen(command, env=environment)
    try:
        for number, handler in before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, end)
        status = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if ending:
        sys.exit(128 + ending)
    if status != 0:
        raise Stop(kEnvironment if of_ours and status == kEnvironment else kFailed,
                   f"failed (status {status}): {' '.join(command)}")


# ---- setup

def set_up(groups: List[str], may_install: bool) -> None:
    """Sees to it that what these groups of packages need is there. Installs it only if it may; else it says how to,
    and ends."""
    packages = import_tool("system_packages")
    try:
        packages.set_up(groups, may_install, say)
    except packages.PackagesError as error:
        hint = "" if may_install else "\nor: python3 build.py setup" + setup_option(groups)
        raise Stop(kEnvironment, f"{error}{hint}") from error


# What `setup` installs, by its options: --tests, --bench, --all.
SETUPS: Dict[str, List[str]] = {
    "": ["build", "programs"],
    "tests": ["test"],
    "bench": ["bench", "lab"],
    "all": ["test", "bench", "lab", "tidy", "sanitizers", "reports", "package", "release", "roots", "cluster",
            "guide"],
}


def setup_option(groups: Sequence[str]) -> str:
    """The option of `setup` that installs all of these groups, as the least one that does."""
    for option, installed in SETUPS.items():
        if set(groups) <= {*SETUPS[""], *installed}:
            return f" --{option}" if option else ""
    return " --all"


# ---- build

def ninja_files(build_dir: str) -> List[str]:
    build_file = "build.ninja" if build_dir == "build" else os.path.join(build_dir, "build.ninja")
    return [build_file, os.path.join(build_dir, "local.ninja")]


def build(build_dir: str, targets: List[str], configure_options: Sequence[str] = ()) -> None:
    files = ninja_files(build_dir)
    if not all(os.path.exists(file) for file in files):
        say(f"configuring {build_dir}")
        run([sys.executable, "configure.py", "--build-dir", build_dir, *configure_options])
    run([sys.executable, "-B", os.path.join("tools", "build_steps.py"), files[0], *targets])
    # What is no longer part of the project would be found, and run, as a test.
    subprocess.run(["ninja", "-f", files[0], "-t", "cleandead"], stdout=subprocess.DEVNULL)
    if "tenure" in targets:
        import_installer().write_commit(build_dir)


def import_build_steps():
    sys.path.insert(0, os.path.join(ROOT, "tools"))
    sys.dont_write_bytecode = True
    return importlib.import_module("build_steps")


def write_compile_commands(build_dir: str, path: str = "compile_commands.json") -> None:
    """How each C and C++ file is compiled, for editors and clang-tidy."""
    database = subprocess.run(["ninja", "-f", ninja_files(build_dir)[0], "-t", "compdb", "cxx", "cc", "group"],
                              stdout=subprocess.PIPE, text=True)
    if database.returncode != 0:
        raise Stop(kFailed, f"ninja -t compdb failed (status {database.returncode})")
    commands = import_build_steps().compile_commands(database.stdout)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(commands, file, indent=1)
    os.replace(path + ".new", path)


def command_setup(arguments: argparse.Namespace) -> None:
    options = [option for option in SETUPS if not option or getattr(arguments, option)]
    set_up([group for option in options for group in SETUPS[option]], may_install=True)
    say("everything that is needed is installed")


def command_build(arguments: argparse.Namespace) -> None:
    set_up(["build"], may_install=False)
    build_compiler(arguments.build_dir)
    write_compile_commands(arguments.build_dir)
    say(f"the compiler is {arguments.build_dir}/bin/tenure")


# ---- install

def import_installer():
    return import_tool("install")


def build_compiler(build_dir: str) -> None:
    build(build_dir, ["tenure"])


def installing(action: Callable) -> Callable[[argparse.Namespace], None]:
    """The command whose action gets tools/install.py and the arguments."""
    def command(arguments: argparse.Namespace) -> None:
        installer = import_installer()
        try:
            action(installer, arguments)
        except installer.InstallError as error:
            raise Stop(kEnvironment, str(error)) from error
    return command


@installing
def command_install(installer, arguments: argparse.Namespace) -> None:
    set_up(["build"], may_install=False)
    build_compiler(arguments.build_dir)
    say("compiling the library" if arguments.objects != "none" else "copying")
    programs = installer.install(arguments.build_dir, arguments.prefix, arguments.destdir, arguments.objects)
    say(f"installed {programs}/tenure" + (f" below {arguments.destdir}" if arguments.destdir else ""))
    if not arguments.destdir and programs not in os.environ.get("PATH", "").split(":"):
        say(f"PATH does not name {programs}")


@installing
def command_uninstall(installer, arguments: argparse.Namespace) -> None:
    say(f"removed {installer.uninstall(arguments.prefix, arguments.destdir)} files")


@installing
def command_package(installer, arguments: argparse.Namespace) -> None:
    set_up(["build", "package"], may_install=False)
    build_compiler(arguments.build_dir)
    say("compiling the library and packing")
    say("made " + installer.make_package(arguments.build_dir, arguments.output or arguments.build_dir,
                                         arguments.objects))


@installing
def command_release(installer, arguments: argparse.Namespace) -> None:
    release = import_tool("release")
    if arguments.cut:
        release.cut(arguments.cut)
        say(f"CHANGELOG.md and the compiler name version {arguments.cut}; commit that, and the release workflow makes "
            "the tag")
        return
    if arguments.image:
        problem = import_tool("debian_root").why_not()
        if problem:
            raise Stop(kEnvironment, f"release --image: {problem}")
    set_up(["build", "release", *(["roots"] if arguments.image else [])], may_install=False)
    if installer.commit().endswith("-modified"):
        say("files differ from the commit; the release will say so")
    build_compiler(arguments.build_dir)
    say("compiling the library and packing")
    output = os.path.abspath(arguments.output or os.path.join(arguments.build_dir, "release"))
    names = release.make_release(arguments.build_dir, output, arguments.deb, arguments.sign, arguments.only_package,
                                 arguments.image)
    for name in names:
        print(f"  {name}", flush=True)
    say(f"made {output}")


def add_release_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--output", metavar="DIR", help="where the files go; it is made anew (default: release in the "
                         "build folder)")
    command.add_argument("--deb", action="append", default=[], metavar="FILE",
                         help="a package that `release --only-package` made on another system, for the repository")
    command.add_argument("--only-package", action="store_true", help="only the Debian package, for this system")
    command.add_argument("--image", action="store_true",
                         help="as well a container image (OCI), made with debootstrap; as the administrator")
    command.add_argument("--sign", default="", metavar="KEY", help="sign the repository with this key of GnuPG")
    command.add_argument("--cut", default="", metavar="VERSION",
                         help="make nothing, but make the changelog's section Unreleased that of VERSION")


def add_install_options(name: str, command: argparse.ArgumentParser) -> None:
    if name in ("install", "uninstall"):
        command.add_argument("--prefix", default="/usr/local", metavar="DIR",
                             help="below which folder (default: /usr/local)")
        command.add_argument("--destdir", default=os.environ.get("DESTDIR", ""), metavar="DIR",
                             help="write below DIR what will later be at the prefix")
    if name in ("install", "package"):
        command.add_argument("--objects", choices=["all", "usual", "none"], default="all",
                             help="the library's object files: for all options (default), for builds "
                                  "without options, or none; the others are made when first needed")
    if name == "package":
        command.add_argument("--output", metavar="DIR", help="where the package goes (default: the build folder)")


# ---- demo

def shown(title: str, command: List[str], directory: str) -> None:
    """Runs a program and prints what it prints, indented below a line that says what it is."""
    print(f"\n{title}", flush=True)
    start = time.monotonic()
    ran = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, text=True,
                         errors="replace")
    for line in ran.stdout.splitlines():
        print(f"  {line}", flush=True)
    if ran.returncode != 0:
        raise Stop(kFailed, f"ended with status {ran.returncode}: {' '.join(command)}")
    print(f"  ({time.monotonic() - start:.2f} s)", flush=True)


def command_demo(arguments: argparse.Namespace) -> None:
    set_up(["build"], may_install=True)
    build(arguments.build_dir, ["programs"])
    tenure = os.path.abspath(os.path.join(arguments.build_dir, "bin", "tenure"))
    with tempfile.TemporaryDirectory(prefix="tenure-demo-") as directory:
        primes, oo7 = os.path.join(directory, "primes"), os.path.join(directory, "oo7")
        say("compiling examples/primes and bench/oo7/tenure")
        run([tenure, "build", os.path.join(ROOT, "examples", "primes"), "-O2", "-o", primes])
        run([tenure, "build", os.path.join(ROOT, "bench", "oo7", "tenure"), "-O2", "-o", oo7])
        shown("primes: a list that lives in a database", [primes], directory)
        shown("primes again, in another process: it goes on where it stopped", [primes], directory)
        store = os.path.join(directory, "oo7-small")
        shown("OO7 small: create the database", [oo7, "create", store], directory)
        shown("OO7 small, in another process: operation, atomic parts, time", [oo7, "run", store],
              directory)


# ---- cluster

def command_cluster(arguments: argparse.Namespace) -> None:
    set_up(["build", "cluster"], may_install=True)
    build(arguments.build_dir, ["tenure"])
    if arguments.storm:
        words = [os.path.join("tests", "persist", "cluster_storm.py"), f"--faults={arguments.faults}",
                 f"--commits={arguments.commits}", f"--each={arguments.each}",
                 *([] if arguments.seed is None else [f"--seed={arguments.seed}"])]
    else:
        words = [os.path.join("tools", "cluster_rig.py"), *(["--keep"] if arguments.keep else [])]
    wait_for([sys.executable, *words], dict(os.environ, TENURE_BUILD_DIR=os.path.abspath(arguments.build_dir)),
             of_ours=True)


# ---- test and check

def import_tests():
    return import_tool("run_tests")


def finish(totals) -> None:
    totals.print_last()
    if totals.failed or not totals.passed:
        sys.exit(kFailed)


def command_test(arguments: argparse.Namespace) -> None:
    set_up(["build", "test"], may_install=True)
    build(arguments.build_dir, ["tenure", "all_tests", "laboratory"])
    run_tests = import_tests()
    totals = run_tests.Totals()
    if not arguments.filters:
        run_tests.run_fast(arguments.build_dir, arguments.jobs, totals)
    else:
        run_tests.run_some(arguments.build_dir, arguments.jobs, totals, arguments.filters)
    finish(totals)


def tidy_files() -> List[str]:
    """The sources that are part of the product: tests and benchmarks follow other rules."""
    layers = ("base", "commands", "abi", "gc", "store", "stabilize", "runtime", "dbtool", "node", "compiler")
    return sorted(os.path.join(folder, name) for layer in layers
                  for folder, _, names in os.walk(layer) for name in names
                  if name.endswith(".cc"))


@contextlib.contextmanager
def environment_with(variables: Dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


# Each part of `check` gets run_tests, the arguments of the command, and totals to add to.

def check_fast(run_tests, arguments: argparse.Namespace, totals) -> None:
    run_tests.run_fast(arguments.build_dir, arguments.jobs, totals)


def check_tidy(run_tests, arguments: argparse.Namespace, totals) -> None:
    write_compile_commands(arguments.build_dir)
    clang_tidy = import_tool("system_packages").llvm_program("clang-tidy")

    def look(file: str):
        start = time.monotonic()
        ran = subprocess.run([clang_tidy, "--quiet", "-p", ".", "--extra-arg=-Wthread-safety",
                              "--warnings-as-errors=*", file],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        wrong = [(file, run_tests.last_lines(ran.stdout))] if ran.returncode != 0 else []
        return run_tests.Report(f"clang-tidy {file}", 0 if wrong else 1, wrong, [],
                                time.monotonic() - start)

    run_tests.run_jobs([lambda file=file: look(file) for file in tidy_files()], arguments.jobs,
                       totals)


def check_golden(run_tests, arguments: argparse.Namespace, totals) -> None:
    for title, options in (("golden -O0", {"optimize": "-O0"}),
                           ("golden --barriers=hybrid", {"barriers": "hybrid"}),
                           ("golden --barriers=software", {"barriers": "software"}),
                           ("golden with checked store barriers", {"barriers": "told"}),
                           ("golden with a collection at each allocation", {"stress": True}),
                           ("golden --gc=boehm", {"gc": "boehm"})):
        run_tests.run_golden_suite(arguments.build_dir, arguments.jobs, totals, title, **options)


def check_sanitized(run_tests, arguments: argparse.Namespace, totals, folder: str, sanitizers: str,
                    targets: List[str], variables: Dict[str, str]) -> None:
    build_dir = os.path.join(arguments.build_dir, folder)
    program = import_tool("system_packages").llvm_program
    build(build_dir, targets, [f"--cxx={program('clang++')}", f"--cc={program('clang')}", f"--sanitize={sanitizers}",
                               "--debug"])
    with environment_with(variables):
        run_tests.run_jobs(run_tests.fast_jobs(build_dir, arguments.jobs), arguments.jobs, totals)


def check_address(run_tests, arguments: argparse.Namespace, totals) -> None:
    # The collector scans real stacks, so the sanitizer must not move locals to a fake one; it
    # finds objects where the leak checker sees no pointers; and the traps of frames are its daily
    # work.
    check_sanitized(run_tests, arguments, totals, "sanitize", "address,undefined", ["all_tests"], {
        "ASAN_OPTIONS": "detect_stack_use_after_return=0:detect_leaks=0:allow_user_segv_handler=1",
        "UBSAN_OPTIONS": "print_stacktrace=1"})


def check_thread(run_tests, arguments: argparse.Namespace, totals) -> None:
    # Faults are met by the thread's own loads and stores, never inside malloc, so their handler
    # may allocate. A test forks children that make threads. A program that crashes on purpose has
    # one thread.
    suppressions = os.path.join(ROOT, "tests", "support", "thread_sanitizer.supp")
    check_sanitized(run_tests, arguments, totals, "thread", "thread",
                    ["gc_tests", "store_tests", "stabilize_tests", "runtime_tests"], {
                        "GTEST_FILTER": "-*Crash*",
                        "TSAN_OPTIONS": "report_signal_unsafe=0:die_after_fork=0:suppressions="
                                        + suppressions})


def check_long(run_tests, arguments: argparse.Namespace, totals) -> None:
    with environment_with({"TENURE_LONG": "1"}):
        run_tests.run_jobs(run_tests.long_jobs(arguments.build_dir, arguments.jobs),
                           arguments.jobs, totals)


def long_tests(*files: str) -> Callable[..., None]:
    """A part of `check` that runs these files of tests in Python at length."""
    def check(run_tests, arguments: argparse.Namespace, totals) -> None:
        with environment_with({"TENURE_LONG": "1"}):
            run_tests.run_jobs([lambda file=file: run_tests.unittest_job(
                os.path.join(ROOT, "tests", file), arguments.build_dir, run_tests.LONG_TIMEOUT_S)
                for file in files], arguments.jobs, totals)
    return check


def check_cluster(run_tests, arguments: argparse.Namespace, totals) -> None:
    with environment_with({"TENURE_LONG": "1"}):
        run_tests.run_jobs([lambda: run_tests.unittest_job(
            os.path.join(ROOT, "tests", "persist", "cluster_storm_test.py"), arguments.build_dir,
            run_tests.LONG_TIMEOUT_S)], 1, totals)


def check_package(run_tests, arguments: argparse.Namespace, totals) -> None:
    with environment_with({"TENURE_LONG": "1"}):
        run_tests.run_jobs([lambda: run_tests.unittest_job(
            os.path.join(ROOT, "tests", "tools", "bare_root_test.py"), arguments.build_dir,
            run_tests.LONG_TIMEOUT_S)], arguments.jobs, totals)


def check_systems(run_tests, arguments: argparse.Namespace, totals) -> None:
    systems = import_tool("check_systems")
    problem = systems.why_not()
    if problem:
        raise Stop(kEnvironment, f"check systems: {problem}")
    folder = os.path.join(os.path.abspath(arguments.build_dir), "systems")
    os.makedirs(folder, exist_ok=True)
    for ran in systems.run_all(list(systems.RELEASES), folder, keep=False, user=False):
        wrong = [(ran.command, ran.line())] if ran.failed else []
        totals.add(run_tests.Report(f"{ran.release}: build.py {ran.command}", 0 if wrong else 1, wrong, [], ran.seconds))


PARTS_OF_CHECK = {
    "fast": (check_fast, "all that `build.py test` runs"),
    "tidy": (check_tidy, "clang-tidy, with the checks of .clang-tidy"),
    "golden": (check_golden, "golden tests without optimization, with a collection at each "
                             "allocation, and with libgc in the place of the collector"),
    "address": (check_address, "unit tests under the address and undefined-behaviour sanitizers, "
                               "with debug checks"),
    "thread": (check_thread, "unit tests of collector, databases and run time under the thread "
                             "sanitizer"),
    "long": (check_long, "unit tests with long seeds"),
    "storms": (long_tests("fuzz/random_programs_test.py", "fuzz/store_fuzz_test.py", "fuzz/legal_programs_test.py",
                          "torture/torture_test.py", "torture/stepping_test.py", "persist/crash_storm_test.py",
                          "persist/served_storm_test.py", "persist/thread_storm_test.py",
                          "persist/commit_storm_test.py", "persist/histories_test.py", "persist/memory_test.py",
                          "persist/page_server_history_test.py", "fuzz/random_graphs_test.py",
                          "persist/looking_golden_test.py", "persist/browse_million_test.py"),
               "many random programs, compared with the evaluator; many changed stores; ten minutes of torture by "
               "threads; loops with a collection behind each instruction; crash storms; histories of concurrent "
               "transactions; random graphs; a million objects in a browser"),
    "numbers": (long_tests("stdlib/number_texts_test.py", "stdlib/extremes_test.py"),
                "two million values of each kind as texts and back, at -O0 and -O2; containers with extreme keys "
                "beside models"),
    "witness": (long_tests("stdlib/texts_witness_test.py", "stdlib/json_witness_test.py",
                           "stdlib/csv_witness_test.py", "stdlib/days_witness_test.py", "stdlib/decimal_witness_test.py"),
                "texts, codings, JSON, tables, days and decimals of the library against Python's modules; three "
                "million documents"),
    "memory": (long_tests("persist/memory_limits_test.py"),
               "peaks of memory against the limit of eight programs, with 64 MB to 4 GB, alone and served; containers"),
    "queries": (long_tests("fuzz/random_queries_test.py"),
                "20,000 random queries of random stores, compared with an evaluator in Python and with each other"),
    "evolution": (long_tests("fuzz/random_evolution_test.py"),
                  "10,000 pairs of random versions of types: upgrades compared with a shadow, forward and back, "
                  "killed and served"),
    "cluster": (check_cluster, "a storm over three machines of a cluster: programs, leaders, primaries and "
                               "machines killed and stopped, links cut"),
    "package": (check_package, "the Debian package, and an installation below a prefix, in a root of "
                               "their own; as the administrator"),
    "systems": (check_systems, "`demo` and `test` of a clone of this commit in a root of each supported release of "
                               "Debian; as the administrator"),
}


# What a part needs besides what the tests need.
NEEDS_OF_PARTS: Dict[str, List[str]] = {"fast": ["reports"], "tidy": ["tidy"], "address": ["sanitizers"],
                                        "thread": ["sanitizers"], "cluster": ["cluster"], "package": ["roots"], "systems": ["roots"]}
# Parts that use nothing of what is built here.
SELF_CONTAINED_PARTS = ("systems",)


def part_of_check(name: str) -> str:
    if name not in PARTS_OF_CHECK:
        raise argparse.ArgumentTypeError(f"there is no part {name}: {', '.join(PARTS_OF_CHECK)}")
    return name


def command_check(arguments: argparse.Namespace) -> None:
    names = [name for name in PARTS_OF_CHECK if name in arguments.parts or not arguments.parts]
    builds = any(name not in SELF_CONTAINED_PARTS for name in names)
    set_up([*(["build", "test"] if builds else []),
            *(group for name in names for group in NEEDS_OF_PARTS.get(name, []))], may_install=False)
    if builds:
        build(arguments.build_dir, ["tenure", "all_tests", "laboratory"])
    run_tests = import_tests()
    totals = run_tests.Totals()
    verdicts = []
    for number, name in enumerate(names, 1):
        action, text = PARTS_OF_CHECK[name]
        say(f"check, part {number} of {len(names)}: {name}: {text}")
        part, start = run_tests.Totals(), time.monotonic()
        action(run_tests, arguments, part)
        totals.add_totals(part)
        verdicts.append(f"{name}: {part.counts()} ({(time.monotonic() - start) / 60:.1f} min)")
        say(f"check, {verdicts[-1]}")
    say("check, all parts:")
    for verdict in verdicts:
        print(f"  {verdict}", flush=True)
    finish(totals)


# ---- bench

def python_with_matplotlib() -> str:
    # Debian's matplotlib belongs to Debian's Python.
    return sys.executable if importlib.util.find_spec("matplotlib") else "/usr/bin/python3"


def command_bench(arguments: argparse.Namespace) -> None:
    set_up(["build", "bench", *(["cluster"] if arguments.name == "cluster" else [])], may_install=False)
    build(arguments.build_dir, ["tenure", "benchmarks"])
    names = [arguments.name] if arguments.name else []
    environment = dict(os.environ, TENURE_BUILD_DIR=os.path.abspath(arguments.build_dir))
    python = python_with_matplotlib()
    if arguments.quick:
        run([python, os.path.join("bench", "run.py"), "--quick", *names], environment)
        return
    run([python, os.path.join("bench", "run.py"), *names], environment)
    run([python, os.path.join("bench", "report", "report.py")], environment)


def command_lab(arguments: argparse.Namespace) -> None:
    set_up(["build", "lab"], may_install=True)
    build(arguments.build_dir, ["tenure", "laboratory"])
    options = ["--quick"] if arguments.quick else []
    if arguments.directory:
        options.append(f"--directory={arguments.directory}")
    environment = dict(os.environ, TENURE_BUILD_DIR=os.path.abspath(arguments.build_dir))
    run([python_with_matplotlib(), os.path.join("lab", "laboratory.py"), *arguments.papers, *options],
        environment)


# ---- guide

def command_guide(arguments: argparse.Namespace) -> None:
    say("guide needs Sphinx with MyST and the theme Furo, and what `build` needs")
    set_up(["build", "guide"], may_install=True)
    build(arguments.build_dir, ["tenure"])
    run([sys.executable, os.path.join("tools", "guide_pages.py"), "--build-dir", arguments.build_dir])


COMMANDS = {
    "setup": (command_setup, "install what those need who write programs"),
    "build": (command_build, "build the compiler, the runtime and the library"),
    "install": (command_install, "install it below a prefix"),
    "uninstall": (command_uninstall, "remove what `install` installed"),
    "package": (command_package, "make a Debian package of it"),
    "release": (command_release, "make the files of a release"),
    "demo": (command_demo, "run a persistent program twice, and OO7 in two processes"),
    "cluster": (command_cluster, "run OO7 over a cluster of three machines, and kill the primary"),
    "test": (command_test, "run all fast tests, or those whose names contain FILTER"),
    "check": (command_check, "run the fast tests and the long ones"),
    "bench": (command_bench, "run the benchmarks, all or one"),
    "guide": (command_guide, "make web pages of the guide and all documents"),
    "lab": (command_lab, "run the experiments of the papers, and make docs/laboratory.md"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (action, text) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(action=action)
        command.add_argument("--build-dir", default="build", metavar="DIR",
                             help="where everything that is built goes (default: build)")
        add_install_options(name, command)
        if name == "release":
            add_release_options(command)
        if name == "setup":
            command.add_argument("--tests", action="store_true", help="as well what `test` needs")
            command.add_argument("--bench", action="store_true", help="as well what `bench` and `lab` need")
            command.add_argument("--all", action="store_true",
                                 help="what all commands need: also `check`, `package`, `cluster` and `guide`")
        if name in ("test", "check"):
            command.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)),
                                 help="tests that run at the same time")
        if name == "cluster":
            command.add_argument("--keep", action="store_true",
                                 help="the cluster then stays until Enter, to try things out")
            command.add_argument("--storm", action="store_true",
                                 help="instead: disturb programs on three machines, and check what they were told")
            command.add_argument("--faults", type=int, default=200, help="of the storm, at least (default: 200)")
            command.add_argument("--commits", type=int, default=100_000,
                                 help="acknowledged in the storm, at least (default: 100000)")
            command.add_argument("--each", type=int, default=0, metavar="N",
                                 help="of the storm: each kind of fault N times, and no more commits than that takes; "
                                      "for the table of times until commits go on")
            command.add_argument("--seed", type=int, help="of the storm (default: another one each time)")
        if name == "test":
            command.add_argument("filters", nargs="*", metavar="FILTER",
                                 help="only tests whose names contain this: names of GoogleTest, "
                                      "files and methods in Python, golden files, test programs")
        if name == "check":
            parts = "; ".join(f"{part}: {text}" for part, (_, text) in PARTS_OF_CHECK.items())
            command.add_argument("parts", nargs="*", metavar="PART", type=part_of_check,
                                 help=f"only this ({parts})")
        if name == "bench":
            command.add_argument("name", nargs="?", metavar="NAME")
            command.add_argument("--quick", action="store_true",
                                 help="a short run of transfers, growth, kernels or cluster, without a report")
        if name == "lab":
            command.add_argument("papers", nargs="*", metavar="PAPER",
                                 help="of load-work-save, object-faults, pm3, quickstore, recovery; "
                                      "otherwise all")
            command.add_argument("--quick", action="store_true", help="fewer sizes and runs")
            command.add_argument("--directory", metavar="DIR",
                                 help="where stores are made; must be on a disk")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    try:
        arguments.action(arguments)
    except Stop as stop:
        print(f"build.py: {stop}", file=sys.stderr)
        sys.exit(stop.status)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
