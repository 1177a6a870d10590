"""Generated loops over arrays, records, lists and objects, with a collection behind their
instructions (stepping/step.c): whatever the optimiser does with an address, the collector
must find every object that is used later (platform.md 4). With TENURE_LONG many more, from
another seed each time."""

import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, os.environ.get("TENURE_BUILD_DIR", "build"))
LONG = bool(os.environ.get("TENURE_LONG"))
LOOPS = 40  # of one program
PROGRAMS = 20 if LONG else 1
EVERY = 1 if LONG else 3  # one of this many instructions
SEED = random.randrange(10**6) if LONG else 1

HEADER = """
UNSAFE MODULE Loops;

TYPE
  Ints = REF ARRAY OF INTEGER;
  Bytes = REF ARRAY OF [0 .. 255];
  Reals = REF ARRAY OF LONGREAL;
  Window = REF ARRAY [100 .. 119] OF INTEGER;
  Row = RECORD a, b: INTEGER;  ints: Ints;  c: [0 .. 255];  d: INTEGER;  next: Rows END;
  Rows = REF ARRAY OF Row;
  Table = REF ARRAY OF ARRAY OF INTEGER;
  Grid = REF ARRAY [3 .. 7], [10 .. 14] OF INTEGER;
  List = REF RECORD value: INTEGER;  next: List END;
  Node = OBJECT left, right: Node := NIL;  keys: ARRAY [20 .. 27] OF INTEGER;  count := 1 END;

VAR
  size := 23;  (* to the optimiser: anything *)
  one := 1;

PROCEDURE NewInts(n, from: INTEGER): Ints =
  VAR a := NEW(Ints, n);
  BEGIN
    FOR i := 0 TO LAST(a^) DO a[i] := from + 3 * i END;
    RETURN a;
  END NewInts;

PROCEDURE NewBytes(n: INTEGER): Bytes =
  VAR a := NEW(Bytes, n);
  BEGIN
    FOR i := 0 TO LAST(a^) DO a[i] := i * 7 MOD 256 END;
    RETURN a;
  END NewBytes;

PROCEDURE NewReals(n: INTEGER): Reals =
  VAR a := NEW(Reals, n);
  BEGIN
    FOR i := 0 TO LAST(a^) DO a[i] := FLOAT(i, LONGREAL) END;
    RETURN a;
  END NewReals;

PROCEDURE NewWindow(): Window =
  VAR a := NEW(Window);
  BEGIN
    FOR i := FIRST(a^) TO LAST(a^) DO a[i] := i END;
    RETURN a;
  END NewWindow;

PROCEDURE NewRows(n: INTEGER): Rows =
  VAR a := NEW(Rows, n);
  BEGIN
    FOR i := 0 TO LAST(a^) DO a[i] := Row{i, 2 * i, NewInts(3, i), i MOD 256, -i, NIL} END;
    FOR i := 0 TO LAST(a^) BY 4 DO a[i].next := a END;
    RETURN a;
  END NewRows;

PROCEDURE NewTable(n, m: INTEGER): Table =
  VAR a := NEW(Table, n, m);
  BEGIN
    FOR i := 0 TO n - 1 DO FOR j := 0 TO m - 1 DO a[i, j] := 10 * i + j END END;
    RETURN a;
  END NewTable;

PROCEDURE NewGrid(): Grid =
  VAR a := NEW(Grid);
  BEGIN
    FOR i := 3 TO 7 DO FOR j := 10 TO 14 DO a[i, j] := i * j END END;
    RETURN a;
  END NewGrid;

PROCEDURE NewList(n: INTEGER): List =
  VAR l: List := NIL;
  BEGIN
    FOR i := 1 TO n DO l := NEW(List, value := i, next := l) END;
    RETURN l;
  END NewList;

PROCEDURE NewTree(depth: INTEGER): Node =
  VAR n: Node;
  BEGIN
    IF depth = 0 THEN RETURN NIL END;
    n := NEW(Node, left := NewTree(depth - 1), right := NewTree(depth - 1), count := depth);
    FOR i := FIRST(n.keys) TO LAST(n.keys) DO n.keys[i] := i * depth END;
    RETURN n;
  END NewTree;

PROCEDURE Add(VAR x: INTEGER; y: INTEGER): INTEGER =
  BEGIN
    x := (x + y) MOD 1000003;
    RETURN x;
  END Add;
"""

