"""A short storm of threads that commit transactions of their own (commit_storm.py; a long one for
`build.py check`)."""

import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import commit_storm  # noqa: E402
import crash_storm  # noqa: E402
from storm_test_case import LONG, SeededStormTestCase  # noqa: E402


class CommitStormTest(SeededStormTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = commit_storm.build_program(cls.directory)

    def alone(self, stores=1):
        return commit_storm.CommitStorm(self.directory, self.program, stores)

    def served(self):
        return commit_storm.ServedCommitStorm(self.directory, self.program)

    def test_kills_at_random_moments(self):
        storm = self.alone()
        self.survive(storm, commit_storm.random_kills, 300 if LONG else 5)
        self.assertGreater(storm.total + storm.count, 0)

    def test_an_end_or_a_failure_at_every_write(self):
        self.survive(self.alone(), commit_storm.every_write, 1 if LONG else 70)

    def test_syncs_that_lie(self):
        self.survive(self.alone(), commit_storm.lying_syncs, 2 if LONG else 110)
        if LONG:
            self.survive(self.served(), commit_storm.lying_syncs, 5)

    def test_commits_of_two_stores(self):
        self.survive(self.alone(2), commit_storm.every_write, 2 if LONG else 150)

    def test_kills_of_programs_and_their_server(self):
        storm = self.served()
        self.survive(storm, commit_storm.served_random_kills, 200 if LONG else 3)
        self.assertGreater(storm.total + storm.count, 0)

    def test_an_end_or_a_failure_of_the_server_at_every_write(self):
        self.survive(self.served(), commit_storm.served_every_write, 3 if LONG else 200)

    def test_kills_with_software_barriers(self):
        program = commit_storm.build_program(self.directory, "--barriers=software")
        storm = commit_storm.CommitStorm(self.directory, program, barriers=True)
        self.survive(storm, commit_storm.random_kills, 300 if LONG else 3)
        if LONG:
            self.survive(storm, commit_storm.every_write, 2)
            served = commit_storm.ServedCommitStorm(self.directory, program, barriers=True)
            self.survive(served, commit_storm.served_random_kills, 200)
            self.survive(served, commit_storm.served_every_write, 5)

    def worked(self, storm, seed):
        storm.work(random.Random(seed), 1, [])

    def test_a_lost_commit_is_noticed(self):
        storm = self.alone()
        storm.fresh()
        self.worked(storm, 1)
        storm.check()
        before = os.path.join(self.directory, "before")
        shutil.copytree(storm.stores[0], before)
        self.worked(storm, 2)
        shutil.rmtree(storm.stores[0])
        os.rename(before, storm.stores[0])
        with self.assertRaisesRegex(crash_storm.Wrong, "were acknowledged or seen"):
            storm.check()

    def test_another_commit_in_its_place_is_noticed(self):
        storm = self.alone()
        storm.fresh()
        self.worked(storm, 1)
        storm.check()
        self.worked(storm, 2)
        storm.acknowledged[storm.seen] = (63, 1000)
        with self.assertRaisesRegex(crash_storm.Wrong, r"\(63, 1000\) was acknowledged"):
            storm.check()

    def test_an_aborted_step_that_took_place_is_noticed(self):
        storm = self.alone()
        storm.fresh()
        self.worked(storm, 1)
        thread, number = storm.acknowledged.pop(storm.seen)
        storm.aborted.add((thread, number))
        with self.assertRaisesRegex(crash_storm.Wrong, "was aborted, and is found"):
            storm.check()


if __name__ == "__main__":
    unittest.main()
