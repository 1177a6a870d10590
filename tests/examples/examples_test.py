"""The example programs, as a user would run them."""

import os
import subprocess
import tempfile
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


if __name__ == "__main__":
    unittest.main()
