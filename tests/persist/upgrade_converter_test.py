"""`tenure db upgrade DIR PROGRAM CONVERTER`: fields that a program of DatabaseConverter computes."""

import subprocess
import unittest

from programs import UpgradeTestCase, converter, list_program

OLD = {
    "fields": "name: TEXT; celsius: INTEGER; price: TEXT; code: [0..999]; good: BOOLEAN;",
    "make": """made.name := "First" & Fmt.Int(i) & " Last" & Fmt.Int(i);  made.celsius := 10 * i - 20;
               made.price := Fmt.Int(i) & ".5";  made.code := 100 + i;  made.good := i MOD 2 = 0;
               IF i = 3 THEN made.name := NIL END;
               IF i = 4 THEN
                 made.name := "\\303\\244\\t " & Text.FromWideChars(ARRAY OF WIDECHAR{W'\\x263a'});
               END;""",
    "count": 10,
}
NEW = {
    "fields": "first, last: TEXT; kelvin: LONGREAL; price: LONGREAL; code: TEXT; hue: Colour;",
    "show": r"""
      IF node.first = NIL THEN IO.Put("none") ELSE
        IO.Put(node.first & "|");
        IF Text.HasWideChars(node.last) THEN
          IO.Put(Fmt.Int(ORD(Text.GetWideChar(node.last, 0))));
        ELSE
          IO.Put(node.last);
        END;
      END;
      IO.Put(" " & Fmt.LongReal(node.kelvin) & " " & Fmt.LongReal(node.price) & " " & node.code
             & " " & Fmt.Int(ORD(node.hue)) & "\n");""",
}
CONVERSION = r"""
    IF object.has("name") THEN
      name := object.get("name");
      space := Text.FindChar(name, ' ');
      object.put("first", Text.Sub(name, 0, space));
      object.put("last", Text.Sub(name, space + 1));
    END;
    object.put("kelvin", Fmt.LongReal(FLOAT(Scan.Int(object.get("celsius")), LONGREAL) + 273.0d0));
    object.put("price", object.get("price"));
    IF Text.Equal(object.get("good"), "true") THEN object.put("hue", "2") END;
"""
CODE = 'object.put("code", "N" & object.get("code"));'


class UpgradeConverterTest(UpgradeTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = cls.build("old", list_program(**OLD))
        cls.new = cls.build("new", list_program(**NEW))

    def test_fields_are_computed(self):
        store = self.place("store")
        subprocess.run([self.old, store], check=True, timeout=60)
        before = self.objects(store)
        self.assertIn("field price from TEXT to LONGREAL",
                      self.db("upgrade", store, self.new, status=3))
        # An upgrade is all or nothing: a converter that leaves a field out, sets a wrong field,
        # refuses, or dies changes nothing.
        for name, code, problem in (
                ("lazy", "", "does not set field code"),
                ("wrong", CODE + 'object.put("colour", "1");', "no such field"),
                ("value", CODE + 'object.put("hue", "blue");', "'blue' is not a value of"),
                ("range", CODE + 'object.put("hue", "300");', "'300' is not a value of"),
                ("number", CODE + 'object.put("kelvin", "warm");', "'warm' is not a value of LONGREAL"),
                ("link", CODE + 'object.put("next", "1");', "it is a reference"),
                ("missing", CODE + 'EVAL object.get("title");', "no value of a field title"),
                ("refusing", CODE + 'IF Text.Equal(object.get("code"), "107") THEN '
                 'RAISE DatabaseConverter.Refused("seven!") END;', "seven!"),
                ("dying", CODE + "<*ASSERT Text.Length(object.get(\"code\")) = 0*>",
                 "has ended without an answer")):
            lacking = self.build(name, converter(CONVERSION + code))
            said = self.db("upgrade", store, self.new, lacking, status=3)
            self.assertIn(problem, said)
            self.assertIn("Main.Node", said)
            self.db("verify", store)
            self.assertEqual(self.objects(store), before, name)
        self.assertIn("is not a converter", self.db("upgrade", store, self.new, self.old, status=3))
        self.assertIn("is not a converter", self.db("upgrade", store, self.new, "/bin/cat", status=3))
        self.assertIn("is not a converter", self.db("upgrade", store, self.new, store, status=3))
        self.db("upgrade", store, self.new, self.place("none"), status=3)

        good = self.build("good", converter(CONVERSION + CODE))
        self.assertIn("10 objects converted", self.db("upgrade", store, self.new, good))
        self.db("verify", store)
        ran = subprocess.run([self.new, store], stdout=subprocess.PIPE, check=True, timeout=60)
        lines = ran.stdout.decode("latin-1").splitlines()
        self.assertEqual(lines[9], "First10|Last10 353 10.5 N110 2")
        self.assertEqual(lines[2], "none 283 3.5 N103 0")
        self.assertTrue(lines[3].startswith("\u00c3\u00a4\t|"), lines[3])
        self.assertTrue(lines[3].endswith("9786 293 4.5 N104 2"), lines[3])
        self.assertEqual(len(lines), 10)
        self.assertIn("0 objects converted", self.db("upgrade", store, self.new, good))


if __name__ == "__main__":
    unittest.main()
