"""`tenure db upgrade` loses no data without asking: new fields get their defaults of every kind,
removed fields need a confirmation, a converter must be for existing types, and --dry-run ends
with the same result as the upgrade."""

import shutil
import subprocess
import unittest

from programs import UpgradeTestCase, converter, list_program

OLD = {
    "base": "name, note: TEXT;",
    "fields": "n: INTEGER; price: INTEGER;",
    "make": 'made.name := "name " & Fmt.Int(i); made.note := "note"; made.n := i; made.price := 10 * i;',
    "show": 'IO.Put(node.name & " " & Fmt.Int(node.n) & "\\n");',
}
DEFAULTS = {
    "base": 'name, note: TEXT; above: TEXT := "in the supertype";',
    "fields": r"""
      t: TEXT := "default"; w: TEXT := W"\x263a!"; empty: TEXT := ""; none: TEXT := NIL;
      r := Rec{7, "in a record", 2.5}; a := ARRAY [0..1] OF TEXT {"zero", "one"};
      s := SET OF [0..99] {1, 98}; f: REAL := 1.5; d := 3.25d0; colour := Colour.Blue;
      p: PROCEDURE (): TEXT := Hello; n: INTEGER; b: BITS 3 FOR [0..7] := 5; price: INTEGER;""",
    "make": "",
    "show": r"""
      IO.Put(node.name & "|" & node.note & "|" & node.above & "|" & node.t & "|"
             & Fmt.Int(ORD(Text.GetWideChar(node.w, 0))) & Fmt.Int(Text.Length(node.w)) & "|"
             & node.empty & "|" & Fmt.Bool(node.none = NIL) & "|" & Fmt.Int(node.r.i) & node.r.t
             & Fmt.Real(node.r.x) & "|" & node.a[0] & node.a[1] & "|" & Fmt.Bool(1 IN node.s)
             & Fmt.Bool(98 IN node.s) & Fmt.Bool(97 IN node.s) & "|" & Fmt.Real(node.f)
             & Fmt.LongReal(node.d) & "|" & Fmt.Int(ORD(node.colour)) & "|" & node.p() & "|"
             & Fmt.Int(node.n) & "|" & Fmt.Int(node.b) & "|" & Fmt.Int(node.price) & "\n");""",
}
SHOWN = ("name %d|note|in the supertype|default|97862||TRUE|7in a record2.5|zeroone|TRUETRUEFALSE"
         "|1.53.25|2|hello|%d|5|%d\n")
# Without note and price.
FEWER = {"base": "name: TEXT;", "fields": "n: INTEGER;", "make": "", "show": OLD["show"]}
NARROW = {"base": "name, note: TEXT;", "fields": "n: INTEGER; price: [0..20];", "make": "",
          "show": OLD["show"]}


class UpgradeLossTest(UpgradeTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = cls.build("old", list_program(**OLD))
        cls.made = cls.place("made")
        subprocess.run([cls.old, cls.made], check=True, timeout=60)

    def setUp(self):
        self.store = self.place(self.id().split(".")[-1])
        shutil.copytree(self.made, self.store)

    def refused(self, *arguments):
        """The dry run and the upgrade print the same words; the store has not
        changed."""
        before, objects = self.db("export", self.store), self.objects(self.store)
        said = self.db("upgrade", "--dry-run", *arguments, status=3)
        self.assertEqual(self.db("export", self.store), before)
        self.assertEqual(self.db("upgrade", *arguments, status=3), said)
        self.assertEqual(self.objects(self.store), objects)
        return said

    def shown(self, program):
        return subprocess.run([program, self.store], stdout=subprocess.PIPE, check=True, text=True,
                              timeout=60).stdout

    def test_new_fields_get_their_defaults(self):
        new = self.build("defaults", list_program(**DEFAULTS))
        before = self.db("export", self.store)
        self.assertIn("3 objects would be converted; nothing has been changed",
                      self.db("upgrade", self.store, new, "--dry-run"))
        self.assertEqual(self.db("export", self.store), before)
        self.assertIn("3 objects converted", self.db("upgrade", self.store, new))
        self.db("verify", self.store)
        self.db("check", self.store, new)
        self.assertEqual(self.shown(new), "".join(SHOWN % (i, i, 10 * i) for i in (1, 2, 3)))
        # Names, the note; and literals once for all objects, as NEW has them.
        texts = [line for line in self.db("export", self.store).splitlines()
                 if '"type":"TextFlat' in line]
        self.assertEqual(len(texts), 4 + 7)

    def test_fields_that_go_are_asked_about(self):
        new = self.build("fewer", list_program(**FEWER))
        said = self.refused(self.store, new)
        self.assertIn("the values of field note are dropped", said)
        for text in ("Main.Node.note", "Main.Node.price", "--drop-field"):
            self.assertIn(text, said.splitlines()[-1])
        said = self.refused("--drop-field", "Main.Base.note", self.store, new)
        self.assertNotIn("Main.Node.note", said.splitlines()[-1])
        self.assertIn("Main.Node.price", said.splitlines()[-1])
        self.assertIn("the store has no field Main.Node.prize",
                      self.refused("--drop-field", "Main.Node.prize", self.store, new))
        self.assertIn("TYPE.FIELD", self.db("upgrade", self.store, new, "--drop-field", "price",
                                            status=2))
        self.assertIn("no field cost",
                      self.refused(self.store, new, "--drop", "--rename-field",
                                   "Main.Node.price=cost"))
        # Options may stand before other arguments.
        self.assertIn("3 objects converted",
                      self.db("upgrade", "--drop-field", "Main.Base.note", "--drop-field",
                              "Main.Node.price", self.store, new))
        self.assertEqual(self.shown(new), "name 1 1\nname 2 2\nname 3 3\n")

    def test_a_value_that_does_not_fit(self):
        new = self.build("narrow", list_program(**NARROW))
        self.assertIn("the value of field price", self.refused(self.store, new))

    def test_a_converter_reads_what_goes(self):
        new = self.build("fewer_too", list_program(**FEWER))
        reads = 'object.put("name", object.get("name") & " " & object.get("note"));'
        typo = self.build("typo", converter(reads, "Main.Nod"))
        self.assertIn("a type Main.Nod, which the store does not have",
                      self.refused(self.store, new, typo, "--drop"))
        some = self.build("some", converter(reads))
        said = self.refused(self.store, new, some).splitlines()[-1]
        self.assertIn("Main.Node.price", said)
        self.assertNotIn("Main.Node.note", said)
        above = self.build("above", converter(reads, "Main.Base"))
        self.assertIn("not asked about type Main.Base", self.refused(self.store, new, above))
        self.assertIn("3 objects converted",
                      self.db("upgrade", self.store, new, some, "--drop-field", "Main.Node.price"))
        self.assertEqual(self.shown(new), "name 1 note 1\nname 2 note 2\nname 3 note 3\n")

    def test_a_brand_that_has_changed(self):
        old = self.build("brand", list_program(**OLD, brand='BRANDED "one"'))
        new = self.build("other_brand", list_program(**OLD, brand='BRANDED "two"'))
        shutil.rmtree(self.store)
        subprocess.run([old, self.store], check=True, timeout=60)
        self.assertIn("no such type", self.refused(self.store, new))
        self.assertIn("3 objects converted",
                      self.db("upgrade", "--rename-type", "Main.Node=Main.Node", self.store, new))
        self.assertEqual(self.shown(new), "name 1 1\nname 2 2\nname 3 3\n")


if __name__ == "__main__":
    unittest.main()
