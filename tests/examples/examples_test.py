"""The example programs, as a user would run them."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(BUILD, "bin", "tenure")


class Example(unittest.TestCase):
    """A program built once, and a directory to run it in."""

    name = ""

    @classmethod
    def setUpClass(cls):
        if not cls.name:
            raise unittest.SkipTest("a base class")
        cls.directory = tempfile.TemporaryDirectory(prefix="example-")
        cls.program = os.path.join(cls.directory.name, cls.name)
        built = subprocess.run(
            [TENURE, "build", os.path.join(ROOT, "examples", cls.name), "-o", cls.program],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert built.returncode == 0, built.stdout

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def setUp(self):
        self.here = tempfile.TemporaryDirectory(prefix="example-run-")
        self.addCleanup(self.here.cleanup)

    def run_program(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.here.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)

    def expect(self, arguments, lines):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(ran.stdout.splitlines(), lines)

    def expect_failure(self, arguments, text):
        ran = self.run_program(*arguments)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn(text, ran.stderr)
        self.assertEqual(len(ran.stderr.splitlines()), 1, ran.stderr)


class HelloTest(Example):
    name = "hello"

    def test_says_hello(self):
        self.expect([], ["Hello, world!"])


class PrimesTest(Example):
    name = "primes"

    def test_list_grows_from_run_to_run(self):
        self.expect([], ["1001 primes, the last is 7927"])
        self.expect([], ["2001 primes, the last is 17393"])
        self.expect(["primes.db", "0"], ["2001 primes, the last is 17393"])
        self.expect(["other", "5"], ["6 primes, the last is 13"])

    def test_bad_arguments(self):
        self.expect_failure(["db", "many"], "many is not a number of primes")
        self.expect_failure(["db", "-1"], "-1 is not a number of primes")
        self.expect_failure(["a", "1", "c"], "usage")

    def test_directory_that_cannot_be_written(self):
        self.expect_failure(["/proc/primes", "1"], "/proc/primes")

    def test_file_in_the_place_of_the_store(self):
        with open(os.path.join(self.here.name, "file"), "w", encoding="utf-8") as file:
            file.write("not a store")
        self.expect_failure(["file", "1"], "file")


class LibraryTest(Example):
    name = "library"
    data = os.path.join(ROOT, "examples", "library", "characters.txt")

    def test_load_search_and_update(self):
        self.expect(["db", "load", self.data], ["10825 characters loaded"])
        self.expect(["db", "search", "greek", "small", "alpha", "tonos"],
                    ["U+03ac  ά  GREEK SMALL LETTER ALPHA WITH TONOS", "1 found"])
        self.expect(["db", "show", "00BC"],
                    ["U+00bc  ¼  VULGAR FRACTION ONE QUARTER", "  category No", "  value 1/4"])
        self.expect(["db", "search", "zebra"], ["0 found"])
        self.expect(["db", "note", "03B1", "zebra xyzzy"], [])
        self.expect(["db", "search", "ZEBRA", "letter"],
                    ["U+03b1  α  GREEK SMALL LETTER ALPHA (zebra xyzzy)", "1 found"])
        # A note stays when the file is loaded again.
        self.expect(["db", "load", self.data], ["10825 characters loaded"])
        self.expect(["db", "search", "xyzzy"],
                    ["U+03b1  α  GREEK SMALL LETTER ALPHA (zebra xyzzy)", "1 found"])
        self.expect(["db", "note", "03B1", ""], [])
        self.expect(["db", "search", "xyzzy"], ["0 found"])
        ran = self.run_program("db", "stats")
        self.assertRegex(ran.stdout,
                         r"^10825 characters, \d+ words, loaded 2 times, annotated 2 times\n$")
        ran = self.run_program("db", "search", "letter")
        self.assertEqual(len(ran.stdout.splitlines()), 22)

    def test_bad_input_changes_nothing(self):
        self.expect(["db", "load", self.data], ["10825 characters loaded"])
        bad = os.path.join(self.here.name, "bad.txt")
        with open(bad, "w", encoding="utf-8") as file:
            file.write("0041\tLu\tSPOILT\t\nnot hexadecimal\tLu\tX\t\n")
        self.expect_failure(["db", "load", bad], "line 2 is not of the form")
        self.expect(["db", "show", "41"],
                    ["U+0041  A  LATIN CAPITAL LETTER A", "  category Lu"])
        self.expect_failure(["db", "load", "missing.txt"], "No such file or directory: missing.txt")
        self.expect_failure(["db", "show", "xyz"], "xyz is not a hexadecimal number")
        self.expect_failure(["db", "show", "10FFFF"], "there is no character 10FFFF")
        self.expect_failure(["db", "frobnicate"], "usage")


class BankTest(Example):
    name = "bank"

    def test_programs_at_the_same_time_lose_no_money(self):
        store = os.path.join(self.here.name, "money")
        server = subprocess.Popen([TENURE, "serve", store], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        try:
            self.assertIn("serving", server.stdout.readline())
            for i in range(10):
                self.expect(["money", "deposit", f"a{i}", "100"], [])
            workers = [subprocess.Popen([self.program, "money", "work", "100"], cwd=self.here.name,
                                        stdout=subprocess.PIPE, text=True) for _ in range(4)]
            for worker in workers:
                done = re.match(r"(\d+) transfers, (\d+) refused, ", worker.communicate(timeout=120)[0])
                self.assertEqual(int(done.group(1)) + int(done.group(2)), 100)
            self.expect(["money", "total"], ["1000 in 10 accounts"])
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()

    def test_refused_transfers_and_bad_arguments(self):
        self.expect(["money", "deposit", "ada", "5"], [])
        self.expect_failure(["money", "transfer", "ada", "grace", "1"], "there is no account grace")
        self.expect_failure(["money", "transfer", "ada", "ada", "6"], "ada has not enough money")
        self.expect_failure(["money", "deposit", "ada", "much"], "much is not an amount")
        self.expect(["money", "balance", "ada"], ["5"])


class ImporterTest(Example):
    name = "importer"
    lines = 1000000 if os.environ.get("TENURE_LONG") else 200000

    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.here.name, "places.csv")
        with open(self.file, "w", encoding="utf-8") as file:
            file.writelines(f"{i},Town {i * 7919 % 1000003},Country {i % 200}\n"
                            for i in range(1, self.lines + 1))

    def test_memory_is_bounded(self):
        process = subprocess.Popen([self.program, "db", "load", self.file, "@M3memory=32M"],
                                   cwd=self.here.name, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        # 32 MB, and the program itself; unbounded it takes three times as much.
        self.assertLess(usage.ru_maxrss, 80 << 10)
        self.expect(["db", "country", "Country 7"],
                    ["7  Town 55433, Country 7", "207  Town 639230, Country 7",
                     "407  Town 223024, Country 7", f"{self.lines // 200} places in Country 7"])

    def test_a_load_that_was_killed_goes_on(self):
        killed = subprocess.Popen([self.program, "db", "load", self.file], cwd=self.here.name)
        time.sleep(0.3)
        killed.kill()
        killed.wait()
        self.expect(["db", "load", self.file], [f"{self.lines} places"])
        self.expect(["db", "count"], [f"{self.lines} places"])

    def test_a_bad_line_is_named_and_leaves_what_was_there(self):
        self.expect(["db", "load", self.file, "10"], ["10 places"])
        bad = os.path.join(self.here.name, "bad.csv")
        with open(self.file, encoding="utf-8") as good, open(bad, "w", encoding="utf-8") as file:
            file.writelines([good.readline() for _ in range(12)] + ["Atlantis\n"])
        self.expect_failure(["db", "load", bad], "bad.csv, line 13: Atlantis")
        self.expect(["db", "count"], ["10 places"])


class PackageTests(unittest.TestCase):
    """`tenure test`, for the examples that have tests of their own."""

    def test_all_pass(self):
        examples = os.path.join(ROOT, "examples")
        tested = [name for name in sorted(os.listdir(examples))
                  if os.path.isdir(os.path.join(examples, name, "tests"))]
        self.assertGreater(len(tested), 4)
        for name in tested:
            ran = subprocess.run([TENURE, "test", os.path.join(examples, name)], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(ran.returncode, 0, ran.stdout)
            self.assertIn("0 failed", ran.stdout)


class VersionsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="versions-")
        self.addCleanup(directory.cleanup)
        self.here = directory.name
        for name in ("old", "new", "convert"):
            ran = self.run_command(TENURE, "build", os.path.join(ROOT, "examples", "versions", name),
                                   "-o", name)
            self.assertEqual(ran.returncode, 0, ran.stdout)

    def run_command(self, *words):
        return subprocess.run(words, cwd=self.here, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def test_without_its_converter_an_upgrade_changes_nothing(self):
        self.assertEqual(self.run_command("./old").returncode, 0)
        shutil.copytree(os.path.join(self.here, "shelf"), os.path.join(self.here, "before"))
        ran = self.run_command(TENURE, "db", "upgrade", "shelf", "./new")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("Book.T.author", ran.stdout)
        self.assertNotEqual(self.run_command("./new").returncode, 0)
        dumps = [self.run_command(TENURE, "db", "dump", store).stdout for store in ("shelf", "before")]
        self.assertEqual(dumps[0].replace("shelf", ""), dumps[1].replace("before", ""))
        self.assertEqual(self.run_command(TENURE, "db", "upgrade", "shelf", "./new", "./convert").returncode, 0)
        self.assertIn("Smalltalk-80 | Adele | Goldberg | 3025 cents | 1", self.run_command("./new").stdout)


if __name__ == "__main__":
    unittest.main()
