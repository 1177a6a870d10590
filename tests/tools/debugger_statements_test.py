"""What gdb shows of each kind of variable at each statement of a program that has all statements: the values that the
program itself prints there. Without optimisation all of them; with it those that gdb shows, and the others as missing.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import Dict, List, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

# For each scope, how gdb is asked for a variable, and how the program prints it.
SCOPES: Dict[str, List[Tuple[str, str]]] = {
    "Scalars": [("i", "Fmt.Int(i)"), ("card", "Fmt.Int(card)"), ("small", "Fmt.Int(small)"), ("flag", "Fmt.Bool(flag)"),
                ("c", "Ch(c)"), ("e", "Name[e]"), ("real", "Fmt.Real(real)"), ("long", "Fmt.LongReal(long)"),
                ("big", "Fmt.LongInt(big)"), ("days", "Days(days)"), ("packed.low", "Fmt.Int(packed.low)"),
                ("packed.high", "Fmt.Int(packed.high)"), ("n", "Fmt.Int(n)"), ("limit", "Fmt.Int(limit)")],
    "References": [("t", "Quoted(t)"), ("p^.key", "Fmt.Int(p.key)"), ("p.key", "Fmt.Int(p.key)"),
                   ("o.name", "Quoted(o.name)"), ("rec.x", "Fmt.Int(rec.x)"), ("rec.t", "Quoted(rec.t)"),
                   ("list^", "Elements(list^)"), ("fixed[3]", "Fmt.Int(fixed[3])"), ("fixed[5]", "Fmt.Int(fixed[5])"),
                   ("open", "Elements(open)"), ("changed", "Fmt.Int(changed)"), ("Main.total", "Fmt.Int(total)")],
    "Inner": [("up", "Fmt.Int(up)"), ("own", "Fmt.Int(own)"), ("text", "Quoted(text)")],
    "For": [("i", "Fmt.Int(i)"), ("k", "Fmt.Int(k)")],
    "With": [("w", "Fmt.Int(w)"), ("u", "Quoted(u)"), ("sum", "Fmt.Int(sum)")],
    "Block": [("sum", "Fmt.Int(sum)"), ("inside", "Quoted(inside)")],
    "Square": [("sq.side", "Fmt.Int(sq.side)"), ("sum", "Fmt.Int(sum)")],
    "Handler": [("why", "Quoted(why)"), ("sum", "Fmt.Int(sum)")],
    "Sum": [("sum", "Fmt.Int(sum)")],
}

# A line `$ SCOPE` prints the scope's variables.
PROGRAM = """MODULE Main;
IMPORT Fmt, IO, Text;
TYPE
  Day = {Mo, Tu, We};
  Shape = OBJECT name: TEXT METHODS area(): INTEGER := NoArea END;
  Square = Shape OBJECT side := 2 OVERRIDES area := SquareArea END;
  Node = REF RECORD key: INTEGER; next: Node END;
CONST Name = ARRAY Day OF TEXT {"Mo", "Tu", "We"};
EXCEPTION Oops(TEXT);
VAR total := 0; lock := NEW(MUTEX);
PROCEDURE NoArea(<*UNUSED*> self: Shape): INTEGER = BEGIN RETURN 0 END NoArea;
PROCEDURE SquareArea(self: Square): INTEGER = BEGIN RETURN self.side * self.side END SquareArea;
PROCEDURE Quoted(t: TEXT): TEXT = BEGIN RETURN "\\"" & t & "\\"" END Quoted;
PROCEDURE Ch(c: CHAR): TEXT = BEGIN RETURN "'" & Text.FromChar(c) & "'" END Ch;
PROCEDURE Days(s: SET OF Day): TEXT =
  VAR t := "";
  BEGIN
    FOR d := FIRST(Day) TO LAST(Day) DO
      IF d IN s THEN IF NOT Text.Empty(t) THEN t := t & ", " END; t := t & Name[d] END;
    END;
    RETURN "{" & t & "}";
  END Days;
PROCEDURE Elements(READONLY a: ARRAY OF INTEGER): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 0 TO LAST(a) DO IF i > 0 THEN t := t & ", " END; t := t & Fmt.Int(a[i]) END;
    RETURN "{" & t & "}";
  END Elements;

