"""The programs of bench/kernels have twins that print the same, and what bench/kernels computes is right."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from bench.kernels import measure  # noqa: E402
from bench.kernels.measure import Figures  # noqa: E402


def figures(**least):
    return {who: Figures([2 * s, s], 10, 20, 1) for who, s in least.items()}


class KernelsTest(unittest.TestCase):
    def test_every_program_has_twins_in_cpp_and_go(self):
        for kernel in measure.KERNELS:
            package = kernel.package or kernel.name
            self.assertTrue(os.path.exists(os.path.join(measure.SOURCES, package, "Main.m3")), kernel.name)
            for suffix in (".cc", ".go"):
                self.assertTrue(any(os.path.exists(os.path.join(measure.SOURCES, name + suffix))
                                    for name in (kernel.twins or kernel.name, package)), kernel.name + suffix)

    def test_every_folder_is_measured(self):
        folders = {name for name in os.listdir(measure.SOURCES)
                   if os.path.exists(os.path.join(measure.SOURCES, name, "Main.m3"))}
        self.assertEqual(folders, {kernel.package or kernel.name for kernel in measure.KERNELS})

    def test_the_ratio_is_to_the_faster_cpp_compiler(self):
        one = figures(Tenure=3.0, **{"g++": 2.0, "clang": 1.5, "Go": 6.0})
        self.assertEqual(measure.ratio(one, "C++"), 2.0)
        self.assertEqual(measure.ratio(one, "Go"), 0.5)
        self.assertIsNone(measure.ratio(one, "Java"))

    def test_the_mean_of_ratios_is_geometric(self):
        self.assertAlmostEqual(measure.geometric_mean([0.5, 2.0]), 1.0)
        self.assertIn("geometric mean 1.00 of 2 programs, at most 2.00 (b)", measure.summary(
            {"a": figures(Tenure=1.0, clang=2.0), "b": figures(Tenure=2.0, clang=1.0)}))

    def test_the_inputs_are_the_same_each_time(self):
        self.assertEqual(measure.words_file(), measure.words_file())
        self.assertGreater(len(measure.objects_file()), 1000000)

    @unittest.skipUnless(shutil.which("g++") or shutil.which("g++-12"), "needs a C++ compiler")
    def test_a_program_and_its_twins_are_measured(self):
        ran = subprocess.run([sys.executable, os.path.join(ROOT, "bench", "run.py"), "kernels", "sieve", "--quick"],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, "TENURE_BUILD_DIR": BUILD})
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("times C++: geometric mean", ran.stdout)

    def test_programs_that_print_different_things_end_the_benchmark(self):
        kernel = next(one for one in measure.KERNELS if one.name == "sieve")
        programs = measure.programs
        with tempfile.TemporaryDirectory() as directory:
            measure.programs = lambda *_: {who: measure.Program(["echo", who], 0, 0) for who in ("Tenure", "g++")}
            try:
                with self.assertRaisesRegex(SystemExit, "do not print the same"):
                    measure.measure(kernel, directory, directory, 1, True)
            finally:
                measure.programs = programs


if __name__ == "__main__":
    unittest.main()
