"""What tests of storms share (crash_storm.py, served_storm.py): the programs, and a seed."""

import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402

LONG = os.environ.get("TENURE_LONG") == "1"


class StormTestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = crash_storm.new_directory()
        cls.programs = crash_storm.build_programs(cls.directory)
        cls.seed = random.randrange(1 << 30)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def survive(self, storm, use):
        """use(storm, random numbers); what it finds wrong fails the test, with the seed."""
        try:
            use(storm, random.Random(self.seed))
        except crash_storm.Wrong as wrong:
            self.fail(f"seed {self.seed}: {wrong}")
        finally:
            storm.end()
        crash_storm.print_recoveries(storm)
