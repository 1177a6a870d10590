import unittest

from run_tests import read_gtest_output, read_unittest_output

kOutput = """\
[ RUN      ] HeapTest.Grows
[       OK ] HeapTest.Grows (0 ms)
[ RUN      ] HeapTest.Shrinks
heap_test.cc:7: Failure
[  FAILED  ] HeapTest.Shrinks (1 ms)
[ RUN      ] HeapTest.Faults
[  SKIPPED ] HeapTest.Faults (0 ms)
[  FAILED  ] HeapTest.Shrinks
"""


class GtestOutputTest(unittest.TestCase):
    def test_counts_each_test_once(self):
        passed, failures, skipped = read_gtest_output(kOutput, 1)
        self.assertEqual(passed, 1)
        self.assertEqual([name for name, _ in failures], ["HeapTest.Shrinks"])
        self.assertIn("heap_test.cc:7", failures[0][1])
        self.assertEqual(skipped, ["HeapTest.Faults"])

    def test_a_test_that_never_ended_failed(self):
        _, failures, _ = read_gtest_output("[ RUN      ] HeapTest.Grows\nstack smashed\n", -6)
        self.assertEqual(failures[0][0], "HeapTest.Grows")
        self.assertIn("signal 6", failures[0][1])

    def test_parameterized_names(self):
        passed, failures, _ = read_gtest_output(
            "[ RUN      ] A/B.C/0\n[  FAILED  ] A/B.C/0, where GetParam() = 7 (0 ms)\n"
            "[ RUN      ] A/B.C/1\n[       OK ] A/B.C/1 (0 ms)\n", 1)
        self.assertEqual((passed, [name for name, _ in failures]), (1, ["A/B.C/0"]))

    def test_bad_status_without_a_failed_test_is_a_failure(self):
        passed, failures, _ = read_gtest_output(
            "[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n", -11)
        self.assertEqual((passed, len(failures)), (1, 1))

    def test_what_a_sanitizer_found_while_tests_passed_is_shown(self):
        report = ("WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 8\n"
                  "SUMMARY: ThreadSanitizer: data race heap.cc:7 in Grow\n")
        _, failures, _ = read_gtest_output(
            "[ RUN      ] A.B\n" + report + report + "[       OK ] A.B (0 ms)\n" + 60 * "bye\n", 66)
        self.assertEqual(len(failures), 1)
        self.assertIn("Write of size 8", failures[0][1])
        self.assertEqual(failures[0][1].count("SUMMARY"), 1)

    def test_what_a_unit_test_prints_hides_no_verdict(self):
        passed, failures, skipped = read_unittest_output(
            "test_a (a.B.test_a) ... seed 7\nkills survived\nok\n"
            "test_b (a.B.test_b) ... FAIL\ntest_c (a.B.test_c)\nIts words. ... skipped 'long'\n"
            "test_d (a.B.test_d) ... skipped 'long'\n"
            "FAIL: test_b (a.B.test_b)\nTraceback\n"
            "Ran 4 tests in 0.1s\nFAILED (failures=1, skipped=2)\n", 1)
        self.assertEqual((passed, [name for name, _ in failures]), (1, ["test_b"]))
        self.assertEqual(skipped, ["Its words.", "test_d"])


if __name__ == "__main__":
    unittest.main()