PROCEDURE Scalars(n: INTEGER; READONLY limit: INTEGER) =
  VAR
    i := 1; card: CARDINAL := 2; small: [0..100] := 3; flag := FALSE; c := 'a'; e := Day.Mo; real := 0.5;
    long := 0.25D0; big := 7L; days := SET OF Day {Day.Tu};
    packed := RECORD low: BITS 4 FOR [0..15]; high: BITS 4 FOR [0..15] END {low := 1, high := 2};
  BEGIN
    $ Scalars
    i := n + limit;
    $ Scalars
    INC(card, 40);
    $ Scalars
    small := i MOD 50;
    $ Scalars
    flag := NOT flag;
    $ Scalars
    c := VAL(ORD(c) + 1, CHAR);
    $ Scalars
    e := Day.We;
    $ Scalars
    real := real * 3.0;
    $ Scalars
    long := long + 2.0D0;
    $ Scalars
    big := big * 100000000000L;
    $ Scalars
    days := days + SET OF Day {Day.Mo};
    $ Scalars
    packed.high := 15;
    $ Scalars
    DEC(n);
    $ Scalars
  END Scalars;

PROCEDURE References(READONLY open: ARRAY OF INTEGER; VAR changed: INTEGER) =
  VAR
    t := "abc"; p := NEW(Node, key := 1); o: Shape := NEW(Square, name := "sq"); list := NEW(REF ARRAY OF INTEGER, 2);
    rec := RECORD x: INTEGER; t: TEXT END {x := 1, t := "r"};
    fixed := ARRAY [3..5] OF INTEGER {1, 2, 3};
  BEGIN
    $ References
    t := t & Fmt.Int(changed);
    $ References
    p := NEW(Node, key := 9, next := p);
    $ References
    o.name := "square";
    $ References
    rec.x := 17;
    $ References
    rec.t := t;
    $ References
    list[1] := 4;
    $ References
    fixed[5] := list[1] + open[0];
    $ References
    changed := o.area();
    $ References
    total := total + changed;
    $ References
    EVAL p.next;
    $ References
  END References;

PROCEDURE Around(n: INTEGER) =
  VAR up := n;
  PROCEDURE Inner(text: TEXT) =
    VAR own := 1;
    BEGIN
      $ Inner
      INC(up, 2);
      $ Inner
      own := up * 2;
      $ Inner
    END Inner;
  BEGIN
    Inner("in");
  END Around;

PROCEDURE Statements(count: INTEGER): INTEGER =
  VAR sum := 0; k := 5; shape: Shape := NEW(Square, side := 6);
  BEGIN
    FOR i := 1 TO 3 DO
      $ For
      k := k + i;
      $ For
    END;
    FOR i := 3 TO 1 BY -2 DO
      $ For
    END;
    IF sum > 0 THEN sum := 1 ELSIF k > 100 THEN sum := 2 ELSE
      sum := 3;
      $ Sum
    END;
    CASE count OF
    | 1, 2 =>
      sum := sum + 10;
      $ Sum
    ELSE sum := 0;
    END;
    LOOP
      INC(sum);
      $ Sum
      IF sum > 14 THEN EXIT END;
    END;
    WHILE sum < 18 DO
      $ Sum
      INC(sum, 2);
    END;
    REPEAT
      DEC(sum);
      $ Sum
    UNTIL sum < 15;
    WITH w = sum * 2, u = "with" & Fmt.Int(sum) DO
      $ With
      sum := w + Text.Length(u);
      $ With
    END;
    VAR inside := "block";
    BEGIN
      $ Block
      inside := inside & "!";
      $ Block
    END;
    TYPECASE shape OF
    | Square(sq) =>
      sum := sum + sq.side;
      $ Square
    ELSE sum := 0;
    END;
    TRY
      IF count > 0 THEN RAISE Oops("why" & Fmt.Int(sum)) END;
    EXCEPT
    | Oops(why) =>
      $ Handler
      INC(sum);
      $ Handler
    END;
    TRY
      sum := sum * 2;
      $ Sum
    FINALLY
      sum := sum - 1;
      $ Sum
    END;
    LOCK lock DO
      INC(sum, 5);
      $ Sum
    END;
    <*ASSERT sum > 0*>
    RETURN sum;
  END Statements;

VAR changed := 3;
BEGIN
  Scalars(5, 6);
  References(ARRAY OF INTEGER {7, 8}, changed);
  Around(30);
  EVAL Statements(2);
