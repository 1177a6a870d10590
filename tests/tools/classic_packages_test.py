"""Packages in the style of the classic compilers: tests/packages/SET holds packages that import
each other. The program of the package named here must print the text in SET/expected."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
PACKAGES = os.path.join(ROOT, "tests", "packages")


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class ClassicPackagesTest(unittest.TestCase):
    def check(self, packages: str, program: str, *others: str) -> None:
        with tempfile.TemporaryDirectory(prefix="tenure-classic-") as directory:
            tree = os.path.join(directory, packages)
            shutil.copytree(os.path.join(PACKAGES, packages), tree)
            ran = subprocess.run([TENURE, "run", "-w", program], cwd=tree, text=True, timeout=300,
                                 encoding="latin-1", stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
            with open(os.path.join(tree, "expected"), encoding="latin-1") as file:
                self.assertEqual(ran.stdout, file.read())
            for other in others:
                self.assertTrue(os.path.exists(os.path.join(tree, program, ".tenure/bin", other)))

    def test_graphs_from_generics_and_templates(self):
        self.check("graph", "tools", "tool1", "tool2")

    def test_trees_with_views_by_partial_revelations(self):
        self.check("trees", "astclient")

    def test_headers_of_networks_and_companions_in_c(self):
        self.check("headers", "headers")

    def test_streams_threads_files_and_tables(self):
        self.check("streams", "streams")

    def test_numbers_from_generics_of_generics(self):
        self.check("numbers", "mathx")

    def test_timers_and_corners_of_the_language(self):
        self.check("timers", "timers")

    def test_tables_made_by_a_tool_of_another_package(self):
        self.check("grammars", "grammar")

    def test_units_generated_by_the_commands_of_cm3s_builder(self):
        self.check("builder", "uses")

    def test_pragmas_of_every_kind(self):
        self.check("pragmas", "pragmas")


if __name__ == "__main__":
    unittest.main()
