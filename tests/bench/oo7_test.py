"""OO7 has the right counts, in this process and the next, and its updates add
up."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from program_test_case import ProgramTestCase  # noqa: E402

COUNTS = {"T1": 43740, "T1-hot": 43740, "T6": 2187, "T2A": 2187, "T2B": 43740, "T2C": 174960,
          "T8": 3449, "T9": 0}

# The counts of the first iteration of each operation, for `small` in a fresh database.
OPERATIONS = {"T3A": 2187, "T3B": 43740, "T3C": 174960, "T4": 96634, "T5": 96634, "T7": 56, "CU": 2187,
              "Q1": 10, "Q2": 92, "Q3": 993, "Q4": 42, "Q5": 535, "Q7": 10000, "Q8": 10000, "insert": 5,
              "delete": 5}


class OO7Test(ProgramTestCase):
    package = "oo7"

    def counts(self, *arguments, flags=()):
        ran = self.run_program(*arguments, flags=flags)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        words = [line.split() for line in ran.stdout.splitlines()]
        return {w[0]: int(w[1]) for w in words if len(w) == 4 and w[3] == "ms"}

    def test_counts_and_sums(self):
        counts = self.counts("create", "small")
        self.assertEqual(counts["create"], 10000)
        self.assertGreater(counts["collect"], 40000)  # objects that have moved to their homes
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

    def iterations(self, *arguments):
        ran = self.run_program("measure", *arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return [int(line.split()[2]) for line in ran.stdout.splitlines()
                if line.startswith("iteration count ")]

    def test_without_a_database(self):
        for operation, count in {**OPERATIONS, "T1": 43740, "T8": 3449}.items():
            with self.subTest(operation):
                self.assertEqual(self.iterations("--memory", operation)[0], count)

    def test_operations(self):
        """Another process finds the same objects, also in the indexes."""
        self.assertEqual(self.counts("create", "all")["create"], 10000)
        for operation in ("Q1", "Q2", "Q3", "Q4", "Q5", "Q7", "Q8", "T4", "T5", "T7"):
            with self.subTest(operation):
                counts = self.iterations("all", operation, "many")
                self.assertEqual(counts, [OPERATIONS[operation]] * 5)
        # Each insertion adds five composite parts to ten base assemblies.
        self.assertEqual(self.iterations("all", "insert", "many"), [5] * 5)
        self.assertEqual(self.iterations("all", "Q7"), [10500] * 5)
        self.assertEqual(self.iterations("all", "Q8"), [10500] * 5)
        self.assertEqual(self.iterations("all", "delete", "many"), [5] * 5)
        # Deletion inserts first, so the number of parts does not change.
        self.assertEqual(self.iterations("all", "Q7"), [10500] * 5)
        uses = 2187 + 5 * 10
        self.assertEqual(self.iterations("all", "T2A", "one"), [uses] * 5)
        self.assertEqual(self.iterations("all", "T3B", "many"), [uses * 20] * 5)
        # Every date is higher now, but each part is still in the index exactly once.
        self.assertGreater(self.iterations("all", "Q3")[0], 993)
        self.assertEqual(self.iterations("all", "Q7"), [10500] * 5)
        ran = self.run_program("check", "all")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_mistakes(self):
        for arguments, status, text in (
                (["run", "nowhere"], 1, "there is no database at nowhere"),
                (["walk", "small"], 2, "usage"), ([], 2, "usage"),
                (["create", "x", "huge"], 2, "'huge' is not a configuration"),
                (["create", "x", "small-x"], 2, "'small-x' is not a configuration"),
                (["measure", "x", "T10"], 2, "'T10' is not an operation")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.assertIn(text, ran.stderr)


if __name__ == "__main__":
    unittest.main()
