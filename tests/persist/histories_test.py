"""Histories of list-append transactions (histories.py): the checker finds histories that no order
explains, and threads and programs leave none of them."""

import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crash_storm  # noqa: E402
import histories  # noqa: E402
from storm_test_case import LONG  # noqa: E402


def kinds_of_problems(*lines, strict=True):
    """The words before the colons; the lines lack threads and, where they have none, times."""
    whole = []
    for i, line in enumerate(lines):
        kind, *operations = line.split()
        times = ["0", "1"]
        if operations and operations[0].startswith("@"):
            times = operations.pop(0)[1:].split("-")
        whole.append(" ".join([kind, str(i), *times, *operations]))
    return {problem.partition(":")[0] for problem in histories.History(whole, strict).problems}


class CheckerTest(unittest.TestCase):
    def test_a_serial_history_is_good(self):
        self.assertEqual(kinds_of_problems(
            "ok @0-1 a:1:10 r:2:", "ok @2-3 r:1:10 a:2:20 a:1:21 r:1:10,21", "fail @2-3 a:1:30",
            "ok @4-5 r:2:20 r:1:10,21", "final @6-7 r:1:10,21 r:2:20"), set())

    def test_a_later_reader_of_an_earlier_state_is_good_while_both_are_open(self):
        self.assertEqual(kinds_of_problems("ok @0-2 a:1:10", "ok @1-3 r:1:", "final @4-5 r:1:10"),
                         set())

    def test_an_info_may_have_taken_place_or_not(self):
        for last in ("r:1:10 r:2:11", "r:1: r:2:"):
            self.assertEqual(kinds_of_problems("info a:1:10 a:2:11", "final @4-5 " + last), set())

    def test_a_killed_programs_appends_are_one_transaction(self):
        self.assertEqual(kinds_of_problems("final r:1:10 r:2:11"), set())
        self.assertEqual(kinds_of_problems("ok r:1:10 r:2:", "final r:1:10 r:2:11"),
                         {"cycle, G-single"})

    def test_an_append_to_an_append_overwritten_is_g0(self):
        self.assertEqual(kinds_of_problems("ok a:1:10 a:2:11", "ok a:1:20 a:2:21",
                                           "final @4-5 r:1:10,20 r:2:21,11"), {"cycle, G0"})

    def test_an_aborted_read(self):
        self.assertEqual(kinds_of_problems("fail a:1:10", "ok r:1:10"), {"aborted read"})

    def test_an_intermediate_read(self):
        self.assertEqual(kinds_of_problems("ok a:1:10 a:1:11", "ok r:1:10", "final r:1:10,11"),
                         {"intermediate read"})

    def test_two_that_read_each_other_are_g1c(self):
        self.assertEqual(kinds_of_problems("ok a:1:10 r:2:20", "ok a:2:20 r:1:10"), {"cycle, G1c"})

    def test_a_lost_update(self):
        self.assertEqual(kinds_of_problems("ok r:1: a:1:10", "ok r:1: a:1:20",
                                           "final @4-5 r:1:20"), {"lost"})
        self.assertEqual(kinds_of_problems("ok r:1: a:1:10", "ok r:1: a:1:20", "final r:1:10,20"),
                         {"cycle, G-single"})

    def test_a_skewed_read_is_g_single(self):
        self.assertEqual(kinds_of_problems("ok a:1:10 a:2:11", "ok r:1: r:2:11", "final r:1:10"),
                         {"cycle, G-single"})

    def test_a_skewed_write_is_g2(self):
        self.assertEqual(kinds_of_problems("ok r:1: a:2:10", "ok r:2: a:1:20",
                                           "final @4-5 r:1:20 r:2:10"), {"cycle, G2"})

    def test_a_long_fork_is_g2(self):
        self.assertEqual(kinds_of_problems("ok a:1:10", "ok a:2:20", "ok r:1:10 r:2:", "ok r:1: r:2:20",
                                           "final r:1:10 r:2:20"), {"cycle, G2"})

    def test_a_stale_read_is_a_cycle_in_time(self):
        stale = ("ok @0-1 a:1:10", "ok @2-3 r:1:", "final @4-5 r:1:10")
        self.assertEqual(kinds_of_problems(*stale), {"cycle in time, G-single"})
        self.assertEqual(kinds_of_problems(*stale, strict=False), set())

    def test_a_read_without_its_own_append(self):
        self.assertEqual(kinds_of_problems("ok a:1:10 r:1:"), {"internal"})

    def test_reads_with_two_orders(self):
        self.assertEqual(kinds_of_problems("ok a:1:10", "ok a:1:20", "ok r:1:10,20", "ok r:1:20,10"),
                         {"incompatible"})

    def test_a_value_that_is_there_twice(self):
        self.assertEqual(kinds_of_problems("ok a:1:10", "ok r:1:10,10"), {"duplicate"})

    def test_an_info_in_part(self):
        self.assertEqual(kinds_of_problems("info a:1:10 a:2:11", "final @4-5 r:1:10 r:2:"),
                         {"in part"})

    def test_a_cycle_of_many(self):
        n = 1200  # deeper than Python's stack
        chain = [f"ok a:{i}:{i}0 r:{i + 1}:{i + 1}0" for i in range(1, n)]
        self.assertEqual(kinds_of_problems(*chain, f"ok a:{n}:{n}0"), set())
        self.assertEqual(kinds_of_problems(*chain, f"ok a:{n}:{n}0 r:1:10"), {"cycle, G1c"})


