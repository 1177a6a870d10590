"""Some changed stores with fixed seeds; with TENURE_LONG set, many with other seeds."""

import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import store_fuzz  # noqa: E402

FIXED_SEEDS = range(1, 41)
LONG_RUNS = 3000


@unittest.skipUnless(os.path.exists(store_fuzz.TENURE), f"{store_fuzz.TENURE} has not been built")
class StoreFuzzTest(unittest.TestCase):
    def check(self, seeds):
        with tempfile.TemporaryDirectory(prefix="store-fuzz-") as directory:
            fuzz = store_fuzz.Fuzz(directory, store_fuzz.TENURE)
            reports = [fuzz.run(seed) for seed in seeds]
        self.assertEqual([report for report in reports if report], [])

    def test_what_a_changed_store_does(self):
        self.check(FIXED_SEEDS)

    @unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
    def test_what_many_changed_stores_do(self):
        start = random.randrange(10**9)
        self.check(range(start, start + LONG_RUNS))


if __name__ == "__main__":
    unittest.main()
