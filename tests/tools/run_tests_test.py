import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

import check_format
import run_tests
from run_tests import read_gtest_results, read_test_list, read_unittest_results


def gtest(name: str, failures=(), **more) -> dict:
    test = {"name": name, "status": "RUN", "result": "COMPLETED", **more}
    if failures:
        test["failures"] = [{"failure": text, "type": ""} for text in failures]
    return test


def gtests(suite: str, *tests: dict) -> dict:
    return {"testsuites": [{"name": suite, "testsuite": list(tests)}]}


class GtestResultsTest(unittest.TestCase):
    def test_counts_each_test_once(self):
        output = ("[ RUN      ] HeapTest.Grows\n[       OK ] HeapTest.Grows (0 ms)\n"
                  "[ RUN      ] HeapTest.Shrinks\na word of the test\nheap_test.cc:7: Failure\n"
                  "[  FAILED  ] HeapTest.Shrinks (1 ms)\n[  FAILED  ] HeapTest.Shrinks\n")
        passed, failures, skipped = read_gtest_results(
            gtests("HeapTest", gtest("Grows"), gtest("Shrinks", ["heap_test.cc:7"]),
                   gtest("Faults", result="SKIPPED"), gtest("Other", status="NOTRUN")), output, 1)
        self.assertEqual(passed, 1)
        self.assertEqual([name for name, _ in failures], ["HeapTest.Shrinks"])
        self.assertIn("heap_test.cc:7", failures[0][1])
        self.assertIn("a word of the test", failures[0][1])
        self.assertNotIn("Grows", failures[0][1])
        self.assertEqual(skipped, ["HeapTest.Faults"])

    def test_a_test_that_prints_verdicts_itself_changes_no_count(self):
        output = "[ RUN      ] A.B\n[       OK ] A.C (0 ms)\n[  FAILED  ] A.B\n[       OK ] A.B (0 ms)\n"
        self.assertEqual(read_gtest_results(gtests("A", gtest("B")), output, 0), (1, [], []))

    def test_a_test_that_never_ended_failed(self):
        _, failures, _ = read_gtest_results(None, "[ RUN      ] HeapTest.Grows\nstack smashed\n", -6)
        self.assertEqual(failures[0][0], "HeapTest.Grows")
        self.assertIn("signal 6", failures[0][1])
        self.assertIn("stack smashed", failures[0][1])

    def test_a_program_that_ends_before_its_first_test_failed(self):
        passed, failures, _ = read_gtest_results(None, "no such library\n", 127)
        self.assertEqual((passed, len(failures)), (0, 1))
        self.assertIn("no such library", failures[0][1])

    def test_bad_status_without_a_failed_test_is_a_failure(self):
        passed, failures, _ = read_gtest_results(gtests("A", gtest("B")), "", -11)
        self.assertEqual((passed, len(failures)), (1, 1))

    def test_what_a_sanitizer_found_while_tests_passed_is_shown(self):
        report = ("WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 8\n"
                  "SUMMARY: ThreadSanitizer: data race heap.cc:7 in Grow\n")
        output = "[ RUN      ] A.B\n" + report + report + "[       OK ] A.B (0 ms)\n" + 60 * "bye\n"
        _, failures, _ = read_gtest_results(gtests("A", gtest("B")), output, 66)
        self.assertEqual(len(failures), 1)
        self.assertIn("Write of size 8", failures[0][1])
        self.assertEqual(failures[0][1].count("SUMMARY"), 1)

    def test_names_of_a_list_with_parameters(self):
        self.assertEqual(
            read_test_list("Running main()\nHeapTest.\n  Grows\n  Shrinks\nAll/CrashTest.\n"
                           "  Reopens/0  # GetParam() = 7\nTyped/0.  # TypeParam = int\n  Works\n"),
            ["HeapTest.Grows", "HeapTest.Shrinks", "All/CrashTest.Reopens/0", "Typed/0.Works"])


PYTHON_TESTS = '''import os
import unittest

class ThingTest(unittest.TestCase):
    def test_passes(self):
        print("FAIL: test_passes (")
    def test_fails(self):
        self.assertEqual(1, 2)
    @unittest.skip("no such thing")
    def test_skipped(self):
        pass
    def test_parts(self):
        for part in range(3):
            with self.subTest(part=part):
                self.assertEqual(part, 1)
'''


