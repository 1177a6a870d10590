"""`tenure db upgrade`: values inside of records, arrays and sets, at all depths, come to the places
where the program's types have them, or the upgrade refuses and names the field."""

import subprocess
import unittest

from programs import UpgradeTestCase

# Big has 256 elements and takes a byte; with one more it takes two.
ELEMENTS = ", ".join(f"b{i}" for i in range(256))
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Day = {{Mo, Tu, We, Th, Fr, Sa, Su, Ho{more_days}}};
  Big = {{{elements}}};
  Hue = {{{hues}}};
  Plan = RECORD {days_first} mark: CHAR; n: INTEGER {days_last} END;
  Inner = RECORD big: Big; c: CHAR; bigs: ARRAY [0..2] OF Big; hue: Hue; z: [0..9] END;
  Outer = RECORD inner: Inner; text: TEXT; plans: ARRAY [0..1] OF Plan; hues: SET OF Hue END;
  Packed = RECORD a: BITS 3 FOR [0..7]; hue: BITS 5 FOR Hue; b: BITS 8 FOR [0..200] END;
  Base = OBJECT plan: Plan; marks: ARRAY Day OF CHAR END;
  Node = Base OBJECT outer: Outer; big: SET OF Big; packed: Packed; {extra} END;
  Plans = REF ARRAY OF Plan;
  Inners = REF ARRAY OF ARRAY OF Inner;
  Hues = REF ARRAY OF BITS 4 FOR Hue;
  Whole = REF Inner;
  Root = REF RECORD node: Node; plans: Plans; inners: Inners; hues: Hues; whole: Whole END;
VAR db: Database.T;  tr := NEW(Transaction.T);  r: Root;

PROCEDURE PlanOf(days: SET OF Day; mark: CHAR; n: INTEGER): Plan =
  VAR plan: Plan;
  BEGIN
    plan.days := days; plan.mark := mark; plan.n := n;
    RETURN plan;
  END PlanOf;

PROCEDURE PutPlan(READONLY plan: Plan) =
  BEGIN
    FOR d := FIRST(Day) TO LAST(Day) DO
      IF d IN plan.days THEN IO.PutInt(ORD(d)); IO.PutChar(',') END;
    END;
    IO.PutChar(plan.mark); IO.PutInt(plan.n); IO.Put("; ");
  END PutPlan;

PROCEDURE PutInner(READONLY inner: Inner) =
  BEGIN
    IO.PutInt(ORD(inner.big)); IO.PutChar(inner.c);
    FOR i := 0 TO 2 DO IO.PutInt(ORD(inner.bigs[i])); IO.PutChar(',') END;
    IO.Put(Name(inner.hue)); IO.PutInt(inner.z); IO.Put("; ");
  END PutInner;

PROCEDURE Name(hue: Hue): TEXT =
  BEGIN
    CASE hue OF
    | Hue.Red => RETURN "red";
    | Hue.Green => RETURN "green";
    | Hue.Blue => RETURN "blue";
    ELSE RETURN "new";
    END;
  END Name;

PROCEDURE Make() =
  BEGIN
    r := NEW(Root, node := NEW(Node), plans := NEW(Plans, 3), inners := NEW(Inners, 2, 2),
             hues := NEW(Hues, 5), whole := NEW(Whole));
    WITH n = r.node DO
      n.plan := PlanOf(SET OF Day {{Day.Mo, Day.Ho}}, 'x', 42);
      FOR d := Day.Mo TO Day.Ho DO n.marks[d] := VAL(ORD('a') + ORD(d), CHAR) END;
      n.outer.inner := Inner {{VAL(255, Big), 'i', ARRAY [0..2] OF Big {{VAL(1, Big), VAL(2, Big),
                             VAL(254, Big)}}, Hue.Green, 7}};
      n.outer.text := "text";
      n.outer.plans[0] := PlanOf(SET OF Day {{Day.Tu}}, 'p', -1);
      n.outer.plans[1] := PlanOf(SET OF Day {{Day.We, Day.Ho}}, 'q', LAST(INTEGER));
      n.outer.hues := SET OF Hue {{Hue.Red, Hue.Blue}};
      n.big := SET OF Big {{VAL(0, Big), VAL(63, Big), VAL(255, Big)}};
      n.packed := Packed {{5, Hue.Blue, 150}};
    END;
    FOR i := 0 TO 2 DO r.plans[i] := PlanOf(SET OF Day {{VAL(i, Day)}}, 'y', i) END;
    FOR i := 0 TO 1 DO
      FOR k := 0 TO 1 DO
        r.inners[i, k] := r.node.outer.inner; r.inners[i, k].z := 2 * i + k;
      END;
    END;
    FOR i := 0 TO 4 DO r.hues[i] := VAL(i MOD 3, Hue) END;
    r.whole^ := r.node.outer.inner;
  END Make;

