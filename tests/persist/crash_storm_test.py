"""A short crash storm (crash_storm.py has the long one, for `build.py check`)."""

import os
import random
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402

LONG = os.environ.get("TENURE_LONG") == "1"


class CrashStormTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        cls.directory = tempfile.mkdtemp(prefix="crash-storm-", dir=place)
        cls.programs = crash_storm.build_programs(cls.directory)
        cls.seed = random.randrange(1 << 30)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def storm(self, use, megabytes=0):
        storm = crash_storm.Storm(self.directory, self.programs, megabytes)
        try:
            use(storm, random.Random(self.seed))
        except crash_storm.Wrong as wrong:
            self.fail(f"seed {self.seed}: {wrong}")
        crash_storm.print_recoveries(storm)
        return storm

    def test_kills_at_random_moments(self):
        storm = self.storm(lambda storm, rng:
                           crash_storm.random_kills(storm, 2000 if LONG else 30, rng))
        self.assertTrue(storm.openings)

    def test_an_end_at_every_write(self):
        self.storm(lambda storm, rng: crash_storm.every_write(storm, 1 if LONG else 40, rng))

    @unittest.skipUnless(LONG, "takes minutes")
    def test_kills_on_a_large_store(self):
        self.storm(lambda storm, rng: crash_storm.random_kills(storm, 50, rng), megabytes=1024)

    def test_what_is_missing_is_noticed(self):
        """The storm can fail: a commit that is lost, and a database from before the others."""
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
