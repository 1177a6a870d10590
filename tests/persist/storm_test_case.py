"""The common part of tests of storms (crash_storm.py, served_storm.py): the programs, and
a seed."""

import os
import random
import shutil
import sys
import traceback
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import container_filter  # noqa: E402
import crash_storm  # noqa: E402

LONG = os.environ.get("TENURE_LONG") == "1"


def in_a_container(test, use):
    """Calls use() in a process of its own, with Docker's filter of system calls, which its
    children get as well. An exception there fails the test."""
    if container_filter.missing():
        test.skipTest(container_filter.missing())
    install = container_filter.installer()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            install()
            use()
            status = 0
        except BaseException:  # pylint: disable=broad-except
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    test.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0)


class SeededStormTestCase(unittest.TestCase):
    """A directory for the programs and stores of a test, and a seed."""

    @classmethod
    def setUpClass(cls):
        cls.directory = crash_storm.new_directory()
        cls.seed = random.randrange(1 << 30)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def survive(self, storm, use, *arguments):
        """Calls use(storm, arguments, random numbers); an error fails the test, with the
        seed in the message."""
        try:
            use(storm, *arguments, random.Random(self.seed))
        except crash_storm.Wrong as wrong:
            self.fail(f"seed {self.seed}: {wrong}")
        finally:
            storm.end()


class StormTestCase(SeededStormTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.programs = crash_storm.build_programs(cls.directory)

    def survive(self, storm, use, *arguments):
        super().survive(storm, use, *arguments)
        crash_storm.print_recoveries(storm)
