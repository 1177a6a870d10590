"""Reports of benchmarks: goals are met or missed according to the figures, and the reads of a
traced process are those of the file, in order."""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from bench.oo7 import goals as oo7_goals  # noqa: E402
from bench.oo7 import operations as oo7_operations  # noqa: E402
from bench.oo7 import words as oo7_words  # noqa: E402
from bench.oo7.floor import Read, reads_in  # noqa: E402


def figures(configuration: str = "small") -> dict:
    """Results in which all operations take 1 ms and durability costs Tenure nothing; LMDB
    takes 100 times as long."""
    operations = {}
    for name in oo7_operations.OPERATIONS:
        cold = {"pages_read": 50 if name == "T6" else 1000, "read_faults": 10}
        operations[name] = {
            "hot_ms": {who: [1.0] for who in ("Tenure", "Tenure in memory", "C++")},
            "chained_ms": {"Tenure": [1.0], "mapped": [1.0], "LMDB": [99.0], "SQLite": [9.0]},
            "open_ms": {"Tenure": [1.0], "LMDB": [1.0], "mapped": [0.0]},
            "cold_ms": {"Tenure": [9.0], "LMDB": [100.0], "mapped": [1.0]},
            "durable_ms": {"Tenure": [1.0], "Tenure diff": [4.0], "mapped": [1.0],
                           "LMDB": [100.0], "SQLite": [9.0]},
            "counters": {mode: {"cold": cold, "hot": {}, "commit": {}} for mode in ("one", "many")}}
    floor = {"reads": 2, "pages_ms": 4.0, "pread_ms": [1.0], "cached_pread_ms": [0.5]}
    return {"configuration": configuration, "operations": operations, "floor": floor,
            "crash_safe": ["LMDB"], "growth": {}}


class GoalsTest(unittest.TestCase):
    def setUp(self):
        self.results = figures()

    def verdicts(self) -> dict:
        return {goal.about: goal for goal in oo7_goals.oo7_goals(self.results)}

    def test_a_ratio_below_its_limit_is_met_and_one_above_is_missed(self):
        self.results["operations"]["T6"]["hot_ms"]["Tenure"] = [1.11]
        found = self.verdicts()
        self.assertEqual(found["T1 hot, times C++"].verdict(), "met")
        self.assertEqual(found["T6 hot, times C++"].verdict(), "missed")

    def test_faster_than_a_peer_is_at_least_and_not_at_most(self):
        found = self.verdicts()
        self.assertTrue(found["T2A with its commit by redo, times faster than LMDB"].met)
        self.assertFalse(found["T2A with its commit by redo, times faster than SQLite"].met)

    def test_software_barriers_may_be_three_percent_slower_than_traps(self):
        self.assertFalse(any("software" in about for about in self.verdicts()))
        self.results["barriers"] = {"T1": {"Tenure": [1.0, 2.0, 1.0], "Tenure software": [1.02, 2.5, 1.02]},
                                    "T2B": {"Tenure": [1.0], "Tenure software": [1.04]}}
        found = self.verdicts()
        self.assertTrue(found["T1 hot, software barriers, times traps"].met)
        self.assertFalse(found["T2B hot, software barriers, times traps"].met)

    def test_what_was_not_measured_is_told_and_neither_met_nor_missed(self):
        del self.results["operations"]["T2B"]["durable_ms"]["LMDB"]
        self.results["floor"] = {}
        for about in ("T2B with its commit by redo, times faster than LMDB",
                      "T1 cold without the opening, times its floor"):
            goal = self.verdicts()[about]
            self.assertEqual((goal.found, goal.met), ("not measured", None))

    def test_the_floor_is_preads_and_pages_and_the_hot_traversal(self):
        self.assertEqual(oo7_goals.floor_ms(self.results), 6.0)
        goal = self.verdicts()["T1 cold without the opening, times its floor"]
        self.assertEqual((goal.found, goal.met), ("1.50", True))
        self.results["operations"]["T1"]["cold_ms"]["Tenure"] = [9.1]
        self.assertFalse(self.verdicts()["T1 cold without the opening, times its floor"].met)

    def test_a_peer_that_is_not_crash_safe_does_not_count(self):
        about = "opening and T1 cold, times faster than the fastest crash-safe peer"
        self.assertTrue(self.verdicts()[about].met)
        self.results["crash_safe"].append("mapped")
        self.assertFalse(self.verdicts()[about].met)

    def test_medium_has_a_stricter_t1_and_a_limit_for_sparse_pages(self):
        self.results = figures("medium")
        self.results["operations"]["T1"]["hot_ms"]["Tenure"] = [1.05]
        goals = oo7_goals.oo7_goals(self.results)
        self.assertEqual([goal.verdict() for goal in goals if goal.about == "T1 hot, times C++"],
                         ["met", "missed"])
        self.assertTrue(self.verdicts()["pages that T6 cold reads, times those of T1"].met)
        self.results["operations"]["T6"]["counters"]["one"]["cold"]["pages_read"] = 101
        self.assertFalse(self.verdicts()["pages that T6 cold reads, times those of T1"].met)

    def test_a_table_has_a_row_for_each_goal_and_shows_what_is_missed(self):
        self.results["operations"]["T8"]["hot_ms"]["Tenure"] = [2.0]
        table = "\n".join(oo7_goals.goals_table({"small": oo7_goals.oo7_goals(self.results)}))
        self.assertIn("| T8 hot, times C++ | at most 1.1 | 2.00, **missed** |", table)
        self.assertIn("| T1 hot, times C++ | at most 1.1 | 1.00, met |", table)


