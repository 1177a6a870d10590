"""The library's tests with names: the package tests/library, by `tenure test`, in each way of compiling."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class LibraryTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-library-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.package = os.path.join(self.directory, "library")
        shutil.copytree(os.path.join(ROOT, "tests", "library"), self.package)
        # Golden programs roll these dice, too.
        for name in ("Dice.i3", "Dice.m3"):
            shutil.copy(os.path.join(ROOT, "tests", "golden", "lib", name), self.package)

    def passes(self, *options: str) -> None:
        ran = subprocess.run([TENURE, "test", self.package, "-j", "2", *options], text=True, timeout=500,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        count = re.search(r"^(\d+) passed, 0 failed", ran.stdout, re.MULTILINE)
        self.assertIsNotNone(count, ran.stdout)
        sources = os.path.join(self.package, "tests")
        written = 0
        for name in os.listdir(sources):
            with open(os.path.join(sources, name), encoding="latin-1") as file:
                written += len(re.findall(r"^PROCEDURE Test[A-Z]\w*\(", file.read(), re.MULTILINE))
        self.assertEqual(int(count.group(1)), written, "each test is run")

    def test_optimised(self):
        self.passes("-O2")

    def test_not_optimised_with_a_collector_that_moves_all_objects(self):
        self.passes("-O0", "--stress")


if __name__ == "__main__":
    unittest.main()
