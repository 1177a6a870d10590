"""Some hundred random queries, compared with an evaluator and with each other; with TENURE_LONG set, 20,000."""

import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_queries  # noqa: E402

FIXED_SEEDS = [1, 2, 3]
LONG_SEEDS = 135  # of 150 queries each


@unittest.skipUnless(os.path.exists(random_queries.TENURE), f"{random_queries.TENURE} has not been built")
class RandomQueriesTest(unittest.TestCase):
    def check(self, seeds):
        with tempfile.TemporaryDirectory(prefix="random-queries-") as directory:
            fuzz = random_queries.Fuzz(directory)
            reports = [report for seed in seeds for report in fuzz.run(seed)]
        self.assertEqual(reports, [])

    def test_queries_answer_what_the_evaluator_answers(self):
        self.check(FIXED_SEEDS)

    @unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
    def test_many_queries(self):
        start = random.randrange(10**6)
        print(f"seeds from {start}", flush=True)
        self.check(range(start, start + LONG_SEEDS))


if __name__ == "__main__":
    unittest.main()
