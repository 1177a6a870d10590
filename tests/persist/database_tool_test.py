"""`tenure db`: what it says of a store that a program made, and copies that the program finds equal."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(os.path.abspath(BUILD), "bin", "tenure")

# A ring of 300 nodes with texts, a large array and a procedure; node 2 is garbage in the end.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Text, Transaction;
<*FATAL ANY*>
TYPE
  Proc = PROCEDURE (n: INTEGER): INTEGER;
  Node = REF RECORD
      number: INTEGER;  small: [-5..5];  good: BOOLEAN;  real: LONGREAL;
      title: TEXT;  next: Node;  large: REF ARRAY OF INTEGER;  proc: Proc;
    END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  head, last: Node;  sum := 0;

PROCEDURE Twice(n: INTEGER): INTEGER = BEGIN RETURN 2 * n END Twice;

BEGIN
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin();
    head := db.getRoot();  last := head;
    REPEAT
      INC(sum, last.number + last.small + ORD(last.good) + Text.Length(last.title));
      IF last.large # NIL THEN INC(sum, NUMBER(last.large^) + last.large[1999]) END;
      IF last.proc # NIL THEN INC(sum, last.proc(1000)) END;
      last := last.next;
    UNTIL last = head;
    tr.commit();
    IO.Put(Fmt.Int(sum) & "\n");
  EXCEPT
  | Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    head := NEW(Node, number := 1, small := -5, title := "\303\244 \"first\"\n", proc := Twice);
    last := head;
    FOR i := 2 TO 300 DO
      last.next := NEW(Node, number := i, small := i MOD 5, good := i MOD 2 = 0, real := 0.5d0,
                       title := "node " & Fmt.Int(i));
      last := last.next;
    END;
    last.next := head;
    last.large := NEW(REF ARRAY OF INTEGER, 2000);
    last.large[1999] := 7;
    db.setRoot(head);
    tr.chain();
    head.next := head.next.next;
    tr.commit();
  END;
END Main.
"""


class DatabaseToolTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-tool-")
        source = os.path.join(cls.directory, "Main.m3")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        cls.program = os.path.join(cls.directory, "program")
        subprocess.run([TENURE, "build", source, "-o", cls.program], check=True,
                       stdout=subprocess.DEVNULL)
        cls.store = os.path.join(cls.directory, "store")
        subprocess.run([cls.program, cls.store], check=True)
        cls.said = cls.run_program(cls.store)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    @classmethod
    def run_program(cls, store):
        return subprocess.run([cls.program, store], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def db(self, *arguments, status=0, stdin=None):
        ran = subprocess.run([TENURE, "db", *arguments], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, input=stdin)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran.stdout if status == 0 else ran.stdout + ran.stderr

    def place(self, name):
        return os.path.join(self.directory, name)

    @staticmethod
    def lines(path):
        with open(path, encoding="utf-8") as file:
            return file.readlines()

    def test_stat_verify_schema_dump_and_why(self):
        main = json.loads(self.db("stat", self.store, "--json"))["databases"][0]
        counts = {entry["type"]: entry["objects"] for entry in main["types"]}
        self.assertEqual(counts["Main.Node"], 300)
        verified = json.loads(self.db("verify", self.store, "--json"))["databases"][0]
        self.assertEqual((main["pages"], main["objects"], 0),
                         (verified["pages"], verified["objects"], verified["problems"]))
        self.assertIn("Main.Node", self.db("stat", self.store + ":main"))
        schema = self.db("schema", self.store)
        self.assertIn("TYPE Main.Node = REF RECORD\n    number: INTEGER;\n", schema)
        self.assertIn("procedure Main.Twice", schema)
        dump = self.db("dump", self.store).splitlines()
        self.assertTrue(any("number=1 small=-5 good=false" in line for line in dump))
        self.assertTrue(any("real=0.5" in line for line in dump))
        third = [line.split()[0] for line in dump if " number=3 " in line][0]
        path = json.loads(self.db("why", self.store, third, "--json"))["path"]
        self.assertEqual([step["through"] for step in path], ["the root", "next"])
        second = [line.split()[0] for line in dump if " number=2 " in line][0]
        self.assertIn("garbage", self.db("why", self.store, second))
        self.db("why", self.store, "1:1", status=3)

    def test_import_of_an_export_is_an_equal_graph(self):
        file = self.place("export.json")
        self.db("export", self.store, file)
        self.db("export", self.store, file, status=3)  # is never overwritten
        self.db("import", self.place("again"), file)
        self.db("verify", self.place("again"))
        self.assertEqual(self.run_program(self.place("again")), self.said)
        self.db("export", self.place("again"), self.place("second.json"))
        self.assertEqual(self.lines(file), self.lines(self.place("second.json")))
        self.db("import", self.place("again"), file, status=3)  # there is one already

    def test_bad_exports_are_refused(self):
        good = self.db("export", self.store).splitlines(keepends=True)
        types = "".join(line for line in good if line.startswith('{"type"'))
        header, last = good[0], good[-1]
        for text, where in [("", "line 0"), ("nonsense\n", "line 1"), (header + "{}\n", "line 2"),
                            (header + "[" * 100000 + "\n", "line 2"),
                            (header + types + last, "there is no object"),
                            ("".join(good) + last, "an object twice"),
                            (header + last, "unknown type")]:
            self.assertIn(where, self.db("import", self.place("bad"), status=3, stdin=text))
            if os.path.exists(self.place("bad")):
                left = json.loads(self.db("stat", self.place("bad"), "--json"))["databases"]
                self.assertEqual(left, [])

    def test_backup_and_restore(self):
        self.db("backup", self.store, self.place("backup"))
        self.assertEqual(os.stat(self.place("backup")).st_mode & 0o077, 0)
        self.db("backup", self.store, self.place("backup"), status=3)
        self.db("restore", self.place("backup"), self.place("restored"))
        self.assertEqual(self.run_program(self.place("restored")), self.said)
        self.db("backup", self.place("nothing"), self.place("other"), status=3)
        self.assertFalse(os.path.exists(self.place("other")))

    def test_usage(self):
        self.assertIn("tenure db verify", self.db("--help"))
        for arguments in ([], ["nonsense"], ["stat"], ["stat", "a", "b"], ["dump", "a", "--json"],
                          ["dump", self.store, "zero"], ["backup", self.store]):
            self.db(*arguments, status=2)
        self.assertIn("no store", self.db("stat", self.place("nowhere"), status=3))


if __name__ == "__main__":
    unittest.main()