VARIABLES = {
    "p": ("Ints", "NewInts(size, 5)"), "q": ("Ints", "NewInts(size + 5, 11)"),
    "bytes": ("Bytes", "NewBytes(size)"), "reals": ("Reals", "NewReals(size)"),
    "window": ("Window", "NewWindow()"), "rows": ("Rows", "NewRows(size DIV 2)"),
    "table": ("Table", "NewTable(5, 7)"), "grid": ("Grid", "NewGrid()"),
    "list": ("List", "NewList(size)"), "tree": ("Node", "NewTree(3)"),
}
# Loops over variables; {k} is a small number.
BODIES = [
    "FOR i := 0 TO LAST(p^) DO sum := sum + p[i] END;",
    "FOR i := LAST(p^) TO 0 BY -1 DO sum := 3 * sum MOD 1000003 + p[i] END;",
    "FOR i := 0 TO LAST(p^) - {k} BY {k} DO p[i + {k}] := p[i] + i END;  sum := p[LAST(p^)];",
    "FOR i := 0 TO LAST(p^) DO q[i + {k}] := p[LAST(p^) - i] END;  sum := q[{k} + 1] + q[LAST(q^)];",
    "FOR i := 0 TO LAST(p^) DO p[i] := q[i + 1] - q[i] END;  FOR i := 1 TO {k} DO INC(sum, p[i]) END;",
    "FOR i := 0 TO LAST(bytes^) DO sum := (sum * 31 + bytes[i]) MOD 1000003 END;",
    "FOR i := {k} TO LAST(bytes^) DO bytes[i - {k}] := bytes[i] END;  sum := bytes[0] + bytes[{k}];",
    "VAR x := 0.0D0; BEGIN FOR i := 0 TO LAST(reals^) DO x := x + reals[i] END; sum := ROUND(x) END;",
    "FOR i := 0 TO LAST(reals^) DO reals[i] := reals[i] * 2.0D0 END;  sum := TRUNC(reals[{k}]);",
    "FOR i := FIRST(window^) TO LAST(window^) DO sum := sum + window[i] * {k} END;",
    "FOR i := FIRST(window^) TO LAST(window^) - {k} DO window[i] := window[i + {k}] END;  sum := window[101];",
    "FOR i := 0 TO LAST(rows^) DO INC(sum, rows[i].b + rows[i].ints[1]) END;",
    "FOR i := 0 TO LAST(rows^) DO WITH r = rows[i] DO r.d := r.a + r.c; INC(sum, r.d + r.ints[0]) END END;",
    "FOR i := 0 TO LAST(rows^) DO rows[i].ints := NewInts(i MOD 3 + 1, i) END;"
    "  FOR i := 0 TO LAST(rows^) DO INC(sum, rows[i].ints[0]) END;",
    "FOR i := 1 TO LAST(rows^) DO rows[i].ints := rows[i - 1].ints END;  sum := rows[LAST(rows^)].ints[2];",
    "FOR i := 0 TO LAST(rows^) DO IF rows[i].next # NIL THEN INC(sum, rows[i].next[i].b) END END;",
    "WHILE rows # NIL AND sum < 50 DO INC(sum, rows[{k}].b + 1);  rows := rows[0].next END;",
    "FOR i := 0 TO 4 DO FOR j := 0 TO 6 DO sum := sum + table[i, j] * {k} END END;",
    "FOR j := 0 TO 6 DO FOR i := 4 TO 0 BY -1 DO table[i, j] := table[4 - i, j] + 1 END END;  sum := table[1, {k}];",
    "FOR i := 3 TO 7 DO FOR j := 10 TO 14 DO INC(sum, grid[i, j]) END END;",
    "FOR i := 4 TO 7 DO grid[i] := grid[i - 1] END;  sum := grid[7, 12];",
    "WHILE list # NIL DO sum := (2 * sum + list.value) MOD 1000003;  list := list.next END;",
    "VAR r: List := NIL;  l := list; BEGIN WHILE l # NIL DO r := NEW(List, value := l.value, next := r); l := l.next END;"
    "  sum := r.value + r.next.value END;",
    "VAR l := list; BEGIN WHILE l # NIL DO INC(l.value, p[l.value MOD {k}]); INC(sum, l.value); l := l.next END END;",
    "VAR n := tree; BEGIN WHILE n # NIL DO FOR i := 20 TO 27 DO INC(sum, n.keys[i] - n.count) END; n := n.left END END;",
    "VAR n := tree; BEGIN WHILE n # NIL DO n.keys[20 + n.count] := n.keys[27]; n := n.right END; sum := tree.keys[23] END;",
    "FOR i := 0 TO LAST(p^) DO sum := Add(p[i], i * {k}) END;",
    "FOR i := 0 TO LAST(p^) DO VAR fresh := NEW(Ints, i MOD {k} + 1); BEGIN fresh[0] := p[i]; INC(sum, fresh[0]) END END;",
    "SUBARRAY(q^, {k}, NUMBER(p^) - {k}) := SUBARRAY(p^, 0, NUMBER(p^) - {k});  sum := q[{k}] + q[NUMBER(p^) - 1];",
    "FOR i := 0 TO LAST(p^) DO IF p[i] MOD 7 = {k} THEN sum := i; EXIT END; p[i] := -1 END;  INC(sum, p[0]);",
    "VAR i := 0; BEGIN REPEAT INC(sum, p[i] * q[i + {k}]); INC(i, one) UNTIL i > LAST(p^) END;",
    "FOR i := 0 TO LAST(p^) DO VAR t := p[i]; BEGIN p[i] := q[i]; q[i] := t END END;  sum := p[{k}] - q[{k}];",
    "FOR i := 1 TO {k} DO sum := sum + p[i] + q[i] + bytes[i] + window[100 + i] END;",
    "FOR i := 0 TO {k} DO VAR n := NewTree(1); BEGIN n.keys[20 + i] := sum + i; tree.left := n; INC(sum, tree.left.keys[20 + i]) END END;",
    # Biased subscripts: the address in a register may lie far outside of the array.
    "FOR x := 100 TO 99 + NUMBER(rows^) DO INC(sum, rows[x - 100].b) END;",
    "FOR x := 100 TO 99 + NUMBER(rows^) DO INC(sum, rows[x - 100].b + Add(total, x)) END;",
    "FOR x := 99 + NUMBER(rows^) TO 100 BY -1 DO rows[x - 100].d := x; INC(sum, rows[x - 100].ints[2]) END;",
    "FOR x := 1000 TO 999 + NUMBER(p^) DO p[x - 1000] := q[x - 999] + bytes[x - 1000]; INC(sum, p[x - 1000]) END;",
    "FOR x := 1000 TO 999 + NUMBER(p^) DO q[x - 1000] := NUMBER(NewInts(x - 990, x)^) + p[x - 1000]; INC(sum, q[x - 1000]) END;",
    "FOR x := 200 TO 219 DO sum := 7 * sum MOD 1000003 + window[x - 100]; list := NEW(List, value := sum, next := list) END;",
    "FOR x := 50 TO 54 DO FOR y := -7 TO -1 DO table[x - 50, y + 7] := table[54 - x, -1 - y] + sum; INC(sum, {k}) END END;"
    "  sum := table[3, {k}];",
    "VAR x := 100; BEGIN WHILE x < 100 + NUMBER(rows^) DO"
    " rows[x - 100].ints := NEW(Ints, 1); rows[x - 100].ints[0] := x; INC(sum, rows[x - 100].ints[0]); INC(x, one) END END;",
    "VAR x := 5000; BEGIN REPEAT IF bytes[x - 5000] MOD {k} = 0 THEN INC(sum, p[x - 5000]) ELSE p[x - 5000] := x END; INC(x)"
    " UNTIL x - 5000 > LAST(p^); sum := sum + p[1] END;",
]


