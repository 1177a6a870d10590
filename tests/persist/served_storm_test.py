"""A short crash storm of served stores (served_storm.py has the long one, for `build.py check`)."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402
import served_storm  # noqa: E402
import storm_test_case  # noqa: E402
from storm_test_case import LONG  # noqa: E402


class ServedStormTest(storm_test_case.StormTestCase):
    def storm(self, use):
        self.survive(served_storm.ServedStorm(self.directory, self.programs), use)

    def test_kills_at_random_moments(self):
        self.storm(lambda storm, rng: served_storm.random_kills(storm, 500 if LONG else 8, rng))

    def test_kills_in_a_container(self):
        storm_test_case.in_a_container(self, lambda: self.storm(
            lambda storm, rng: served_storm.random_kills(storm, 50 if LONG else 3, rng)))

    def test_an_end_at_every_step(self):
        self.storm(lambda storm, rng: served_storm.every_write(storm, 1 if LONG else 50, rng))

    def test_what_is_missing_is_noticed(self):
        """The storm detects errors: a lost commit."""
        def lose(storm, _):
            storm.fresh()
            storm.serve()
            storm.run_program(10)
            storm.stop()
            storm.keep_as("before")
            storm.serve()
            storm.run_program(5)
            storm.stop()
            storm.go_back_to("before")
            storm.serve()
            with self.assertRaisesRegex(crash_storm.Wrong, "step 15 was acknowledged, 10 is found"):
                storm.check(False)
        self.storm(lose)


if __name__ == "__main__":
    unittest.main()
