"""A short storm of threads (thread_storm.py; a long one for `build.py check`)."""

import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402
import thread_storm  # noqa: E402
from storm_test_case import LONG, in_a_container  # noqa: E402


class ThreadStormTest(unittest.TestCase):
    def setUp(self):
        self.directory = crash_storm.new_directory()
        self.addCleanup(shutil.rmtree, self.directory)
        self.storm = thread_storm.ThreadStorm(self.directory,
                                              thread_storm.build_program(self.directory))

    def survive(self, kills):
        seed = random.randrange(1 << 30)
        try:
            thread_storm.random_kills(self.storm, kills, random.Random(seed))
        except crash_storm.Wrong as wrong:
            self.fail(f"seed {seed}: {wrong}")
        self.assertGreater(self.storm.acknowledged[0], 0)

    def test_kills_at_random_moments(self):
        self.survive(100 if LONG else 5)

    def test_kills_in_a_container(self):
        in_a_container(self, lambda: self.survive(20 if LONG else 2))

    def test_what_is_missing_is_noticed(self):
        """The storm detects errors: a store from before the last commits."""
        self.storm.run([], 1, 0.1, None)
        before = os.path.join(self.directory, "before")
        shutil.copytree(self.storm.store, before)
        self.storm.run([], 2, 0.3, None)
        shutil.rmtree(self.storm.store)
        os.rename(before, self.storm.store)
        with self.assertRaisesRegex(crash_storm.Wrong, "was acknowledged"):
            self.storm.run([], 3, 0.1, None)


if __name__ == "__main__":
    unittest.main()
