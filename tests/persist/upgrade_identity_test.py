"""`tenure db upgrade`: which type of the program a stored type is; and its dry run, which ends with the
same words."""

import subprocess
import unittest

from programs import UpgradeTestCase

# `types` declares Part, Other and Whole; Whole has fields part, other and any. `show` prints them.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  {types}
VAR db: Database.T;  tr := NEW(Transaction.T);  w: Whole;
BEGIN
  EVAL Fmt.Int(0);
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin(); w := db.getRoot();
    {show}
    IO.Put("\n");
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
    tr.begin();
    w := NEW(Whole, part := NEW(Part, x := 1, y := 2));
    {make}
    db.setRoot(w); tr.commit();
  END;
END Main.
"""
SHOW = 'IO.PutInt(w.part.x); IO.PutChar(\' \'); IO.PutInt(w.part.y); {more}'
OBJECTS = {"types": """Part = OBJECT x, y: INTEGER END;
                       Sub = Part OBJECT z: INTEGER END;
                       Whole = OBJECT part: Part; any: REFANY; sub: Sub END;""",
           "make": "w.any := w.part; w.sub := NEW(Sub, x := 3, y := 4, z := 5);",
           "show": SHOW.format(more="IO.PutChar(' '); IO.PutInt(w.sub.z); IO.PutInt(w.sub.x);")}


def program(types, make="", show=SHOW.format(more="")):
    return PROGRAM.format(types=types, make=make, show=show)


class ChangesTestCase(UpgradeTestCase):
    def made(self, name, built):
        store = self.place(name)
        subprocess.run([built, store], check=True, timeout=60)
        return store

    def ran(self, built, store):
        return subprocess.run([built, store], stdout=subprocess.PIPE, check=True, text=True,
                              timeout=60).stdout

    def upgraded(self, store, new, *options):
        """The dry run prints the same number of objects as the upgrade."""
        tried = self.db("upgrade", "--dry-run", store, new, *options)
        done = self.db("upgrade", store, new, *options)
        self.assertEqual(tried.splitlines()[-1].split(" ")[0], done.splitlines()[-1].split(" ")[0])
        self.db("verify", store)
        self.db("check", store, new)

    def refused(self, store, new, *options):
        before = self.objects(store)
        said = self.db("upgrade", "--dry-run", store, new, *options, status=3)
        self.assertEqual(self.db("upgrade", store, new, *options, status=3), said)
        self.assertEqual(self.objects(store), before)
        return said


class UpgradeIdentityTest(ChangesTestCase):
    def test_a_brand_is_given_to_a_type_while_another_changes(self):
        old = self.build("unbranded", program(**OBJECTS))
        for name, types in (
                ("part", OBJECTS["types"].replace("Part = OBJECT", 'Part = BRANDED "P" OBJECT')),
                ("sub", OBJECTS["types"].replace("Part OBJECT", 'Part BRANDED "S" OBJECT')),
                ("whole", OBJECTS["types"].replace("Whole = OBJECT", 'Whole = BRANDED "W" OBJECT'))):
            for change in ("", "more"):
                with self.subTest(brand=name, change=change):
                    now = types.replace("any: REFANY", f"any: REFANY; {change}: INTEGER := 9"
                                        if change else "any: REFANY")
                    new = self.build("branded_" + name + change,
                                     program(now, OBJECTS["make"], OBJECTS["show"]))
                    store = self.made("brand_" + name + change, old)
                    self.upgraded(store, new)
                    self.assertEqual(self.ran(new, store), "1 2 53\n")
                    self.assertIn("0 objects converted", self.db("upgrade", store, new))

    def test_another_brand_is_asked_about(self):
        types = OBJECTS["types"].replace("Part = OBJECT", 'Part = BRANDED "one" OBJECT')
        old = self.build("one", program(types, OBJECTS["make"], OBJECTS["show"]))
        new = self.build("two", program(types.replace('"one"', '"two"'), OBJECTS["make"],
                                        OBJECTS["show"]))
        store = self.made("another", old)
        said = self.refused(store, new)
        self.assertIn('type Main.Part cannot be converted: the program has no such type: its type of '
                      'this name has the brand "two", and the stored one the brand "one" (if it is '
                      'this one: --rename-type Main.Part=Main.Part)', said)
        self.upgraded(store, new, "--rename-type", "Main.Part=Main.Part")
        self.assertEqual(self.ran(new, store), "1 2 53\n")

    def test_a_brand_that_moves_merges_no_types(self):
        types = """Part = BRANDED "B" OBJECT x, y: INTEGER END;
                   Other = OBJECT x, y, z: INTEGER END;
                   Whole = OBJECT part: Part; other: Other END;"""
        make = "w.other := NEW(Other, x := 3, y := 4);"
        show = SHOW.format(more="IO.PutChar(' '); IO.PutInt(w.other.x);")
        old = self.build("here", program(types, make, show))
        moved = types.replace(' BRANDED "B"', "").replace("Other = OBJECT",
                                                          'Other = BRANDED "B" OBJECT')
        new = self.build("there", program(moved, make, show))
        store = self.made("moved", old)
        said = self.refused(store, new)
        self.assertIn('would both be the program\'s type Main.Other, which has the brand "B" '
                      "(--rename-type Main.", said)
        self.upgraded(store, new, "--rename-type", "Main.Part=Main.Part", "--rename-type",
                      "Main.Other=Main.Other")
        self.assertEqual(self.ran(new, store), "1 2 3\n")

    def test_a_type_with_the_fields_that_another_had_is_asked_about(self):
        old = self.build("point", program(
            "Part = REF RECORD x, y: INTEGER END; Whole = REF RECORD part: Part; any: REFANY END;",
            "w.any := w.part;"))
        types = """Part = REF RECORD x, y: INTEGER; z: INTEGER := 7 END;
                   Size = REF RECORD x, y: INTEGER END;
                   Whole = REF RECORD part: Part; any: REFANY END;"""
        show = SHOW.format(more="IO.PutInt(w.part.z); IO.Put(Fmt.Bool(ISTYPE(w.any, Size)));")
        new = self.build("size", program(types, "w.any := NEW(Size);", show))
        store = self.made("alike", old)
        said = self.refused(store, new)
        self.assertIn("the program's type of this name has other fields, and its type Main.Size has "
                      "these (--rename-type Main.Part=Main.Part or --rename-type "
                      "Main.Part=Main.Size says which it is)", said)
        self.upgraded(store, new, "--rename-type", "Main.Part=Main.Part")
        self.assertEqual(self.ran(new, store), "1 27FALSE\n")


class UpgradeFieldsTest(ChangesTestCase):
    """Fields that become TRANSIENT, and fields that hide those of a supertype."""

    def test_a_field_becomes_transient(self):
        types = """Part = OBJECT x, y: INTEGER END;
                   Whole = OBJECT part: Part; {any}: {ref} END;"""
        old = self.build("kept", program(types.format(any="any", ref="REF INTEGER"),
                                         "w.any := NEW(REF INTEGER);"))
        show = SHOW.format(more="IO.Put(Fmt.Bool(w.any = NIL));")
        new = self.build("transient", program(
            types.format(any="any", ref="<*TRANSIENT*> REF INTEGER"), show=show))
        store = self.made("to_transient", old)
        said = self.refused(store, new)
        self.assertIn("Main.Whole.any", said.splitlines()[-1])
        self.assertIn("--drop-field", said.splitlines()[-1])
        self.upgraded(store, new, "--drop-field", "Main.Whole.any")
        self.assertEqual(self.ran(new, store), "1 2TRUE\n")
        # And back: there is nothing to lose.
        self.upgraded(store, old)

    def test_a_hidden_field_stays(self):
        types = """Part = OBJECT x, y: INTEGER END;
                   Base = OBJECT part: Part; name: TEXT END;
                   Whole = Base OBJECT name: TEXT; {more} END;"""
        make = 'w.name := "hides"; NARROW(w, Base).name := "hidden";'
        show = SHOW.format(more='IO.Put(w.name & " " & NARROW(w, Base).name);')
        old = self.build("hiding", program(types.format(more=""), make, show))
        new = self.build("hiding_more", program(types.format(more="n: INTEGER := 3;"), make, show))
        store = self.made("hidden", old)
        self.upgraded(store, new)
        self.assertEqual(self.ran(new, store), "1 2hides hidden\n")
        one = self.build("one_name", program(types.format(more="").replace(
            "Whole = Base OBJECT name: TEXT;", "Whole = Base OBJECT own: TEXT;"),
            'w.own := "";', SHOW.format(more='IO.Put(w.own & " " & w.name);')))
        said = self.refused(store, one, "--drop")
        self.assertIn("--rename-field", said)
        self.upgraded(store, one, "--rename-field", "Main.Whole.name=own", "--drop-field",
                      "Main.Whole.n")
        self.assertEqual(self.ran(one, store), "1 2hides hidden\n")


if __name__ == "__main__":
    unittest.main()
