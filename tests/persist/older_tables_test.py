"""Hash tables that versions before the bound of Table.mg stored: without its bits in `used`. They are read as they are,
and grow, shrink and are copied as others are."""

import os
import subprocess
import tempfile
import unittest

import programs
from programs import TENURE

PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IntIntTbl, IO, Params, Text, Transaction;
<*FATAL ANY*>
CONST N = 5000;  Copied = 60;
TYPE Root = REF RECORD all, copy: IntIntTbl.T END;
VAR db: Database.T;  tr := NEW(Transaction.T);  root: Root;

(* Copies at most n entries. *)
PROCEDURE Copy(n: CARDINAL) =
  VAR it := root.all.iterate();  k, v: INTEGER;
  BEGIN
    WHILE n > 0 AND it.next(k, v) DO
      EVAL root.copy.put(k, v);
      DEC(n);
    END;
  END Copy;

(* Whether the table has the keys from `first` to N, and no others. *)
PROCEDURE Has(t: IntIntTbl.T; first: INTEGER): BOOLEAN =
  VAR it := t.iterate();  k, v, count := 0;
  BEGIN
    FOR i := 1 TO N DO
      IF t.get(i, v) # (i >= first) OR i >= first AND v # -i THEN RETURN FALSE END;
    END;
    WHILE it.next(k, v) DO INC(count) END;
    RETURN t.size() = N - first + 1 AND count = t.size();
  END Has;

PROCEDURE Say(what: TEXT; right: BOOLEAN) =
  BEGIN
    IO.Put(what & ": " & Fmt.Bool(right) & "\\n");
  END Say;

PROCEDURE Make() =
  BEGIN
    Database.Create("store");
    db := Database.Open("store");
    tr.begin();
    root := NEW(Root, all := NEW(IntIntTbl.Default).init(), copy := NEW(IntIntTbl.Default).init());
    FOR i := 1 TO N DO EVAL root.all.put(i, -i) END;
    Copy(Copied);
    db.setRoot(root);
  END Make;

PROCEDURE Use() =
  VAR v: INTEGER;
  BEGIN
    db := Database.Open("store");
    tr.begin();
    root := db.getRoot();
    Say("read", Has(root.all, 1) AND root.copy.size() = Copied);
    Copy(N);
    Say("copied", Has(root.copy, 1));
    FOR i := 1 TO N - 3 DO EVAL root.all.delete(i, v) END;
    Say("deleted", Has(root.all, N - 2));
  END Use;

BEGIN
  IF Text.Equal(Params.Get(1), "make") THEN Make() ELSE Use() END;
  tr.commit();
END Main.
"""


class OlderTablesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="older-tables-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def run_here(self, *command):
        ran = subprocess.run(command, cwd=self.directory, text=True, timeout=120, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        return ran.stdout

    def test_tables_without_a_bound(self):
        program = programs.build_program(self.directory, PROGRAM)
        self.run_here(program, "make")
        for table, entries in (("all", 5000), ("copy", 60)):
            path = f"root.{table}.used"
            self.assertEqual(int(self.run_here(TENURE, "db", "show", "store", path)), 2**60 + entries)
            self.run_here(TENURE, "db", "set", "store", path, str(entries))
        self.assertEqual(self.run_here(program, "use"), "read: TRUE\ncopied: TRUE\ndeleted: TRUE\n")
        for table in ("all", "copy"):
            self.assertGreaterEqual(int(self.run_here(TENURE, "db", "show", "store", f"root.{table}.used")), 2**60)


if __name__ == "__main__":
    unittest.main()
