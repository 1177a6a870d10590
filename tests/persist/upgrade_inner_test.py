"""`tenure db upgrade`: what comes, goes and gets other names inside of fields and of elements of arrays; what a
converter reads and sets there; and the columns of containers afterwards."""

import re
import subprocess
import unittest

from programs import UpgradeTestCase, converter

PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Plan = RECORD {plan} END;
  Row = ARRAY {row} OF INTEGER;
  Base = OBJECT name: TEXT; plan: Plan END;
  Node = Base OBJECT plans: ARRAY [0..1] OF Plan; row: Row; name: INTEGER; {node} END;
  Plans = REF ARRAY OF Plan;
  Rows = REF ARRAY OF Row;
  Nodes = REF ARRAY OF Node;
  Root = REF RECORD node: Node; plans: Plans; rows: Rows; seq: Nodes END;
VAR db: Database.T;  tr := NEW(Transaction.T);  r: Root;

PROCEDURE Hello(): TEXT = BEGIN RETURN "hello" END Hello;

PROCEDURE Fill(VAR p: Plan; i: INTEGER) =
  BEGIN {fill} END Fill;

PROCEDURE Put(READONLY p: Plan) =
  VAR p2: TEXT;
  BEGIN EVAL p2; {put} IO.Put("; ") END Put;

PROCEDURE PutRow(READONLY row: Row) =
  BEGIN FOR i := FIRST(Row) TO LAST(Row) DO IO.Put(Fmt.Int(row[i]) & ",") END; IO.Put(" ") END PutRow;

BEGIN
  EVAL Hello;
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin(); r := db.getRoot();
    IO.Put(NARROW(r.node, Base).name & Fmt.Int(r.node.name) & " ");
    Put(r.node.plan); FOR i := 0 TO 1 DO Put(r.node.plans[i]) END; PutRow(r.node.row);
    FOR i := 0 TO LAST(r.plans^) DO Put(r.plans[i]) END;
    FOR i := 0 TO LAST(r.rows^) DO PutRow(r.rows[i]) END;
    IO.Put("\n");
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
    tr.begin();
    r := NEW(Root, node := NEW(Node), plans := NEW(Plans, 2), rows := NEW(Rows, 2), seq := NEW(Nodes, 1));
    NARROW(r.node, Base).name := "base"; r.node.name := 7;
    Fill(r.node.plan, 1);
    FOR i := 0 TO 1 DO Fill(r.node.plans[i], 2 + i); Fill(r.plans[i], 4 + i) END;
    FOR i := FIRST(Row) TO LAST(Row) DO
      r.node.row[i] := i; FOR k := 0 TO 1 DO r.rows[k][i] := 10 * (k + 1) + i END;
    END;
    r.seq[0] := r.node;
    db.setRoot(r); tr.commit();
  END;
