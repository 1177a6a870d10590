"""`tenure fix`: every golden program whose messages have fixes is fixed, and what is left is known."""

import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import unittest
from typing import Dict, List, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from golden_test import read_golden_test  # noqa: E402
from run_golden import GOLDEN_ROOT, find_tests, write_package  # noqa: E402

BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

Message = Tuple[str, str]  # code, text

# The errors that a program has after its fixes, and that it did not have before, with the reason why no fix is to
# blame. By golden file: code -> reason.
NEW_ERRORS: Dict[str, Dict[str, str]] = {
    "check/calls.m3": {"M0220": "a subrange was called like a procedure; the value alone does nothing in a statement"},
    "check/declarations.m3": {"M0703": "Wr.T was not imported before, so nothing was said about its values"},
    "check/features_rejected.m3": {"M0901": "the method whose call the fix writes gives no value"},
    "check/operators.m3": {"M0703": "an operand became REAL as the fix says; the assignment of the sum is the next error"},
    "check/subtle_points.m3": {"M0607": "the revelation lacked its brand, and is wrong for another reason as well"},
}


def messages(directory: str) -> List[dict]:
    done = subprocess.run([TENURE, "check", "--error-format=json", "."], cwd=directory, check=False,
                          stderr=subprocess.PIPE, encoding="latin-1")
    return [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]


def errors(found: List[dict]) -> List[Message]:
    return [(m["code"], m["message"]) for m in found if m["severity"] == "error"]


