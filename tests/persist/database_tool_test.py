"""`tenure db`: its output about a store that a program made, and copies that the program finds
equal."""

import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import programs
from programs import TENURE, TOOL_WITH_FAULTS


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


# Replaces a list of 20,000 by another one; with a second argument, prints the sum of its numbers.
CHURN = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE List = REF RECORD number: INTEGER;  next: List END;
VAR db: Database.T;  tr := NEW(Transaction.T);  list: List;  sum := 0;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
  END;
  tr.begin();
  IF Params.Count = 3 THEN
    list := db.getRoot();
    WHILE list # NIL DO INC(sum, list.number);  list := list.next END;
    IO.Put(Fmt.Int(sum) & "\n");
  ELSE
    FOR i := 1 TO 20000 DO list := NEW(List, number := i, next := list) END;
    db.setRoot(list);
  END;
  tr.commit();
END Main.
"""

# The same type with other fields.
EVOLVING = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE Node = OBJECT {fields} next: Node; {methods} END;
VAR db: Database.T;  tr := NEW(Transaction.T);  node: Node;
<*UNUSED*> PROCEDURE P(<*UNUSED*> node: Node) = BEGIN END P;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin();
    node := db.getRoot();
    {show}
    node := node.next;
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    {make}
    tr.commit();
  END;
END Main.
"""
MAKE = """
    db.setRoot(NEW(Node, number := 7, small := -3, real := 1.5, title := "first",
                   next := NEW(Node, number := 8, small := -4, title := "second")));
"""
OLD_FIELDS = "gone: INTEGER; number: INTEGER; small: [-5..5]; real: REAL; title: TEXT;"
NEW_FIELDS = "title: TEXT; real: LONGREAL; number: INTEGER; fresh := 42; small: INTEGER;"
SHOW = r"""
    IO.Put(Fmt.Int(node.number) & " " & Fmt.Int(node.small) & " " & Fmt.LongReal(node.real) & " "
           & node.title & " " & Fmt.Int(node.fresh) & " " & Fmt.Int(node.next.small) & "\n");
"""

# A Node and a Sub, to which a table of references also refers, and a record with both.
RENAMED = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  {base} = OBJECT {title}: TEXT; {more} END;
  {node} = {base} OBJECT {next}: {node} END;
  Sub = {node} OBJECT {table}: REF ARRAY OF {node};  pair: REF RECORD a, b: {node} END END;
VAR db: Database.T;  tr := NEW(Transaction.T);  sub: Sub;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin();
    sub := db.getRoot();
    IO.Put(sub.{title} & " " & sub.{next}.{title} & " " & Fmt.Int(NUMBER(sub.{table}^)) & " ");
    IO.Put(Fmt.Int(ORD(sub.pair.a = sub) + ORD(sub.pair.b = sub.{next})) & "\n");
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    sub := NEW(Sub, {title} := "first", {table} := NEW(REF ARRAY OF {node}, 2));
    sub.{next} := NEW({node}, {title} := "second", {next} := sub);
    sub.{table}[0] := sub;
    sub.pair := NEW(REF RECORD a, b: {node} END, a := sub, b := sub.{next});
    db.setRoot(sub);
    tr.commit();
  END;
