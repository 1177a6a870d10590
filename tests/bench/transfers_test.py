"""The transfer program keeps all money and tells of all transfers, alone and through the page
server; and what bench/transfers computes from the programs' lines is right."""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from program_test_case import ROOT, ProgramTestCase  # noqa: E402

sys.path.insert(0, ROOT)

from bench.support import servers  # noqa: E402
from bench.support.lines import parts_of  # noqa: E402
from bench.transfers import goals, measure  # noqa: E402

ACCOUNTS = 1000


class TransfersTest(ProgramTestCase):
    package = "transfers"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="transfers-test-")
        self.addCleanup(self.folder.cleanup)
        self.store = os.path.join(self.folder.name, "store")
        self.draws = os.path.join(self.folder.name, "draws")
        with open(self.draws, "wb") as file:
            measure.draws("zipf", ACCOUNTS, 500).tofile(file)

    def make(self):
        ran = self.run_program("create", self.store, str(ACCOUNTS))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def run_at_once(self, programs, threads):
        """The reports of the programs."""
        command = [self.program, "run", self.store, self.draws, str(threads)]
        running = [measure.Started([*command, str(number * threads), "0.05", "0.3"], {})
                   for number in range(programs)]
        for program in running:
            program.begin()
        reports = [measure.report_of(parts_of(program.read_until("end"))) for program in running]
        for program in running:
            program.close()
        return reports

    def check_sum(self, reports):
        ran = self.run_program("sum", self.store)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        measure.check_sum("Tenure", ACCOUNTS, sum(report.all for report in reports), ran.stdout)

    def test_all_transfers_of_threads_are_in_the_store(self):
        self.make()
        report, = self.run_at_once(1, 4)
        self.assertGreaterEqual(report.all, report.counted)
        self.assertEqual(sum(report.latencies.values()), report.counted)
        self.assertEqual(report.counters["commits"], report.all)
        self.check_sum([report])

    def test_all_transfers_of_served_programs_are_in_the_store(self):
        self.make()
        server = servers.TenureServer(self.store)
        reports = self.run_at_once(3, 1)
        server.end()
        self.check_sum(reports)

    def test_errors(self):
        for arguments, status, message in (
                (("sum", self.store), 1, "there is no database at"), ((), 2, "wrong usage"),
                (("create", self.store, "many"), 2, "an argument is not a number"),
                (("create", self.store), 2, "wrong usage")):
            ran = self.run_program(*arguments)
            self.assertEqual(ran.returncode, status, arguments)
            self.assertIn(message, ran.stderr)

    def test_a_run_without_draws_says_so(self):
        self.make()
        ran = self.run_program("run", self.store, os.path.join(self.folder.name, "none"), "1", "0",
                               "0", "0.1")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("cannot be read", ran.stderr)


class DrawsTest(unittest.TestCase):
    def test_both_accounts_of_a_pair_differ_and_exist(self):
        for distribution in measure.DISTRIBUTIONS:
            drawn = measure.draws(distribution, 10, 2000)
            self.assertEqual(len(drawn), 4000)
            self.assertEqual(drawn.itemsize, 4)
            self.assertTrue(all(0 <= number < 10 for number in drawn))
            self.assertTrue(all(drawn[i] != drawn[i + 1] for i in range(0, len(drawn), 2)))

    def test_zipf_draws_the_first_rank_as_often_as_the_law_says(self):
        drawn = measure.draws("zipf", 1000, 20000)
        payers = Counter(drawn[::2]).most_common(2)
        all_weights = sum(1 / rank ** measure.ZIPF_EXPONENT for rank in range(1, 1001))
        self.assertAlmostEqual(payers[0][1] / 20000, 1 / all_weights, delta=0.02)
        self.assertAlmostEqual(payers[0][1] / payers[1][1], 2 ** 1.5, delta=0.3)

    def test_uniform_draws_prefer_nobody(self):
        times = Counter(measure.draws("uniform", 10, 20000))
        self.assertLess(max(times.values()) / min(times.values()), 1.1)


