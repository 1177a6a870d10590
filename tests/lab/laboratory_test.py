"""The laboratory's program, its invariants, its verdicts, and the page that is made of them."""

import contextlib
import copy
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from lab import laboratory  # noqa: E402
from lab.report import (claims, fits, load_work_save, object_faults, pm3, quickstore, recovery,  # noqa: E402
                        rows)

BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
PROGRAM = os.path.join(BUILD, "lab", "lab")


def lab(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def measured(*arguments):
    ran = lab(*arguments)
    if ran.returncode != 0:
        raise AssertionError(ran.stderr)
    return rows.read(ran.stdout.splitlines())


class RefusedMeasurementsTest(unittest.TestCase):
    """A paper whose measurements break an invariant costs neither these nor those of the others."""

    def test_refused_measurements_are_kept_apart_and_the_other_papers_go_on(self):
        class Paper:
            TITLE = "A paper"
            DIFFERENCES = ""

            def __init__(self, wrong):
                self.wrong = wrong

            def measure(self, quick, directory):
                return [{"experiment": "e", "count": 1}]

            def invariants(self, measured):
                return self.wrong

            def sections(self, measured):
                return []

        with tempfile.TemporaryDirectory() as folder:
            results, refused = os.path.join(folder, "results"), os.path.join(folder, "refused")
            with unittest.mock.patch.multiple(
                    laboratory, PAPERS={"bad": Paper(["e: 1 is not 2"]), "good": Paper([])},
                    RESULTS=results, REFUSED=refused, ROOT=folder,
                    PAGE=os.path.join(folder, "page.md")), \
                    unittest.mock.patch.object(sys, "argv", ["laboratory.py"]), \
                    contextlib.redirect_stderr(io.StringIO()) as said, \
                    contextlib.redirect_stdout(io.StringIO()), \
                    self.assertRaises(SystemExit) as ended:
                laboratory.main()
            self.assertIn("refused: bad", str(ended.exception))
            self.assertIn("bad: e: 1 is not 2", said.getvalue())
            self.assertEqual(os.listdir(results), ["good.json"])
            with open(os.path.join(refused, "bad.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["rows"], [{"experiment": "e", "count": 1}])


class HelpTest(unittest.TestCase):
    def test_help_names_each_paper(self):
        ran = subprocess.run([sys.executable, os.path.join(ROOT, "build.py"), "lab", "--help"],
                             capture_output=True, text=True, check=True)
        for name in laboratory.PAPERS:
            self.assertIn(name, ran.stdout)


class ObjectFaultsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = measured("object-faults", "--quick", "--parts=1000")

    def test_invariants_hold_and_a_second_run_counts_the_same(self):
        self.assertEqual(object_faults.invariants(self.rows), [])
        again = measured("object-faults", "--quick", "--parts=1000")
        self.assertEqual(rows.counters(again), rows.counters(self.rows))

    def broken(self, change, **which):
        changed = copy.deepcopy(self.rows)
        for row in rows.select(changed, **which):
            change(row)
        return " ".join(object_faults.invariants(changed))

    def test_each_invariant_can_fail(self):
        def add(counter, more=100000):
            return lambda row: row.__setitem__(counter, row[counter] + more)

        self.assertIn("met the same parts",
                      self.broken(add("sum", 1), experiment="lookup", system="FB-OBJ"))
        self.assertIn("has object faults",
                      self.broken(add("faults"), experiment="traversal", system="FB-resident"))
        self.assertIn("more faults with larger granules",
                      self.broken(add("faults"), experiment="traversal", system="ID-PSEG"))
        self.assertIn("does not fault where",
                      self.broken(add("faults"), experiment="lookup", system="PF-OBJ"))
        self.assertIn("traps that are not faults",
                      self.broken(add("traps"), experiment="lookup", system="PF-LSEG"))
        self.assertIn("still meets indirect blocks",
                      self.broken(add("indirections"), experiment="hot", system="FB-LSEG"))
        tenure = dict(rows.select(self.rows, experiment="lookup", system="ID-OBJ", iteration=3)[0],
                      system="Tenure trap")
        self.assertEqual(object_faults.invariants(self.rows + [tenure]), [])
        tenure["sum"] += 1
        self.assertIn("met the same parts", object_faults.invariants(self.rows + [tenure])[0])
        self.assertIn("does not translate as much",
                      self.broken(add("translations", 1), experiment="hot", system="ID-OBJ", x=100))

    def test_every_table_is_made(self):
        made = object_faults.sections(self.rows)
        self.assertEqual([section.title for section in made],
                         ["Lookup", "Traversal", "Hot traversals",
                          "Today: dispatch-folded checks and checks in line"])
        for section in made:
            for claim in section.claims:
                self.assertIn(claim.verdict, (claims.HOLDS, claims.FAILS, claims.UNTOLD))


class LoadWorkSaveTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = measured("load-work-save", "check", "--quick")

    def test_all_schemes_save_the_same(self):
        self.assertEqual(len(self.rows), 10)
        self.assertEqual(load_work_save.invariants(self.rows), [])

    def test_each_invariant_can_fail(self):
        def broken(change):
            changed = copy.deepcopy(self.rows)
            change(changed)
            return " ".join(load_work_save.invariants(changed))

        self.assertIn("is not the same in all schemes",
                      broken(lambda all: all[3].__setitem__("after", "1")))
        self.assertIn("do not begin with the same",
                      broken(lambda all: all[3].__setitem__("before", "1")))
        self.assertIn("has changed nothing",
                      broken(lambda all: all[0].__setitem__("after", all[0]["before"])))
        self.assertIn("converts references", broken(lambda all: all[0].__setitem__("conversions", 1)))
        load = {"system": "IP", "varied": "volume", "x": 1, "objects": 7, "bytes": 90, "segments": 3,
                "converted_objects": 7}
        eager, lazy = {**load, "experiment": "load-eager"}, {**load, "experiment": "load-lazy"}
        self.assertEqual(broken(lambda all: all.extend([eager, lazy])), "")
        self.assertIn("reads other segments", broken(
            lambda all: all.extend([eager, {**lazy, "segments": 2}])))
        self.assertIn("does not convert each object once", broken(
            lambda all: all.extend([eager, {**lazy, "converted_objects": 6}])))
        self.assertIn("does not prepare each object once", broken(lambda all: all.append(
            {"experiment": "prepare", "system": "C", "prepared": 6, "objects": 7})))

    def test_tenure_saves_what_it_updates(self):
        found = load_work_save.measure_tenure(True, "")
        self.assertEqual(load_work_save.invariants(self.rows + found), [])
        again = load_work_save.measure_tenure(True, "")
        self.assertEqual([row["updated"] for row in rows.select(again, experiment="tenure")],
                         [row["updated"] for row in rows.select(found, experiment="tenure")])
        lost = copy.deepcopy(found)
        rows.select(lost, experiment="tenure-sum")[0]["sum"] -= 1
        self.assertIn("has not the updates", load_work_save.invariants(self.rows + lost)[0])
        missed = copy.deepcopy(found)
        missed[0]["objects"] -= 1
        self.assertIn("not all objects are visited", load_work_save.invariants(self.rows + missed)[0])


class Pm3Test(unittest.TestCase):
    def row(self, **changed):
        return {"experiment": "oo7", "system": "SHORE", "operation": "T1", "mode": "many", "round": 0,
                "counts": [43740], "pins": 9, "unpins": 9, "fetched": 7, "commit_visits": 35, **changed}

    def test_each_invariant_can_fail(self):
        self.assertEqual(pm3.invariants([self.row()]), [])
        self.assertIn("not 43740", pm3.invariants([self.row(counts=[43740, 43741])])[0])
        self.assertIn("pins are not unpins", pm3.invariants([self.row(unpins=8)])[0])
        self.assertIn("visit each cached object", pm3.invariants([self.row(commit_visits=34)])[0])

    def test_a_served_store_is_measured(self):
        with tempfile.TemporaryDirectory(prefix="tenure-lab-") as folder:
            store = os.path.join(folder, "store")
            self.assertEqual(lab("oo7", "create", "shore", store, "small").returncode, 0)
            with pm3.Served(store):
                ran = lab("oo7", "measure", "shore", store, "T2A", "one")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            row = pm3._row("SHORE", "T2A", "one", 0, ran.stdout)
            self.assertEqual(pm3.invariants([row]), [])
            self.assertEqual(len(row["hot_us"]), 3)


class RecoveryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = measured("recovery", "small", "--quick", "--clients=1")

    def test_invariants_hold_and_a_second_run_counts_the_same(self):
        self.assertEqual(len(self.rows), 15)
        self.assertEqual(recovery.invariants(self.rows), [])
        again = measured("recovery", "small", "--quick", "--clients=1")
        self.assertEqual(rows.counters(again), rows.counters(self.rows))

    def broken(self, change, **which):
        changed = copy.deepcopy(self.rows)
        for row in rows.select(changed, **which):
            change(row)
        return " ".join(recovery.invariants(changed))

    def test_counters_of_several_clients_do_not_depend_on_their_order(self):
        runs = [measured("recovery", "small", "--quick", "--clients=3", "--system=WPL") for _ in range(2)]
        self.assertEqual(rows.counters(runs[0]), rows.counters(runs[1]))

    def test_each_invariant_can_fail(self):
        def put(counter, value):
            return lambda row: row.__setitem__(counter, value)

        self.assertIn("updates, not", self.broken(put("count", 7), system="WPL", traversal="T2A"))
        self.assertIn("have not grown", self.broken(put("sums_right", 0), system="SD-ESM"))
        self.assertIn("more copies than", self.broken(put("most_copied", 1 << 30), system="PD-ESM"))
        self.assertIn("a page is shipped", self.broken(put("data_pages", 1), system="PD-REDO"))
        self.assertIn("apply each record", self.broken(put("applied", 1), system="PD-REDO"))
        self.assertIn("no changed page is", self.broken(put("data_pages", 0), system="SL-ESM"))
        self.assertIn("log records are shipped", self.broken(put("log_pages", 1), system="WPL"))
        self.assertIn("has not each changed page",
                      self.broken(put("server_log_bytes", 1), system="WPL"))
        self.assertIn("no log record is", self.broken(put("log_pages", 0), system="PD-ESM"))
        self.assertIn("do not log the same bytes",
                      self.broken(put("client_log_bytes", 1), system="SD-ESM"))
        constrained = [dict(row, experiment="constrained", traversal="T2B", count=43740)
                       for row in rows.select(self.rows, clients=1, traversal="T2B")
                       if row["system"] != "SL-ESM"]
        self.assertEqual(recovery.invariants(self.rows + constrained), [])
        rows.select(constrained, system="SD-ESM")[0]["log_pages"] = 1 << 20
        self.assertIn("logs less than by blocks",
                      " ".join(recovery.invariants(self.rows + constrained)))
        tenure = {"experiment": "tenure", "system": "WPL", "traversal": "T2B", "clients": 3, "counts": [43740]}
        self.assertEqual(recovery.invariants([tenure]), [])
        self.assertIn("[43739] updates", recovery.invariants([{**tenure, "counts": [43739]}])[0])
        crash = {"experiment": "crash", "system": "WPL", "rounds": 2, "lost": 0, "unseen": 0, "wrong": 0}
        self.assertEqual(recovery.invariants([crash]), [])
        for what in ("lost", "unseen", "wrong"):
            self.assertIn(what, recovery.invariants([{**crash, what: 1}])[0])

    def test_the_simulation_is_bounded_by_its_slowest_queue(self):
        demand = recovery.Demand(client=1000, server=100, log_bytes=1000)
        # One client does one step after the other.
        self.assertAlmostEqual(recovery.simulate(demand, 1, 400, 500, True), 1e6 / 2000, delta=5)
        # Without groups each commit takes the log for 900 us; with them many share 400.
        self.assertAlmostEqual(recovery.simulate(demand, 16, 400, 500, False), 1e6 / 900, delta=20)
        self.assertGreater(recovery.simulate(demand, 16, 400, 500, True), 1.4e6 / 900)


class QuickStoreTest(unittest.TestCase):
    def rows(self):
        def row(system, operation, **more):
            return {"experiment": "operation", "system": system, "configuration": "small",
                    "operation": operation, "round": 0, "counts": [quickstore.COUNTS.get(operation, 7)],
                    "data_reads": 7, "spilled_reads": 3, "commit_reads": 1, "map_reads": 1, "read_faults": 9,
                    "pointers_patched": 0,
                    "map_entries": 0, **more}

        made = [row(system, operation) for system in quickstore.SYSTEMS for operation in ("T1", "Q1")]
        made += [{"experiment": "size", "system": system, "configuration": "small", "objects": 5,
                  "object_bytes": 50} for system in quickstore.SYSTEMS]
        made += [{"experiment": "export", "system": system, "stage": "made", "sum": "a"}
                 for system in ("QS", "C++")]
        made += [{"experiment": "oo1", "system": system, "layout": layout, "oo1": "lookup", "sums": [5]}
                 for system in ("QS", "SHORE", "C++") for layout in ("objects", "parts")]
        for system in ("QS-CR", "QS-OR", "QS-R"):
            for again in (0, 1) if system != "QS-R" else (0,):
                for x, pointers in ((0, 0), (50, 20), (100, 30)):
                    patched = 0 if system == "QS-OR" and again else pointers
                    made.append(row(system, "T1", experiment="relocation", x=x, again=again,
                                    pointers_patched=patched))
        return made

    def broken(self, change, **which):
        changed = self.rows()
        for row in rows.select(changed, **which):
            change(row)
        return " ".join(quickstore.invariants(changed))

    def test_each_invariant_can_fail(self):
        def put(name, value):
            return lambda row: row.__setitem__(name, value)

        self.assertEqual(quickstore.invariants(self.rows()), [])
        self.assertIn("not 43740", self.broken(put("counts", [43739]), system="E", operation="T1"))
        self.assertIn("count differently", self.broken(put("counts", [8]), system="E", operation="Q1"))
        self.assertIn("8 traps bring 9 pages", self.broken(put("read_faults", 8), system="QS-B"))
        self.assertIn("9 traps bring 10 pages", self.broken(put("commit_reads", 0), system="QS"))
        self.assertIn("not as large as those of E",
                      self.broken(put("object_bytes", 49), experiment="size", system="QS-B"))
        self.assertIn("do not export the same graph",
                      self.broken(put("sum", "b"), experiment="export", system="QS"))
        self.assertIn("do not grow", self.broken(put("pointers_patched", 10), system="QS-CR", x=100))
        self.assertIn("do not grow", self.broken(put("pointers_patched", 1), system="QS-CR", x=0))
        self.assertIn("QS-OR: a second run relocates again",
                      self.broken(put("pointers_patched", 1), system="QS-OR", again=1, x=50))
        self.assertIn("does not relocate the same",
                      self.broken(put("pointers_patched", 21), system="QS-CR", again=1, x=50))
        self.assertIn("count differently",
                      self.broken(put("map_reads", 2), system="QS-OR", again=0, x=0))
        self.assertIn("relative references", self.broken(put("map_entries", 3), system="QS-R"))
        self.assertIn("OO1 lookup: the systems meet different parts",
                      self.broken(put("sums", [7]), experiment="oo1", system="SHORE"))
        self.assertIn("relative references", self.broken(put("pointers_patched", 0), system="QS-R", x=100))

    def test_a_served_store_is_measured_and_a_second_run_counts_the_same(self):
        with tempfile.TemporaryDirectory(prefix="tenure-lab-") as folder:
            found = {}
            for system in quickstore.SYSTEMS.values():
                store = os.path.join(folder, system)
                self.assertEqual(lab("oo7", "create", system, store, "small").returncode, 0)
                text = lab("oo7", "export", system, store).stdout
                for turn in range(2):
                    with pm3.Served(store):
                        ran = lab("oo7", "measure", system, store, "Q3", "one")
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    found[system, turn] = quickstore._row("operation", system, "small", "Q3", 0, ran.stdout)
                self.assertEqual(rows.counters([found[system, 0]]), rows.counters([found[system, 1]]))
                found[system] = text
            self.assertEqual(found["qs"], found["e"])
            self.assertEqual(found["qs"], found["qs-b"])
            self.assertEqual(found["qs"], lab("oo7", "export", "plain", "small").stdout)

    def test_traps_and_checks_cost_something(self):
        found = measured("costs", "--quick")
        self.assertTrue(rows.select(found, experiment="traps", system="signal and mmap"))
        self.assertEqual({row["misses"] for row in rows.select(found, experiment="checks")}, {0})


class VerdictTest(unittest.TestCase):
    def verdict(self, left, right, low, high):
        return claims.of_ratio("", "", "", "", fits.Samples(left), fits.Samples(right), low,
                               high).verdict

    def test_a_rule_makes_the_verdict(self):
        self.assertEqual(self.verdict([2.0, 2.0], [1.0, 1.0], 1.5, 2.5), claims.HOLDS)
        self.assertEqual(self.verdict([3.0, 3.0], [1.0, 1.0], 1.5, 2.5), claims.FAILS)
        # The runs differ by more than the distance to the bound.
        self.assertEqual(self.verdict([2.0, 3.0], [1.0, 1.0], 1.5, 2.5), claims.UNTOLD)
        self.assertEqual(self.verdict([2.0], [1.0], 1.5, 2.5), claims.UNTOLD)

    def test_a_line_is_fitted_and_a_bad_fit_is_seen(self):
        good = fits.line([1, 2, 3, 4, 5, 6], [5, 7, 9, 11, 13, 15])
        self.assertAlmostEqual(good.constants[0], 3)
        self.assertAlmostEqual(good.constants[1], 2)
        self.assertAlmostEqual(good.r2, 1)
        self.assertAlmostEqual(good.held_out_error, 0)
        self.assertLess(fits.line([1, 2, 3, 4, 5, 6], [9, 1, 8, 2, 9, 1]).r2, 0.5)


class CommandLineTest(unittest.TestCase):
    def test_help_and_mistakes(self):
        self.assertEqual(lab("--help").returncode, 0)
        for wrong, said in ((["moss"], "no paper"), (["object-faults", "hott"], "no experiment"),
                            (["object-faults", "--system=X"], "no system"),
                            (["object-faults", "--parts=7"], "--parts"), (["--fast"], "no option"),
                            (["recovery", "--system=X"], "no system"), (["recovery", "tiny"], "no experiment"),
                            (["recovery", "--clients=6"], "--clients"),
                            (["oo7", "measure", "shore", "x", "T11", "one"], "no operation"),
                            (["oo7", "make"], "oo7 takes"), (["oo7", "create", "x", "y", "small"], "no system"),
                            (["oo7", "create", "qs", "y", "huge"], "not a configuration"),
                            (["oo7", "measure", "qs", "x", "T5", "one"], "no operation"),
                            (["oo7", "measure", "shore", "x", "Q1", "one"], "no operation"),
                            (["oo7", "measure", "qs", "x", "T1", "one", "--pool=9"], "--pool"),
                            (["oo7", "measure", "qs", "x", "T1", "one", "--relocate=101"], "--relocate"),
                            (["oo7", "measure", "qs", "x", "T1", "one", "--fast"], "no option"),
                            (["oo1", "make"], "oo1 takes"), (["oo1", "create", "x", "parts", "y"], "no system"),
                            (["oo1", "create", "qs", "rows", "y"], "no layout"),
                            (["oo1", "measure", "qs", "parts", "y"], "takes 4 arguments"),
                            (["oo1", "measure", "qs", "parts", "y", "walk"], "no operation"),
                            (["oo1", "measure", "qs", "parts", "y", "lookup", "--pool=x"], "--pool"),
                            (["costs", "speed"], "no experiment")):
            ran = lab(*wrong)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(said, ran.stderr)


if __name__ == "__main__":
    unittest.main()