END Main.
"""

# Types of values, by name.
VALUES = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Colour = {colour};
  Part = {part};
  Small = {small};
  Point = RECORD {point}: INTEGER END;
  Mark = {mark};
  Node = OBJECT
    wide: {wide} := 0;  packed: {packed} := -7;  marks := SET OF Mark{{Mark.A, Mark.H}};
    colour := Colour.Green;  parts := SET OF Part{{Part.Tail}};  small: Small := 200;  at: Point;
    list: REF ARRAY OF Part;  plain: REF Small;
  END;
VAR db: Database.T;  tr := NEW(Transaction.T);  node: Node;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin();
    node := db.getRoot();
    IO.Put(Fmt.Bool(node.colour = Colour.Green)
           & " " & Fmt.Bool(node.parts = SET OF Part{{Part.Tail}})
           & " " & Fmt.Int(node.small) & " " & Fmt.Int(node.at.x) & " " & Fmt.Int(node.at.y)
           & " " & Fmt.Int(ORD(node.list[0])) & Fmt.Int(ORD(node.list[1]))
           & " " & Fmt.Int(node.plain^) & " " & Fmt.Int(node.wide) & " " & Fmt.Int(node.packed)
           & " " & Fmt.Bool(node.marks = SET OF Mark{{Mark.A, Mark.H}}) & "\n");
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    node := NEW(Node, list := NEW(REF ARRAY OF Part, 2), plain := NEW(REF Small));
    node.wide := Params.Count * 150;  node.plain^ := 255;
    node.at.x := 1;  node.at.y := 2;  node.list[0] := Part.Tail;
    db.setRoot(node);
    tr.commit();
  END;
END Main.
"""
# The meaning of names in the types of references and procedures.
MEANINGS = """MODULE Main;
IMPORT Database, Params, Transaction;
TYPE
  Base = {base} OBJECT x: INTEGER METHODS m() := M; {more} END;
  Sub = {above} BRANDED "test.Sub" OBJECT {fields} END;
  P = {p};
  Other = {other};
  Act = PROCEDURE (i: {formal});
  Kept = BRANDED "{kept}" REF RECORD i: INTEGER END;
  Node = OBJECT sub: REFANY; base: Base; p: P; act: Act; kept: Kept; END;
PROCEDURE M(<*UNUSED*> self: Base) = BEGIN END M;
<*UNUSED*> PROCEDURE N(<*UNUSED*> self: Base) = BEGIN END N;
PROCEDURE Do(<*UNUSED*> i: {formal}) = BEGIN END Do;
<*FATAL ANY*>
VAR t := NEW(Transaction.T); db: Database.T; node: Node; <*UNUSED*> other: Other := NIL;
BEGIN
  TRY Database.Create(Params.Get(1)) EXCEPT Database.DatabaseExists => END;
  db := Database.Open(Params.Get(1));
  t.begin();
  node := db.getRoot();
  IF node = NIL THEN
    db.setRoot(NEW(Node, sub := NEW(Sub), base := NEW(Base), p := NEW(P), act := Do,
                   kept := NEW(Kept)));
  ELSE
    <*ASSERT node.kept # NIL AND node.p # NIL AND ISTYPE(node.sub, Sub)*>
  END;
  t.commit();
END Main.
"""
OLD_MEANINGS = {"base": 'BRANDED "test.Base"', "above": "Base", "fields": "",
                "p": "REF INTEGER", "other": "REF CHAR", "formal": "INTEGER", "kept": "test.Kept",
                "more": ""}
OLD_VALUES = {"colour": "{Red, Green, Blue}", "part": "{Head, Tail}", "small": "[0..255]",
              "point": "x, y", "mark": "{A, B, C, D, E, F, G, H}", "wide": "[0..1000]",
              "packed": "BITS 12 FOR [-2048..2047]"}


