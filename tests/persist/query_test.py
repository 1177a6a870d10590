"""What queries answer at the edges: sets, counts, names that are taken, forms of types, long conditions."""

import csv
import io
import json
import os
import subprocess
import unittest

import programs
from programs import TENURE, build_program

PROGRAM = r"""
MODULE Main;
IMPORT Database, Transaction, Params, RefSeq, TextIntTbl, TextRefTbl;
<*FATAL ANY*>
TYPE
  Day = {Mo, Tu, We};
  S = REF RECORD
    name: TEXT; chars: SET OF CHAR; small: SET OF [0..10]; days: SET OF Day; truths: SET OF BOOLEAN; x: LONGREAL;
    d: Day; letter: CHAR; number: INTEGER; list: ARRAY [0..1] OF SET OF Day; codes: ARRAY ['a'..'c'] OF INTEGER;
    next: S
  END;
  (* Fields that are called like something else. *)
  Named = OBJECT id, key, value, index, root, names, ada, it: INTEGER; Mo: Day END;
  Part = RECORD index, key, value: INTEGER END;
  Base = OBJECT name: TEXT END;
  Hiding = Base OBJECT name: INTEGER; more: TEXT END;
  Cell = REF INTEGER;
  (* A table whose subtype hides the field with the number of its entries. *)
  Counted = TextIntTbl.Default OBJECT count: LONGREAL := 0.5d0 END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  s := NEW(RefSeq.T).init();  a, b: S;
  r: REF RECORD rows, named, objects: RefSeq.T; parts: REF ARRAY OF Part; table: TextRefTbl.Default; cell: Cell;
    counted: Counted; codes: ARRAY ['a'..'c'] OF INTEGER; many: REF ARRAY OF INTEGER END;
  named: Named;  base: Base;  hiding: Hiding;
BEGIN
  Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
  tr.begin();
  r := NEW(REF RECORD rows, named, objects: RefSeq.T; parts: REF ARRAY OF Part; table: TextRefTbl.Default; cell: Cell;
    counted: Counted; codes: ARRAY ['a'..'c'] OF INTEGER; many: REF ARRAY OF INTEGER END);
  a := NEW(S, name := "a", chars := SET OF CHAR{'\000', 'a'}, small := SET OF [0..10]{0, 3}, days := SET OF Day{Day.Mo},
           truths := SET OF BOOLEAN{FALSE}, x := 0.5d0, d := Day.Mo, letter := 'a', number := 0);
  b := NEW(S, name := "b", chars := SET OF CHAR{'b'}, small := SET OF [0..10]{5}, days := SET OF Day{Day.Tu},
           truths := SET OF BOOLEAN{TRUE}, x := 5.0d0, d := Day.Tu, letter := 'b', number := 9007199254740993, next := a);
  b.list[1] := SET OF Day{Day.Tu};
  s.addhi(a); s.addhi(b);
  r.rows := s; r.codes['a'] := 1; r.codes['b'] := 2; r.codes['c'] := 3;
  named := NEW(Named, id := 4711, key := 1, value := 2, index := 3, root := 4, names := 5, ada := 6, it := 7, Mo := Day.We);
  r.named := NEW(RefSeq.T).init(); r.named.addhi(named);
  r.table := NEW(TextRefTbl.Default).init(); EVAL r.table.put("x", named);
  r.parts := NEW(REF ARRAY OF Part, 1); r.parts[0] := Part{7, 8, 9};
  base := NEW(Base, name := "Ada"); hiding := NEW(Hiding, more := "m"); hiding.name := 17;
  NARROW(hiding, Base).name := "Bob";
  r.objects := NEW(RefSeq.T).init(); r.objects.addhi(base); r.objects.addhi(hiding);
  r.cell := NEW(Cell); r.cell^ := 9;
  r.counted := NEW(Counted).init(); EVAL r.counted.put("one", 1); EVAL r.counted.put("two", 2);
  r.many := NEW(REF ARRAY OF INTEGER, 5000); FOR i := 0 TO 4999 DO r.many[i] := i MOD 7 END;
  db.setRoot(r); db.bind("ada", a);
  tr.commit();
END Main.
"""


