"""`tenure db upgrade` of containers whose keys get another order or another hash: it ends and names
the container, or the program makes it anew."""

import os
import subprocess
import unittest

from programs import TENURE, UpgradeTestCase

KEY = """
INTERFACE Day;
TYPE T = {elements};
CONST Brand = "Day";
PROCEDURE Compare(a, b: T): [-1..1];
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;
END Day.
"""
KEY_BODY = """
MODULE Day;
PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1 ELSIF a > b THEN RETURN 1 ELSE RETURN 0 END;
  END Compare;
PROCEDURE Equal(a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal;
PROCEDURE Hash(a: T): INTEGER = BEGIN RETURN ORD(a) END Hash;
BEGIN
END Day.
"""
# The generics of interfaces and modules.
INSTANCES = {
    "DayIntTbl": ("Table(Day, Integer)", "Table(Day, Integer)"),
    "SortedDayIntTbl": ("SortedTable(Day, DayIntTbl)", "SortedTable(Day, Integer, DayIntTbl)"),
    "DayIntTree": ("BPlusTree(Day, Integer, SortedDayIntTbl)",
                   "BPlusTree(Day, Integer, DayIntTbl, SortedDayIntTbl)"),
    "DayRefTbl": ("Table(Day, Refany)", "Table(Day, Refany)"),
    "DaySet": ("Set(Day)", "Set(Day)"),
    "DaySetDef": ("SetDef(DaySet)", "SetDef(Day, DaySet, DayRefTbl)"),
    "DayPQ": ("PQueue(Day)", "PQueue(Day, DayPQ, DayPQRep)"),
    "DayPQRep": ("PQueueRep(DayPQ)", None),
    "DaySeq": ("Sequence(Day)", "Sequence(Day, DaySeq, DaySeqRep)"),
    "DaySeqRep": ("SequenceRep(Day, DaySeq)", None),
}
# Each kind: what is imported, the root's type, how it is made of the days, how it is asked.
KINDS = {
    "table": ("DayIntTbl", "DayIntTbl.Default", "NEW(DayIntTbl.Default).init()"),
    "sorted": ("SortedDayIntTbl", "SortedDayIntTbl.Default", "NEW(SortedDayIntTbl.Default).init()"),
    "tree": ("DayIntTree", "DayIntTree.T", "NEW(DayIntTree.T).init(2)"),
}
MAIN = """
MODULE Main;
IMPORT Database, Day, IO, Params, Text, Transaction, {module};
<*FATAL ANY*>
VAR
  db: Database.T;  tr := NEW(Transaction.T);  t, anew: {type};  day: Day.T;  n: INTEGER;
PROCEDURE Put(d: Day.T; value: INTEGER) = BEGIN EVAL t.put(d, value) END Put;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin(); t := db.getRoot();
    IF Params.Count > 2 THEN
      anew := {new};
      WITH all = t.iterate() DO WHILE all.next(day, n) DO EVAL anew.put(day, n) END END;
      t := anew; db.setRoot(t);
    END;
    IO.PutInt(t.size());
    FOR d := FIRST(Day.T) TO LAST(Day.T) DO
      IF t.get(d, n) THEN IO.PutChar(' '); IO.PutInt(n) ELSE IO.Put(" -") END;
    END;
    IO.Put("\\n"); tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
    EVAL Text.Length("");
    tr.begin(); t := {new};
    FOR d := FIRST(Day.T) TO LAST(Day.T) DO Put(d, ORD(d)) END;
    db.setRoot(t); tr.commit();
  END;
END Main.
"""
DAYS = [f"d{i}" for i in range(12)]
# Containers with places that they do not use: a table with free slots and a deleted entry, a B+ tree with leaves and
# branches that are not full, a sequence that goes around its array's end. None of their entries is one of the first three days.
PLACES = """
MODULE Main;
IMPORT Database, Day, IO, Params, Text, Transaction, DayIntTbl, DayIntTree, DaySeq;
<*FATAL ANY*>
TYPE Root = REF RECORD hashed: DayIntTbl.Default; tree: DayIntTree.T; seq: DaySeq.T; days: REF ARRAY OF Day.T END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  r: Root;  day: Day.T;  n: INTEGER;
PROCEDURE Show(what: TEXT; all: DayIntTbl.Iterator) =
  BEGIN
    IO.Put(what); n := 0;
    WHILE all.next(day, n) DO IO.Put(" "); IO.PutInt(ORD(LAST(Day.T)) - ORD(day)); IO.Put("="); IO.PutInt(n) END;
    IO.Put("\\n");
  END Show;
BEGIN
  EVAL Text.Length("");
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin(); r := db.getRoot();
    Show("hashed", r.hashed.iterate()); Show("tree", r.tree.iterate());
    FOR i := 0 TO r.seq.size() - 1 DO IO.PutInt(ORD(LAST(Day.T)) - ORD(r.seq.get(i))); IO.Put(" ") END;
    FOR i := 0 TO LAST(r.days^) DO IO.PutInt(ORD(LAST(Day.T)) - ORD(r.days[i])); IO.Put(" ") END;
    IO.Put("\\n"); tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
    tr.begin();
    r := NEW(Root, hashed := NEW(DayIntTbl.Default).init(), tree := NEW(DayIntTree.T).init(2),
             seq := NEW(DaySeq.T).init(9), days := NEW(REF ARRAY OF Day.T, 2));
    r.days[0] := LAST(Day.T); r.days[1] := {second};
    FOR d := FIRST(Day.T) TO LAST(Day.T) DO
      IF ORD(LAST(Day.T)) - ORD(d) < 8 THEN EVAL r.tree.put(d, ORD(LAST(Day.T)) - ORD(d)); EVAL r.hashed.put(d, ORD(LAST(Day.T)) - ORD(d)) END;
      r.seq.addhi(d); IF r.seq.size() > 7 THEN EVAL r.seq.remlo() END;
    END;
    EVAL r.hashed.delete(LAST(Day.T), n);
    db.setRoot(r); tr.commit();
  END;
END Main.
"""


