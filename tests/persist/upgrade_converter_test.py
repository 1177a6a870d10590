"""`tenure db upgrade DIR PROGRAM CONVERTER`: fields that a program of DatabaseConverter computes."""

import os
import subprocess
import unittest

from programs import TENURE, UpgradeTestCase, converter, list_program

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

    # A TEXT that was made by `&` or Text.Sub has another form than a literal.
    def test_texts_of_all_forms(self):
        old = self.build("forms", list_program(
            "name: TEXT;", count=8, make=r"""
              WITH long = "a line of forty characters, with its end" DO
                CASE i OF
                | 1 => made.name := "short";
                | 2 => made.name := long; FOR k := 1 TO 9 DO made.name := made.name & long END;
                | 3 => made.name := Text.Sub(long & long & long & long & long & long & long, 3, 270);
                | 4 => made.name := long & Text.FromWideChars(ARRAY OF WIDECHAR{W'\x263a'}) & long;
                | 5 => made.name := NIL;
                | 6 => made.name := "";
                | 7 => made.name := Text.Sub(long, 1) & (long & (long & long));
                ELSE made.name := long; FOR k := 1 TO 12 DO made.name := made.name & made.name END;
                END;
              END;"""))
        new = self.build("formed", list_program("body: TEXT;", r"""
              IF node.body = NIL THEN IO.Put("none ") ELSE
                IO.PutInt(Text.Length(node.body)); IO.PutChar(':');
                IO.PutInt(Text.Hash(node.body) MOD 1000); IO.PutChar(' ');
              END;"""))
        read = self.build("forms_read", list_program("name: TEXT;", r"""
              IF node.name = NIL THEN IO.Put("none ") ELSE
                IO.PutInt(Text.Length(node.name)); IO.PutChar(':');
                IO.PutInt(Text.Hash(node.name) MOD 1000); IO.PutChar(' ');
              END;""", count=8))
        moves = self.build("moves", converter(
            'IF object.has("name") THEN object.put("body", object.get("name")) END;'))
        store = self.place("forms_store")
        subprocess.run([old, store], check=True, timeout=60)
        self.assertIn("TextBuffer", self.db("schema", store))
        before = subprocess.run([read, store], stdout=subprocess.PIPE, check=True, timeout=60).stdout
        self.assertIn(b"none", before)
        self.assertIn(b" 163840:", before)
        self.assertIn("8 objects converted", self.db("upgrade", store, new, moves))
        after = subprocess.run([new, store], stdout=subprocess.PIPE, check=True, timeout=60).stdout
        self.assertEqual(after, before)

    def test_a_text_in_another_database(self):
        # The text belongs to the database that is made first.
        program = """MODULE Main; IMPORT Database, IO, Params, Text, Transaction; <*FATAL ANY*>
                     TYPE Node = OBJECT {field}: TEXT; {more} END;
                          Keep = REF RECORD text: TEXT END;
                     VAR first, db: Database.T; tr := NEW(Transaction.T); n: Node; k: Keep;
                     BEGIN
                       EVAL Text.Length("");
                       TRY
                         first := Database.Open(Params.Get(1) & ":first");
                         db := Database.Open(Params.Get(1) & ":second");
                         tr.begin(); n := db.getRoot();
                         IF n.{field} = NIL THEN IO.Put("NIL") ELSE IO.Put(n.{field}) END;
                         tr.commit();
                       EXCEPT Database.DatabaseNotFound =>
                         Database.Create(Params.Get(1) & ":first");
                         Database.Create(Params.Get(1) & ":second");
                         first := Database.Open(Params.Get(1) & ":first");
                         db := Database.Open(Params.Get(1) & ":second");
                         k := NEW(Keep, text := "kept " & Params.Get(2));
                         tr.begin(); first.setRoot(k); tr.commit();
                         tr.begin(); k := first.getRoot();
                         db.setRoot(NEW(Node, {field} := k.text)); tr.commit();
                       END;
                     END Main."""
        old = self.build("two_old", program.format(field="name", more=""))
        new = self.build("two_new", program.format(field="title", more="n: INTEGER;"))
        moves = self.build("two_moves", converter(
            'IF object.has("name") THEN object.put("title", object.get("name")) END;'))
        store = self.place("two")
        subprocess.run([old, store, "in the other one"], check=True, timeout=60)
        self.assertIn("would be converted", self.db("upgrade", "--dry-run", store, new, moves))
        self.assertIn("objects converted", self.db("upgrade", store, new, moves))
        self.db("verify", store)
        shown = subprocess.run([new, store], stdout=subprocess.PIPE, check=True, text=True,
                               timeout=60).stdout
        self.assertEqual(shown, "kept in the other one")

    def test_values_out_of_the_range_of_a_field(self):
        fields = """hue: Colour; small: [3..9]; minus: [-2..2]; c: CHAR; letter: ['a'..'z'];
                    w: WIDECHAR; b: BOOLEAN; hues: SET OF Colour; n: CARDINAL; i: INTEGER;
                    r: REAL; l: LONGREAL; packed: BITS 5 FOR [0..20]; first: [Colour.Green..Colour.Blue];
                    pair: ARRAY [0..1] OF Colour; two: RECORD hue: Colour; c: CHAR END;"""
        store = self.place("ranges")
        subprocess.run([self.old, store], check=True, timeout=60)
        # CHAR, WIDECHAR and what has no name by their bits.
        new = self.build("ranged", list_program(fields, "IO.PutInt(ORD(node.hue));", count=1))
        drops = [word for name in ("name", "celsius", "price", "code", "good")
                 for word in ("--drop-field", "Main.Node." + name)]
        for field, wrong, right in (
                ("hue", ("200", "3", "-1", "red"), ("0", "2")),
                ("small", ("2", "10", ""), ("3", "9")),
                ("minus", ("3", "-3", "254"), ("-2", "2")),
                ("c", ("256", "-1"), ("0", "255")),
                ("letter", ("96", "123"), ("97", "122")),
                ("w", ("65536", "-1"), ("65535",)),
                ("b", ("2", "-1", "yes"), ("true", "0", "FALSE")),
                ("hues", ("8", "255"), ("7", "0")),
                ("n", ("-1", "9223372036854775808"), ("9223372036854775807",)),
                ("i", ("9223372036854775808", "-9223372036854775809", "1e3"),
                 ("-9223372036854775808",)),
                ("r", ("1e39", "-1e39", "1e999", "one"), ("3.4e38", "-1.5")),
                ("l", ("1e309", "1d999", ""), ("1d308", "2.5")),
                ("packed", ("21", "31", "-1"), ("20",)),
                ("first", ("0", "3"), ("1", "2")),
                ("pair", ("768", "3"), ("514", "0")),
                ("two", ("3", "65539"), ("25858",))):
            for value in wrong + right:
                # The store has to be of the old types each time; a dry run changes nothing.
                self.put_one(store, new, field, value, value in right, drops)

    # A value that the new field cannot have ended the upgrade, whatever the converter put.
    def test_the_converter_decides_about_values_that_do_not_fit(self):
        fields = """small, other: [0..{most}]; set: SET OF [0..{last}]; part: RECORD m, n: [0..{most}] END;
                    five: ARRAY [0..4] OF [0..{most}]; mark: [0..{most}];"""
        old = self.build("unfit_old", list_program(
            fields.format(most=999, last=15), base="mark: [0..999];", make="""
              VAR over := 300 * ((i - 1) MOD 2);  base: Base := made;
              BEGIN
                made.small := over + i;  made.other := 7;  made.part.m := over + i + 1;  made.part.n := 8;
                FOR k := 0 TO 4 DO made.five[k] := over + i + k END;
                made.mark := 9;  base.mark := over + i + 2;
                made.set := SET OF [0..15] {2};
                IF over # 0 THEN made.set := SET OF [0..15] {2, 11} END;
              END;"""))
        new = self.build("unfit_new", list_program(
            fields.format(most=99, last=7), base="mark: [0..99];", show="""
              VAR base: Base := node;
              BEGIN
                IO.PutInt(node.small); IO.PutChar(' '); IO.PutInt(node.other); IO.PutChar(' ');
                IO.PutInt(node.part.m); IO.PutChar(' '); IO.PutInt(node.part.n); IO.PutChar(' ');
                FOR k := 0 TO 4 DO IO.PutInt(node.five[k]); IO.PutChar(' ') END;
                IO.PutInt(node.mark); IO.PutChar(' '); IO.PutInt(base.mark); IO.PutChar(' ');
                FOR k := 0 TO 7 DO IF k IN node.set THEN IO.PutInt(k) END END;
                IO.PutChar('|');
              END;"""))
        store = self.place("unfit")
        subprocess.run([old, store], check=True, timeout=60)
        self.assertIn("the value of field mark, 304, is not one of the program's [0..99]",
                      self.db("upgrade", store, new, status=3))
        puts = {"small": "3", "part.m": "4", "five": str(0x0504030201), "mark#1": "5", "set": "6"}
        path = {"mark#1": "mark"}

        def build(name, puts, type_="Main.Node"):
            # Only where the value does not fit.
            return self.build(name, converter(
                'IF Scan.Int(object.get("small")) > 99 THEN '
                + " ".join(f'object.put("{field}", "{value}");' for field, value in puts.items()) + " END;", type_))
        for left in puts:
            lazy = build("unfit_" + left.replace("#", "").replace(".", ""),
                         {field: value for field, value in puts.items() if field != left})
            said = self.db("upgrade", store, new, lazy, status=3)
            self.assertIn(f"of type Main.Node: the value of field {path.get(left, left)}, ", said)
        # A record as a whole settles its parts; a part does not settle the others.
        other = build("unfit_other", {**{field: value for field, value in puts.items() if field != "part.m"},
                                      "part.n": "4"})
        self.assertIn("the value of field part.m, 303, is not", self.db("upgrade", store, new, other, status=3))
        puts["part"] = str(4 + 8 * 256)
        del puts["part.m"]
        good = build("unfit_good", puts)
        self.assertIn("would be converted", self.db("upgrade", "--dry-run", store, new, good))
        self.assertIn("3 objects converted", self.db("upgrade", store, new, good))
        self.db("verify", store)
        shown = subprocess.run([new, store], stdout=subprocess.PIPE, check=True, text=True, timeout=60).stdout
        self.assertEqual(shown, "1 7 2 8 1 2 3 4 5 9 3 2|3 7 4 8 1 2 3 4 5 9 5 12|3 7 4 8 3 4 5 6 7 9 5 2|")

    def put_one(self, store, new, field, value, good, drops):
        with self.subTest(field=field, value=value):
            puts = self.puts_value()
            # The converter reads what it puts from its environment.
            ran = subprocess.run([TENURE, "db", "upgrade", "--dry-run", store, new, puts, *drops],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 timeout=60, env={**os.environ, "FIELD": field, "VALUE": value})
            self.assertEqual(ran.returncode, 0 if good else 3, ran.stdout)
            if not good:
                self.assertIn(f"the converter sets field {field}: '{value}' is not a value of",
                              ran.stdout)

    def puts_value(self):
        if not hasattr(self, "puts"):
            type(self).puts = self.build("puts", converter(
                'object.put(Env.Get("FIELD"), Env.Get("VALUE"));').replace(
                    "IMPORT DatabaseConverter,", "IMPORT DatabaseConverter, Env,"))
        return self.puts


if __name__ == "__main__":
    unittest.main()
