"""A program that is built with another collector runs, and says clearly that it has no database."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

PROGRAM = """MODULE Main;
IMPORT Database, IO, RTCollector;
VAR ref := NEW(REF ARRAY OF INTEGER, 1000);
BEGIN
  ref[999] := 7;
  RTCollector.Collect();
  IO.PutInt(ref[999]);
  IO.Put("\\n");
  TRY
    Database.Create("store");
    EVAL Database.Open("store");
    IO.Put("opened\\n");
  EXCEPT
  | Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen =>
    IO.Put("other\\n");
  END;
END Main.
"""


class OtherCollectorTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        with open(os.path.join(self.directory.name, "Main.m3"), "w") as file:
            file.write(PROGRAM)

    def build(self, *options):
        return subprocess.run([TENURE, "build", self.directory.name, "-w", "-o", "program",
                               *options], cwd=self.directory.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_program(self, *flags):
        return subprocess.run(["./program", *flags], cwd=self.directory.name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_boehm(self):
        self.assertEqual(self.build("--gc=boehm").returncode, 0)
        ran = self.run_program("@M3gcstats=json")
        self.assertEqual(ran.stdout, "7\n")
        self.assertEqual(ran.returncode, 4)
        self.assertIn("a program that is built with --gc=boehm has no databases", ran.stderr)
        self.assertEqual(os.listdir(self.directory.name).count("store"), 0)

    def test_the_default_is_ours(self):
        self.assertEqual(self.build("--gc=tenure").returncode, 0)
        self.assertEqual(self.run_program().stdout, "7\nopened\n")

    def test_an_unknown_one_is_refused(self):
        built = self.build("--gc=copying")
        self.assertEqual(built.returncode, 2)
        self.assertIn("is none of tenure and boehm", built.stdout)


if __name__ == "__main__":
    unittest.main()
