"""Which stored type is which type of a program: garbage of a type that a program lacks does not close a
page, a type that has got a brand is still the same, and local types of two procedures are two types."""

import subprocess
import unittest

from programs import TENURE, UpgradeTestCase

# make STORE: with garbage of the type Old | live STORE: the object of Old lives | keep STORE: as make, but
# another database refers to that object | old STORE: shows it
OLD = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Text, Transaction;
<*FATAL ANY*>
TYPE
  Item = REF RECORD n: INTEGER END;
  Old = BRANDED "old" REF RECORD a, b: INTEGER; t: TEXT; next: REFANY END;
  All = BRANDED "all" REF ARRAY OF REFANY;
VAR db, other: Database.T;  tr := NEW(Transaction.T);  all: All;  old: Old;
BEGIN
  IF Text.Equal(Params.Get(1), "old") THEN
    db := Database.Open(Params.Get(2) & ":other");
    tr.begin();
    all := db.getRoot();  old := all[0];
    IO.Put(Fmt.Int(old.a) & " " & Fmt.Int(old.b) & " " & old.t & " " & Fmt.Int(NARROW(old.next, Item).n) & "\n");
    tr.commit();
  ELSE
    Database.Create(Params.Get(2));
    db := Database.Open(Params.Get(2));
    tr.begin();
    all := NEW(All, 3);  all[0] := NEW(Item, n := 1);
    old := NEW(Old, a := 7, b := 8, t := "kept", next := all[0]);
    all[1] := old;  all[2] := NEW(Item, n := 2);
    db.setRoot(all);
    tr.commit();
    IF Text.Equal(Params.Get(1), "keep") THEN
      Database.Create(Params.Get(2) & ":other");  other := Database.Open(Params.Get(2) & ":other");
      tr.begin();  all := db.getRoot();  old := all[1];  all := NEW(All, 1);  all[0] := old;  other.setRoot(all);
      tr.commit();
    END;
    IF NOT Text.Equal(Params.Get(1), "live") THEN tr.begin();  all := db.getRoot();  all[1] := NIL;  tr.commit() END;
  END;
END Main.
"""

# Adds 10 to each item, and shows them.
NEW = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Item = REF RECORD n: INTEGER END;
  All = BRANDED "all" REF ARRAY OF REFANY;
VAR db := Database.Open(Params.Get(1));  tr := NEW(Transaction.T);  all: All;  item: Item;
BEGIN
  tr.begin();
  all := db.getRoot();
  FOR i := 0 TO LAST(all^) DO
    item := all[i];
    IF item # NIL THEN INC(item.n, 10);  IO.Put(Fmt.Int(item.n) & " ") END;
  END;
  IO.Put("\n");
  tr.commit();
END Main.
"""

BRAND = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Item = {brand} OBJECT n: INTEGER END;
  Special = Item OBJECT s: INTEGER END;
  List = REF RECORD item: Item; next: List END;
VAR db: Database.T;  tr := NEW(Transaction.T);  list: List;
BEGIN
  TRY db := Database.Open(Params.Get(1))
  EXCEPT Database.DatabaseNotFound => Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1))
  END;
  tr.begin();
  list := db.getRoot();
  (* New objects behind old fields, and old objects behind new ones. *)
  IF list # NIL THEN list.next := NEW(List, item := NEW(Item, n := 5), next := list.next) END;
  list := NEW(List, item := NEW(Special, n := 1, s := 2), next := list);
  db.setRoot(list);
  WHILE list # NIL DO IO.Put(Fmt.Int(list.item.n));  list := list.next END;
  IO.Put("\n");
  tr.commit();
