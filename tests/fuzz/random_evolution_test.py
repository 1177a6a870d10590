"""Some hundred pairs of random versions of types, each an upgrade that is compared with a shadow; with
TENURE_LONG set, ten thousand more."""

import collections
import itertools
import os
import random
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_evolution  # noqa: E402

CASES, VERSIONS = 30, 3  # of a seed: about 150 pairs that are converted or refused
FIXED_SEEDS = [1, 22]
LONG_PAIRS = 10_000


@unittest.skipUnless(os.path.exists(random_evolution.TENURE), f"{random_evolution.TENURE} has not been built")
class RandomEvolutionTest(unittest.TestCase):
    def check(self, seeds, pairs):
        """Takes seeds until as many pairs have been converted or refused."""
        counts = collections.Counter()
        for seed in seeds:
            directory = tempfile.mkdtemp(prefix="random-evolution-")
            try:
                evolution = random_evolution.Evolution(directory, seed, CASES, VERSIONS)
                problems = evolution.check()
                counts += evolution.counts
            finally:
                shutil.rmtree(directory)
            self.assertEqual(problems, [], f"python3 tests/fuzz/random_evolution.py --cases {CASES} "
                                           f"--versions {VERSIONS} --seed {seed} repeats this")
            if sum(counts[what] for what in counts if what.startswith(("converted", "refused"))) >= pairs:
                return counts
        self.fail(f"the seeds have too few pairs: {counts}")

    def test_upgrades_make_what_the_shadow_says(self):
        counts = self.check(FIXED_SEEDS, 250)
        # A test that refuses everything, or never sees a refusal, says nothing.
        for what, least in (("converted, must", 150), ("refused, never", 10), ("there and back", 10), ("asked", 2),
                            ("killed: old", 1), ("not opened", 1), ("converted, must, converter", 5),
                            ("keys, kept", 1)):
            self.assertGreaterEqual(counts[what], least, counts)

    @unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
    def test_many_pairs(self):
        self.check(itertools.count(random.randrange(10**6)), LONG_PAIRS)


if __name__ == "__main__":
    unittest.main()