class UnittestTest(unittest.TestCase):
    def report(self, text: str, *names: str) -> run_tests.Report:
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "thing_test.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return run_tests.unittest_job(path, directory, 60.0, names)

    def test_verdicts(self):
        report = self.report(PYTHON_TESTS)
        self.assertEqual(report.passed, 1)
        self.assertEqual(sorted(name for name, _ in report.failures),
                         ["ThingTest.test_fails"] + 2 * ["ThingTest.test_parts"])
        self.assertEqual(report.skipped, ["ThingTest.test_skipped"])
        self.assertIn("1 != 2", dict(report.failures)["ThingTest.test_fails"])

    def test_some_only(self):
        report = self.report(PYTHON_TESTS, "test_passes", "test_skipped")
        self.assertEqual((report.passed, report.failures, report.skipped),
                         (1, [], ["ThingTest.test_skipped"]))

    def test_a_file_that_cannot_be_loaded_failed(self):
        report = self.report("import no_such_module\n")
        self.assertEqual((report.passed, len(report.failures)), (0, 1))
        self.assertIn("no_such_module", report.failures[0][1])

    def test_each_test_has_its_time(self):
        report = self.report("import time, unittest\n\nclass A(unittest.TestCase):\n    def test_quick(self):\n"
                             "        pass\n\n    def test_slow(self):\n        time.sleep(0.25)\n")
        times = dict(report.times)
        self.assertEqual(sorted(times), ["A.test_quick", "A.test_slow"])
        self.assertGreaterEqual(times["A.test_slow"], 0.25)
        self.assertLess(times["A.test_quick"], 0.25)

    def test_a_file_without_tests_failed(self):
        report = self.report("import unittest\n")
        self.assertEqual((report.passed, len(report.failures)), (0, 1))

    def test_a_process_that_ends_in_a_test_failed(self):
        report = self.report(PYTHON_TESTS.replace("self.assertEqual(1, 2)", "os._exit(0)"))
        self.assertEqual((report.passed, len(report.failures)), (0, 1))

    def test_a_class_that_cannot_be_set_up_failed(self):
        report = self.report(PYTHON_TESTS.replace(
            "    def test_passes", "    @classmethod\n    def setUpClass(cls):\n        1 / 0\n"
            "    def test_passes"))
        self.assertEqual((report.passed, len(report.failures)), (0, 1))
        self.assertIn("ZeroDivisionError", report.failures[0][1])

    def test_a_bad_status_without_a_failed_test_is_a_failure(self):
        results = {"passed": ["A.b"], "failures": [], "skipped": []}
        self.assertEqual(len(read_unittest_results(results, "", -11)[1]), 1)


# Acts as a program of GoogleTest with two tests, and runs the requested ones.
PROGRAM = '''#!/usr/bin/env python3
import fnmatch, json, sys
options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--gtest_list_tests" in sys.argv:
    print("HeapTest.\\n  Grows\\n  Shrinks")
    sys.exit()
patterns = options.get("--gtest_filter", "*").split(":")
names = [name for name in ("Grows", "Shrinks")
         if any(fnmatch.fnmatchcase("HeapTest." + name, pattern) for pattern in patterns)]
tests = [{"name": name, "status": "RUN", "result": "COMPLETED"} for name in names]
with open(options["--gtest_output"].split(":", 1)[1], "w") as file:
    json.dump({"testsuites": [{"name": "HeapTest", "testsuite": tests}]}, file)
'''


class FilterTest(unittest.TestCase):
    def run_some(self, *filters: str):
        """Whether there was a test, the printed text, and the totals."""
        with tempfile.TemporaryDirectory() as directory:
            os.mkdir(os.path.join(directory, "tests"))
            program = os.path.join(directory, "tests", "imagined_tests")
            with open(program, "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            os.chmod(program, 0o755)
            totals, output = run_tests.Totals(), io.StringIO()
            with contextlib.redirect_stdout(output):
                found = run_tests.run_some(directory, 1, totals, filters)
        return found, output.getvalue(), totals

    def test_tests_of_a_program_by_name(self):
        found, output, totals = self.run_some("HeapTest.Shrinks")
        self.assertTrue(found)
        self.assertEqual(output.split("\n")[0], "1 test matches HeapTest.Shrinks")
        self.assertEqual(totals.counts(), "1 passed, 0 failed")

    def test_all_tests_of_a_program(self):
        self.assertEqual(self.run_some("imagined_tests")[2].counts(), "2 passed, 0 failed")

    def test_one_method_of_a_python_test(self):
        found, output, totals = self.run_some("test_rows_of_the_section_only")
        self.assertEqual(output.split("\n")[0], "1 test matches test_rows_of_the_section_only")
        self.assertEqual(totals.counts(), "1 passed, 0 failed")

    def test_checks_of_the_sources_by_name(self):
        _, output, totals = self.run_some("check_layers")
        self.assertIn("\ncheck_layers: 1 passed, 0 failed", output)
        self.assertEqual(totals.failed, 0)

    def test_golden_files_by_name(self):
        chosen = run_tests.select("no-such-folder", 1, ["run/visits_while"])
        self.assertTrue(chosen.golden)
        self.assertEqual(chosen.count, len(run_tests.run_golden.find_tests(["run/visits_while"])))

    def test_a_filter_that_matches_nothing_is_told(self):
        found, output, totals = self.run_some("xyzzy-of-nobody")
        self.assertFalse(found)
        self.assertEqual(output, "no tests match xyzzy-of-nobody\n")
        self.assertEqual((totals.passed, totals.failed), (0, 0))


@unittest.skipUnless(check_format.is_installed(), "clang-format-19 is not installed")
class FormatTest(unittest.TestCase):
    def test_a_file_that_is_not_formatted_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            for name, text in (("good.cc", "int x = 1;\n"), ("bad.cc", "int   x=1 ;\n")):
                with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(check_format.badly_formatted(["bad.cc", "good.cc"], directory),
                             ["bad.cc"])

    def test_which_files_are_formatted(self):
        self.assertTrue(check_format.is_formatted("gc/heap.cc"))
        self.assertFalse(check_format.is_formatted("gc/README.md"))
        self.assertFalse(check_format.is_formatted("stdlib/c/Unix.h"))

    def test_without_the_formatter_the_check_is_skipped(self):
        with mock.patch.object(check_format, "is_installed", lambda: False):
            report = run_tests.format_job()
        self.assertEqual((report.passed, report.failures, len(report.skipped)), (0, [], 1))


if __name__ == "__main__":
    unittest.main()
