"""Databases that a program cannot use: a clear message, a non-zero status, and no harm done."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))

# Makes a list of 5000 cells, which take some pages of the file's tree; if the list exists, adds its
# cells up.
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
    FOR i := 1 TO 5000 DO cell := NEW(Cell, number := i, next := cell) END;
    db.setRoot(cell);
  END;
  WHILE cell # NIL DO INC(sum, cell.number); cell := cell.next END;
  tr.commit();
  IO.Put(Fmt.Int(sum) & "\\n");
END Main.
"""

SUM = "12502500\n"
PAGE_BYTES = 64 << 10  # of a tree


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

    def count_complaints(self, step, damaged, verify=False):
        """Damages each tree file at several places: the program must print the right sum
        or an error message."""
        self.expect_sum()
        shutil.copytree(self.path(), self.path() + ".good")
        files = [name for name in os.listdir(self.path()) if name.endswith(".db")]
        self.assertTrue(files, os.listdir(self.path()))
        complaints = 0
        for name in files:
            size = os.path.getsize(self.path(name))
            for position in step(size):
                shutil.rmtree(self.path())
                shutil.copytree(self.path() + ".good", self.path())
                with open(self.path(name), "r+b") as file:
                    file.seek(position)
                    bytes_there = file.read(PAGE_BYTES)
                    file.seek(position)
                    file.write(damaged(bytes_there))
                ran = self.run_program(self.good)
                where = f"{name} at {position}: {ran.stdout}{ran.stderr}"
                if ran.returncode == 0:
                    self.assertEqual(ran.stdout, SUM, where)
                else:
                    self.assertIn(ran.returncode, (1, 4), where)
                    self.assertRegex(ran.stdout + ran.stderr, r"Failure", where)
                    complaints += 1
                if verify:
                    ran = self.run_program(os.path.join(BUILD, "bin", "tenure"), "db", "verify",
                                           "store")
                    # 3: the store cannot be opened; 1: a database of it cannot.
                    status = 3 if name == "_store.db" else 1
                    self.assertEqual(ran.returncode, status, where + ran.stdout)
                    self.assertIn("the file is damaged", ran.stdout + ran.stderr)
        return complaints

    def test_flipped_bytes(self):
        self.assertGreater(self.count_complaints(
            lambda size: range(100, size, max(size // 12, 1)),
            lambda bytes_there: bytes([bytes_there[0] ^ 0x41])), 0)

    def test_zeroed_pages(self):
        """For Berkeley DB a page whose header is zero was never written."""
        for count in (PAGE_BYTES, 26):
            with self.subTest(bytes=count):
                complaints = self.count_complaints(
                    lambda size: range(PAGE_BYTES, size, PAGE_BYTES),
                    lambda bytes_there, count=count: bytes(count), verify=True)
                self.assertGreater(complaints, 3)
                shutil.rmtree(self.path())
                shutil.rmtree(self.path() + ".good")

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
