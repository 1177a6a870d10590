"""The costs of the library's containers, texts and streams, counted: the package tests/growth, by `tenure test
--coverage`, whose counters its tests read (tests/growth/Cost.i3). The compiler puts no counters into units of the
library, so the package gets copies of them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
PACKAGE = os.path.join(ROOT, "tests", "growth")
COUNTED = ("data", "data/instances", "text", "io", "pickle", "geometry")  # in stdlib
ONCE = ("TextClass.i3", "TextClass.m3")  # what they reveal may not be revealed again


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class GrowthTest(unittest.TestCase):
    def test_no_operation_costs_more_than_its_bound(self):
        written = 0
        for name in os.listdir(os.path.join(PACKAGE, "tests")):
            with open(os.path.join(PACKAGE, "tests", name), encoding="latin-1") as file:
                written += len(re.findall(r"^PROCEDURE Test[A-Z]\w*\(", file.read(), re.MULTILINE))
        with tempfile.TemporaryDirectory(prefix="tenure-growth-") as directory:
            package = os.path.join(directory, "growth")
            shutil.copytree(PACKAGE, package)
            for folder in COUNTED:
                for name in os.listdir(os.path.join(ROOT, "stdlib", folder)):
                    if name.endswith((".i3", ".m3", ".ig", ".mg")) and name not in ONCE:
                        shutil.copy(os.path.join(ROOT, "stdlib", folder, name), package)
            ran = subprocess.run([TENURE, "test", package, "-w", "-v", "-O0", "-j", "2", f"--coverage={directory}/pages"],
                                 text=True, timeout=500, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
        costs = "".join(line + "\n" for line in ran.stdout.splitlines() if not line.startswith(("compile ", "g++ ")))
        if "-v" in sys.argv:
            print(costs)
        self.assertEqual(ran.returncode, 0, costs)
        self.assertIn(f"{written} passed, 0 failed", costs)


if __name__ == "__main__":
    unittest.main()
