"""References between databases lead to their original object, or raise Database.Missing: after a
store was replaced by an older copy, beside copies, and in the results of export, import and
salvage."""

import os
import shutil
import subprocess
import unittest

import programs
from programs import OPEN_OR_CREATE, TENURE

# Databases named by their paths; `first` and `second` hold ten objects each, of different types.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Text, Transaction;
<*FATAL ANY*>
TYPE
  Book = REF RECORD shelf: INTEGER; title: TEXT END;
  Person = REF RECORD born, died: INTEGER END;
  Library = REF RECORD books: ARRAY [0..9] OF Book; people: ARRAY [0..9] OF Person END;
VAR
  tr := NEW(Transaction.T);
  what := Params.Get(1);
  library, loans, other: Database.T;
  lib, loan: Library;

PROCEDURE Number(i: INTEGER): INTEGER =
  BEGIN
    RETURN Scan.Int(Params.Get(i));
  END Number;

""" + OPEN_OR_CREATE + r"""
BEGIN
  loans := Open(Params.Get(2));
  IF Text.Equal(what, "show") THEN
    IF Params.Count > 3 THEN other := Open(Params.Get(3)) END;
  ELSE
    library := Open(Params.Get(3));
  END;
  tr.begin();
  IF Text.Equal(what, "init") THEN
    lib := NEW(Library);
    FOR i := 0 TO 9 DO
      lib.books[i] := NEW(Book, shelf := i, title := "book" & Fmt.Int(i));
      lib.people[i] := NEW(Person, born := 1900 + i, died := 77);
    END;
    library.setRoot(lib);
    loans.setRoot(NEW(Library));
  ELSIF Text.Equal(what, "book") THEN
    lib := library.getRoot();
    loan := loans.getRoot();
    loan.books[Number(5)] := lib.books[Number(4)];
  ELSIF Text.Equal(what, "person") THEN
    lib := library.getRoot();
    loan := loans.getRoot();
    loan.people[Number(5)] := lib.people[Number(4)];
  ELSE
    loan := loans.getRoot();
    FOR i := 0 TO 9 DO
      IF loan.books[i] # NIL THEN
        TRY
          IO.Put(Fmt.Int(i) & " " & loan.books[i].title & "; ");
        EXCEPT Database.Missing(why) =>
          IO.Put(Fmt.Int(i) & " missing; ");
          IF Params.Count > 4 THEN IO.Put(why) END;
        END;
      END;
    END;
    IO.Put("\n");
  END;
  tr.commit();