class FiguresTest(unittest.TestCase):
    def report(self, transfers, latencies):
        return measure.Report(transfers, sum(latencies.values()), 1, 0.5, latencies,
                              {"write_faults": 2 * transfers})

    def test_buckets_are_within_one_percent(self):
        # As cpp/driver.h and bank/Driver.m3 compute the bucket.
        def bucket_of(nanoseconds):
            shift = 0
            while nanoseconds >= 128:
                nanoseconds >>= 1
                shift += 1
            return shift * 64 + nanoseconds

        before = -1
        for nanoseconds in [*range(1000), 12345, 999_999, 5_000_000_000]:
            bucket = bucket_of(nanoseconds)
            self.assertGreaterEqual(bucket, before)
            self.assertAlmostEqual(measure.bucket_ns(bucket), nanoseconds,
                                   delta=0.01 * nanoseconds)
            before = bucket

    def test_quantiles_count_transfers_not_buckets(self):
        latencies = {10: 98, 100: 1, 120: 1}
        self.assertEqual(measure.quantile_ns(latencies, 0.5), 10)
        self.assertEqual(measure.quantile_ns(latencies, 0.99), 100)
        self.assertEqual(measure.quantile_ns(latencies, 1), 120)

    def test_programs_are_added_up(self):
        figures = measure.figures_of([self.report(150, {10: 100}), self.report(50, {20: 300})],
                                     seconds=2.0, syncs=50, server_cpu_s=1.0)
        self.assertEqual(figures.per_s, 200)
        self.assertEqual(figures.syncs, 0.25)
        self.assertEqual(figures.processor_us, 10000)
        self.assertEqual(figures.aborted, 0.01)
        self.assertEqual(figures.traps, 2)
        self.assertEqual(figures.p50_us, 0.02)

    def test_a_missing_transfer_or_coin_ends_the_run(self):
        good = "sum accounts 10 balance 10000000 transfers 8\n"
        measure.check_sum("X", 10, 4, good)
        for bad in (good.replace("8", "7"), good.replace("10000000", "9999999"),
                    good.replace("accounts 10", "accounts 9"), ""):
            with self.assertRaises(SystemExit):
                measure.check_sum("X", 10, 4, bad)


class ServersTest(unittest.TestCase):
    def test_processor_time_of_children_counts_while_they_run_and_afterwards(self):
        busy = "import sys, time\nwhile time.process_time() < 0.2: pass\n"
        script = (f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {busy!r}])\n"
                  "print('ended', flush=True)\nsys.stdin.read()\n")
        child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        seen = servers.tree_cpu_s(child.pid)
        deadline = time.monotonic() + 60
        while seen < 0.1 and time.monotonic() < deadline:
            time.sleep(0.01)
            seen = servers.tree_cpu_s(child.pid)
        self.assertGreaterEqual(seen, 0.1)
        self.assertEqual(child.stdout.readline(), "ended\n")
        self.assertGreaterEqual(servers.tree_cpu_s(child.pid), 0.19)
        child.communicate("")


class GoalsTest(unittest.TestCase):
    def results(self, rates):
        return {"rows": {row.name: {distribution: {"per_s": [rate], "processor_us": [10.0]}
                                    for distribution, rate in of.items()}
                         for row, of in rates.items()}}

    def found(self, rates):
        return {goal.about: goal for goal in goals.goals(self.results(rates))}

    def test_ratios_and_verdicts(self):
        found = self.found({
            measure.row(measure.ROCKSDB, 64): {"uniform": 1000, "zipf": 100},
            measure.row(measure.TRAP, 64): {"uniform": 2100, "zipf": 1900},
            measure.row(measure.TRAP, 1): {"uniform": 6000},
            measure.row(measure.SERVED, 1): {"uniform": 100},
            measure.row(measure.SERVED, 1, 16): {"uniform": 600}})
        for about, value, met in (
                ("Tenure, 64 threads, times RocksDB with 64 threads", "2.10", True),
                ("Tenure, 64 threads, by Zipf's law, times uniformly", "0.90", False),
                ("Tenure, served, 16 programs, times one", "6.00", True),
                ("Tenure, 1 thread, transfers a second", "6000", False),
                ("Tenure, tickets, 4 threads, times RocksDB with 64 threads", "not measured", None)):
            self.assertEqual((found[about].found, found[about].met), (value, met), about)

    def test_tickets_have_their_goal_with_the_faster_barriers(self):
        found = self.found({
            measure.row(measure.ROCKSDB, 64): {"uniform": 1000},
            measure.row(measure.TICKETS, 4): {"uniform": 3000},
            measure.row(measure.SOFTWARE_TICKETS, 4): {"uniform": 7000}})
        tickets = "times RocksDB with 64 threads"
        self.assertIsNone(found[f"Tenure, tickets, 4 threads, {tickets}"].met)
        self.assertTrue(found[f"Tenure, software barriers, tickets, 4 threads, {tickets}"].met)


if __name__ == "__main__":
    unittest.main()
