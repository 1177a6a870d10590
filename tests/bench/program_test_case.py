"""The common part of tests of the benchmarks' programs: building and running
a program."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))


class ProgramTestCase(unittest.TestCase):
    package = ""  # the folder in bench/

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix=cls.package + "-")
        cls.program = os.path.join(cls.directory.name, cls.package)
        source = os.path.join(ROOT, "bench", cls.package, "tenure")
        built = subprocess.run(
            [os.path.join(BUILD, "bin", "tenure"), "build", source, "-O2", "-o", cls.program],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert built.returncode == 0, built.stdout

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def run_program(self, *arguments, flags=()):
        environment = dict(os.environ, TENURE_OPTIONS=" ".join(flags))
        return subprocess.run([self.program, *arguments], cwd=self.directory.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                              env=environment)