def procedure(number: int, rng: random.Random) -> str:
    parts = []
    for _ in range(rng.randrange(1, 3)):
        body = rng.choice(BODIES).replace("{k}", str(rng.randrange(2, 6)))
        variables = "\n".join(f"      {name}: {of} := {first};"
                              for name, (of, first) in VARIABLES.items()
                              if re.search(rf"\b{name}\b", body))
        parts.append(f"VAR\n{variables}\n    BEGIN\n      {body}\n    END;")
    between = "\n    total := 31 * total + sum;  sum := 0;\n    "
    return f"""
PROCEDURE P{number}(): INTEGER =
  VAR sum, total := 0;
  BEGIN
    {between.join(parts)}
    RETURN 31 * total + sum;
  END P{number};
"""


def module(rng: random.Random) -> str:
    cases = "\n".join(f"    | {i} => RETURN P{i}();" for i in range(LOOPS))
    names = ["NewInts", "NewTree", "Add", *(f"P{i}" for i in range(LOOPS)), "Run"]
    code = "".join(f"    Extend(LOOPHOLE({name}, ADDRESS), first, last);\n" for name in names)
    return HEADER + "".join(procedure(i, rng) for i in range(LOOPS)) + f"""
PROCEDURE Run(i: INTEGER): INTEGER =
  BEGIN
    CASE i OF
{cases}
    ELSE RETURN 0;
    END;
  END Run;

PROCEDURE Extend(code: ADDRESS; VAR first, last: ADDRESS) =
  BEGIN
    first := LOOPHOLE(MIN(LOOPHOLE(first, INTEGER), LOOPHOLE(code, INTEGER)), ADDRESS);
    last := LOOPHOLE(MAX(LOOPHOLE(last, INTEGER), LOOPHOLE(code, INTEGER)), ADDRESS);
  END Extend;

PROCEDURE Code(VAR first, last: ADDRESS) =
  BEGIN
    first := LOOPHOLE(LAST(INTEGER), ADDRESS);
    last := NIL;
{code}    last := last + 2000;
  END Code;

BEGIN
END Loops.
"""


