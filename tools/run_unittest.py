#!/usr/bin/env python3
"""Runs the tests of one Python file and writes the verdicts as JSON.

  run_unittest.py FILE RESULTS [NAME ...]     only tests whose names contain one of NAME

RESULTS becomes {"passed": [name ...], "failures": [[name, text] ...], "skipped": [name ...],
"times": [[name, seconds] ...]}, where a name is `Class.method`. RESULTS is written when all tests have ended, so the file is missing if
the process ended before. Status 1 if a test failed.
"""

import importlib.util
import json
import os
import sys
import time
import unittest
from typing import Iterator, List, Tuple


def name_of(test) -> str:
    """`Class.method`; for a failed fixture, unittest's name of it."""
    parts = test.id().split(".")
    return ".".join(parts[-2:]) if isinstance(test, unittest.TestCase) else test.id()


class Verdicts(unittest.TextTestResult):
    """Prints unittest's output, and collects the names with their verdicts."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed: List[str] = []
        self.times: List[Tuple[str, float]] = []
        self.started = 0.0

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.times.append((name_of(test), time.monotonic() - self.started))

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed.append(name_of(test))

    def as_json(self) -> dict:
        failures = [[name_of(getattr(test, "test_case", test)), text]
                    for test, text in self.errors + self.failures]
        failures += [[name_of(test), "passed, though it is marked as failing"]
                     for test in self.unexpectedSuccesses]
        return {"passed": self.passed + [name_of(test) for test, _ in self.expectedFailures],
                "failures": failures, "skipped": [name_of(test) for test, _ in self.skipped],
                "times": self.times}


def load(path: str) -> unittest.TestSuite:
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def tests_in(suite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_in(test)
        else:
            yield test


def main() -> int:
    path, results, *names = sys.argv[1:]
    sys.argv = [path]
    suite = load(path)
    if names:
        suite = unittest.TestSuite(test for test in tests_in(suite)
                                   if any(name in name_of(test) for name in names))
    verdicts = unittest.TextTestRunner(verbosity=2, resultclass=Verdicts).run(suite)
    with open(results, "w", encoding="utf-8") as file:
        json.dump(verdicts.as_json(), file)
    return 0 if verdicts.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