def fix(directory: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([TENURE, "fix", *words], cwd=directory, check=False, encoding="latin-1",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Program:
    """What a golden program's fixes left. `new` are errors that it did not have before."""

    def __init__(self, path: str):
        self.name = os.path.relpath(path, GOLDEN_ROOT)
        self.has_fixes, self.new, self.restored, self.kept = False, set(), [], set()  # type: ignore
        with tempfile.TemporaryDirectory(prefix="tenure-fix-") as directory:
            write_package(read_golden_test(path, GOLDEN_ROOT), directory)
            before = messages(directory)
            self.has_fixes = any(m["fixes"] for m in before)
            if not self.has_fixes:
                return
            done = fix(directory)
            self.restored = [line for line in done.stderr.splitlines() if "is as it was" in line]
            after = messages(directory)
            left = collections.Counter(errors(after))
            self.status, self.said = done.returncode, done.stderr.splitlines()[-1]
            self.kept = {m["code"] for m in after if m["fixes"] and m["severity"] == "error"}
            self.left = sum(left.values())
            known = collections.Counter((m["code"], m["message"]) for m in before if not m["fixes"])
            self.new: Set[Message] = set(left - known)


class GoldenPrograms(unittest.TestCase):
    programs: List[Program]

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            cls.programs = [p for p in pool.map(Program, find_tests([])) if p.has_fixes]

    def test_many_programs_have_fixes(self):
        self.assertGreater(len(self.programs), 30)

    def test_what_is_left_is_an_error_of_its_own(self):
        for program in self.programs:
            with self.subTest(program.name):
                allowed = NEW_ERRORS.get(program.name, {})
                self.assertEqual({e for e in program.new if e[0] not in allowed}, set())
                self.assertLessEqual(set(allowed), {code for code, _ in program.new}, "the list has too much")

    def test_status_and_last_line_tell_what_is_left(self):
        for program in self.programs:
            with self.subTest(program.name):
                self.assertEqual(program.status, 1 if program.left else 0)
                self.assertRegex(program.said, r"^tenure: \d+ fix(es)? in \d files?; .* left$")
                if program.left:
                    self.assertIn(f" {program.left} error", program.said)

    def test_the_list_names_existing_programs(self):
        self.assertLessEqual(set(NEW_ERRORS), {program.name for program in self.programs})


class FixCommand(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tenure-fix-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def write(self, name: str, text: str) -> None:
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="latin-1", newline="") as file:
            file.write(text)

    def read(self, name: str) -> str:
        with open(os.path.join(self.directory, name), encoding="latin-1", newline="") as file:
            return file.read()

    WRONG = "MODULE Main;\nIMPORT IO;\nVAR n: INTEGR := 3;\nBEGIN\n  if n == 3 THEN IO.Put(\"a\" + \"b\") END\nEND Main.\n"
    RIGHT = "MODULE Main;\nIMPORT IO;\nVAR n: INTEGER := 3;\nBEGIN\n  IF n = 3 THEN IO.Put(\"a\" & \"b\") END\nEND Main.\n"

    def test_errors_that_come_up_behind_others_are_fixed_too(self):
        self.write("Main.m3", self.WRONG)
        done = fix(self.directory)
        self.assertEqual(self.read("Main.m3"), self.RIGHT)
        self.assertEqual((done.returncode, done.stderr), (0, "tenure: 4 fixes in 1 file; nothing is left\n"))
        again = fix(self.directory)
        self.assertEqual((again.returncode, again.stderr), (0, "tenure: 0 fixes in 0 files; nothing is left\n"))

    def test_dry_run_prints_a_diff_that_patch_applies(self):
        self.write("Main.m3", self.WRONG)
        done = fix(self.directory, "--dry-run")
        self.assertEqual((done.returncode, self.read("Main.m3")), (1, self.WRONG))
        self.assertIn("-VAR n: INTEGR := 3;\n+VAR n: INTEGER := 3;\n", done.stdout)
        self.write("changes.diff", done.stdout)
        subprocess.run(["git", "apply", "-p0", "changes.diff"], cwd=self.directory, check=True)
        self.assertEqual(self.read("Main.m3"), self.RIGHT)
        self.assertEqual(fix(self.directory, "--dry-run").returncode, 0)

    def test_line_ends_and_bytes_beside_a_fix_stay(self):
        self.write("Main.m3", self.WRONG.replace("\n", "\r\n").replace("IO;", "IO;  (* \xe9 *)\t"))
        fix(self.directory)
        self.assertEqual(self.read("Main.m3"), self.RIGHT.replace("\n", "\r\n").replace("IO;", "IO;  (* \xe9 *)\t"))

    def test_interfaces_generics_and_tests_of_a_package_are_fixed(self):
        self.write("src/Main.m3", "MODULE Main;\nIMPORT A;\nBEGIN\n  A.P();\nEND Main.\n")
        self.write("src/A.i3", "INTERFACE A;\nPROCEDURE P(n: INTEGR := 0);\nEND A.\n")
        self.write("src/A.m3", "MODULE A;\nPROCEDURE P(<*UNUSED*> n: INTEGER) = BEGIN END P\nBEGIN END A.\n")
        self.write("tests/ATest.m3", "MODULE ATest;\nIMPORT Test;\n"
                   "PROCEDURE TestP(t: Test.T) = BEGIN t.chek(TRUE) END TestP;\nBEGIN END ATest.\n")
        done = fix(self.directory)
        self.assertEqual((done.returncode, done.stderr), (0, "tenure: 3 fixes in 3 files; nothing is left\n"))
        self.assertIn("t.check(TRUE)", self.read("tests/ATest.m3"))

    def test_with_a_file_only_that_file_changes(self):
        self.write("Main.m3", self.WRONG)
        self.write("B.i3", "INTERFACE B;\nVAR n: INTEGR;\nEND B.\n")
        done = fix(self.directory, "B.i3")
        self.assertIn("INTEGER", self.read("B.i3"))
        self.assertEqual((done.returncode, self.read("Main.m3")), (1, self.WRONG))

    def test_permissions_stay_and_a_link_leads_to_the_file_that_changes(self):
        self.write("kept/Main.m3", self.WRONG)
        os.chmod(os.path.join(self.directory, "kept/Main.m3"), 0o640)
        os.symlink("kept/Main.m3", os.path.join(self.directory, "Main.m3"))
        self.assertEqual(fix(self.directory).returncode, 0)
        self.assertTrue(os.path.islink(os.path.join(self.directory, "Main.m3")))
        self.assertEqual(self.read("kept/Main.m3"), self.RIGHT)
        self.assertEqual(os.stat(os.path.join(self.directory, "kept/Main.m3")).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(os.path.join(self.directory, "kept"))), ["Main.m3"])

    def test_a_file_that_cannot_be_written_is_named(self):
        self.write("Main.m3", self.WRONG)
        os.chmod(self.directory, 0o555)
        self.addCleanup(os.chmod, self.directory, 0o755)
        if os.access(self.directory, os.W_OK):
            self.skipTest("the superuser may write anywhere")
        done = fix(self.directory)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    unittest.main()