class UpgradeTablesTest(UpgradeTestCase):
    def package(self, name, days, main):
        directory = self.place(name + ".dir")
        os.mkdir(directory)

        def write(file, text):
            with open(os.path.join(directory, file), "w", encoding="utf-8") as out:
                out.write(text)

        write("Day.i3", KEY.format(elements="{" + ", ".join(days) + "}"))
        write("Day.m3", KEY_BODY)
        for instance, (interface, module) in INSTANCES.items():
            write(instance + ".i3", f"INTERFACE {instance} = {interface} END {instance}.\n")
            if module is not None:
                write(instance + ".m3", f"MODULE {instance} = {module} END {instance}.\n")
        write("Main.m3", main)
        program = os.path.join(directory, "program")
        subprocess.run([TENURE, "build", directory, "-o", program], check=True,
                       stdout=subprocess.DEVNULL)
        return program

    def ran(self, *command):
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True,
                              timeout=60).stdout

    def refused(self, store, new, kind):
        before = self.objects(store)
        said = self.db("upgrade", "--dry-run", store, new, status=3)
        self.assertEqual(self.db("upgrade", store, new, status=3), said)
        self.assertIn(f"the keys of containers of type {kind} may get another order", said)
        self.assertIn(f"--rebuild {kind}", said)
        self.assertEqual(self.objects(store), before)

    def test_keys_that_get_another_order(self):
        for kind, (module, type_name, new) in KINDS.items():
            with self.subTest(kind=kind):
                main = MAIN.format(module=module, type=type_name, new=new)
                old = self.package(kind + "_old", DAYS, main)
                store = self.place(kind)
                subprocess.run([old, store], check=True, timeout=60)
                # More elements at the end change no number of a key.
                longer = self.package(kind + "_longer", DAYS + ["more"], main)
                self.db("upgrade", store, longer)
                self.assertEqual(self.ran(longer, store),
                                 "12 " + " ".join(str(i) for i in range(12)) + " -\n")
                other = self.package(kind + "_other", ["new"] + DAYS[::-1] + ["more"], main)
                self.refused(store, other, type_name)
                self.db("upgrade", store, other, "--rebuild", type_name)
                right = "12 - " + " ".join(str(11 - i) for i in range(12)) + " -\n"
                self.assertEqual(self.ran(other, store, "anew"), right)
                self.assertEqual(self.ran(other, store), right)
                self.assertIn("the store has no type Main.None",
                              self.db("upgrade", store, other, "--rebuild", "Main.None", status=3))

    def test_sets_and_queues(self):
        for kind, module, type_name, make in (
                ("set", "DaySetDef", "DaySetDef.T",
                 "t := NEW(DaySetDef.T).init(); EVAL t.insert(Day.T.d3);"),
                ("queue", "DayPQ", "DayPQ.Default",
                 "t := NEW(DayPQ.Default).init(); t.insert(NEW(DayPQ.Elt, priority := Day.T.d3));")):
            with self.subTest(kind=kind):
                main = f"""MODULE Main; IMPORT Database, Day, Params, Transaction, {module};
                           <*FATAL ANY*>
                           VAR db: Database.T; tr := NEW(Transaction.T); t: {type_name};
                           BEGIN
                             Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
                             tr.begin(); {make} db.setRoot(t); tr.commit();
                           END Main."""
                old = self.package(kind + "_old", DAYS, main)
                store = self.place(kind)
                subprocess.run([old, store], check=True, timeout=60)
                other = self.package(kind + "_other", DAYS[::-1], main)
                self.refused(store, other, {"set": "DayRefTbl.Default", "queue": "DayPQ.Default"}[kind])

    def test_unused_places_have_no_value_of_a_removed_element(self):
        now = self.package("now", DAYS[2:], PLACES.format(second="LAST(Day.T)"))
        rebuild = ["--rebuild", "DayIntTbl.Default", "--rebuild", "DayIntTree.T"]
        for name, second in (("kept", "LAST(Day.T)"), ("gone", "FIRST(Day.T)")):
            with self.subTest(name):
                old = self.package(name, DAYS, PLACES.format(second=second))
                store = self.place(name + ".store")
                subprocess.run([old, store], check=True, timeout=60)
                before = self.ran(old, store)
                tree, places = before.splitlines()[1:]
                self.assertEqual(tree, "tree 7=7 6=6 5=5 4=4 3=3 2=2 1=1 0=0")
                self.assertEqual(places, "6 5 4 3 2 1 0 0 " + ("0 " if name == "kept" else "11 "))
                if name == "kept":
                    self.db("upgrade", store, now, *rebuild)
                    self.assertEqual(self.ran(now, store), before)
                    self.db("verify", store)
                else:
                    self.assertIn("RefArray: element [1]: its value, d0, is not one of the program's",
                                  self.db("upgrade", store, now, *rebuild, status=3))


if __name__ == "__main__":
    unittest.main()