END Main.
"""


class LineageTest(programs.ProgramTestCase):
    text = PROGRAM
    options = ("--faults",)

    def setUp(self):
        self.parent = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.parent)

    def place(self, name):
        return os.path.join(self.parent, name)

    def run_program(self, what, *arguments, status=0):
        ran = subprocess.run([self.program, what, *map(str, arguments)], cwd=self.parent,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout.strip()

    def db(self, *arguments, status=0):
        ran = subprocess.run([TENURE, "db", *arguments], cwd=self.parent, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def lend(self):
        """Book 1 before the backup `older`, book 2 after it."""
        self.run_program("init", "loans", "library")
        self.run_program("book", "loans", "library", 1, 0)
        self.db("backup", "library", "older")
        self.run_program("book", "loans", "library", 2, 1)
        self.assertEqual(self.run_program("show", "loans"), "0 book1; 1 book2;")

    def test_a_number_is_given_out_again_after_a_restore(self):
        self.lend()
        for what, number in (("book", 5), ("person", 3)):
            shutil.rmtree(self.place("library"))
            self.db("restore", "older", "library")
            self.assertIn("0 book1; 1 missing;", self.run_program("show", "loans"))
            self.run_program(what, "loans", "library", number, 7)
            self.assertIn("0 book1; 1 missing;", self.run_program("show", "loans"))

    def test_copies_that_both_go_on(self):
        self.lend()
        shutil.copytree(self.place("library"), self.place("copy"))
        self.run_program("book", "loans", "library", 3, 2)
        self.run_program("init", "loans2", "unused")
        self.run_program("book", "loans2", "copy", 4, 2)
        # The copy replaces the original: newer objects are missing.
        shutil.rmtree(self.place("library"))
        shutil.copytree(self.place("copy"), self.place("library"))
        self.assertEqual(self.run_program("show", "loans"), "0 book1; 1 book2; 2 missing;")
        self.assertEqual(self.run_program("show", "loans2"), "2 book4;")

    def test_a_copy_does_not_answer_for_its_original(self):
        self.lend()
        self.db("restore", "older", "copy")
        os.rename(self.place("library"), self.place("moved"))
        self.assertEqual(self.run_program("show", "loans", "copy"), "0 missing; 1 missing;")
        said = self.run_program("show", "loans", "copy", "why")
        self.assertIn("library", said)
        self.assertIn("is a copy", said)
        # The original has them, wherever it is.
        self.assertEqual(self.run_program("show", "loans", "moved"), "0 book1; 1 book2;")

    def two(self):
        """Two databases of one store."""
        self.run_program("init", "s:loans", "s:library")
        for i in range(3):
            self.run_program("book", "s:loans", "s:library", i + 1, i)
        self.db("verify", "s")

    def test_salvage_keeps_references_between_databases(self):
        self.two()
        self.assertIn("0 references lost", self.db("salvage", "s", "saved"))
        self.db("verify", "saved")
        self.assertEqual(self.run_program("show", "saved:loans"), "0 book1; 1 book2; 2 book3;")

    def test_salvage_says_what_it_cuts_between_databases(self):
        self.two()
        with open(self.place("s/library.db"), "r+b") as file:
            contents = file.read()
            at = contents.index(b"book2\0")
            file.seek(at)
            file.write(b"BOOK2\0")
        said = self.db("salvage", "s", "saved", status=1)
        self.assertIn("3 objects that other databases refer to are lost", said)
        self.assertIn("of database library: that was lost when the store was salvaged", said)
        self.db("verify", "saved", status=1)
        self.assertEqual(self.run_program("show", "saved:loans"),
                         "0 missing; 1 missing; 2 missing;")

    def test_verify_finds_references_to_what_is_away(self):
        self.two()
        os.remove(self.place("s/library.db"))
        said = self.db("verify", "s", status=1)
        self.assertIn("import 1 refers to object 1 of database library", said)
        self.assertIn("3 problems", said)

    def test_verify_of_a_reference_into_a_commit_that_waits_for_its_outcome(self):
        self.run_program("init", "loans", "library")
        told = 0
        for step in range(1, 5):
            for name in ("loans", "library"):
                shutil.copytree(self.place(name), self.place(name + ".before"), symlinks=True)
            # The book's entry in the table of the library may be in a prepared commit only.
            self.run_program("book", "loans", "library", step, step, "@M3dbfail=crash-after:%d" % step, status=77)
            for name in ("loans", "library"):
                said = self.db("verify", name)
                self.assertIn("all is well", said)
                told += "waits there for its outcome" in said
            self.run_program("show", "loans", "library")
            self.assertNotIn("not looked at", self.db("verify", "loans"))
            for name in ("loans", "library"):
                shutil.rmtree(self.place(name))
                os.rename(self.place(name + ".before"), self.place(name))
        self.assertGreater(told, 0)

    def test_export_and_import_keep_what_others_refer_to(self):
        self.two()
        for name in ("loans", "library"):
            self.db("export", "s:" + name, name + ".export")
        self.assertIn("refers to object 1 of database library",
                      self.db("import", "new:loans", "loans.export"))
        self.db("verify", "new", status=1)
        self.assertNotIn("note", self.db("import", "new:library", "library.export"))
        self.db("verify", "new")
        self.assertEqual(self.run_program("show", "new:loans"), "0 book1; 1 book2; 2 book3;")
        # Beside the exported database, the import is a different one.
        self.assertIn("databases that are not part of this import refer to library, not to database twin",
                      self.db("import", "new:twin", "library.export"))
        self.db("verify", "new")

    def test_compaction_keeps_them(self):
        self.two()
        self.db("compact", "s")
        self.db("gc", "s")
        self.db("verify", "s")
        self.assertEqual(self.run_program("show", "s:loans"), "0 book1; 1 book2; 2 book3;")

    def test_salvage_refuses_a_later_format(self):
        self.two()
        with open(self.place("s/FORMAT"), encoding="utf-8") as file:
            text = file.read()
        with open(self.place("s/FORMAT"), "w", encoding="utf-8") as file:
            file.write(text.replace("version 3", "version 4"))
        said = self.db("salvage", "s", "saved", status=3)
        self.assertIn("format version 4", said)
        self.assertFalse(os.path.exists(self.place("saved")))


if __name__ == "__main__":
    unittest.main()