END Main.
"""

# Stops at each line of the program, and prints the variables of the scope there.
GDB_SCRIPT = """
import gdb
LINES = {lines}
gdb.execute("set pagination off")
gdb.execute("set print elements 200")
for line in LINES:
    gdb.execute("break Main.m3:%d" % line, to_string=True)
gdb.execute("run")
while gdb.selected_inferior().pid != 0 and gdb.selected_inferior().threads():
    frame = gdb.selected_frame()
    line = frame.find_sal().line
    if line in LINES:
        shown = []
        for name in LINES[line]:
            try:
                shown.append(gdb.execute("print " + name, to_string=True).split(" = ", 1)[1].strip())
            except gdb.error as problem:
                shown.append("<missing: %s>" % problem)
        print("\\n##%d\\t%s" % (line, "\\t".join(shown)), flush=True)
    gdb.execute("continue", to_string=True)
"""


def write_program() -> Tuple[str, Dict[int, List[str]]]:
    """The program, and for each line that prints variables how gdb is asked for them."""
    text, lines = [], {}
    for number, line in enumerate(PROGRAM.split("\n"), 1):
        mark = re.match(r"( *)\$ (\w+)$", line)
        if mark:
            variables = SCOPES[mark.group(2)]
            lines[number] = [name for name, _ in variables]
            line = f'{mark.group(1)}IO.Put("@@{number}\\t" & ' + ' & "\\t" & '.join(show for _, show in variables) + ' & "\\n");'
        text.append(line)
    return "\n".join(text), lines


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class DebuggerStatementsTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-statements-")
        self.addCleanup(shutil.rmtree, self.directory)
        program, self.lines = write_program()
        for name, text in (("Main.m3", program), ("script.py", GDB_SCRIPT.format(lines=repr(self.lines)))):
            with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
                file.write(text)

    def compare(self, level: str) -> Tuple[int, int, List[str]]:
        """Values that were shown and compared, that were missing, and differences."""
        subprocess.run([TENURE, "build", "-w", "-g", level, ".", "-o", "program"], cwd=self.directory, check=True)
        printed = subprocess.run([os.path.join(self.directory, "program")], cwd=self.directory, check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        ran = subprocess.run([TENURE, "debug", "program", "--batch", "-x", "script.py"], cwd=self.directory, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                             check=False)
        expected: Dict[int, List[List[str]]] = {}
        for number, values in re.findall(r"^@@(\d+)\t(.*)$", printed, re.MULTILINE):
            expected.setdefault(int(number), []).append(values.split("\t"))
        shown: Dict[int, List[List[str]]] = {}
        for number, values in re.findall(r"^##(\d+)\t(.*)$", ran.stdout, re.MULTILINE):
            shown.setdefault(int(number), []).append(values.split("\t"))
        self.assertTrue(shown, ran.stdout)
        same, missing, problems = 0, 0, []
        for line, visits in expected.items():
            stops = shown.get(line, [])
            if len(stops) != len(visits):
                # Optimised code may have several places for a line, or none.
                if level == "-O0":
                    problems.append(f"line {line}: {len(stops)} stops for {len(visits)} visits")
                continue
            for want, have in zip(visits, stops):
                for name, value, found in zip(self.lines[line], want, have):
                    if found.startswith("<"):
                        missing += 1
                    elif equal(value, found):
                        same += 1
                    else:
                        problems.append(f"line {line}: {name} is {value}, gdb shows {found}")
        return same, missing, problems

    def test_without_optimisation_every_value_is_shown(self):
        same, missing, problems = self.compare("-O0")
        self.assertEqual(problems, [])
        self.assertEqual(missing, 0)
        self.assertGreater(same, 300)

    def test_with_optimisation_no_value_is_wrong(self):
        same, _, problems = self.compare("-O2")
        self.assertEqual(problems, [])
        self.assertGreater(same, 100)


def equal(printed: str, shown: str) -> bool:
    if printed == shown:
        return True
    # Sets are written as gdb writes flags.
    if printed.startswith("{") and shown == printed[1:-1].replace(", ", " | "):
        return True
    if printed.startswith("{") and shown == f"({printed[1:-1]})".replace(", ", " | "):
        return True
    try:
        return float(printed.replace("d", "e")) == float(shown)
    except ValueError:
        return False


if __name__ == "__main__":
    unittest.main()
