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


if __name__ == "__main__":
    unittest.main()