class QueryCase:
    def run_db(self, *arguments, status=0, stdin=None):
        ran = subprocess.run([TENURE, "db", *arguments], text=True, timeout=120, input=stdin,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def rows(self, query):
        return [json.loads(line) for line in self.run_db("query", self.store, query, "--json").splitlines()]


class QueryEdgesTest(programs.ProgramTestCase, QueryCase):
    text = PROGRAM

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = os.path.join(cls.directory, "store")
        subprocess.run([cls.program, cls.store], check=True)

    def names(self, condition):
        return "".join(row["name"] for row in self.rows(f"select name from root.rows where {condition}"))

    def test_what_is_no_ordinal_is_in_no_set(self):
        for condition, wanted in (
                ("'b' in chars", "b"), ("'q' in chars", ""), ("chars contains 'a'", "a"), ("letter in chars", "ab"),
                ("0.5 in small", ""), ("3.0 in small", "a"), ("x in small", "b"), ("number in small", "a"),
                ("nil in days", ""), ("next.d in days", ""), ("days contains next.d", ""), ("Tu in days", "b"),
                ("d in days", "ab"), ("true in truths", "b"), ("nil in truths", ""), ("not (nil in days)", "ab"),
                ("days in [next.days]", ""), ("days in list", "b"), ("next.days contains Mo", "b"),
                ("(next.days contains Mo) is nil", "a")):
            with self.subTest(condition=condition):
                self.assertEqual(self.names(condition), wanted)

    def test_a_character_stands_where_a_text_may(self):
        for condition, wanted in (("letter in name", "ab"), ("'a' in name", "a"), ("name contains letter", "ab"),
                                  ("letter & 'x' = 'ax'", "a"), ("letter like 'B'", "b"), ("upper(letter) = 'A'", "a"),
                                  ("startswith(name, letter)", "ab"), ("codes[letter] = 0", "ab")):
            with self.subTest(condition=condition):
                self.assertEqual(self.names(condition), wanted)

    def test_a_range_of_characters_has_their_places(self):
        keys = [row["key"] for row in self.rows("root.codes['b'..]")]
        self.assertEqual(keys, ["b", "c"])
        self.assertEqual([row["key"] for row in self.rows("root.codes where key <= 'b'")], ["a", "b"])
        self.assertEqual(self.run_db("show", self.store, "root.codes['b'..'b']"), "['b'] = 2\n")
        self.assertIn("is not a bound of", self.run_db("show", self.store, "root.rows[0.5..]", status=2))

    def test_a_count_is_the_number_of_the_same_query_s_rows(self):
        for query, wanted in (("from root.many", 5000), ("from root.many limit 5", 5),
                              ("from root.many where it > 3 limit 5 offset 2", 5),
                              ("select it as n from root.many sort by n limit 5 offset 3", 5),
                              ("from root.many offset 4990", 10), ("select distinct it from root.many limit 3", 3),
                              ("from root.many group by it limit 4", 4), ("from root.many limit 0", 0)):
            with self.subTest(query=query):
                self.assertEqual(self.rows(query + " count"), [{"count": wanted}])
                self.assertEqual(len(self.rows(query)), wanted)

    def test_no_column_takes_the_name_of_a_field(self):
        fields = {"id": 4711, "key": 1, "value": 2, "index": 3, "root": 4, "names": 5, "ada": 6, "it": 7, "Mo": "We"}
        place = self.rows("select id(it) as place from Main.Named")[0]["place"]
        self.assertEqual(self.rows("Main.Named"), [{"#id": place, **fields}])
        self.assertEqual(self.rows("root.parts"), [{"#index": 0, "index": 7, "key": 8, "value": 9}])
        exported = list(csv.DictReader(io.StringIO(self.run_db("export", self.store, "--csv", "Main.Named"))))
        self.assertEqual(exported, [{"#id": place, **{name: str(value) for name, value in fields.items()}}])
        table = self.run_db("query", self.store, "Main.Named")
        self.assertEqual(table.split()[:10], ["#id", *fields])
        said = self.run_db("query", self.store, "select key, value as key from root.table", status=2)
        self.assertIn("two columns are called key: name one of them with as", said)

    def test_a_field_stands_before_what_the_database_calls_so(self):
        for condition in ("root = 4", "names = 5", "ada = 6", "it.it = 7", "it.index = 3", "id = 4711", "Mo = We",
                          'Mo # "Mo"', "Mo # Day.Mo", "We = Mo"):
            with self.subTest(condition=condition):
                self.assertEqual(self.rows(f"Main.Named where {condition} count"), [{"count": 1}])
        # Of the values of a table only reading tells the type.
        self.assertEqual(self.rows("root.table where it.root = 4 and value.ada = 6 count"), [{"count": 1}])
        self.assertEqual(self.rows("root.rows where it = ada count"), [{"count": 1}])

    def test_hidden_fields_and_those_of_subtypes_are_among_the_columns(self):
        rows = [{name: value for name, value in row.items() if name != "id"} for row in self.rows("Main.Base")]
        self.assertEqual(sorted(rows, key=str), sorted(
            [{"name": "Ada", "name#1": None, "more": None}, {"name": 17, "name#1": "Bob", "more": "m"}], key=str))
        self.assertEqual(self.rows("select `name#1`, name from Main.Hiding"), [{"name#1": "Bob", "name": 17}])
        shown = json.loads(self.run_db("show", self.store, "root.objects[1]", "--json"))
        self.assertEqual(shown["fields"], {"name#1": "Bob", "name": 17, "more": "m"})
        self.assertEqual(self.run_db("show", self.store, "root.objects[1].`name#1`"), '"Bob"\n')
        self.assertIn("Bob", self.run_db("export", self.store, "--csv", "Main.Base"))

    def test_a_hidden_field_of_a_container_is_the_container_s(self):
        self.assertEqual(self.rows("root.counted sort by key"), [{"key": "one", "value": 1}, {"key": "two", "value": 2}])
        self.assertEqual(self.rows("select size(root.counted) as n from root"), [{"n": 2}])

    def test_objects_without_fields_have_a_value(self):
        self.assertEqual([row["value"] for row in self.rows("Main.Cell")], [9])
        self.assertIn("[0,1,2,3,4,5,6,0,", self.run_db("export", self.store, "--csv", "REF ARRAY OF INTEGER"))
        self.assertIn("Bob", {row["value"] for row in self.rows("TextFlat.T8")})

    def test_integers_that_readers_of_json_round_are_texts(self):
        self.assertEqual(self.rows("select number from root.rows"), [{"number": 0}, {"number": "9007199254740993"}])
        self.assertEqual(json.loads(self.run_db("show", self.store, "root.rows[1].number", "--json")),
                         "9007199254740993")
        said = self.run_db("set", self.store, "root.rows[1].name", "9007199254740993", "--dry-run", status=2)
        self.assertIn("is not a reference", said)

    def test_long_and_deep_conditions(self):
        self.assertEqual(self.names(" or ".join(f"number = {n + 5}" for n in range(5000)) + " or name = 'b'"), "b")
        self.assertEqual(self.names(" and ".join(["number < 5"] * 5000)), "a")
        deep = "nested too deeply: more than 500"
        for text in ("1" + " + 1" * 5000, "'a'" + " & 'b'" * 5000, "root" + ".next" * 5000, "root" + "[0]" * 5000,
                     "1" + " = 1" * 5000, "(" * 5000, "not " * 5000, "-" * 5000 + "1", "[" * 5000,
                     "1" + " between 1 and 2" * 5000):
            with self.subTest(text=text[:20]):
                self.assertIn(deep, self.run_db("query", self.store, f"root.rows where {text}", status=2))
        self.assertIn(deep, self.run_db("show", self.store, "1" + " + 1" * 5000, status=2))
        self.assertIn(deep, self.run_db("set", self.store, "root.rows[0].number", "1" + " + 1" * 5000, status=2))
        said = self.run_db("set", self.store, "root.rows[0].number", '{"a":' + "[" * 20000 + "]" * 20000 + "}", status=2)
        self.assertIn("too deep", said)
        # Each operand is looked at once.
        nested = "number"
        for _ in range(100):
            nested = f"ord({nested} between 0 and 1)"
        self.assertEqual(self.names(f"{nested} = 1"), "ab")

    def test_what_differs_in_a_group_is_no_value_of_the_group(self):
        for query in ("select count(*) + it as n from root.many", "root.many group by it mod 2 select count(*), it",
                      "root.many group by it mod 2 select count(*) as n sort by it",
                      "root.many group by it mod 2 select count(*) as n having it > 2"):
            with self.subTest(query=query):
                self.assertIn("differ in this", self.run_db("query", self.store, query, status=2))
        self.assertEqual(self.rows("root.many group by it mod 2 select it mod 2 + 1 as n, count(*) as c sort by n"),
                         [{"n": 1, "c": 2857}, {"n": 2, "c": 2143}])

    def test_a_clause_stands_once(self):
        for clause in ("limit 1", "offset 1", "where it = 1", "group by it", "sort by it", "select it"):
            with self.subTest(clause=clause):
                self.assertIn("stands twice", self.run_db("query", self.store, f"root.many {clause} {clause}", status=2))


ONE = r"""
MODULE Main;
IMPORT Database, Transaction, Params, RefSeq;
<*FATAL ANY*>
TYPE
  Kind = {Asset, Debt};
  Entry = OBJECT day: INTEGER; text: TEXT; kind: Kind; kinds: SET OF Kind END;
  Late = Entry OBJECT fee: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  s := NEW(RefSeq.T).init();
BEGIN
  Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1)); tr.begin();
  s.addhi(NEW(Entry, day := 5, text := "Bread", kind := Kind.Debt));
  s.addhi(NEW(Late, day := 6, text := "Milk", fee := 2));
  db.setRoot(s); tr.commit();
END Main.
"""

TWO = r"""
MODULE Main;
IMPORT Database, Transaction, Params, RefSeq;
<*FATAL ANY*>
TYPE
  Kind = {Asset, Debt, Trading};
  Entry = OBJECT day: INTEGER; memo: TEXT; kind: Kind; kinds: SET OF Kind; paid := TRUE END;
  Late = Entry OBJECT fee: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  s: RefSeq.T;  e: Entry;
BEGIN
  db := Database.Open(Params.Get(1)); tr.begin(); s := db.getRoot();
  e := s.get(1); e.kind := Kind.Trading; e.kinds := SET OF Kind{Kind.Trading};
  EVAL NEW(Late); tr.commit();
END Main.
"""


class QueryAfterUpgradeTest(unittest.TestCase, QueryCase):
    @classmethod
    def setUpClass(cls):
        import tempfile
        cls.place = tempfile.TemporaryDirectory(prefix="tenure-query-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.store = os.path.join(cls.place.name, "store")
        made = []
        for name, text in (("one", ONE), ("two", TWO)):
            directory = os.path.join(cls.place.name, name)
            os.mkdir(directory)
            made.append(build_program(directory, text))
        subprocess.run([made[0], cls.store], check=True)
        subprocess.run([TENURE, "db", "upgrade", cls.store, made[1], "--rename-field", "Main.Entry.text=memo",
                        "--rename-field", "Main.Late.text=memo"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([made[1], cls.store], check=True)

    def test_columns_are_those_of_the_forms_that_objects_have(self):
        rows = self.rows("Main.Entry")
        self.assertEqual([(row["memo"], row["paid"], row["fee"]) for row in rows], [("Bread", True, None), ("Milk", True, 2)])
        self.assertNotIn("text", rows[0])
        exported = list(csv.DictReader(io.StringIO(self.run_db("export", self.store, "--csv", "Main.Entry"))))
        self.assertEqual([(row["memo"], row["fee"]) for row in exported], [("Bread", ""), ("Milk", "2")])

    def test_conditions_know_new_fields_and_elements_alone(self):
        for source in ("Main.Entry", "root"):
            for condition, wanted in (("kind = Trading", 1), ("kind = Debt", 1), ("Trading in kinds", 1), ("paid", 2),
                                      ("kind in [Asset, Trading]", 1), ("kind > Asset", 2), ('memo = "Bread"', 1)):
                with self.subTest(source=source, condition=condition):
                    of = condition if source == "Main.Entry" else f"type(it) like 'Main%' and ({condition})"
                    self.assertEqual(self.rows(f"{source} where {of} count"), [{"count": wanted}])
        self.assertIn("has no field text", self.run_db("query", self.store, 'Main.Entry where text = "Bread"', status=2))

    def test_a_type_is_listed_once(self):
        lines = self.run_db("shell", self.store, stdin="types\n").splitlines()
        self.assertEqual(lines.count("Main.Entry"), 1)


if __name__ == "__main__":
    unittest.main()