INTERFACE = f"""
INTERFACE Loops;

CONST Count = {LOOPS};

(* What the loop comes to, always the same. *)
PROCEDURE Run(i: INTEGER): INTEGER;
(* Where its instructions are, and those of the others. *)
PROCEDURE Code(VAR first, last: ADDRESS);

END Loops.
"""


class SteppingTest(unittest.TestCase):
    def step_through(self, *flags: str, every: int) -> None:
        for seed in range(SEED, SEED + PROGRAMS):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as directory:
                package = os.path.join(directory, "stepping")
                shutil.copytree(os.path.join(HERE, "stepping"), package)
                for name, text in (("Loops.i3", INTERFACE),
                                   ("Loops.m3", module(random.Random(seed)))):
                    with open(os.path.join(package, name), "w") as file:
                        file.write(text)
                program = os.path.join(directory, "program")
                built = subprocess.run(
                    [os.path.join(BUILD, "bin", "tenure"), "build", package, "-w", "-o", program],
                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(built.returncode, 0, built.stdout)
                ran = subprocess.run([program, str(every), *flags], text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr[-4000:])
                count, what = ran.stdout.split()
                self.assertEqual(what, "collections")
                self.assertGreater(int(count), 5000 // every)

    def test_what_has_moved_is_poisoned(self):
        # Every allocation calls the run time.
        self.step_through("@M3gcstress=1000000000", every=EVERY)

    def test_allocations_in_line(self):
        self.step_through("@M3paranoidgc", "@M3nursery=64M", every=EVERY)


if __name__ == "__main__":
    unittest.main()