END Main.
"""

# Two local types, of one name in the sources.
LOCAL = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
VAR db: Database.T;  tr := NEW(Transaction.T);  root: REF ARRAY OF REFANY;
PROCEDURE A(VAR r: REFANY) =
  TYPE T = OBJECT x: INTEGER; {a} END;
  BEGIN
    IF r = NIL THEN r := NEW(T, x := 1) END;
    TYPECASE r OF T (t) => IO.Put("A" & Fmt.Int(t.x)) ELSE IO.Put("other") END;
  END A;
PROCEDURE B(VAR r: REFANY) =
  TYPE T = OBJECT x: INTEGER; {b} END;
  BEGIN
    IF r = NIL THEN r := NEW(T, x := 2) END;
    TYPECASE r OF T (t) => IO.Put("B" & Fmt.Int(t.x)) ELSE IO.Put("other") END;
    BEGIN TYPE T = REF RECORD z: LONGREAL END; BEGIN EVAL NEW(T) END END;
  END B;
BEGIN
  TRY db := Database.Open(Params.Get(1))
  EXCEPT Database.DatabaseNotFound => Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1))
  END;
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN root := NEW(REF ARRAY OF REFANY, 2); db.setRoot(root) END;
  A(root[0]);  B(root[1]);  IO.Put("\n");
  tr.commit();
END Main.
"""


class TypeIdentityTest(UpgradeTestCase):
    def setUp(self):
        self.store = self.place(self.id().split(".")[-1])

    def ran(self, *command, status=0):
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old, cls.new = cls.build("old", OLD), cls.build("new", NEW)

    def test_garbage_of_a_type_that_is_gone_closes_no_page(self):
        self.ran(self.old, "make", self.store)
        for expected in ("11 12 \n", "21 22 \n"):
            self.assertEqual(self.ran(self.new, self.store), expected)
            self.db("verify", self.store)
        self.assertEqual(self.ran(self.new, self.store, "@M3paranoiddb"), "31 32 \n")

    def test_an_object_of_a_type_that_is_gone_raises_type_mismatch(self):
        self.ran(self.old, "live", self.store)
        said = subprocess.run([self.new, self.store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60).stdout
        self.assertIn("TypeMismatch", said)
        self.assertIn("the program has no type like the stored Main.Old", said)

    def test_an_object_that_others_know_stays_as_it_is(self):
        self.ran(self.old, "keep", self.store)
        self.assertEqual(self.ran(self.new, self.store), "11 12 \n")
        self.assertEqual(self.ran(self.old, "old", self.store), "7 8 kept 11\n")
        self.db("verify", self.store)

    def test_the_same_in_a_served_store(self):
        self.ran(self.old, "keep", self.store)
        server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)

        def end():
            server.terminate()
            server.communicate(timeout=60)
        self.addCleanup(end)
        self.assertTrue(server.stdout.readline().startswith("serving"))
        self.assertEqual(self.ran(self.new, self.store), "11 12 \n")
        self.assertEqual(self.ran(self.old, "old", self.store), "7 8 kept 11\n")

    def test_a_brand_that_is_given_changes_nothing(self):
        plain, branded = (self.build(name, BRAND.replace("{brand}", brand))
                          for name, brand in (("plain", ""), ("branded", 'BRANDED "Item"')))
        self.assertEqual(self.ran(plain, self.store), "1\n")
        self.assertEqual(self.ran(branded, self.store), "115\n")
        self.assertEqual(self.ran(branded, self.store), "11515\n")
        self.assertIn("all is well", self.db("verify", self.store))
        saved = self.store + ".saved"
        said = self.db("salvage", self.store, saved)
        self.assertNotIn("NIL", said)
        self.assertEqual(self.ran(branded, saved), "1151515\n")
        self.db("gc", self.store)
        self.assertIn("all is well", self.db("verify", self.store))

    def test_local_types_of_two_procedures_are_two_types(self):
        first = self.build("local", LOCAL.replace("{a}", "").replace("{b}", "y: CHAR;"))
        self.assertEqual(self.ran(first, self.store), "A1B2\n")
        schema = self.db("schema", self.store)
        for name in ("Main_A_T", "Main_B_T"):
            self.assertIn(name, schema)
        second = self.build("local_too", LOCAL.replace("{a}", "w: INTEGER;").replace("{b}", "y: CHAR; w: INTEGER;"))
        self.db("upgrade", self.store, second)
        self.assertEqual(self.ran(second, self.store), "A1B2\n")


if __name__ == "__main__":
    unittest.main()
