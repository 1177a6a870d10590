"""OO1 has the same results with and without a database, and the next process finds the inserted
parts."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from program_test_case import ROOT, ProgramTestCase  # noqa: E402

sys.path.insert(0, ROOT)

from bench.support.lines import Process, parts_of  # noqa: E402

ITERATIONS, PARTS, INSERTED = 11, 20000, 1100


class OO1Test(ProgramTestCase):
    package = "oo1"

    def lines(self, *arguments):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return Process(parts_of(ran.stdout))

    def counts(self, process):
        return [part.numbers["count"] for part in process.of("iteration")]

    def test_the_same_in_memory_and_in_a_database(self):
        self.assertEqual(self.lines("create", "db").of("create")[0].numbers["count"], PARTS)
        seen = {}
        for operation in ("lookup", "traversal", "insert"):
            process = self.lines("measure", "db", operation)
            self.assertEqual(process.of("open")[0].numbers["count"], PARTS)
            self.assertEqual(len(process.of("chain")), ITERATIONS)
            seen[operation] = self.counts(process)
            self.assertEqual(len(seen[operation]), ITERATIONS)
            self.assertEqual(self.counts(self.lines("measure", "--memory", operation)), seen[operation])
        # The last iteration repeats the one before; an insertion finds more parts.
        self.assertEqual(seen["lookup"][-1], seen["lookup"][-2])
        self.assertEqual(seen["traversal"][-1], seen["traversal"][-2])
        self.assertNotEqual(seen["insert"][-1], seen["insert"][-2])
        after = self.lines("measure", "db", "lookup")
        self.assertEqual(after.of("open")[0].numbers["count"], PARTS + INSERTED)
        self.assertEqual(self.counts(after), seen["lookup"])

    def test_errors(self):
        for arguments, status, message in (
                (("measure", "none", "lookup"), 1, "there is no database at none"),
                (("measure", "--memory", "T1"), 2, "'T1' is not an operation"), ((), 2, "wrong usage")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, status)
            self.assertIn(message, ran.stderr)


if __name__ == "__main__":
    unittest.main()