PROCEDURE Show() =
  BEGIN
    WITH n = r.node DO
      PutPlan(n.plan);
      FOR d := Day.Mo TO LAST(Day) DO IO.PutInt(ORD(n.marks[d])); IO.PutChar(' ') END;
      PutInner(n.outer.inner); IO.Put(n.outer.text & " ");
      PutPlan(n.outer.plans[0]); PutPlan(n.outer.plans[1]);
      FOR h := FIRST(Hue) TO LAST(Hue) DO IF h IN n.outer.hues THEN IO.Put(Name(h) & ",") END END;
      FOR b := FIRST(Big) TO LAST(Big) DO
        IF b IN n.big THEN IO.PutInt(ORD(b)); IO.PutChar(',') END;
      END;
      IO.PutInt(n.packed.a); IO.Put(Name(n.packed.hue)); IO.PutInt(n.packed.b);
    END;
    IO.Put("\n");
    FOR i := 0 TO LAST(r.plans^) DO PutPlan(r.plans[i]) END;
    FOR i := 0 TO 1 DO FOR k := 0 TO 1 DO PutInner(r.inners[i, k]) END END;
    FOR i := 0 TO LAST(r.hues^) DO IO.Put(Name(r.hues[i]) & ",") END;
    PutInner(r.whole^);
    IO.Put("\n");
  END Show;

BEGIN
  EVAL Fmt.Int(0);
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin(); r := db.getRoot(); Show(); tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
    tr.begin(); Make(); db.setRoot(r); tr.commit();
  END;
END Main.
"""


def program(more_days="", elements=ELEMENTS, hues="Red, Green, Blue", days_last=False, extra=""):
    first, last = "days: SET OF Day;", ""
    if days_last:
        first, last = "added: INTEGER := 7;", "; days: SET OF Day"
    return PROGRAM.format(more_days=more_days, elements=elements, hues=hues, days_first=first,
                          days_last=last, extra=extra)


def shown(marks_end=""):
    inner = "255i1,2,254,green%d; "
    node = ("0,7,x42; 97 98 99 100 101 102 103 104 " + marks_end + inner % 7
            + "text 1,p-1; 2,7,q9223372036854775807; %s0,63,255,5blue150\n")
    rest = ("0,y0; 1,y1; 2,y2; " + "".join(inner % z for z in range(4))
            + "red,green,blue,red,green," + inner % 7 + "\n")
    return node, rest


class UpgradeLayoutTest(UpgradeTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = cls.build("old", program())

    def made(self, name):
        store = self.place(name)
        subprocess.run([self.old, store], check=True, timeout=60)
        return store

    def ran(self, built, store):
        return subprocess.run([built, store], stdout=subprocess.PIPE, check=True, text=True,
                              timeout=60).stdout

    def converted(self, name, hues="red,blue,", marks_end="", **changes):
        """Upgraded, the program shows the same values; and again in the other direction."""
        store = self.made(name)
        new = self.build("new_" + name, program(**changes))
        self.assertIn("nothing has been changed", self.db("upgrade", "--dry-run", store, new))
        self.db("upgrade", store, new)
        self.db("verify", store)
        self.db("check", store, new)
        node, rest = shown(marks_end)
        self.assertEqual(self.ran(new, store), node % hues + rest)
        self.assertIn(" 0 objects converted", " " + self.db("upgrade", store, new))
        return store

    def test_a_set_in_a_record_grows_from_8_to_9_elements(self):
        # The new day's mark is that of a new array.
        self.converted("days", more_days=", Never", marks_end="0 ")

    def test_an_enumeration_grows_from_256_to_257_elements(self):
        self.converted("big", elements=ELEMENTS + ", b256")

    def test_elements_change_their_order(self):
        store = self.made("order")
        new = self.build("new_order", program(hues="Blue, White, Red, Green"))
        self.db("upgrade", store, new)
        self.db("verify", store)
        node, rest = shown()
        self.assertEqual(self.ran(new, store), node % "blue,red," + rest)

    def test_everything_at_once_and_back(self):
        store = self.made("back")
        new = self.build("new_back", program(", A, B", ELEMENTS + ", b256, b257",
                                             "Blue, Red, Green, White"))
        self.db("upgrade", store, new)
        node, rest = shown("0 0 ")
        self.assertEqual(self.ran(new, store), node % "blue,red," + rest)
        # Back: an array with an index that is gone would lose its element.
        said = self.db("upgrade", store, self.old, status=3)
        self.assertIn("field marks", said)
        self.assertEqual(self.ran(new, store), node % "blue,red," + rest)

    def test_an_element_that_is_gone_ends_the_upgrade(self):
        store = self.made("gone")
        new = self.build("new_gone", program(hues="Red, Blue, Purple"
                                             ).replace("| Hue.Green => RETURN \"green\";", "")
                         .replace("Hue.Green", "Hue.Red"))
        before = self.db("export", store)
        said = self.db("upgrade", "--dry-run", store, new, status=3)
        self.assertIn("hue, Green, is not one of the program's {Red, Blue, Purple}", said)
        self.assertIn("hue, Green, is not one of", self.db("upgrade", store, new, status=3))
        self.assertEqual(self.objects(store), [line for line in before.splitlines()
                                               if '"object"' in line])

    def test_a_new_field_in_a_record_of_a_field(self):
        self.converted("moved", days_last=True)


if __name__ == "__main__":
    unittest.main()
