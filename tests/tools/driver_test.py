"""The command `tenure` as its user sees it: exit statuses, messages, files."""

import fcntl
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

OK, SOURCE, USAGE, ENVIRONMENT, RUN_TIME_ERROR = 0, 1, 2, 3, 4

HELLO = 'MODULE Main;\nIMPORT IO;\nBEGIN\n  IO.Put("hello\\n");\nEND Main.\n'
EMPTY = "MODULE Main;\nBEGIN\nEND Main.\n"


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class DriverTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-driver-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def path(self, *names: str) -> str:
        return os.path.join(self.directory, *names)

    def write(self, name: str, text: str) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="latin-1") as file:
            file.write(text)
        return path

    def tenure(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        environment = dict(os.environ, **options.pop("environment", {}))
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("cwd", self.directory)
        return subprocess.run([TENURE, *arguments], stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=300, stdin=subprocess.DEVNULL, env=environment, **options)

    def expect(self, status: int, *arguments: str, **options) -> subprocess.CompletedProcess:
        ran = self.tenure(*arguments, **options)
        self.assertEqual(ran.returncode, status, f"tenure {arguments}: {ran.stdout}{ran.stderr}")
        return ran

    def expect_problem(self, status: int, text: str, *arguments: str, **options):
        """One clear message on standard error, and nothing on standard output."""
        ran = self.expect(status, *arguments, **options)
        self.assertIn(text, ran.stderr)
        self.assertTrue(ran.stderr.startswith("tenure: "), ran.stderr)
        self.assertFalse(ran.stdout)
        return ran


class UsageTest(DriverTest):
    def test_percent_signs_in_paths(self):
        program = 'MODULE Main;\nIMPORT IO;\nBEGIN IO.Put("hello\\n") END Main.\n'
        for name in ("feature%2Flogin", "100%", "a%s%d", "%%%%%%%%", "plain"):
            directory = os.path.dirname(self.write(name + "/Main.m3", program))
            self.assertEqual(self.expect(0, "run", directory).stdout, "hello\n")
            self.expect(0, "build", "-o", "prog%2y", cwd=directory)
            made = subprocess.run([os.path.join(directory, "prog%2y")], stdout=subprocess.PIPE, check=True)
            self.assertEqual(made.stdout, b"hello\n")
            self.assertEqual([file for file in os.listdir(directory) if file.startswith(".linked")], [])
            # One linked part of several.
            self.expect(0, "build", "-O2", "-o", "other", cwd=directory, environment={"TMPDIR": directory})

    def test_help(self):
        for arguments, text in ((["--help"], "compile a package"), (["-h"], "COMMAND --help"),
                                (["help"], "Exit status"), (["build", "--help"], "--max-errors"),
                                (["help", "build"], "--max-errors"), (["help", "db"], "salvage"),
                                (["run", "-h"], "tenure run"), (["heap", "--help"], "--top"),
                                (["db", "--help"], "salvage"), (["db", "gc", "-h"], "--json"),
                                (["serve", "--help"], "--group")):
            ran = self.expect(OK, *arguments)
            self.assertIn(text, ran.stdout)
            self.assertEqual(ran.stderr, "")

    def test_version(self):
        ran = self.expect(OK, "--version")
        self.assertRegex(ran.stdout, r"^tenure \d+\.\d+\.\d+ ")
        self.assertEqual(ran.stderr, "")

    def test_wrong_usage(self):
        for arguments, text, command in (
                ([], "no command", ""), (["compile"], "'compile'", ""),
                (["bulid"], "did you mean 'build'?", ""), (["help", "bulid"], "did you mean 'build'?", ""),
                (["build", "--nonsense"], "--nonsense", "build "),
                (["build", "a", "b", "c"], "not expected: b c", "build "),
                (["build", "-o"], "-o", "build "), (["new"], "NAME", "new "),
                (["run", "a", "b"], "what follows '--' goes to the program", "run "),
                (["build", "--", "x"], "tenure run", "")):
            ran = self.expect_problem(USAGE, text, *arguments)
            self.assertIn(f"Try 'tenure {command}--help'", ran.stderr)

    def test_options_without_effect_and_names_that_find_nothing_are_refused(self):
        self.write("app/Main.m3", "MODULE Main; BEGIN END Main.")
        self.write("lib/m3makefile", 'interface("Only")\nlibrary("lib")')
        self.write("lib/Only.i3", "INTERFACE Only; END Only.")
        for arguments, text in (
                (["build", "lib", "-o", "archive"], "'lib' is a library"),
                (["check", "app", "-o", "program"], "-o says where a program goes"),
                (["build", "app", "-o", "program", "--dump=ast"], "-o says where a program goes"),
                (["test", "app", "--list", "--junit", "report"], "--junit is about running"),
                (["test", "app", "--list", "--coverage", "pages"], "--coverage is about running"),
                (["test", "app", "--list", "--fail-fast"], "--fail-fast is about running"),
                (["test", "app", "--list", "--shuffle"], "--shuffle is about running"),
                (["test", "app", "--list", "--stress"], "--stress is about running"),
                (["test", "app", "--list", "--timeout", "3"], "--timeout is about running"),
                (["bench", "app", "--list", "--save", "results"], "--save is about running"),
                (["bench", "app", "--list", "--compare", "results"], "--compare is about running"),
                (["explain", "M0304", "--list"], "takes a CODE"), (["explain"], "takes a CODE"),
                (["explain", "M9999"], "M9999"), (["bench", "app", "NoSuch"], "NoSuch"),
                (["check", "app", "-Wno-M9999"], "M9999"), (["build", "app", "--gc=none"], "none"),
                (["doc", "app", "-O2"], "-O2"), (["clean", "app", "-o", "x"], "-o"),
                (["run", "app", "--list"], "--list"), (["build", "app", "--db", "store"], "--db")):
            ran = self.expect(USAGE, *arguments)
            self.assertIn(text, ran.stderr, arguments)
        self.assertEqual(sorted(os.listdir(self.directory)), ["app", "lib"])

    def test_output_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w") as full:
            for arguments in (["--help"], ["serve", "--help"]):
                ran = self.expect(ENVIRONMENT, *arguments, stdout=full)
                self.assertIn("cannot write", ran.stderr)

    def test_a_reader_that_goes_away_ends_commands_quietly(self):
        for arguments in (["explain", "--list"], ["help", "build"], ["--version"], ["explain", "M0404"]):
            # The command writes to a pipe without a reader.
            reader, writer = os.pipe()
            os.close(reader)
            ran = subprocess.run([TENURE, *arguments], stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            self.assertEqual((ran.returncode, ran.stderr), (-signal.SIGPIPE, b""), arguments)


class EnvironmentTest(DriverTest):
    def test_missing_package(self):
        self.expect_problem(ENVIRONMENT, "'nowhere' does not exist", "build", "nowhere")
        self.expect_problem(ENVIRONMENT, "does not exist", "build", "Nowhere.m3")

    def test_directory_without_sources(self):
        self.expect_problem(ENVIRONMENT, "no Modula-3 sources", "build")

    def test_build_file_that_says_nothing(self):
        self.write("Main.m3", "MODULE Main; BEGIN END Main.\n")
        for text in ("", "% later\n\n  % more\n"):
            self.write("m3makefile", text)
            self.expect_problem(ENVIRONMENT, "'m3makefile' has no commands", "build")
        self.write("m3makefile", 'if equal("a", "b")\n  program("never")\nend\n')
        self.expect(0, "build")

    def test_build_file_that_cannot_be_read(self):
        self.write("p/Main.m3", EMPTY)
        self.write("app/Main.m3", EMPTY)
        self.write("app/m3makefile", 'import("p") implementation("Main") program("app")\n')
        for make, reason in ((os.mkdir, "Is a directory"), (os.mkfifo, "Invalid argument"),
                             (lambda path: os.symlink("nowhere", path), "No such file")):
            for name in ("p/m3makefile", "p/src/m3makefile"):
                os.makedirs(self.path("p", "src"), exist_ok=True)
                make(self.path(name))
                self.expect_problem(ENVIRONMENT, f"cannot read '{name}': {reason}", "build", "p")
                ran = self.expect(SOURCE, "build", "app")
                self.assertIn(f"{name}': {reason}", ran.stderr)
                shutil.rmtree(self.path("p", "src"))
                if os.path.lexists(self.path(name)):
                    (os.rmdir if make == os.mkdir else os.remove)(self.path(name))
        if os.geteuid() != 0:
            os.chmod(self.path("app/m3makefile"), 0)
            self.expect_problem(ENVIRONMENT, "cannot read 'app/m3makefile': Perm", "build", "app")

    def test_build_file_with_a_byte_order_mark(self):
        self.write("Main.m3", EMPTY)
        self.write("m3makefile", '\xef\xbb\xbfimplementation("Main") program("app")\n')
        self.expect(OK, "build")
        self.write("m3makefile", "\xef\xbb\xbf% nothing\n")
        self.expect_problem(ENVIRONMENT, "'m3makefile' has no commands", "build")

    def test_neither_directory_nor_module(self):
        self.write("notes.txt", "")
        self.expect_problem(ENVIRONMENT, "neither a directory nor", "build", "notes.txt")

    def test_missing_library(self):
        self.write("Main.m3", EMPTY)
        self.expect_problem(ENVIRONMENT, "standard library", "build",
                            environment={"TENURE_STDLIB": self.path("nowhere")})

    def test_no_linker_driver(self):
        self.write("Main.m3", EMPTY)
        self.expect_problem(ENVIRONMENT, "g++", "build", environment={"PATH": self.path("nowhere")})
        self.assertFalse(os.path.exists(self.path(".tenure", "bin", os.path.basename(self.directory))))

    def test_a_library_that_the_system_lacks_is_named_with_its_package(self):
        self.write("hello/Main.m3", HELLO)
        for said, hint in (("ld.lld: error: unable to find library -ldb", "install libdb5.3-dev (Debian's name)"),
                           ("/usr/bin/ld: cannot find -ldb: No such file", "install libdb5.3-dev (Debian's name)"),
                           ("ld.lld: error: unable to find library -lbacktrace", "install g++ (Debian's name)"),
                           ("ld.lld: error: unable to find library -ldbus", "library -ldbus")):
            linker = self.write("bin/g++", f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
            os.chmod(linker, 0o755)
            ran = self.expect(ENVIRONMENT, "build", "hello",
                              environment={"PATH": f"{self.path('bin')}:{os.environ['PATH']}"})
            self.assertIn(said, ran.stderr)
            self.assertTrue(ran.stderr.rstrip().endswith(hint), ran.stderr)

    def test_a_library_that_an_interface_names_is_linked_and_if_it_is_missing_its_package_is_named(self):
        self.write("app/C.i3", '<*LIBRARY "nowhere", "libnowhere-dev"*>\n<*EXTERNAL*> INTERFACE C;\n'
                               "PROCEDURE nothing();\nEND C.\n")
        self.write("app/Main.m3", "MODULE Main;\nIMPORT C;\nBEGIN\n  C.nothing();\nEND Main.\n")
        self.write("app/m3makefile", 'interface("C")\nimplementation("Main")\nprogram("app")\n')
        ran = self.expect(ENVIRONMENT, "build", "app")
        self.assertIn("nowhere", ran.stderr)
        self.assertTrue(ran.stderr.rstrip().endswith("install libnowhere-dev (Debian's name)"), ran.stderr)
        self.write("nowhere.c", "void nothing(void) {}\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", self.path("libnowhere.so"), self.path("nowhere.c")],
                       check=True, timeout=60)
        self.expect(OK, "build", "app", environment={"LIBRARY_PATH": self.directory})
        # The library's interfaces of this kind, which nothing else is linked with.
        self.write("none/Main.m3", HELLO)
        self.write("one/Main.m3", 'MODULE Main;\nIMPORT Regex;\nBEGIN\n  EVAL Regex.Quote("");\nEND Main.\n')
        self.assertNotIn("pcre", self.expect(OK, "build", "none", "-v").stderr)
        self.assertIn(" -lpcre2-8 ", self.expect(OK, "build", "one", "-v").stderr)

    def test_an_empty_environment(self):
        self.write("Main.m3", EMPTY)
        ran = subprocess.run([TENURE, "build", "-o", "program"], cwd=self.directory, env={}, capture_output=True,
                             text=True, stdin=subprocess.DEVNULL, timeout=300)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertTrue(os.path.exists(self.path("program")))

    def test_unwritable_output(self):
        self.write("app/Main.m3", EMPTY)
        self.expect_problem(ENVIRONMENT, "No such file", "build", "app", "-o", "nowhere/program")
        self.expect_problem(ENVIRONMENT, "s a directory", "build", "app", "-o", "app")
        self.expect_problem(ENVIRONMENT, "Not a directory", "build", "app", "-o", "app/Main.m3/x")
        self.assertEqual(os.listdir(self.path("app")), ["Main.m3"])  # detected before compiling

    def test_output_that_must_stay(self):
        self.write("app/m3makefile", 'include("more") c_source("c") implementation("Main") program("app")')
        for name, text in (("Main.m3", EMPTY), ("c.c", "int c;\n"), ("more", "% more\n")):
            self.write("app/" + name, text)
        self.write("Alone.m3", "MODULE Alone EXPORTS Main; BEGIN END Alone.\n")
        for package, output in (("app", "app/Main.m3"), ("app", "app/c.c"), ("app", "app/m3makefile"),
                                ("app", "app/more"), ("Alone.m3", "./Alone.m3")):
            with open(self.path(output)) as file:
                before = file.read()
            self.expect_problem(USAGE, "is made from", "build", package, "-o", output)
            with open(self.path(output)) as file:
                self.assertEqual(file.read(), before)
        os.mkfifo(self.path("pipe"))
        for output in ("pipe", "/dev/null"):
            self.expect_problem(USAGE, "no regular file", "build", "app", "-o", output)
        self.write("old", "old")
        self.expect(OK, "build", "app", "-o", "old")
        self.expect(OK, "build", "app", "-o", "old", "-O0")

    def test_full_disk(self):
        """A separate file system that is too small for the files of each stage of a build."""
        self.write("pkg/Main.m3", HELLO)
        self.write("pkg/m3makefile", '> "Made.i3" in write("INTERFACE Made; END Made.\\n") end\n'
                                     'derived_interface("Made", VISIBLE)\n'
                                     'implementation("Main")\nprogram("p")\n')
        os.mkdir(self.path("disk"))
        script = self.write("script", f"""
            mount -t tmpfs -o size=$1 none disk || exit 99
            cp -r pkg disk && cd disk && {TENURE} build -w pkg
            status=$?
            find . -name '*.new*' -o -name Made.i3 -size 0
            exit $status""")
        for size, problem in (("12k", "cannot write"), ("24k", "No space left on device"),
                              ("400k", "No space left on device")):
            ran = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", script, size],
                                 cwd=self.directory, stdout=subprocess.PIPE, text=True,
                                 stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300)
            if ran.returncode == 99 or "unshare" in ran.stderr:
                self.skipTest("no file system can be mounted here")
            self.assertIn(ran.returncode, (SOURCE, ENVIRONMENT), f"{size}: {ran}")
            self.assertIn(problem, ran.stderr)
            self.assertEqual(ran.stdout, "", f"left behind with {size}")

    def test_out_of_memory(self):
        os.truncate(self.write("Main.m3", EMPTY), 600 << 20)
        ran = self.expect(ENVIRONMENT, "build",
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20)))
        self.assertEqual(ran.stderr, "tenure: out of memory\n")

    def test_a_starter_that_ignores_or_blocks_signals_changes_no_status(self):
        def as_cron_does():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT})

        self.write("made/m3makefile", 'if not equal(try_exec("@false"), 1)\n  error("false succeeded")\nend\n'
                   'implementation("Main")\nprogram("p")\n')
        self.write("made/Main.m3", 'MODULE Main;\nIMPORT IO, Process, Thread;\nTYPE A = ARRAY OF TEXT;\n<*FATAL ANY*>\n'
                   'BEGIN\n  IO.PutInt(Process.Wait(Process.Create("sh", A {"-c", "exit 7"})));\nEND Main.\n')
        self.write("made/tests/MainTest.m3", "MODULE MainTest;\nIMPORT Test;\n"
                   "PROCEDURE TestOne(t: Test.T) = BEGIN t.check(TRUE) END TestOne;\nBEGIN END MainTest.\n")
        self.assertEqual(self.expect(OK, "run", "made", preexec_fn=as_cron_does).stdout, "7")
        self.assertIn("1 passed", self.expect(OK, "test", "made", preexec_fn=as_cron_does).stdout)
        self.write("made/m3makefile", 'exec("@false")\n')
        self.assertIn("the command ended with status 1",
                      self.expect(SOURCE, "build", "made", preexec_fn=as_cron_does).stderr)

    def test_limit_on_the_size_of_files(self):
        self.write("Main.m3", HELLO)
        for arguments in (["build"], ["db", "import", "store", "lines"]):
            self.write("lines", '{"format":"tenure export","version":1}\n')
            ran = self.expect(ENVIRONMENT, *arguments, environment={"TENURE_STATE": self.path("state")},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)))
            self.assertIn("File too large", ran.stderr)

    def test_unwritable_package(self):
        self.write("app/Main.m3", EMPTY)
        self.write("app/.tenure", "a file where the folder should be")
        self.expect_problem(ENVIRONMENT, "cannot make the directory", "build", "app")
        # -o moves the program, not the object files.
        self.expect_problem(ENVIRONMENT, "cannot make the directory", "build", "app", "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_unreadable_source(self):
        self.write("Main.m3", EMPTY)
        os.symlink("loop.m3", self.path("loop.m3"))  # not a regular file: no source
        self.expect(OK, "build")
        os.remove(self.path("loop.m3"))
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        os.chmod(self.path("Main.m3"), 0)
        self.expect_problem(ENVIRONMENT, "cannot read", "build")
        self.expect_problem(ENVIRONMENT, "cannot read", "build", "--dump=ast")


class SourceTest(DriverTest):
    def test_syntax_error(self):
        self.write("Main.m3", "MODULE Main;\nBEGIN\n  x := ;\nEND Main.\n")
        ran = self.expect(SOURCE, "build")
        lines = ran.stderr.split("\n")
        self.assertRegex(lines[0], r"^Main\.m3:3:8: error\[M\d{4}\]: \S")
        self.assertIn("x := ;", lines[1])
        self.assertRegex(lines[2], r"^[ |\d]*\^~*$")
        self.assertEqual(ran.stdout, "")
        self.assertEqual(os.listdir(self.directory), ["Main.m3"])

    def test_every_error_in_one_run(self):
        self.write("Main.m3", "MODULE Main;\nVAR i: INTEGER;\nBEGIN\n  i := TRUE;\n  i := 1.5;\nEND Main.\n")
        self.write("Other.m3", "MODULE Other;\nVAR j: CHAR := 7;\nBEGIN\nEND Other.\n")
        self.write("Other.i3", "INTERFACE Other;\nEND Other.\n")
        ran = self.expect(SOURCE, "build")
        for place in ("Main.m3:4:", "Main.m3:5:", "Other.m3:2:"):
            self.assertIn(place, ran.stderr)
        self.assertEqual(ran.stderr.count("error["), 3, ran.stderr)

    def test_a_warning_can_be_turned_off_by_its_code(self):
        self.write("Main.m3", "MODULE Main;\nIMPORT IO;\nBEGIN\nEND Main.\n")
        codes = re.findall(r"warning\[(W\d{4})\]", self.expect(OK, "build").stderr)
        self.assertEqual(len(codes), 1)
        self.expect(SOURCE, "build", "-Werror")
        self.assertEqual(self.expect(OK, "build", "-Werror", "-Wno-" + codes[0]).stderr, "")
        self.expect_problem(USAGE, "no warning has the code 'M0101'", "build", "-Wno-M0101")

    def test_max_errors(self):
        self.write("Main.m3", "MODULE Main;\nBEGIN\n  a := 1;\n  b := 1;\n  c := 1;\nEND Main.\n")
        ran = self.expect(SOURCE, "build", "--max-errors=2")
        self.assertEqual(ran.stderr.count("error["), 2)
        self.assertIn("1 more error is not shown", ran.stderr)
        for wrong in ("--max-errors", "--max-errors=0", "--max-errors=x", "--max-errors2"):
            self.expect_problem(USAGE, "--max-errors", "build", wrong)
        self.expect_problem(USAGE, "-j", "build", "-jx")

    def test_max_warnings(self):
        names = ", ".join(f"unused{i}" for i in range(250))
        self.write("Main.m3", f"MODULE Main;\nVAR {names}: INTEGER;\nBEGIN\nEND Main.\n")
        said = self.expect(OK, "check").stderr
        self.assertEqual(said.count("warning[W0401]"), 100)
        self.assertEqual(said.splitlines()[-1], "tenure: 150 more warnings are not shown; --max-warnings N shows N")
        for command in ("build", "check", "run"):
            said = self.expect(OK, command, "--max-warnings=249").stderr
            self.assertEqual(said.count("warning[W0401]"), 249)
            self.assertIn("1 more warning is not shown", said)
        self.assertNotIn("not shown", self.expect(OK, "check", "--max-warnings", "250").stderr)
        # What is not shown counts.
        self.expect(SOURCE, "check", "-Werror", "--max-warnings=1")
        # A program that reads the messages gets them all, or as many as it asks for.
        lines = self.expect(OK, "check", "--error-format=json").stderr.splitlines()
        self.assertEqual([json.loads(line)["code"] for line in lines], ["W0401"] * 250)
        lines = self.expect(OK, "check", "--error-format=json", "--max-warnings=7").stderr.splitlines()
        self.assertEqual(len([json.loads(line) for line in lines]), 7)
        self.expect_problem(USAGE, "--max-warnings", "build", "--max-warnings=0")

    def on_terminal(self, columns: int, *arguments: str) -> str:
        """What is written to a terminal of this width."""
        controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        ran = subprocess.Popen([TENURE, *arguments], stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                               cwd=self.directory, env={**os.environ, "NO_COLOR": "1"})
        os.close(terminal)
        said = b""
        try:
            while True:
                said += os.read(controller, 65536)
        except OSError:  # the end
            pass
        os.close(controller)
        ran.wait(60)
        return said.decode("utf-8", "replace").replace("\r\n", "\n")

    def test_a_narrow_terminal(self):
        for arguments in (["--help"], ["build", "--help"], ["test", "--help"], ["db", "--help"], ["serve", "--help"],
                          ["node", "--help"], ["explain", "--list"]):
            with self.subTest(arguments=arguments):
                wide, narrow = self.on_terminal(400, *arguments), self.on_terminal(60, *arguments)
                self.assertEqual(wide, self.expect(OK, *arguments).stdout)
                self.assertEqual(narrow.split(), wide.split())
                # Only what has no blank is longer.
                for line in narrow.splitlines():
                    self.assertTrue(len(line) <= 60 or len(line.split()) == 1, line)
        before = "(* " + "a" * 100 + " *) "
        self.write("Main.m3", f"MODULE Main;\nBEGIN\n  {before} missing := 1; {before}\nEND Main.\n")
        for columns in (50, 400):
            lines = self.on_terminal(columns, "build").splitlines()
            at = next(i for i, line in enumerate(lines) if line.strip().startswith("^"))
            self.assertEqual(lines[at - 1][lines[at].index("^"):][:7], "missing")
            self.assertEqual(len(lines[at - 1]) <= columns, True)

    def test_a_reader_that_goes_away_leaves_nothing_in_the_temporary_directory(self):
        temporary = self.path("temporary")
        os.mkdir(temporary)
        self.write("package/m3makefile", 'implementation("Main")\nprogram("p")\n')
        self.write("package/Main.m3", EMPTY)
        self.write("package/tests/SomeTest.m3", "MODULE SomeTest;\nIMPORT Test;\n" + "".join(
            f"PROCEDURE Test{i}(t: Test.T) = BEGIN t.log(t.name()) END Test{i};\n" for i in range(20)) +
                   "BEGIN END SomeTest.\n")
        for arguments in (["test", "package"], ["test", "package", "--list"]):
            with subprocess.Popen([TENURE, *arguments], cwd=self.directory, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": temporary}) as ran:
                ran.stdout.close()  # before anything is written
                ran.wait(300)
            self.assertEqual(ran.returncode, -signal.SIGPIPE, arguments)
            self.assertEqual(os.listdir(temporary), [], arguments)

    def test_colours_only_where_they_are_wanted(self):
        self.write("Main.m3", "MODULE Main;\nBEGIN\n  a := 1;\nEND Main.\n")
        self.assertNotIn("\033", self.expect(SOURCE, "build").stderr)  # not a terminal
        self.assertNotIn("\033", self.expect(SOURCE, "build", "--color=never").stderr)
        colored = self.expect(SOURCE, "build", "--color=always").stderr
        self.assertIn("\033[1;31merror[", colored)
        plain = re.sub(r"\033\[[0-9;]*m", "", colored)
        self.assertEqual(plain, self.expect(SOURCE, "build").stderr)
        self.expect_problem(USAGE, "'red' is none of always, auto and never", "build", "--color=red")

    def test_errors_name_files_as_the_package_was_named(self):
        self.write("app/Main.m3", "MODULE Main;\nBEGIN\n  x := 1;\nEND Main.\n")
        self.assertIn("app/Main.m3:3:3: error", self.expect(SOURCE, "build", "app").stderr)
        self.assertIn("app/Main.m3:3:3: error", self.expect(SOURCE, "build", "app/Main.m3").stderr)

    def test_no_main_module(self):
        self.write("Other.m3", "MODULE Other;\nBEGIN\nEND Other.\n")
        self.write("Other.i3", "INTERFACE Other;\nEND Other.\n")
        ran = self.expect(SOURCE, "build")
        self.assertRegex(ran.stderr, r"error\[M\d{4}\]: .*Main")
        self.assertEqual(self.tenure("run").returncode, SOURCE)

    def test_an_empty_source_and_a_binary_one(self):
        self.write("Main.m3", "")
        self.assertIn("error[", self.expect(SOURCE, "build").stderr)
        self.write("Main.m3", "\x7fELF\x00\x01\xff" * 100)
        self.assertIn("error[", self.expect(SOURCE, "build").stderr)

    def test_line_ends_and_marks_of_other_systems(self):
        self.write("p/Main.m3", "\xEF\xBB\xBF" + HELLO.replace("\n", "\r\n"))
        self.expect(OK, "build", "p")
        self.assertEqual(subprocess.run([self.path("p/.tenure/bin/p")], stdout=subprocess.PIPE,
                                        check=True, timeout=60).stdout, b"hello\n")

    def test_a_source_that_is_no_file(self):
        os.makedirs(self.path("d", "Main.m3"))
        self.assertIn(self.tenure("build", "d").returncode, (SOURCE, USAGE, ENVIRONMENT))
        os.makedirs(self.path("f"))
        os.mkfifo(self.path("f", "Main.m3"))
        self.assertIn(self.tenure("build", "f").returncode, (SOURCE, USAGE, ENVIRONMENT))

    def test_ten_thousand_labels(self):
        labels = "".join(f"  | {3 * i} => INC(sum, {i % 17})\n" for i in range(10000))
        self.write("p/Main.m3", "MODULE Main;\nIMPORT IO;\nVAR sum := 0;\nBEGIN\n  FOR i := 0 TO 9999 DO\n"
                                f"  CASE i * 3 OF\n{labels}  END END;\n  IO.PutInt(sum)\nEND Main.\n")
        self.expect(OK, "build", "p", "-O2")
        self.assertEqual(subprocess.run([self.path("p/.tenure/bin/p")], stdout=subprocess.PIPE,
                                        check=True, timeout=60).stdout, b"79974")

    def test_two_files_of_one_name(self):
        self.write("p/Main.m3", "MODULE Main;\nIMPORT X;\nBEGIN\n  X.P();\nEND Main.\n")
        self.write("p/X.i3", "INTERFACE X;\nPROCEDURE P();\nEND X.\n")
        for path in ("p/X.m3", "p/src/X.m3"):
            self.write(path, "MODULE X;\nPROCEDURE P() = BEGIN END P;\nBEGIN\nEND X.\n")
        self.assertRegex(self.tenure("build", "p").stderr,
                         r"package 'p' has the unit X.m3 twice: in '\S*p/X.m3' and in '\S*p/src/X.m3'")
        os.remove(self.path("p", "src", "X.m3"))
        self.expect(OK, "build", "p")

    def test_errors_as_json(self):
        self.write("Main.m3", "MODULE Main;\nBEGIN\n  x := 1;\n  y := 2;\nEND Main.\n")
        ran = self.expect(SOURCE, "build", "--error-format=json")
        messages = [json.loads(line) for line in ran.stderr.splitlines()]
        self.assertEqual(len(messages), 2)
        for message in messages:
            self.assertRegex(json.dumps(message), r"M\d{4}")

    def test_warnings(self):
        self.write("Main.m3", "MODULE Main;\nPROCEDURE Unused() =\n  BEGIN\n  END Unused;\nBEGIN\nEND Main.\n")
        self.assertIn("warning[", self.expect(OK, "build").stderr)
        self.assertEqual(self.expect(OK, "build", "-w").stderr, "")
        self.expect(SOURCE, "build", "-Werror")


class DumpTest(DriverTest):
    def test_syntax_trees(self):
        self.write("Main.m3", HELLO)
        ran = self.expect(OK, "build", "--dump=ast")
        self.assertIn("Main", ran.stdout)
        self.assertEqual(os.listdir(self.directory), ["Main.m3"])
        self.write("Main.m3", "MODULE Main; BEGIN x := END Main.")
        self.assertIn("error[", self.expect(SOURCE, "build", "--dump=ast").stderr)

    def test_code(self):
        self.write("Main.m3", HELLO)
        ran = self.expect(OK, "build", "--dump=llvm")
        self.assertIn("define", ran.stdout)
        self.assertNotIn("IO.m3", ran.stdout)  # the package's own units only
        self.assertEqual(os.listdir(self.directory), ["Main.m3"])


class ProgramTest(DriverTest):
    def run_program(self, path: str, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([path, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=60)

    def test_the_program_goes_to_the_package_or_where_one_says(self):
        self.write("app/Main.m3", HELLO)
        self.expect(OK, "build", "app")
        self.assertEqual(self.run_program(self.path("app", ".tenure", "bin", "app")).stdout, "hello\n")
        self.expect(OK, "build", "app", "-o", "out")
        self.assertEqual(self.run_program(self.path("out")).stdout, "hello\n")
        self.assertEqual(sorted(os.listdir(self.directory)), ["app", "out"])  # nothing else is left

    def test_a_single_module_is_a_package(self):
        self.write("Hello.m3", HELLO.replace("MODULE Main", "MODULE Hello EXPORTS Main").replace("END Main", "END Hello"))
        self.write("Other.m3", "not looked at")
        self.assertEqual(self.expect(OK, "run", "Hello.m3").stdout, "hello\n")
        self.assertTrue(os.path.exists(self.path(".tenure", "bin", "Hello")))

    def test_unoptimised_and_unchecked(self):
        self.write("Main.m3", HELLO)
        for option in ("-O0", "--no-checks"):
            self.assertEqual(self.expect(OK, "run", option).stdout, "hello\n", option)

    def test_run_passes_arguments_and_status(self):
        self.write("Main.m3", """MODULE Main;
IMPORT IO, Params, Process;
BEGIN
  FOR i := 1 TO Params.Count - 1 DO IO.Put("<" & Params.Get(i) & ">") END;
  IO.Put("\\n");
  Process.Exit(Params.Count + 40);
END Main.
""")
        ran = self.expect(43, "run", ".", "--", "a b", "")
        self.assertEqual(ran.stdout, "<a b><>\n")
        self.assertEqual(ran.stderr, "")
        self.assertEqual(self.expect(43, "run", "--", "--help", "-o").stdout, "<--help><-o>\n")
        self.expect(41, "run")

    def test_a_trace_shows_each_call_once(self):
        # The bodies of LOCK and TRY are separate machine procedures; the ones called try1 are not.
        self.write("Main.m3", """MODULE Main;
IMPORT IO;
VAR mutex := NEW(MUTEX);  cell: REF INTEGER;
PROCEDURE Inner() =
  BEGIN
    LOCK mutex DO
      TRY
        cell^ := 1;
      FINALLY
        IO.Put("");
      END;
    END;
  END Inner;
PROCEDURE try1(n: INTEGER) =
  BEGIN
    IF n > 0 THEN try1(n - 1) ELSE Inner() END;
    IO.Put("");
  END try1;
BEGIN
  TRY
    try1(1);
  FINALLY
    IO.Put("");
  END;
END Main.
""")
        for option in ("-O0", "-O2"):
            ran = self.expect(RUN_TIME_ERROR, "run", option)
            self.assertEqual(re.findall(r"Main\.m3:(\d+) in Main\.(\S+)", ran.stderr),
                             [("8", "Inner"), ("16", "try1"), ("16", "try1"), ("21", "(body)")],
                             ran.stderr)

    def test_a_run_time_error_is_status_4(self):
        self.write("Main.m3", """MODULE Main;
IMPORT IO;
VAR a: ARRAY [0..2] OF INTEGER; i := 3;
BEGIN
  IO.Put("before\\n");
  a[i] := 1;
END Main.
""")
        ran = self.expect(RUN_TIME_ERROR, "run")
        self.assertEqual(ran.stdout, "before\n")
        self.assertRegex(ran.stderr, r"(?m)^\*\*\* run-time error: \w+: .*\n\*\*\* at \S*Main\.m3:6 in ")

    def test_each_frame_names_the_file_as_it_was_given(self):
        """Also the line of a procedure into which another one was inlined."""
        self.write("package/src/Main.m3", """MODULE Main;
VAR a: ARRAY [0..2] OF INTEGER; i := 3;
PROCEDURE Store() =
  BEGIN
    a[i] := 1;
  END Store;
BEGIN
  Store();
END Main.
""")
        whole = self.path("package")
        for package, folder, shown in (("package", self.directory, "package/src/"),
                                       (".", whole, "src/"), (whole, "/", whole + "/src/"),
                                       ("Main.m3", os.path.join(whole, "src"), "")):
            ran = self.expect(RUN_TIME_ERROR, "run", "-O2", package, cwd=folder)
            self.assertIn(f"at {shown}Main.m3:5 in Main.Store\n    from {shown}Main.m3:8 in", ran.stderr)

    def test_an_unhandled_exception_is_status_4(self):
        self.write("Main.m3", """MODULE Main;
EXCEPTION Trouble;
PROCEDURE Fail() RAISES {Trouble} =
  BEGIN
    RAISE Trouble;
  END Fail;
BEGIN
  Fail();
END Main.
""")
        ran = self.expect(RUN_TIME_ERROR, "run", "-w")
        self.assertIn("*** unhandled exception: Main.Trouble", ran.stderr)
        self.assertRegex(ran.stderr, r"\*\*\* at \S*Main\.m3:5 in \S*Fail")

    def test_the_programs_death_by_a_signal_is_passed_on(self):
        self.write("Main.m3", "MODULE Main;\nBEGIN\n  LOOP END;\nEND Main.\n")
        self.expect(OK, "build", "-w")
        running = subprocess.Popen([TENURE, "run", "-w"], cwd=self.directory, stderr=subprocess.DEVNULL)
        program = self.path(".tenure", "bin", os.path.basename(self.directory))
        for _ in range(600):
            if os.path.realpath(f"/proc/{running.pid}/exe") == os.path.realpath(program):
                break
            time.sleep(0.05)
        running.send_signal(signal.SIGTERM)
        self.assertEqual(running.wait(timeout=60), -signal.SIGTERM)


    def test_a_build_that_is_ended_ends_what_it_has_started(self):
        # A linker that, like gcc's driver, lets another program write, with files in TMPDIR.
        self.write("bin/g++", """#!/bin/sh
while [ "$1" != -o ]; do shift; done
made=$2
sh -c 'while :; do echo more > "$0"; echo more > "$TMPDIR/part"; sleep 0.01; done' "$made" &
trap 'exit 1' TERM
wait
""")
        os.chmod(self.path("bin", "g++"), 0o755)
        os.mkdir(self.path("tmp"))
        self.write("Main.m3", EMPTY)
        environment = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"], TMPDIR=self.path("tmp"))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            running = subprocess.Popen([TENURE, "build", "-w", "-o", "program"], cwd=self.directory, env=environment,
                                       stderr=subprocess.DEVNULL)
            while running.poll() is None and not os.listdir(self.path("tmp")):
                time.sleep(0.01)
            running.send_signal(number)
            self.assertEqual(running.wait(timeout=60), -number)
            os.remove(self.path("tmp", "part"))
            time.sleep(0.1)
            self.assertEqual(os.listdir(self.path("tmp")), [])
            self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("program")], [])

    def test_pages_that_are_not_all_written_are_none(self):
        self.write("Main.m3", EMPTY)
        running = subprocess.Popen([TENURE, "doc", "-o", "pages"], cwd=self.directory, stderr=subprocess.DEVNULL)
        while running.poll() is None and not os.path.exists(self.path("pages")):
            pass
        running.send_signal(signal.SIGTERM)
        if running.wait(timeout=60) == -signal.SIGTERM:  # else it was faster
            self.assertFalse(os.path.exists(self.path("pages")))
        else:
            self.assertTrue(os.path.exists(self.path("pages", "index.html")))


class IncrementalTest(DriverTest):
    def compiled(self, *arguments: str):
        """The units that a build compiled."""
        ran = self.expect(OK, "build", "-v", "-w", *arguments)
        return re.findall(r"^compile (\S+)$", ran.stderr, re.MULTILINE)

    def write_units(self):
        self.write("app/List.i3", "INTERFACE List;\nTYPE T <: REFANY;\nPROCEDURE Make(): T;\nEND List.\n")
        self.write("app/List.m3", """MODULE List;
REVEAL T = BRANDED "List" REF RECORD x: INTEGER END;
PROCEDURE Make(): T = BEGIN RETURN NEW(T, x := 1) END Make;
BEGIN
END List.
""")
        self.write("app/Main.m3", "MODULE Main;\nIMPORT List;\nVAR l := List.Make();\nBEGIN\nEND Main.\n")
        self.write("app/Free.i3", "INTERFACE Free;\nEND Free.\n")
        self.write("app/Free.m3", "MODULE Free;\nVAR x := 1;\nBEGIN\nEND Free.\n")

    def was_built(self, *arguments: str) -> bool:
        """Whether a build did any work; in that case it prints the linker's
        command."""
        time.sleep(0.05)  # files as new as the build that read them are not trusted
        return "libtenure_runtime.a" in self.expect(OK, "build", "-v", *arguments).stderr

    def test_a_build_with_nothing_to_do_does_nothing(self):
        self.write_units()
        time.sleep(0.05)
        self.assertTrue(self.was_built("app", "-w"))
        self.assertFalse(self.was_built("app", "-w"))
        self.write("app/data", "not a source")
        self.assertFalse(self.was_built("app", "-w"))
        self.assertTrue(self.was_built("app", "-w", "-O0"), "other options")
        self.assertTrue(self.was_built("app", "-w"), "the former options again")
        os.remove(self.path("app/.tenure/bin/app"))
        self.assertTrue(self.was_built("app", "-w"), "the program is gone")
        self.write("app/Main.m3", EMPTY)
        self.assertTrue(self.was_built("app", "-w"), "a unit changed")
        self.assertFalse(self.was_built("app", "-w"))
        self.write("app/IO.i3", "INTERFACE IO;\nEND IO.\n")
        self.assertTrue(self.was_built("app", "-w"), "a new unit")
        os.remove(self.path("app/IO.i3"))
        self.assertTrue(self.was_built("app", "-w"), "a unit is gone")

    def test_a_change_that_keeps_size_and_time_is_seen(self):
        main = self.write("app/Main.m3", HELLO)
        before = os.stat(main)
        self.was_built("app")
        self.write("app/Main.m3", HELLO.replace("hello", "jello"))
        os.utime(main, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.expect(OK, "run", "app").stdout, "jello\n")

    def test_warnings_are_said_in_every_build(self):
        self.write("app/Main.m3", "MODULE Main;\nIMPORT IO;\nBEGIN\nEND Main.\n")
        for _ in range(2):
            time.sleep(0.05)
            self.assertIn("warning[", self.expect(OK, "build", "app").stderr)
        self.expect(OK, "build", "app", "-w")
        time.sleep(0.05)
        self.expect(OK, "build", "app", "-w")
        self.assertIn("warning[", self.expect(OK, "build", "app").stderr)

    def test_processes_do_not_change_the_program(self):
        self.write_units()
        programs = []
        for processes in ("-j1", "-j4"):
            shutil.rmtree(self.path("app", ".tenure"), ignore_errors=True)
            self.assertIn("Free", self.compiled("app", processes))
            with open(self.path("app", ".tenure", "bin", "app"), "rb") as file:
                programs.append(file.read())
        self.assertEqual(*programs)

    def test_what_did_not_change_is_not_compiled(self):
        self.write_units()
        first = self.compiled("app")
        for unit in ("List", "Main", "Free"):
            self.assertIn(unit, first)
        self.assertEqual(self.compiled("app"), [])

    def test_a_change_of_a_module_compiles_it_alone(self):
        self.write_units()
        self.compiled("app")
        self.write("app/Free.m3", "MODULE Free;\nVAR x := 2;\nBEGIN\nEND Free.\n")
        self.assertEqual(set(self.compiled("app")), {"Free", "app"})  # and the program's tables

    def test_a_changed_revelation_compiles_what_could_depend_on_the_layout(self):
        self.write_units()
        self.compiled("app")
        path = self.path("app/List.m3")
        with open(path) as file:
            text = file.read()
        self.write("app/List.m3", text.replace("x: INTEGER", "y, x: INTEGER"))
        again = set(self.compiled("app"))
        self.assertLessEqual({"List", "Main", "app"}, again)
        self.assertNotIn("Free", again)

    def test_options_that_change_code_compile_again(self):
        self.write("app/Main.m3", EMPTY)
        self.compiled("app")
        self.assertIn("Main", self.compiled("app", "--no-checks"))

    def test_objects_of_deleted_units_go(self):
        self.write_units()
        self.compiled("app")
        objects = self.path("app", ".tenure", "objects", "app")
        self.assertTrue(any(name.startswith("Free.") for name in os.listdir(objects)))
        os.remove(self.path("app/Free.i3"))
        os.remove(self.path("app/Free.m3"))
        self.compiled("app")
        self.assertFalse(any(name.startswith("Free.") for name in os.listdir(objects)))

    def test_an_error_leaves_the_program_of_the_last_build(self):
        self.write("app/Main.m3", HELLO)
        self.expect(OK, "build", "app")
        self.write("app/Main.m3", "MODULE Main; BEGIN x := 1 END Main.")
        self.expect(SOURCE, "build", "app")
        ran = subprocess.run([self.path("app", ".tenure", "bin", "app")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(ran.stdout, "hello\n")

    def test_two_builds_of_one_package_at_once(self):
        self.write("app/Main.m3", HELLO)
        builds = [subprocess.Popen([TENURE, "build", "app", option], cwd=self.directory, stderr=subprocess.PIPE,
                                   text=True)
                  for option in ("-O0", "-O2", "--no-checks")]
        for build in builds:
            _, errors = build.communicate(timeout=300)
            self.assertEqual((build.returncode, errors), (OK, ""))

    def test_only_a_program_that_uses_databases_has_the_store_in_it(self):
        opens = ('MODULE Main;\nIMPORT Database;\n<*FATAL ANY*>\nBEGIN\n'
                 '  IF Database.Open("none") = NIL THEN END;\nEND Main.\n')
        for name, text, has_store in (("hello", HELLO, False), ("opens", opens, True)):
            program = self.path(f"{name}.program")
            self.expect(OK, "build", self.write(f"{name}/Main.m3", text), "-o", program)
            symbols = subprocess.run(["nm", "-C", program], stdout=subprocess.PIPE, text=True, check=True).stdout
            needed = subprocess.run(["readelf", "-d", program], stdout=subprocess.PIPE, text=True, check=True).stdout
            for layer in ("stabilize::Session::", "store::BdbPageServer::", "store::RemotePageServer::"):
                self.assertEqual(layer in symbols, has_store, f"{name}: {layer}")
            self.assertEqual("libdb" in needed, has_store, f"{name}: {needed}")


if __name__ == "__main__":
    unittest.main()
