"""`tenure test` with tests by name: which are found, how they fail, and what one may do to the others."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import textwrap
import time
import unittest
import xml.etree.ElementTree
from typing import Dict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

FILES: Dict[str, str] = {
    "src/Stack.i3": "INTERFACE Stack; PROCEDURE Twice(n: INTEGER): INTEGER; END Stack.",
    "src/Stack.m3": """\
        MODULE Stack;
        PROCEDURE Twice(n: INTEGER): INTEGER = BEGIN RETURN 2 * n END Twice;
        BEGIN END Stack.""",
    "src/Main.m3": "MODULE Main; BEGIN END Main.",
    # Also tests of the package's own modules, which see what is private to the module.
    "src/Inner.i3": "INTERFACE Inner; END Inner.",
    "src/Inner.m3": """\
        MODULE Inner;
        IMPORT Test;
        PROCEDURE Secret(): INTEGER = BEGIN RETURN 42 END Secret;
        PROCEDURE TestSecret(t: Test.T) = BEGIN t.equalInt(Secret(), 42) END TestSecret;
        BEGIN END Inner.""",
    # For coverage: the lines and ways that TestTwice and TestRaises take.
    "src/Ways.i3": "INTERFACE Ways; PROCEDURE Sign(n: INTEGER): INTEGER; PROCEDURE Never(); END Ways.",
    "src/Ways.m3": """\
        MODULE Ways;
        PROCEDURE Sign(n: INTEGER): INTEGER =
          BEGIN
            IF n > 0 THEN
              RETURN 1;
            ELSIF n < 0 THEN
              RETURN -1;
            END;
            WHILE n > 0 DO
            END;
            RETURN 0;
          END Sign;
        PROCEDURE Never() =
          VAR n: REF INTEGER := NIL;
          BEGIN
            <*NOWARN*> n^ := 1;
          END Never;
        BEGIN END Ways.""",
    "tests/WaysTest.m3": """\
        MODULE WaysTest;
        IMPORT Test, Ways;
        PROCEDURE TestSign(t: Test.T) = BEGIN t.equalInt(Ways.Sign(1), 1); t.equalInt(Ways.Sign(0), 0) END TestSign;
        PROCEDURE TestNever(<*UNUSED*> t: Test.T) = BEGIN Ways.Never() END TestNever;
        PROCEDURE BenchSign(b: Test.Bench) = BEGIN
            b.setBytes(8);
            FOR i := 1 TO b.n DO EVAL Ways.Sign(i) END;
          END BenchSign;
        PROCEDURE BenchBad(<*UNUSED*> b: Test.Bench) = BEGIN Ways.Never() END BenchBad;
        BEGIN END WaysTest.""",
    "tests/Helper.i3": "INTERFACE Helper; CONST Four = 4; END Helper.",
    "tests/GoodTest.m3": """\
        MODULE GoodTest;
        IMPORT Database, Helper, RuntimeError, Stack, Test, Transaction;
        EXCEPTION Odd(TEXT);
        VAR ready := FALSE;
        PROCEDURE SetUp(<*UNUSED*> t: Test.T) = BEGIN ready := TRUE END SetUp;
        PROCEDURE TestTwice(t: Test.T) = BEGIN
            t.require(ready);
            t.check(Stack.Twice(Helper.Four) = 8);
            t.near(0.1D0 + 0.2D0, 0.3D0);
          END TestTwice;
        PROCEDURE TestRaises(t: Test.T) RAISES ANY =
          PROCEDURE Bad() RAISES ANY = BEGIN RAISE Odd("why") END Bad;
          PROCEDURE Range() = VAR x: [0..3] := 3; BEGIN INC(x) END Range;
          BEGIN
            t.check(t.raises(Bad, "GoodTest.Odd"));
            t.check(t.fails(Range, RuntimeError.T.ValueOutOfRange));
          END TestRaises;
        PROCEDURE TestDatabase(t: Test.T) RAISES ANY =
          VAR db: Database.T := t.database(); tr := NEW(Transaction.T);
          BEGIN
            tr.begin(); db.setRoot(NEW(REF INTEGER)); tr.commit();
            t.check(t.directory() # NIL);
          END TestDatabase;
        PROCEDURE TestTable(t: Test.T) =
          CONST Rows = ARRAY OF INTEGER {0, 2, 4};
          PROCEDURE Row(t: Test.T; i: CARDINAL) = BEGIN t.equalInt(Stack.Twice(i), Rows[i]) END Row;
          BEGIN t.each(NUMBER(Rows), Row) END TestTable;
        PROCEDURE TestSkipped(t: Test.T) = BEGIN t.skip("not today") END TestSkipped;
        PROCEDURE Testimony(<*UNUSED*> t: Test.T) = BEGIN <*ASSERT FALSE*> END Testimony;
        BEGIN EVAL Testimony END GoodTest.""",
    "tests/BadTest.m3": """\
        MODULE BadTest;
        IMPORT FileWr, Fmt, IO, Process, Test, Text, Thread, Wr, Word;
        EXCEPTION Odd(TEXT);
        PROCEDURE TakeDown(t: Test.T) = BEGIN t.log("taken down") END TakeDown;
        PROCEDURE TestCheck(t: Test.T) = BEGIN
            t.check(t.name() = NIL, "a message");
            t.equalText("one\\ntwo", "one\\nthree");
            IO.Put("some output\\n");
          END TestCheck;
        PROCEDURE TestValues(t: Test.T) =
          TYPE Color = {Red, Green};
          VAR n := 3; c := Color.Green; s := "abc"; r: REF INTEGER := NIL; x := 1.5;
          BEGIN
            t.check(n + 1 = 5 OR c = Color.Red);
            t.check(Text.Equal(s & "d", "abc"));
            t.check(r # NIL AND r^ = 2);
            t.check(NOT x > 1.0 AND c IN SET OF Color {c});
          END TestValues;
        PROCEDURE TestRaise(<*UNUSED*> t: Test.T) RAISES {Odd} = BEGIN RAISE Odd("reason") END TestRaise;
        PROCEDURE TestNil(<*UNUSED*> t: Test.T) = VAR r: REF INTEGER := NIL; BEGIN <*NOWARN*> INC(r^) END TestNil;
        PROCEDURE TestExit(<*UNUSED*> t: Test.T) = BEGIN Process.Exit(0) END TestExit;
        PROCEDURE TestHang(<*UNUSED*> t: Test.T) = BEGIN LOOP Thread.Pause(1.0D0) END END TestHang;
        PROCEDURE TestBinary(t: Test.T) = BEGIN
            FOR i := 0 TO 255 DO IO.PutChar(VAL(i, CHAR)) END;
            t.fail("]]> & \\001 \\377");
          END TestBinary;
        PROCEDURE TestFlood(<*UNUSED*> t: Test.T) = BEGIN
            FOR i := 1 TO 200000 DO IO.Put("line " & Fmt.Int(i) & "\\n") END; <*ASSERT FALSE*>
          END TestFlood;
        PROCEDURE TestDisk(t: Test.T) RAISES ANY =
          VAR n := 0; wr: Wr.T;
          BEGIN
            LOOP
              wr := FileWr.Open(t.directory() & "/" & Fmt.Int(n));
              FOR i := 1 TO 100 DO Wr.PutText(wr, Text.FromChars(ARRAY [0..9999] OF CHAR {'x', ..})) END;
              Wr.Close(wr);
              INC(n);
            END;
          END TestDisk;
        PROCEDURE TestFork(t: Test.T) RAISES ANY = BEGIN
            EVAL Process.Create("/bin/sleep", ARRAY OF TEXT {"1000"});
            t.check(Word.And(1, 2) = 1);
          END TestFork;
        PROCEDURE TestKilled(<*UNUSED*> t: Test.T) RAISES ANY = BEGIN
            EVAL Process.Create("/bin/sh", ARRAY OF TEXT {"-c", "kill -9 $PPID"});
            LOOP Thread.Pause(1.0D0) END;
          END TestKilled;
        PROCEDURE TestSubtests(t: Test.T) =
          PROCEDURE Good(t: Test.T) = BEGIN t.check(TRUE) END Good;
          PROCEDURE Bad(t: Test.T) = BEGIN t.stop("stopped"); t.fail("not reached") END Bad;
          BEGIN
            t.check(t.run("good", Good));
            EVAL t.run("bad", Bad);
          END TestSubtests;
        BEGIN END BadTest.""",
}


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class TestCommandTest(unittest.TestCase):
    directory: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.directory = tempfile.mkdtemp(prefix="tenure-test-")
        for name, text in FILES.items():
            path = os.path.join(cls.directory, "pack age", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="latin-1") as file:
                file.write(textwrap.dedent(text))
        cls.temporary = os.path.join(cls.directory, "tmp")
        os.mkdir(cls.temporary)

    @classmethod
    def tearDownClass(cls) -> None:
        shutil.rmtree(cls.directory, ignore_errors=True)

    def tenure(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([TENURE, *arguments], cwd=self.directory, text=True, timeout=300, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=dict(os.environ, TMPDIR=self.temporary))

    def run_tests(self, *arguments: str) -> subprocess.CompletedProcess:
        ran = self.tenure("test", "pack age", *arguments)
        self.assertEqual(os.listdir(self.temporary), [], "files are left behind")
        return ran

    def bad(self, name: str, *arguments: str) -> str:
        ran = self.run_tests(f"BadTest.{name}", *arguments)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn(f"FAILED  BadTest.{name}", ran.stdout)
        self.assertTrue(ran.stdout.endswith("0 passed, 1 failed\n"), ran.stdout)
        return ran.stdout

    def test_names_are_those_of_the_rule(self):
        ran = self.run_tests("--list", "Good", "--filter", "Inner")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(sorted(ran.stdout.split()), [
            "GoodTest.TestDatabase", "GoodTest.TestRaises", "GoodTest.TestSkipped", "GoodTest.TestTable",
            "GoodTest.TestTwice", "Inner.TestSecret"])

    def test_good_tests_pass_in_the_order_of_the_source(self):
        ran = self.run_tests("GoodTest", "--skip", "Database")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(re.sub(r" \(.*\)", "", ran.stdout).splitlines(), [
            "ok      GoodTest.TestTwice", "ok      GoodTest.TestRaises", "ok      GoodTest.TestTable",
            "skipped GoodTest.TestSkipped: not today", "3 passed, 0 failed, 1 skipped"])

    def test_a_test_has_a_database_of_its_own(self):
        self.assertIn("1 passed, 0 failed\n", self.run_tests("TestDatabase").stdout)

    def test_one_module_of_a_package(self):
        ran = self.tenure("test", "pack age/tests/GoodTest.m3", "TestT")
        self.assertIn("2 passed, 0 failed\n", ran.stdout, ran.stderr)

    def test_a_filter_that_fits_no_test_is_told(self):
        ran = self.run_tests("NoSuch")
        self.assertEqual((ran.returncode, ran.stdout), (2, "0 passed, 0 failed\n"))
        self.assertIn('no test has "NoSuch" in its name', ran.stderr)
        for words in (["TestTwice", "--filter", "NoSuch"], ["--list", "NoSuch"], ["--skip", "T"],
                      ["TestTwice/part", "NoSuch/part"], ["TestTwice/NoSuch"]):
            self.assertEqual(self.run_tests(*words).returncode, 2, words)
        self.assertEqual(self.run_tests("TestTwice", "--skip", "NoSuch").returncode, 0)

    def test_the_order_of_a_seed_is_the_same_each_time(self):
        first = self.run_tests("GoodTest", "--seed", "7", "--skip", "Database").stdout
        self.assertIn("--seed 7\n", first)
        again = self.run_tests("GoodTest", "--seed", "7", "--skip", "Database", "-j1").stdout
        self.assertEqual(re.sub(r" \(.*\)", "", first), re.sub(r" \(.*\)", "", again))

    def test_a_failed_check_tells_place_message_and_output(self):
        text = self.bad("TestCheck")
        self.assertIn("pack age/tests/BadTest.m3:6: check failed", text)
        self.assertIn("a message", text)
        self.assertIn('line 2 of the texts differs:\n        got      "two",\n        expected "three"', text)
        self.assertIn("        | some output\n", text)
        self.assertIn("taken down", text)

    def test_a_failed_check_shows_the_source_and_the_values(self):
        text = self.bad("TestValues")
        for expected in ("check failed: n + 1 = 5 OR c = Color.Red\n            n + 1 = 4\n            c = Green\n",
                         'check failed: Text.Equal(s & "d", "abc")\n            s & "d" = "abcd"\n',
                         "check failed: r # NIL AND r^ = 2\n            r = NIL\n",
                         "check failed: NOT x > 1.0 AND c IN SET OF Color {c}\n            x = 1.5\n"):
            self.assertIn(expected, text)
        unoptimised = self.bad("TestValues", "-O0")
        self.assertEqual(re.sub(r" \(.* s\)", "", text), re.sub(r" \(.* s\)", "", unoptimised))

    def test_an_exception_tells_its_argument_and_the_raise(self):
        self.assertIn("BadTest.m3:19: unhandled exception: BadTest.Odd: reason", self.bad("TestRaise"))
        self.assertIn("run-time error: BadMemoryReference", self.bad("TestNil"))

    def test_the_end_of_the_process_is_a_failure(self):
        self.assertIn("the process of the test ended with status 0", self.bad("TestExit"))
        self.assertIn("was ended by signal 9 (Killed)", self.bad("TestKilled"))

    def test_a_test_that_hangs_ends_at_its_time(self):
        begun = time.monotonic()
        self.assertIn("took longer than 0.5 s and was ended", self.bad("TestHang", "--timeout", "0.5"))
        self.assertLess(time.monotonic() - begun, 20)

    def test_a_test_that_fills_the_disk_ends(self):
        self.assertIn("had more than 10 MB in its temporary directory", self.bad("TestDisk", "--disk", "10"))

    def test_processes_that_a_test_leaves_are_ended(self):
        self.bad("TestFork")
        self.assertEqual(subprocess.run(["pgrep", "-f", "^/bin/sleep 1000"], stdout=subprocess.PIPE,
                                        check=False).stdout, b"")

    def test_output_has_a_bound(self):
        text = self.bad("TestFlood")
        self.assertIn("line 1\n", text)
        self.assertIn("line 200000\n", text)
        self.assertIn("bytes left out", text)
        self.assertLess(len(text), 300000)

    def test_subtests_are_told_by_name(self):
        self.assertIn("FAILED  BadTest.TestSubtests/bad", self.bad("TestSubtests"))
        ran = self.run_tests("TestSubtests/good", "-v")
        self.assertIn("ok      BadTest.TestSubtests/good", ran.stdout)
        self.assertNotIn("/bad", ran.stdout)

    def test_junit_is_xml_whatever_a_test_prints(self):
        path = os.path.join(self.directory, "junit.xml")
        self.run_tests("TestBinary", "TestSubtests", "TestExit", "TestSkipped", "TestTwice", "--junit", path)
        suites = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual((suites.tag, suites.get("tests"), suites.get("failures"), suites.get("errors")),
                         ("testsuites", "7", "3", "1"))
        cases = {case.get("name"): case for case in suites.iter("testcase")}
        self.assertEqual(set(cases), {"TestBinary", "TestSubtests", "TestSubtests/good", "TestSubtests/bad",
                                      "TestExit", "TestSkipped", "TestTwice"})
        self.assertIn("]]> & \\x01", cases["TestBinary"].find("failure").text)
        self.assertIsNotNone(cases["TestExit"].find("error"))
        self.assertEqual(cases["TestSkipped"].find("skipped").get("message"), "not today")
        self.assertEqual(cases["TestSubtests"].get("classname"), "BadTest")
        if shutil.which("xmllint"):
            schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "junit.xsd")
            checked = subprocess.run(["xmllint", "--noout", "--schema", schema, path], text=True, check=False,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_coverage_counts_lines_and_branches_also_of_a_test_that_crashes(self):
        ran = self.run_tests("WaysTest", "--coverage=cover")
        self.assertIn("1 passed, 1 failed\n", ran.stdout, ran.stderr)
        with open(os.path.join(self.directory, "cover", "coverage.lcov"), encoding="utf-8") as file:
            records = file.read().split("end_of_record\n")
        ways = next(record for record in records if "/Ways.m3\n" in record).splitlines()
        self.assertFalse(any("WaysTest" in record or "TestProgram" in record for record in records))
        counts = dict(line[3:].split(",") for line in ways if line.startswith("DA:"))
        self.assertEqual(counts, {"4": "2", "5": "1", "6": "1", "7": "0", "9": "1", "11": "1", "14": "1", "16": "1"})
        self.assertEqual([line[5:] for line in ways if line.startswith("BRDA:")], [
            "4,0,0,1", "4,0,1,1", "6,0,0,0", "6,0,1,1", "9,0,0,0", "9,0,1,1"])
        self.assertIn("FNDA:2,Ways.Sign", ways)
        self.assertIn("7 of 11 lines", ran.stdout)
        with open(os.path.join(self.directory, "cover", "index.html"), encoding="utf-8") as file:
            self.assertIn("Ways.m3", file.read())
        if shutil.which("genhtml"):
            subprocess.run(["genhtml", "--branch-coverage", "-q", "-o", "html", "cover/coverage.lcov"],
                           cwd=self.directory, check=True)

    def test_coverage_is_that_of_the_package_alone(self):
        files = {
            "lists/tenure.toml": '[package]\nname = "lists"\n',
            "lists/src/Lists.i3": "INTERFACE Lists; PROCEDURE One(): INTEGER; END Lists.",
            "lists/src/Lists.m3": "MODULE Lists; PROCEDURE One(): INTEGER = BEGIN RETURN 1 END One; BEGIN END Lists.",
            "lists/src/Pair.ig": "GENERIC INTERFACE Pair(Of); PROCEDURE Twice(): INTEGER; END Pair.",
            "lists/src/Pair.mg": "GENERIC MODULE Pair(Of);\n"
                                 "PROCEDURE Twice(): INTEGER = BEGIN RETURN 2 * Of.One() END Twice;\nBEGIN END Pair.",
            "app/tenure.toml": '[package]\nname = "app"\n\n[dependencies]\nlists = { path = "../lists" }\n',
            "app/src/Main.m3": "MODULE Main;\nBEGIN\nEND Main.",
            "app/src/Own.i3": "INTERFACE Own; PROCEDURE Two(): INTEGER; END Own.",
            "app/src/Own.m3": "MODULE Own; IMPORT Lists, ListsPair;\nPROCEDURE Two(): INTEGER = BEGIN\n"
                              "RETURN Lists.One() + ListsPair.Twice() END Two;\nBEGIN END Own.",
            "app/src/ListsPair.i3": "INTERFACE ListsPair = Pair(Lists) END ListsPair.",
            "app/src/ListsPair.m3": "MODULE ListsPair = Pair(Lists) END ListsPair.",
            "app/tests/OwnTest.m3": "MODULE OwnTest; IMPORT Own, Test;\n"
                                    "PROCEDURE TestTwo(t: Test.T) = BEGIN t.equalInt(Own.Two(), 3) END TestTwo;\n"
                                    "BEGIN END OwnTest."}
        for name, text in files.items():
            path = os.path.join(self.directory, "both", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for options in ([], ["-O0"]):
            ran = self.tenure("test", "both/app", "--coverage=both/cover", *options)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            with open(os.path.join(self.directory, "both", "cover", "coverage.lcov"), encoding="utf-8") as file:
                counted = [line for line in file.read().splitlines() if line.startswith("SF:")]
            self.assertEqual([os.path.basename(line) for line in counted], ["Own.m3"], options)

    def test_the_word_behind_coverage_may_be_the_package(self):
        ran = self.tenure("test", "--coverage", "pack age", "--filter", "WaysTest")
        self.assertIn("in coverage/index.html", ran.stdout, ran.stderr)
        self.assertTrue(os.path.exists(os.path.join(self.directory, "coverage", "coverage.lcov")))

    def test_a_package_that_is_not_there_or_has_no_tests_is_told(self):
        os.makedirs(os.path.join(self.directory, "empty"))
        with open(os.path.join(self.directory, "empty", "Main.m3"), "w", encoding="latin-1") as file:
            file.write("MODULE Main; BEGIN END Main.\n")
        self.assertIn("'tenure test . WaysTest' runs those whose names contain this",
                      self.tenure("test", "WaysTest").stderr)
        self.assertIn("there are no tests in 'empty'", self.tenure("test", "empty").stderr)
        self.assertIn("there are no benchmarks in 'empty'", self.tenure("bench", "empty").stderr)

    def test_stress_runs_the_checks_of_the_run_time(self):
        ran = self.run_tests("TestRaises", "TestDatabase", "--stress")
        self.assertIn("2 passed, 0 failed\n", ran.stdout, ran.stderr)

    def test_benchmarks_are_compared_with_a_saved_run(self):
        saved = os.path.join(self.directory, "saved")
        ran = self.tenure("bench", "pack age", "--save", saved, "--skip", "Bad")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertRegex(ran.stdout, r"^WaysTest.BenchSign +[0-9.]+ .s  min [0-9.]+ .s  \+-[0-9.]+ %  \d+ "
                                     r"iterations  [0-9.]+ MB/s\n$")
        again = self.tenure("bench", "pack age", "Sign", "--compare", saved)
        self.assertRegex(again.stdout, r"\([0-9.]+ .s (~ |faster |SLOWER )[+-][0-9.]+ %\)\n$")
        bad = self.tenure("bench", "pack age", "BenchBad")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("FAILED  WaysTest.BenchBad", bad.stdout)

    def test_tests_end_with_tenure(self):
        for sent in (signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([TENURE, "test", "pack age", "TestHang"], cwd=self.directory,
                                  stdout=subprocess.PIPE, env=dict(os.environ, TMPDIR=self.temporary)) as tenure:
                while not any("results" in name for _, _, names in os.walk(self.temporary) for name in names):
                    self.assertIsNone(tenure.poll())
                    time.sleep(0.02)
                tenure.send_signal(sent)
                tenure.communicate(timeout=60)
            if sent == signal.SIGTERM:
                self.assertEqual(os.listdir(self.temporary), [])
                continue
            for name in os.listdir(self.temporary):  # nobody was left to remove it
                shutil.rmtree(os.path.join(self.temporary, name))
        self.assertEqual(subprocess.run(["pgrep", "-f", "BadTest.TestHang"], stdout=subprocess.PIPE,
                                        check=False).stdout, b"")


if __name__ == "__main__":
    unittest.main()
