"""OO7 counts what it must, in this process and the next, and its updates add up."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))

COUNTS = {"T1": 43740, "T1-hot": 43740, "T6": 2187, "T2A": 2187, "T2B": 43740, "T2C": 174960,
          "T8": 10000, "T9": 0}


class OO7Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="oo7-")
        cls.program = os.path.join(cls.directory.name, "oo7")
        built = subprocess.run(
            [os.path.join(BUILD, "bin", "tenure"), "build", os.path.join(ROOT, "bench", "oo7"),
             "-O2", "-o", cls.program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert built.returncode == 0, built.stdout

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def run_program(self, *arguments, flags=()):
        environment = dict(os.environ, TENURE_OPTIONS=" ".join(flags))
        return subprocess.run([self.program, *arguments], cwd=self.directory.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              env=environment)

    def counts(self, *arguments, flags=()):
        ran = self.run_program(*arguments, flags=flags)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        words = [line.split() for line in ran.stdout.splitlines()]
        return {w[0]: int(w[1]) for w in words if len(w) == 4 and w[3] == "ms"}

    def test_counts_and_sums(self):
        self.assertEqual(self.counts("create", "small"), {"create": 10000})
        self.assertEqual(self.counts("run", "small"), COUNTS)
        updates = 2187 + 43740 + 174960
        ran = self.run_program("check", "small")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(ran.stdout.startswith(f"check {updates} updates: "), ran.stdout)
        self.assertEqual(self.counts("run", "small", flags=["@M3faults=mprotect",
                                                            "@M3dbbase=random"]), COUNTS)
        ran = self.run_program("check", "small")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(ran.stdout.startswith(f"check {2 * updates} updates: "), ran.stdout)

    def test_without_a_database(self):
        counts = self.counts("memory")
        self.assertEqual(counts.pop("build"), 10000)
        self.assertEqual(counts, {name: n for name, n in COUNTS.items() if name != "T1"})

    def test_mistakes(self):
        for arguments, text in ((["run", "nowhere"], "there is no database at nowhere"),
                                (["walk", "small"], "usage"), ([], "usage")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, 1, ran.stderr)
            self.assertIn(text, ran.stderr)


if __name__ == "__main__":
    unittest.main()