class HistoriesTest(unittest.TestCase):
    options = ()  # for `tenure build`
    policies = ("pd-esm", "wpl")

    @classmethod
    def setUpClass(cls):
        cls.directory = crash_storm.new_directory()
        cls.program = histories.build_program(cls.directory, *cls.options)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def record(self, function, stores, *arguments, **named):
        """The lines of a good history."""
        seed = random.randrange(1 << 30)
        recorder = histories.Recorder(self.directory, self.program, stores, random.Random(seed))
        try:
            lines = function(recorder, *arguments, **named)
        except crash_storm.Wrong as wrong:
            self.fail(f"seed {seed}: {wrong}")
        finally:
            recorder.end()
        problems = histories.History(lines).problems
        if problems:
            kept = os.path.join(crash_storm.new_directory(), "history")
            with open(kept, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            self.fail(f"seed {seed}, left in {kept}:\n" + "\n".join(problems[:3]))
        self.assertGreater(sum(line.startswith("ok ") for line in lines), 50)
        return lines

    def test_threads_of_a_process(self):
        lines = self.record(histories.record_threads, 1, 16, 400 if LONG else 40)
        # The checker sees these lines: a reader that begins last and sees no append is noticed.
        final = histories.parse(lines[-1])
        name = next(o.list for o in final.operations if o.values)
        lines.insert(-1, f"ok 1 {final.begin - 1e-6:.6f} {final.begin:.6f} r:{name}:")
        self.assertRegex(histories.History(lines).problems[0], "^cycle in time, G-single")

    def test_threads_with_small_memories_and_other_policies(self):
        for flags in (("@M3nursery=128K", "@M3dbcache=4M"), ("@M3recovery=diff", "@M3faults=mprotect")):
            self.record(histories.record_threads, 2, 12, 300 if LONG else 20, *flags)

    def test_programs_of_a_served_store(self):
        self.record(histories.record_programs, 1, 4, 2, 400 if LONG else 60, stops=(0.3, 0.3))

    def test_programs_of_two_served_stores_that_stop_each_other(self):
        # After 10 s the servers give up a program that does not answer.
        self.record(histories.record_programs, 2, 3, 2, 400 if LONG else 40,
                    stops=(0.5, 11.5, 0.5, 11.5, 0.2) if LONG else (11.5,))

    def test_programs_and_servers_that_are_killed(self):
        for _ in range(10 if LONG else 1):
            self.record(histories.record_programs, 1, 4, 4, 100, kills=2)

    @unittest.skipUnless(LONG, "takes minutes")
    def test_many_threads_and_programs_with_each_policy(self):
        for policy in self.policies:
            with self.subTest(policy=policy):
                flag = "@M3recovery=" + policy
                self.record(histories.record_threads, 1, 64, 20, flag, "@M3memory=32M")
                self.record(histories.record_programs, 2, 4, 16, 12, kills=2, flags=(flag,))


@unittest.skipUnless(LONG, "takes minutes")
class HistoriesWithSoftwareBarriersTest(HistoriesTest):
    options = ("--barriers=software",)
    policies = ("pd-redo", "pd-esm", "wpl", "sd", "sl")


if __name__ == "__main__":
    unittest.main()
