"""Peaks of memory against the limits that programs and servers were given (memory_limits.py)."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import memory_limits
import programs
from memory_limits import MEGABYTE
from storm_test_case import LONG

# Percent beyond the limit.
TOLERANCE = 2
# Programs on a busy machine, in the short form of the test.
GENEROUS = 10

# Takes 12 MB before it has a database.
LARGE_PROGRAM = r"""
MODULE Main;
IMPORT Database, Params;
<*FATAL ANY*>
VAR numbers: ARRAY [0 .. 12 * 131072 - 1] OF INTEGER;
BEGIN
  FOR i := 0 TO LAST(numbers) DO numbers[i] := i END;
  Database.Create(Params.Get(1));
  <*ASSERT numbers[Params.Count * 1000] = Params.Count * 1000*>
END Main.
"""


class MemoryLimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-memory-")
        cls.program = memory_limits.build(cls.directory)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def measure(self, name, limit, served, tolerance):
        result = memory_limits.run(self.directory, self.program, name, limit, served)
        print(memory_limits.show(result), flush=True)
        self.assertEqual(result.alone.status, 0, result.alone.output)
        self.assertRegex(result.alone.output, r"^sum -?\d+\n$")
        most = limit * MEGABYTE * (100 + tolerance) // 100
        self.assertLessEqual(result.alone.peak, most, memory_limits.show(result))

    @unittest.skipIf(LONG, "the long form measures these, too")
    def test_the_peak_of_a_large_transaction_with_64_megabytes(self):
        self.measure("transaction", 64, False, GENEROUS)

    # It took 73 MB: frames did not leave room for what a commit takes for each page that it changes.
    @unittest.skipIf(LONG, "the long form measures these, too")
    def test_the_peak_of_a_transaction_that_changes_many_stored_pages(self):
        self.measure("updates", 64, False, GENEROUS)

    # It took 141 MB: pages did not leave memory before the table's new array was there.
    @unittest.skipIf(LONG, "the long form measures these, too")
    def test_the_peak_of_a_table_that_doubles_its_array(self):
        self.measure("table", 128, False, 5)

    @unittest.skipUnless(LONG, "long")
    def test_peaks_of_eight_programs_with_five_limits(self):
        for served in (False, True):
            for limit in memory_limits.LIMITS:
                for name in memory_limits.programs_for(limit):
                    with self.subTest(program=name, limit=limit, served=served):
                        self.measure(name, limit, served, TOLERANCE)

    @unittest.skipUnless(LONG and memory_limits.can_make_groups(), "long, and needs control groups")
    def test_a_large_transaction_in_a_container_is_not_killed(self):
        for limit in (64, 200):
            with self.subTest(limit=limit):
                result = memory_limits.run(self.directory, self.program, "transaction", limit, False, container=True)
                self.assertFalse(result.alone.killed)
                self.assertEqual(result.alone.status, 0, result.alone.output)

    # The message with the commit, of 300 MB, was private memory of the server.
    @unittest.skipUnless(memory_limits.can_make_groups(), "no control group can be made here")
    def test_a_server_in_a_container_survives_a_commit_that_is_larger(self):
        result = memory_limits.run(self.directory, self.program, "transaction", 200, True, container=True)
        self.assertFalse(result.server.killed)
        self.assertEqual((result.alone.status, result.server.status), (0, 0), result)


class TooLittleMemoryTest(programs.ProgramTestCase):
    text = LARGE_PROGRAM

    def run_with(self, *flags, group=None):
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        return subprocess.run([self.program, store, *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=60, check=False, preexec_fn=group.enter if group else None)

    def test_a_program_says_at_its_start_that_it_needs_more(self):
        ran = self.run_with("@M3memory=16M")
        self.assertEqual(ran.returncode, 2, ran.stdout)
        self.assertRegex(ran.stdout, r"^\*\*\* too little memory: @M3memory gives this program 16 MB, and with a "
                                     r"database it needs \d+ MB at least: run it with a larger @M3memory=SIZE\n$")
        needed = int(ran.stdout.split(" needs ")[1].split()[0])
        self.assertGreater(needed, 20)
        self.assertLess(needed, 40)
        # A MB may be missing, since programs do not take the same in each run.
        self.assertEqual(self.run_with(f"@M3memory={needed + 1}M").returncode, 0)

    @unittest.skipUnless(memory_limits.can_make_groups(), "no control group can be made here")
    def test_in_a_container_it_names_the_limit(self):
        group = memory_limits.ControlGroup(32 * MEGABYTE)
        self.addCleanup(group.remove)
        ran = self.run_with(group=group)
        self.assertEqual(ran.returncode, 2, ran.stdout)
        self.assertIn("the control group allows 32 MB, of which this program may take 16 MB", ran.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
