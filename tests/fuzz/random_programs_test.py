"""A few random programs, compared with the evaluator; with TENURE_LONG set, many."""

import os
import random
import unittest

import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_programs  # noqa: E402

BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(
    random_programs.ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
FIXED_SEEDS = [1, 2, 3, 5]
LONG_SEEDS = 60


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class RandomProgramsTest(unittest.TestCase):
    def check(self, seeds):
        reports = [random_programs.test_seed(seed, TENURE) for seed in seeds]
        self.assertEqual([report for report in reports if report], [])

    def test_programs_print_what_the_evaluator_says(self):
        self.check(FIXED_SEEDS)

    @unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
    def test_many_programs(self):
        start = random.randrange(10**6)
        self.check(range(start, start + LONG_SEEDS))


if __name__ == "__main__":
    unittest.main()
