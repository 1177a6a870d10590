"""Simulated failures exist only in programs and tools that were built with them."""

import os
import subprocess
import tempfile
import unittest

from programs import BUILD, OPEN_OR_CREATE, TENURE, TOOL_WITH_FAULTS, build_program

PROGRAM = r"""
MODULE Main;
IMPORT Database, IO, Params;
<*FATAL ANY*>
""" + OPEN_OR_CREATE + r"""
BEGIN
  Open(Params.Get(1)).close();
  IO.Put("opened\n");
END Main.
"""


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="tenure-faults-")
        self.addCleanup(self.directory.cleanup)
        self.store = os.path.join(self.directory.name, "store")

    def ran(self, *command):
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=60, check=False)
        return ran.returncode, ran.stdout

    def test_programs(self):
        program = build_program(self.directory.name, PROGRAM)
        self.assertNotIn("dbfail", self.ran(program, "@M3help")[1])
        status, said = self.ran(program, self.store, "@M3dbfail=crash:1")
        self.assertNotEqual(status, 77, said)
        program = build_program(self.directory.name, PROGRAM, "--faults")
        self.assertIn("crash-half-synced: ", self.ran(program, "@M3help")[1])
        self.assertEqual(self.ran(program, self.store + "-2", "@M3dbfail=crash:1")[0], 77)
        self.assertEqual(self.ran(program, self.store + "-2")[1], "opened\n")

    def test_tools(self):
        program = build_program(self.directory.name, PROGRAM)
        self.assertEqual(self.ran(program, self.store)[1], "opened\n")
        gc = ["gc", self.store, "@M3dbfail=crash:1"]
        self.assertEqual(self.ran(TENURE, "db", *gc)[0], 2)
        self.assertEqual(self.ran(TOOL_WITH_FAULTS, *gc)[0], 77)
        status, said = self.ran(TENURE, "serve", self.store, "--fail", "crash:1")
        self.assertEqual(status, 2)
        self.assertIn("--fail", said)
        self.assertNotIn("--fail", self.ran(TENURE, "serve", "--help")[1])
        self.assertEqual(self.ran(TOOL_WITH_FAULTS, "serve", self.store, "--fail", "crash:1")[0], 77)

    def test_what_programs_are_linked_from(self):
        """Only the folder of faults has the code."""
        def names(archive):
            return subprocess.run(["nm", "-C", os.path.join(BUILD, "lib", archive)], check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        for name in ("FailingPageServer", "SetIoFault", "ParseFailPoint"):
            self.assertNotIn(name, names("libtenure_runtime.a"))
            self.assertIn(name, names("libstore_faults.a"))


if __name__ == "__main__":
    unittest.main()
