"""Databases that a program cannot use: a clear message, a non-zero status, and no harm done."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))

# Makes a list of 500 cells, or adds them up if there is one.
PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IO, Process, Transaction;
<*FATAL ANY*>
TYPE
  Cell = REF RECORD %s END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  cell: Cell;  sum := 0;
BEGIN
  TRY
    db := Database.Open("store");
  EXCEPT
  | Database.DatabaseNotFound => Database.Create("store"); db := Database.Open("store");
  | Database.Failure (why) => IO.Put("Failure: " & why & "\\n"); Process.Exit(1);
  END;
  tr.begin();
  cell := db.getRoot();
  IF cell = NIL THEN
    FOR i := 1 TO 500 DO cell := NEW(Cell, number := i, next := cell) END;
    db.setRoot(cell);
  END;
  WHILE cell # NIL DO INC(sum, cell.number); cell := cell.next END;
  tr.commit();
  IO.Put(Fmt.Int(sum) & "\\n");
END Main.
"""

SUM = "125250\n"


class BadDatabaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="bad-database-")
        cls.good = cls.build("good", "number: INTEGER; next: Cell")
        cls.other = cls.build("other", "next: Cell; number: INTEGER")

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def build(cls, name, fields):
        package = os.path.join(cls.directory.name, "package-" + name)
        os.mkdir(package)
        with open(os.path.join(package, "Main.m3"), "w", encoding="utf-8") as file:
            file.write(PROGRAM % fields)
        program = os.path.join(cls.directory.name, name)
        built = subprocess.run([os.path.join(BUILD, "bin", "tenure"), "build", package, "-o",
                                program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
        assert built.returncode == 0, built.stdout
        return program

    def setUp(self):
        self.here = tempfile.TemporaryDirectory(prefix="bad-database-run-")
        self.addCleanup(self.here.cleanup)

    def run_program(self, program, *flags):
        return subprocess.run([program, *flags], cwd=self.here.name, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def expect_sum(self, *flags):
        ran = self.run_program(self.good, *flags)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, SUM, ""))

    def path(self, *names):
        return os.path.join(self.here.name, "store", *names)

    def test_other_layout(self):
        self.expect_sum()
        for flags in ([], ["@M3faults=mprotect"]):
            ran = self.run_program(self.other, *flags)
            self.assertEqual(ran.returncode, 4, ran.stderr)
            self.assertIn("Database.TypeMismatch", ran.stderr)
            self.assertIn("Cell", ran.stderr)
            self.assertEqual(ran.stdout, "")
        self.expect_sum()

    def test_unknown_format_version(self):
        self.expect_sum()
        with open(self.path("FORMAT"), "rb") as file:
            text = file.read()
        with open(self.path("FORMAT"), "wb") as file:
            file.write(b"not a store at all\n")
        ran = self.run_program(self.good)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("FORMAT", ran.stdout)
        with open(self.path("FORMAT"), "wb") as file:
            file.write(text)
        self.expect_sum()

    def test_flipped_bytes(self):
        """Wherever a byte of the database's file is flipped: the right sum, or a message."""
        self.expect_sum()
        shutil.copytree(self.path(), self.path() + ".good")
        files = [name for name in os.listdir(self.path()) if name.endswith(".db")]
        self.assertTrue(files, os.listdir(self.path()))
        complaints = 0
        for name in files:
            size = os.path.getsize(self.path(name))
            for position in range(100, size, max(size // 12, 1)):
                shutil.rmtree(self.path())
                shutil.copytree(self.path() + ".good", self.path())
                with open(self.path(name), "r+b") as file:
                    file.seek(position)
                    byte = file.read(1)[0]
                    file.seek(position)
                    file.write(bytes([byte ^ 0x41]))
                ran = self.run_program(self.good)
                where = f"{name} at {position}: {ran.stdout}{ran.stderr}"
                if ran.returncode == 0:
                    self.assertEqual(ran.stdout, SUM, where)
                else:
                    self.assertIn(ran.returncode, (1, 4), where)
                    self.assertRegex(ran.stdout + ran.stderr, r"Failure", where)
                    complaints += 1
        self.assertGreater(complaints, 0)

    def test_two_processes(self):
        self.expect_sum()
        holder = subprocess.Popen(["flock", "--no-fork", self.path("LOCK"), "sleep", "60"])
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        for _ in range(100):
            ran = self.run_program(self.good)
            if ran.returncode != 0:
                break
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertRegex(ran.stdout, "Failure: .*(held by|in use)")


if __name__ == "__main__":
    unittest.main()
