"""A short crash storm (crash_storm.py has the long one, for `build.py check`)."""

import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402
import storm_test_case  # noqa: E402
from storm_test_case import LONG  # noqa: E402


class CrashStormTest(storm_test_case.StormTestCase):
    def storm(self, use, megabytes=0):
        storm = crash_storm.Storm(self.directory, self.programs, megabytes)
        self.survive(storm, use)
        return storm

    def test_kills_at_random_moments(self):
        storm = self.storm(lambda storm, rng:
                           crash_storm.random_kills(storm, 2000 if LONG else 30, rng))
        self.assertTrue(storm.openings)

    def test_kills_in_a_container(self):
        storm_test_case.in_a_container(self, lambda: self.storm(
            lambda storm, rng: crash_storm.random_kills(storm, 200 if LONG else 6, rng)))

    def test_an_end_at_every_write(self):
        self.storm(lambda storm, rng: crash_storm.every_write(storm, 1 if LONG else 40, rng))

    @unittest.skipUnless(LONG, "takes minutes")
    def test_kills_on_a_large_store(self):
        self.storm(lambda storm, rng: crash_storm.random_kills(storm, 50, rng), megabytes=1024)

    def test_what_is_missing_is_noticed(self):
        """The storm detects errors: a lost commit, and a database that is older than the
        others."""
        def lose(storm, _):
            storm.fresh()
            storm.run_program(10)
            storm.keep_as("before")
            storm.run_program(5)
            storm.go_back_to("before")
            with self.assertRaisesRegex(crash_storm.Wrong, "step 15 was acknowledged, 10 is found"):
                storm.check(False)
            storm.acknowledged = 10
            storm.check(False)
            shutil.rmtree(storm.stores()[1])
            with self.assertRaisesRegex(crash_storm.Wrong, "number of roots: 2"):
                storm.check(False)
        self.storm(lose)


if __name__ == "__main__":
    unittest.main()