END Main.
"""
OLD = {
    "plan": "mark: CHAR; n: INTEGER; note: TEXT",
    "fill": 'p.mark := VAL(ORD(\'a\') + i, CHAR); p.n := 10 * i; p.note := "n" & Fmt.Int(i);',
    "put": "IO.PutChar(p.mark); IO.Put(Fmt.Int(p.n) & p.note);",
    "row": "[0..3]", "node": "",
}
SHOWN = "base7 b10n1; c20n2; d30n3; %s e40n4; f50n5; %s\n"
ROWS = "0,1,2,3,", "10,11,12,13, 20,21,22,23, "


class UpgradeInnerTest(UpgradeTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = cls.build("old", PROGRAM.format(**OLD))

    def made(self):
        store = self.place("store_" + self.id().split(".")[-1])
        subprocess.run([self.old, store], check=True, timeout=60)
        return store

    def new(self, **changes):
        return self.build("new_" + self.id().split(".")[-1], PROGRAM.format(**{**OLD, **changes}))

    def ran(self, built, store):
        return subprocess.run([built, store], stdout=subprocess.PIPE, check=True, text=True, timeout=60).stdout

    def upgrade(self, store, built, *options):
        self.assertIn("nothing has been changed", self.db("upgrade", "--dry-run", store, built, *options))
        self.db("upgrade", store, built, *options)
        self.db("verify", store)
        self.db("check", store, built)

    def test_new_fields_of_elements_get_their_defaults(self):
        store = self.made()
        new = self.new(plan='added: TEXT := "new"; code: [3..9] := 5; mark: CHAR; n: INTEGER; '
                            'say: PROCEDURE (): TEXT := Hello; none: TEXT; note: TEXT', fill="",
                       put='IO.Put(p.added & Fmt.Int(p.code) & p.say() & Fmt.Bool(p.none = NIL)); ' + OLD["put"])
        self.upgrade(store, new)
        inner = "new5helloTRUE"
        self.assertEqual(self.ran(new, store), re.sub(r"([b-f]\d0n)", inner + r"\1", SHOWN % ROWS))
        # There is one text for all.
        texts = [line for line in self.objects(store) if '"type":"TextFlat' in line and '"text":"new"' in line]
        self.assertEqual(len(texts), 1, texts)
        # And back.
        said = self.db("upgrade", store, self.old, status=3)
        for field in ("Main.Base.plan.added", "Main.Node.plans.code", "Main.Plans.say"):
            self.assertIn(field, said.replace("Main.Node.plan.", "Main.Base.plan."))
        self.upgrade(store, self.old, "--drop")
        self.assertEqual(self.ran(self.old, store), SHOWN % ROWS)

    def test_an_array_gets_shorter(self):
        store = self.made()
        new = self.new(row="[1..2]")
        said = self.db("upgrade", store, new, status=3)
        self.assertIn("Main.Node.row (elements 0, 3)", said)
        self.assertEqual(self.ran(self.old, store), SHOWN % ROWS)
        self.assertIn("Main.Rows (elements 0, 3)",
                      self.db("upgrade", store, new, "--drop-field", "Main.Node.row", status=3))
        self.upgrade(store, new, "--drop-field", "Main.Node.row", "--drop-field", "Main.Rows")
        self.assertEqual(self.ran(new, store), SHOWN % ("1,2,", "11,12, 21,22, "))

    def test_an_array_gets_longer_in_elements(self):
        store = self.made()
        new = self.new(row="[-1..4]")
        self.upgrade(store, new)
        self.assertEqual(self.ran(new, store), SHOWN % ("0,0,1,2,3,0,", "0,10,11,12,13,0, 0,20,21,22,23,0, "))

    def test_fields_of_records_get_other_names(self):
        store = self.made()
        new = self.new(plan="sign: CHAR; n: INTEGER; note: TEXT", fill="",
                       put=OLD["put"].replace("p.mark", "p.sign"))
        said = self.db("upgrade", store, new, status=3)
        self.assertIn("Main.Node.plan.mark", said)
        options = [word for name in ("Base.plan", "Node.plans", "Plans")
                   for word in ("--rename-field", f"Main.{name}.mark=sign")]
        self.assertIn("has no field plan.sgn, as plan.mark is to be called", self.db(
            "upgrade", store, new, "--rename-field", "Main.Base.plan.mark=sgn", *options[2:], status=3))
        self.assertIn("the store has no field Main.Base.plan.marc", self.db(
            "upgrade", store, new, "--rename-field", "Main.Base.plan.marc=sign", *options[2:], status=3))
        self.upgrade(store, new, *options)
        self.assertEqual(self.ran(new, store), SHOWN % ROWS)

    def test_a_field_of_a_record_without_a_rule(self):
        store = self.made()
        new = self.new(plan="mark: CHAR; n: TEXT; note: TEXT", fill="",
                       put='IF p.n = NIL THEN p2 := "-" ELSE p2 := p.n END; IO.PutChar(p.mark); IO.Put(p2 & p.note);')
        self.assertIn("a converter can compute it", self.db("upgrade", store, new, status=3))
        computed = self.build("conversion", converter(
            'object.put("plan.n", object.get("plan.note") & "+" & object.get("plan.n") & object.get("name#1"));'))
        dropped = ["--drop-field", "Main.Node.plans.n", "--drop-field", "Main.Plans.n"]
        self.db("upgrade", store, new, computed, *dropped)
        self.db("verify", store)
        self.assertEqual(self.ran(new, store), (SHOWN % ROWS).replace("b10n1", "bn1+10basen1")
                         .replace("c20", "c-").replace("d30", "d-").replace("e40", "e-").replace("f50", "f-"))

    def test_a_converter_reads_fields_that_go(self):
        store = self.made()
        new = self.new(plan="mark: CHAR; note: TEXT", fill="", put='IO.PutChar(p.mark); IO.Put(p.note);',
                       node="sum: INTEGER;")
        keeping = self.build("keeping", converter('object.put("sum", object.get("plan.n"));'))
        said = self.db("upgrade", store, new, keeping, status=3)
        # Those in arrays it cannot have read.
        self.assertIn("would be lost", said)
        self.assertNotIn("Main.Node.plan.n,", said)
        self.assertIn("Main.Node.plans.n", said)
        self.db("upgrade", store, new, keeping, "--drop-field", "Main.Node.plans.n", "--drop-field", "Main.Plans.n")
        self.assertEqual(self.ran(new, store), re.sub(r"([b-f])\d0n", r"\1n", SHOWN % ROWS))
        self.assertEqual(self.db("show", store, "root.node.sum").strip(), "10")

    def test_a_container_has_no_column_of_an_earlier_form(self):
        store = self.made()
        new = self.new(row="[0..3]", node="other: INTEGER;")
        self.upgrade(store, new)
        back = self.build("back", PROGRAM.format(**{**OLD, "node": "third: INTEGER;"}))
        self.upgrade(store, back, "--rename-field", "Main.Node.other=third")
        header = self.db("query", store, "root.seq", "--csv").splitlines()[0].split(",")
        self.assertIn("third", header)
        self.assertNotIn("other", header)


if __name__ == "__main__":
    unittest.main()
