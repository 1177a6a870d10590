"""Threads that together do everything that is hard for a collector (program/Main.m3): ten
seconds, or ten minutes with TENURE_LONG=1."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
SECONDS = 600 if os.environ.get("TENURE_LONG") else 10


class TortureTest(unittest.TestCase):
    def run_torture(self, seconds: int, *flags: str) -> None:
        with tempfile.TemporaryDirectory() as directory:
            program = os.path.join(directory, "torture")
            built = subprocess.run(
                [os.path.join(ROOT, BUILD, "bin", "tenure"), "build",
                 os.path.join(ROOT, "tests", "torture", "program"), "-w", "-o", program],
                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(built.returncode, 0, built.stdout)
            ran = subprocess.run([program, str(seconds), *flags], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 timeout=3 * seconds + 60)
            self.assertEqual((ran.returncode, ran.stdout), (0, "whole\n"), ran.stderr[-4000:])

    def test_every_collection_is_verified(self):
        self.run_torture(SECONDS // 2, "@M3paranoidgc", "@M3nursery=1M")

    def test_with_little_room(self):
        self.run_torture(SECONDS // 4, "@M3maxheap=24M", "@M3paranoidgc")

    def test_whole_heaps_by_several_threads(self):
        self.run_torture(SECONDS // 4, "@M3nogenerational", "@M3paranoidgc", "@M3gcthreads=3")

    def test_as_it_is(self):
        self.run_torture(SECONDS // 4)


if __name__ == "__main__":
    unittest.main()