class WordsTest(unittest.TestCase):
    def test_what_is_slow_without_a_database_is_not_blamed_on_it(self):
        results = figures()
        hot = results["operations"]["Q1"]["hot_ms"]
        hot["Tenure"], hot["Tenure in memory"] = [1.5], [1.45]
        results["operations"]["T7"]["hot_ms"]["Tenure"] = [1.5]
        words = oo7_words.paragraphs(results)[0]
        self.assertIn("by the code of compiler and library: Q1 (1.50).", words)
        self.assertIn("because the objects are persistent: T7 (1.50, in memory 1.00).", words)

    def test_who_is_slow_at_work_and_who_at_the_commit(self):
        results = figures()
        results["operations"]["T2A"]["chained_ms"]["SQLite"] = [1.0]
        words = oo7_words.paragraphs(results)[2]
        self.assertIn("not at the commit: LMDB (99%).", words)
        self.assertIn("Mostly at the commit: SQLite (89%).", words)


class LeftOutTest(unittest.TestCase):
    def test_each_omission_is_told(self):
        told = " ".join(oo7_operations.left_out_text("medium"))
        for peer in oo7_operations.PEERS:
            does = next((p.operations for p in oo7_operations.peers_for("medium")
                         if p.name == peer.name), [])
            self.assertEqual(does != peer.operations, peer.name in told, peer.name)


class TraceTest(unittest.TestCase):
    def test_reads_of_one_file_in_the_order_in_which_they_began(self):
        trace = """\
7  pread64(3</s/other.db>, ""..., 100, 0) = 100
7  pread64(4</s/main.db>, ""..., 65536, 131072) = 65536
8  pread64(4</s/main.db>,  <unfinished ...>
7  pread64(4</s/main.db>, ""..., 8192, 0) = 8192
8  <... pread64 resumed>""..., 65536, 65536) = 65536
7  pread64(4</s/main.db>, "", 4096, 999999) = 0
9  <... pread64 resumed>""..., 1, 2) = 1
"""
        self.assertEqual(reads_in(trace, "/s/main.db"),
                         [Read(131072, 65536), Read(65536, 65536), Read(0, 8192)])


if __name__ == "__main__":
    unittest.main()
