"""The growth program makes a store that other processes measure, and what bench/growth computes is
right."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from program_test_case import BUILD, ROOT, ProgramTestCase  # noqa: E402

sys.path.insert(0, ROOT)

from bench.growth import measure  # noqa: E402
from bench.support.lines import Process, parts_of  # noqa: E402


class GrowthTest(ProgramTestCase):
    package = "growth"

    def lines(self, *arguments):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return Process(parts_of(ran.stdout))

    def test_all_figures_are_measured_and_the_collected_store_has_all_records(self):
        self.lines("create", "db", "66")
        process = self.lines("measure", "db", "1")
        for what in measure.SINGLE:
            self.assertGreater(len(process.of(what)), 0, what)
        self.assertEqual(len(self.lines("open", "db", "0").of("open")), 1)
        # Each is the first touch of a page that lies apart from the others.
        faults = sorted(part.numbers["elapsed_us"] for part in process.of("fault"))
        lookups = sorted(part.numbers["elapsed_us"] for part in process.of("hot_lookup"))
        self.assertGreater(faults[len(faults) // 2], 5 * lookups[len(lookups) // 2])
        gc = subprocess.run([os.path.join(BUILD, "bin", "tenure"), "db", "gc", "db"], text=True,
                            stdout=subprocess.PIPE, cwd=self.directory.name)
        self.assertEqual(gc.returncode, 0)
        self.assertIn("freed 2048 objects", gc.stdout)
        self.assertEqual(self.lines("check", "db", "3").of("checked")[0].numbers["count"], 300)

    def test_errors(self):
        for arguments, status, message in (
                (("measure", "none", "1"), 1, "there is no database at none"),
                (("create", "db0", "0"), 2, "at least 1 MB"), ((), 2, "wrong usage")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, status)
            self.assertIn(message, ran.stderr)


class SizesTest(unittest.TestCase):
    def sizes(self, free_gb):
        return measure.sizes_for([1, 8, 32], free_gb * 2**30)

    def test_the_disk_bounds_the_largest_store(self):
        self.assertEqual(self.sizes(96), [1, 8, 32])
        self.assertEqual(self.sizes(95), [1, 8, 31])
        self.assertEqual(self.sizes(24), [1, 8])
        self.assertEqual(self.sizes(12), [1, 4])
        self.assertEqual(self.sizes(2), [])

    def test_smaller_stores_are_said(self):
        self.assertEqual(measure.room_words([1, 8], [1, 8], 0), "")
        self.assertIn("stores of 1, 4 GB instead of 1, 8: a store and its backup need 24 GB",
                      measure.room_words([1, 8], [1, 4], 12 * 2**30))


class GoalsTest(unittest.TestCase):
    def of(self, store_gb, us, tool_s):
        return {"store_gb": store_gb, "singles_us": {what: [us] for what in measure.SINGLE}, "reads_us": [us / 2],
                "tools": {tool: {"s": tool_s} for tool in measure.TOOLS}}

    def test_single_operations_are_compared_as_they_are_and_tools_by_size(self):
        found = measure.goals({"sizes": {"1": self.of(2, 100, 4), "8": self.of(16, 150, 40)}})
        verdicts = {goal.about: (goal.found, goal.met) for goal in found}
        self.assertEqual(verdicts["opening: 8 GB, times 1 GB"], ("1.50", False))
        self.assertEqual(verdicts["a look-up in the tree, cold: 8 GB, times 1 GB"], ("1.50", True))
        self.assertEqual(verdicts["a cold fault, in reads of the disk: 8 GB, times 1 GB"], ("1.00", None))
        self.assertEqual(verdicts["db gc for each GB: 8 GB, times 1 GB"], ("1.25", True))

    def test_the_disk_is_read_at_random_places_of_the_largest_file(self):
        with tempfile.TemporaryDirectory() as store:
            for name, size in (("small", 10), ("large", 3 * measure.READ_BYTES)):
                with open(os.path.join(store, name), "wb") as file:
                    file.write(bytes(size))
            self.assertGreater(measure.read_at_random(store, 1), 0)

    def test_one_size_gives_no_verdict(self):
        self.assertTrue(all(goal.met is None for goal in
                            measure.goals({"sizes": {"1": self.of(2, 100, 4)}})))


if __name__ == "__main__":
    unittest.main()