class DatabaseToolTest(programs.ProgramTestCase):
    text = PROGRAM
    options = ("--faults",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = os.path.join(cls.directory, "store")
        subprocess.run([cls.program, cls.store], check=True)
        cls.said = cls.run_program(cls.store)

    @classmethod
    def run_program(cls, store, program=None):
        return subprocess.run([program or cls.program, store], check=True, text=True, timeout=60,
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
        self.assertIn("Main_Node = REF RECORD\n    number: INTEGER;\n", schema)
        self.assertIn("procedure Main.Twice", schema)
        dump = self.db("dump", self.store).splitlines()
        self.assertTrue(any("number=1 small=-5 good=FALSE" in line for line in dump))
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
        self.db("import", self.place("again"), file, status=3)  # the file exists already

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
            self.assertFalse(os.path.exists(self.place("bad")))

    def test_exports_that_cannot_be_read(self):
        self.assertIn("cannot read .: Is a directory", self.db("import", self.place("bad"), ".", status=3))
        ran = subprocess.run([TENURE, "db", "import", self.place("bad")], stderr=subprocess.PIPE, text=True,
                             preexec_fn=lambda: os.close(0))
        self.assertEqual(ran.returncode, 3)
        self.assertIn("cannot read standard input: Bad file descriptor", ran.stderr)
        self.assertFalse(os.path.exists(self.place("bad")))

    def test_backup_and_restore(self):
        self.db("backup", self.store, self.place("backup"))
        self.assertEqual(os.stat(self.place("backup")).st_mode & 0o077, 0)
        self.db("backup", self.store, self.place("backup"), status=3)
        for command in ("backup", "salvage"):
            for inside in ("/copy", "/../" + os.path.basename(self.store) + "/copy"):
                said = self.db(command, self.store, self.store + inside, status=3)
                self.assertIn("lies within the store", said)
        self.assertFalse(os.path.exists(self.store + "/copy"))
        self.db("restore", self.place("backup"), self.place("restored"))
        self.assertEqual(self.run_program(self.place("restored")), self.said)
        self.db("backup", self.place("nothing"), self.place("other"), status=3)
        self.assertFalse(os.path.exists(self.place("other")))

    def test_a_small_stack(self):
        copy = self.place("small")
        for line in ("backup %s %s" % (self.store, copy), "verify " + copy, "stat " + copy,
                     "schema " + copy, "dump " + copy, "export " + copy, "gc " + copy,
                     "compact " + copy, "check %s %s" % (copy, self.program),
                     "salvage %s %s" % (copy, self.place("saved-small"))):
            ran = subprocess.run("ulimit -s 192; exec %s db %s" % (TENURE, line), shell=True,
                                 text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), line)

    def test_output_that_is_closed_goes_into_no_file(self):
        copy = self.place("closed")
        self.db("backup", self.store, copy)
        for line in ("stat", "dump", "export", "schema", "verify", "gc", "compact", "nonsense"):
            for closed in ("<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"):
                subprocess.run("exec %s db %s %s %s" % (TENURE, line, copy, closed), shell=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.db("verify", copy)
        ran = subprocess.run("%s %s <&- >&- 2>&-" % (self.program, copy), shell=True)
        self.assertEqual(ran.returncode, 0)
        self.assertEqual(self.run_program(copy), self.said)

    def test_a_reader_that_goes_away_ends_commands_quietly(self):
        for line in (["dump"], ["export"], ["query", "Main.Node", "--csv"]):
            command = [TENURE, "db", line[0], self.store, *line[1:]]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
                ran.stdout.close()
                said = ran.stderr.read()
            self.assertEqual((ran.returncode, said), (-signal.SIGPIPE, b""), line)

    def test_collection_and_compaction(self):
        place = self.place("collected")
        self.db("backup", self.store, place)
        before = json.loads(self.db("stat", place, "--json"))["databases"][0]
        freed = json.loads(self.db("gc", place, "--json"))["databases"][0]
        # Node 2 and its title.
        self.assertEqual((freed["objects"], freed["freed_objects"]), (before["objects"], 2))
        self.db("verify", place)
        self.assertEqual(self.run_program(place), self.said)
        self.assertIn("freed 0 objects", self.db("gc", place + ":main"))
        compacted = json.loads(self.db("compact", place, "--json"))
        self.assertEqual(compacted["objects"], before["objects"] - 2)
        self.db("verify", place)
        self.assertEqual(self.run_program(place), self.said)

    def build(self, name, text):
        directory = self.place(name + ".dir")
        os.mkdir(directory)
        return programs.build_program(directory, text), os.path.join(directory, "Main.m3")

    def test_pages_that_were_freed_are_used_again(self):
        program, _ = self.build("churn", CHURN)
        place = self.place("churned")
        subprocess.run([program, place], check=True)
        pages = []
        for _ in range(3):
            subprocess.run([program, place], check=True)  # makes as much garbage as new data
            self.db("gc", place)
            self.db("verify", place)
            main = json.loads(self.db("stat", place, "--json"))["databases"][0]
            dump = self.db("dump", place).splitlines()
            pages.append(max(int(line.split(":")[0]) for line in dump if line[:1].isdigit()))
            self.assertEqual({t["type"]: t["objects"] for t in main["types"]}["Main.List"], 20000)
        # At most twice as many pages as one list needs.
        self.assertLessEqual(max(pages), main["pages"] * 2 + 2)
        ran = subprocess.run([program, place, "sum"], check=True, text=True, stdout=subprocess.PIPE)
        self.assertEqual(ran.stdout, "200010000\n")

    def test_types_are_compared_and_converted(self):
        old, _ = self.build("old", EVOLVING.format(fields=OLD_FIELDS, methods="", show="", make=MAKE))
        method, source = self.build("method", EVOLVING.format(
            fields=OLD_FIELDS, methods="METHODS m() := P;", show="", make=MAKE))
        new, changed = self.build("new", EVOLVING.format(
            fields=NEW_FIELDS, methods="METHODS m() := P;", show=SHOW, make=""))
        place = self.place("evolving")
        subprocess.run([old, place], check=True)
        # An additional method needs no upgrade.
        self.db("check", place, method)
        subprocess.run([method, place], check=True)
        checked = subprocess.run([TENURE, "check", "--db", place, source], text=True,
                                 stdout=subprocess.PIPE)
        self.assertEqual((checked.returncode, checked.stdout), (0, "all types agree\n"))
        # Changed fields are named, before the program runs and when it runs.
        said = self.db("check", place, new, status=1)
        differences = ("field gone is not in the program; field small: stored [-5..5], in the program "
                       "INTEGER; field real: stored REAL, in the program LONGREAL; "
                       "field fresh is new in the program")
        self.assertIn("database main: type Main.Node (2 objects): " + differences, said)
        checked = subprocess.run([TENURE, "check", "--db", place, changed], text=True,
                                 stdout=subprocess.PIPE)
        self.assertEqual((checked.returncode, checked.stdout), (1, said))
        ran = subprocess.run([new, place], text=True, stderr=subprocess.PIPE)
        self.assertIn("Database.TypeMismatch: database " + place + ":main: type Main.Node",
                      ran.stderr)
        self.assertIn(differences, ran.stderr)
        # All or nothing.
        bad, _ = self.build("narrow", EVOLVING.format(
            fields=NEW_FIELDS.replace("small: INTEGER", "small: [0..5]"), methods="", show=SHOW,
            make=""))
        self.assertIn("field small", self.db("upgrade", place, bad, "--drop", status=3))
        other, _ = self.build("other", EVOLVING.format(
            fields=NEW_FIELDS.replace("title: TEXT", "title: INTEGER"), methods="", show="",
            make=""))
        self.assertIn("field title from TEXT to INTEGER", self.db("upgrade", place, other, status=3))
        subprocess.run([old, place], check=True)
        self.assertIn("would be lost", self.db("upgrade", place, new, status=3))
        said = self.db("upgrade", place, new, "--drop-field", "Main.Node.gone", "--dry-run")
        self.assertIn("nothing has been changed", said)
        self.assertIn(differences, said)
        self.assertIn("the values of field gone are dropped\n", said)
        subprocess.run([old, place], check=True)
        self.assertIn(said.replace("2 objects would be converted; nothing has been changed\n",
                                   "2 objects converted"),
                      self.db("upgrade", place, new, "--drop-field", "Main.Node.gone"))
        self.db("verify", place)
        self.db("check", place, new)
        self.assertEqual(self.run_program(place, new), "7 -3 1.5 first 42 -4\n")
        self.assertIn("0 objects converted", self.db("upgrade", place, new))
        # A file that is not a Tenure program is not run.
        for other in ("/bin/true", place, "/dev/null/none"):
            self.assertNotIn("memory", self.db("check", place, other, status=3))

    def test_named_types_of_values_are_compared_and_converted(self):
        def build(name, **values):
            return self.build(name, VALUES.format(**{**OLD_VALUES, **values}))[0]

        place = self.place("values")
        subprocess.run([build("values_old"), place], check=True)
        schema = self.db("schema", place)
        self.assertIn("Main_Colour = {Red, Green, Blue};\n", schema)
        self.assertIn("colour: Main_Colour;\n", schema)
        dump = self.db("dump", place)
        self.assertIn(" small=200 ", dump)
        self.assertIn(" packed=-7 ", dump)
        # The fields of an array are those of its elements; a field declared elsewhere is refused.
        exported = self.db("export", place)
        self.assertNotIn('"fields":{"":', [line for line in exported.splitlines()
                                           if '"REF ARRAY OF Main.Part"' in line][-1])
        bad = re.sub(r"field \d+ (\d+ colour)", r"field 18446744073709551615 \1", exported)
        self.assertIn("a type that makes no sense", self.db("import", self.place("values_bad"),
                                                         stdin=bad, status=3))
        # All objects have as many bytes as before.
        for name, values, said in (
                ("swapped", {"point": "y, x"},
                 "field at: stored Main.Point = RECORD x: INTEGER; y: INTEGER END, in the program "
                 "Main.Point = RECORD y: INTEGER; x: INTEGER END"),
                ("moved", {"colour": "{Red, Blue, Green, Grey}"},
                 "field colour: stored Main.Colour = {Red, Green, Blue}, in the program "
                 "Main.Colour = {Red, Blue, Green, Grey}"),
                ("elements", {"part": "{Tail, Head}"},
                 "type REF ARRAY OF Main.Part (1 objects): its values: stored Main.Part = "
                 "{Head, Tail}, in the program Main.Part = {Tail, Head}")):
            program = build(name, **values)
            self.assertIn(said, self.db("check", place, program, status=1))
            ran = subprocess.run([program, place], text=True, stderr=subprocess.PIPE)
            self.assertEqual(ran.returncode, 4)
            self.assertIn("Database.TypeMismatch", ran.stderr)
        self.assertIn("nothing has been changed", self.db("upgrade", "--dry-run", place, program))
        program = build("values_narrow", wide="[0..250]")
        self.assertIn("the value of field wide, 300, is not one of the program's [0..250]",
                      self.db("upgrade", place, program, status=3))
        new = build("values_new", colour="{Black, Blue, Green}", part="{Head, Tail, Wing}",
                    small="[0..999]", mark="{A, B, C, D, E, F, G, H, I}", wide="[0..400]",
                    packed="INTEGER")
        self.assertIn("3 objects converted", self.db("upgrade", place, new))
        self.db("verify", place)
        self.assertEqual(self.run_program(place, new), "TRUE TRUE 200 1 2 10 255 300 -7 TRUE\n")
        program = build("values_packed", colour="{Black, Blue, Green}", part="{Head, Tail, Wing}",
                        small="[0..999]", mark="{A, B, C, D, E, F, G, H, I}",
                        wide="BITS 9 FOR [0..511]", packed="BITS 5 FOR [-16..15]")
        self.assertIn("1 objects converted", self.db("upgrade", place, program))
        self.db("verify", place)
        self.assertEqual(self.run_program(place, program), "TRUE TRUE 200 1 2 10 255 300 -7 TRUE\n")

    def test_what_references_may_refer_to_is_compared(self):
        def build(name, **changed):
            return self.build(name, MEANINGS.format(**{**OLD_MEANINGS, **changed}))[0]

        place = self.place("meanings")
        old = build("meanings_old")
        subprocess.run([old, place], check=True)
        subprocess.run([old, place], check=True)
        for name, changed, said in (
                ("referent", {"p": "REF TEXT", "other": "REF INTEGER"},
                 "type Main.Node (1 objects): field p: Main.P is another type in the program"),
                ("signature", {"formal": "TEXT"},
                 "type Main.Node (1 objects): field act: stored Main.Act = PROCEDURE (i: INTEGER), "
                 "in the program Main.Act = PROCEDURE (i: TEXT)"),
                ("supertype", {"above": "", "fields": "x: INTEGER"},
                 "type Main.Sub (1 objects): it is not a subtype of Main.Base in the program"),
                ("brand", {"kept": "test.New"},
                 "type Main.Kept (1 objects): the program has no such type"),
                ("swapped", {"kept": "test.New",
                             "other": 'BRANDED "test.Kept" REF RECORD i: INTEGER END'},
                 "type Main.Node (1 objects): field kept: Main.Kept is another type")):
            program = build("meanings_" + name, **changed)
            self.assertIn(said, self.db("check", place, program, status=1))
            ran = subprocess.run([program, place], text=True, stderr=subprocess.PIPE)
            self.assertEqual(ran.returncode, 4, ran.stderr)
            self.assertIn("Database.TypeMismatch", ran.stderr)
            self.assertIn("cannot be converted", self.db("upgrade", place, program, status=3))
        # A type that is another one because of its methods is still found at every place that names
        # it.
        program = build("meanings_method", more="n() := N;")
        self.db("check", place, program)
        for user in (program, old):
            subprocess.run([user, place], check=True)

    def test_renamed_types_and_fields(self):
        old, _ = self.build("names_old", RENAMED.format(
            node="Node", base="Base", title="title", next="next", table="table", more=""))
        names = {"node": "Knot", "base": "Root", "title": "name", "next": "link", "table": "all"}
        new, _ = self.build("names_new", RENAMED.format(more="more := 5;", **names))
        # This program has a type that is equal to the stored one.
        same, _ = self.build("names_same", RENAMED.format(more="", **names).replace(
            "VAR db", "Base = OBJECT title: TEXT END;  Node = Base OBJECT next: Node END;\n"
            "VAR kept: Node;  db"))
        place = self.place("names")
        types = ["--rename-type", "Main.Node=Main.Knot", "--rename-type", "Main.Base=Main.Root"]
        fields = ["--rename-field", "Main.Base.title=name", "--rename-field=Main.Node.next=link",
                  "--rename-field", "Main.Sub.table=all"]
        for program in (new, same):
            shutil.rmtree(place, ignore_errors=True)
            subprocess.run([old, place], check=True)
            self.assertIn("--rename-type Main.Node=NEW" if program == new else
                          "type REF ARRAY OF Main.Node cannot be converted",
                          self.db("upgrade", place, program, status=3))
            said = self.db("upgrade", place, program, *types, "--dry-run", status=3)
            self.assertIn("the values of field title are dropped", said)
            for wrong, why in (("Main.Nod=Main.Knot", "no type Main.Nod "), ("Main.Node", "TYPE=NEW"),
                               ("Main.Node=", "TYPE=NEW"), ("Main.Node=a b", "TYPE=NEW")):
                self.assertIn(why, self.db("upgrade", place, program, "--rename-type", wrong,
                                           status=3 if why.startswith("no") else 2))
            for wrong, why in (("Main.Sub.titel=name", "no field Main.Sub.titel "),
                               ("title=name", "TYPE.FIELD=NEW"),
                               ("Main.Sub.title=a.b", "TYPE.FIELD=NEW")):
                self.assertIn(why, self.db("upgrade", place, program, "--rename-field", wrong,
                                           status=3 if why.startswith("no") else 2))
            self.assertEqual(self.run_program(place, old), "first second 2 2\n")
            said = self.db("upgrade", place, program, *types, *fields)
            self.assertNotIn("dropped", said)
            self.assertIn("4 objects converted", said)
            self.db("verify", place)
            self.db("check", place, program)
            self.assertEqual(self.run_program(place, program), "first second 2 2\n")

    def test_salvage(self):
        whole = self.place("whole")
        self.assertIn("0 references lost", self.db("salvage", self.store, whole))
        self.db("verify", whole)
        self.assertEqual(self.run_program(whole), self.said)
        # One stored page: the text of a title is in the file.
        hurt = self.place("hurt")
        shutil.copytree(self.store, hurt)
        tree = os.path.join(hurt, "main.db")
        with open(tree, "r+b") as file:
            contents = file.read()
            file.seek(contents.index(b"node 150\0"))
            file.write(b"damage!!")
        before = contents.replace(b"node 150\0", b"damage!!\0", 1)
        self.db("verify", hurt, status=1)
        saved = self.place("saved")
        said = self.db("salvage", hurt, saved, status=1)
        self.assertIn("1 damaged pages", said)
        with open(tree, "rb") as file:
            self.assertEqual(file.read(), before)
        self.db("verify", saved)
        self.assertIn("title=", self.db("dump", saved))
        self.db("salvage", hurt, saved, status=3)
        # The directory is not a store any more.
        with open(os.path.join(hurt, "FORMAT"), "w", encoding="utf-8") as file:
            file.write("nonsense")
        said = self.db("salvage", hurt, self.place("rest"), status=1)
        self.assertIn("FORMAT made anew", said)
        self.assertNotIn("no recovery", said)
        self.db("verify", self.place("rest"))

    def test_a_store_that_has_lost_its_format(self):
        self.lose_format("lost")

    def test_a_store_that_was_served_and_has_lost_its_format(self):
        with subprocess.Popen([programs.TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True) as server:
            server.stdout.readline()
            server.terminate()
        self.assertIn("SESSIONS", os.listdir(self.store))
        self.lose_format("served")

    def lose_format(self, name):
        lost = self.place(name)
        shutil.copytree(self.store, lost)
        os.remove(os.path.join(lost, "FORMAT"))
        before = sorted(os.listdir(lost))
        for command in ("verify", "stat"):
            self.assertIn("tenure db salvage", self.db(command, lost, status=3))
        ran = subprocess.run([self.program, lost], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("has lost its file FORMAT", ran.stdout)
        self.assertEqual(sorted(os.listdir(lost)), before)
        whole = self.place(name + "-found")
        self.assertIn("0 references lost", self.db("salvage", lost, whole))
        self.assertEqual(self.run_program(whole), self.said)

    def test_what_is_no_file_is_not_waited_for(self):
        for name in ("FORMAT", "LOCK", "REDO", "_store.db", "main.db"):
            for make in (os.mkfifo, os.mkdir):
                odd = self.place("odd-%s-%s" % (name, make.__name__))
                shutil.copytree(self.store, odd)
                if name != "REDO":
                    os.remove(os.path.join(odd, name))
                make(os.path.join(odd, name))
                self.assertIn(name, self.db("verify", odd, status=3))

    def test_salvage_on_a_full_disk(self):
        # The written files may be only as long as a part of the store.
        room = os.path.getsize(os.path.join(self.store, "main.db")) // 2 // 1024
        target = self.place("short")
        limited = "trap '' XFSZ; ulimit -f %d; exec \"$0\" db salvage \"$1\" \"$2\"" % room
        ran = subprocess.run(["sh", "-c", limited, TENURE, self.store, target], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(ran.returncode, 3, ran.stdout)
        self.assertIn("File too large", ran.stdout)
        folder = os.path.dirname(target)
        self.assertEqual([name for name in os.listdir(folder) if name.startswith("short")], [])

    def damages_of_header(self, store):
        """Tries several damages of the header of the last log file in turn."""
        log = os.path.join(store, max(name for name in os.listdir(store) if name.startswith("log.")))
        for place, length in ((4, 1), (5, 1), (6, 1), (7, 1), (4, 4)):
            with open(log, "r+b") as file:
                whole = file.read()
                file.seek(place)
                there = whole[place:place + length]
                file.write(bytes(length) if length > 1 else bytes([there[0] ^ 255]))
            yield place, length
            with open(log, "wb") as file:
                file.write(whole)

    def test_a_log_with_a_damaged_header_of_a_closed_store(self):
        """A store that was closed does not need its log."""
        hurt = self.place("hurt-log")
        self.db("backup", self.store, hurt)
        for _ in self.damages_of_header(hurt):
            copy = self.place("hurt-log-copy")
            shutil.copytree(hurt, copy)
            self.assertEqual(self.run_program(copy), self.said)
            self.db("verify", copy)
            shutil.rmtree(copy)

    def test_a_log_with_a_damaged_header_of_a_killed_program(self):
        killed = self.place("killed")
        status = 0
        # Killed at the last operation of a commit, when the log is longest.
        for step in range(60, 0, -1):
            shutil.rmtree(killed, ignore_errors=True)
            status = subprocess.run([self.program, killed, "@M3recovery=diff",
                                     "@M3dbfail=crash:%d" % step], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, check=False).returncode
            if status == 77 and os.path.exists(os.path.join(killed, "main.db")):
                break
        self.assertEqual(status, 77)
        for place, length in self.damages_of_header(killed):
            self.assertIn("is damaged", self.db("verify", killed, status=3))
            saved = self.place("log-%d-%d" % (place, length))
            self.db("salvage", killed, saved, status=1)
        self.db("verify", killed)

    def test_commands_that_are_ended(self):
        """At whatever step a command ends, the store has its state before or after, and a copy
        is complete or absent; the next command removes the rest of an incomplete one."""
        def exported(store):
            return sorted(re.findall(r'"fields":{"number":(\d+)', self.db("export", store)))

        objects = exported(self.store)
        for command in ("backup", "salvage"):
            target = self.place("ended-" + command)
            folder, name = os.path.split(target)
            left = 0
            for step in range(10, 200, 21):
                ran = subprocess.run([TOOL_WITH_FAULTS, command, self.store, target,
                                      "@M3dbfail=crash:%d" % step], capture_output=True, check=False)
                self.assertIn(ran.returncode, (0, 77), ran)
                if os.path.exists(target):
                    self.assertEqual(exported(target), objects, (command, step))
                    shutil.rmtree(target)
                left += any(entry.startswith(name + ".") for entry in os.listdir(folder))
            self.assertGreater(left, 0)
            self.db(command, self.store, target)
            self.assertEqual(exported(target), objects)
            self.assertEqual([entry for entry in os.listdir(folder) if entry.startswith(name)],
                             [name])
        export = self.place("ended.export")
        self.db("export", self.store, export)
        for command, words in (("compact", []), ("import", [export])):
            for step in range(2, 120, 13):
                store = self.place("ended-%s-%d" % (command, step))
                shutil.copytree(self.store, store)
                place = store if command == "compact" else store + ":more"
                ran = subprocess.run([TOOL_WITH_FAULTS, command, place, *words,
                                      "@M3dbfail=crash:%d" % step], capture_output=True, check=False)
                self.assertIn(ran.returncode, (0, 77), ran)
                self.db("verify", store)
                live = [number for number in objects if number != "2"]
                self.assertIn(exported(store), (objects, live))
                shutil.rmtree(store)

    def test_copies_to_names_with_a_slash_behind(self):
        for command in ("backup", "salvage"):
            target = self.place("slash-" + command)
            self.db(command, self.store, target + "//")
            self.assertEqual(self.run_program(target), self.said)
            self.assertIn("exists already", self.db(command, self.store, target + "/", status=3))
            self.assertIn("is empty", self.db(command, self.store, "", status=2))

    def test_usage(self):
        self.assertIn("verify", self.db("--help"))
        self.assertIn("DIR[:NAME]", self.db("verify", "--help"))
        for arguments in ([], ["nonsense"], ["stat"], ["stat", "a", "b"], ["dump", "a", "--nonsense"],
                          ["dump", self.store, "zero"], ["dump", self.store, "0"],
                          ["dump", self.store, "-1"], ["dump", self.store, "18446744073709551617"],
                          ["backup", self.store]):
            self.db(*arguments, status=2)
        for arguments, meant in ((["verfiy", "a"], "did you mean 'verify'?"),
                                 (["ls", "a"], "did you mean 'show'?"),
                                 (["verify", "a", "--jsn"], "did you mean --json?"),
                                 (["stat", "--jsn"], "did you mean --json?"),
                                 (["upgrade", "a", "p", "--rename-typ", "A=B"], "--rename-type?"),
                                 (["verify", "a", "--stats"], "belongs to 'tenure db query'"),
                                 (["query", "a", "e", "--format=cvs"], "did you mean csv?"),
                                 (["show", "a", "--limit", "x"], "is not a whole number"),
                                 (["--versoin"], "did you mean --version?"),
                                 (["stat", "a", "b", "c"], "not expected: b c"),
                                 (["backup", "a"], "TARGET is required: a new directory")):
            self.assertIn(meant, self.db(*arguments, status=2))
        for arguments, meant in ((["s", "--log-conflict"], "did you mean --log-conflicts?"),
                                 (["s", "--cache=x"], "'x' is not a size"),
                                 (["s", "--recovery=dif"], "did you mean diff?")):
            ran = subprocess.run([TENURE, "serve", *arguments], text=True, capture_output=True)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(meant, ran.stderr)
        self.assertIn("name no database", self.db("schema", self.store + ":main", status=2))
        for command in ("stat", "verify", "dump", "export"):
            self.assertIn("'' cannot name a database", self.db(command, self.store + ":", status=2))
            self.assertIn("does not exist", self.db(command, self.store + ":nope", status=3))
        self.assertIn("no store", self.db("stat", self.place("nowhere"), status=3))
        self.assertIn("has no page 99999; the last is", self.db("dump", self.store, "99999", status=3))


if __name__ == "__main__":
    unittest.main()
