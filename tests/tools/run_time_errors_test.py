"""Programs that end in a run-time error or an unhandled exception: the report names the line and
the values, with and without optimization."""

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

RUN_TIME_ERROR = 4

# Each line `IF Is("name") ...` fails, or the line after it that has a comment `at`; its comment is
# what the report says of the error. FLAGS: of the run time, in a comment of the same line.
PROGRAM = r'''MODULE Main;
IMPORT Atom, AtomList, FileRd, IO, Lex, OSError, Params, Scan, Text, TextRd, Word;
TYPE
  Color = {Red, Green, Blue};
  Warm = [Color.Red .. Color.Green];
  Small = [1..10];
  Shape = OBJECT METHODS area(): REAL END;
  Circle = Shape OBJECT r: REAL := 1.0 OVERRIDES area := AreaOfCircle END;
  Square = Shape OBJECT side := 2 END;
  Why = RECORD
    code: INTEGER;  why: TEXT;  c: Color;  ok: BOOLEAN;  f: LONGREAL;  s: SET OF Color;
    a: ARRAY [0..2] OF Small;
  END;
  P = PROCEDURE();
  Node = REF RECORD v: INTEGER; next: Node END;
EXCEPTION
  Num(INTEGER); Col(Color); Rec(Why); Txt(TEXT); Obj(Shape); Rea(REAL); Ch(CHAR); At(Atom.T);
  Flag(BOOLEAN); Any(REFANY); Nothing; Of(Set); Arr(ARRAY [1..3] OF Color);
TYPE
  Set = SET OF [0..99];
VAR
  what := Params.Get(1);
  gp: P;
  kept: REF RECORD t: REF ARRAY OF CHAR; next: REFANY END;
  full := NEW(Node);
  empty := NilNode();

PROCEDURE Is(t: TEXT): BOOLEAN = BEGIN RETURN Text.Equal(t, what) END Is;
PROCEDURE AreaOfCircle(c: Circle): REAL = BEGIN RETURN c.r END AreaOfCircle;
PROCEDURE NilShape(): Shape = BEGIN IF Is("never") THEN RETURN NEW(Circle) END; RETURN NIL END NilShape;
PROCEDURE NilNode(): Node = BEGIN IF Is("never") THEN RETURN NEW(Node) END; RETURN NIL END NilNode;

PROCEDURE NoReturn(n: INTEGER): INTEGER =
  <*NOWARN*>
  BEGIN
    IF n = 1 THEN RETURN 1 END;
  END NoReturn; (* at noreturn *)

PROCEDURE Local() =
  PROCEDURE Inner() = BEGIN END Inner;
  PROCEDURE Store(p: P) = BEGIN gp := p END Store; (* at local *)
  BEGIN
    Store(Inner);
  END Local;

PROCEDURE Blocked() RAISES {} =
  BEGIN
    <*NOWARN*> RAISE Num(3); (* at blocked *)
  END Blocked;

PROCEDURE Deep(n: INTEGER): INTEGER =
  VAR a: ARRAY [0..99] OF INTEGER;
  BEGIN
    a[n MOD 100] := n;
    RETURN Deep(n + 1) + a[(n * 7) MOD 100];
  END Deep;

PROCEDURE Sum(READONLY a: ARRAY OF INTEGER): INTEGER =
  VAR s := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO INC(s, a[i]) END;
    RETURN s;
  END Sum;

(* The field does not change in the loop, so it is read before the loop. *)
PROCEDURE InLoop(p: Node; n: INTEGER): INTEGER =
  VAR s := 0;
  BEGIN
    FOR i := 1 TO n DO
      s := s * 3 + i;
      s := s + p.v; (* at loop *)
    END;
    RETURN s;
  END InLoop;

(* What the branches have in common is no one's line. *)
PROCEDURE Branches(p: Node; VAR n: INTEGER; t: TEXT) =
  BEGIN
    IF Is("branch1") OR Is("branchcall1") THEN
      n := 1;
      IF t # NIL THEN IO.Put(NIL) END; (* at branchcall1 *)
      n := n + p.v; (* at branch1 *)
    ELSE
      n := 2;
      IF t # NIL THEN IO.Put(NIL) END; (* at branchcall2 *)
      n := n + p.v; (* at branch2 *)
    END;
  END Branches;

PROCEDURE Keep(t: REF ARRAY OF CHAR) =
  BEGIN
    kept := NEW(REF RECORD t: REF ARRAY OF CHAR; next: REFANY END, t := t, next := kept);
  END Keep;

<*FATAL ANY*>
VAR
  n := 0;
  open := NEW(REF ARRAY OF INTEGER, 3);
  none := NEW(REF ARRAY OF INTEGER, 0);
  two := NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 4);
  fixed: ARRAY Small OF INTEGER;
  colors: ARRAY Warm OF INTEGER;
  chars: ARRAY ['a'..'z'] OF INTEGER;
  small: Small;  warm: Warm;  c: Color;  card: CARDINAL;  byte: [0..255];  ch: CHAR := 'x';
  shape: Shape := NEW(Circle);  any: REFANY := NEW(REF INTEGER);  sq: Square;
  x := 3;  y := 2;  name := "bob";  lr := 1.0d30;  w: Word.T;  r: REAL := 1.5;
  list: REF ARRAY OF CHAR;
BEGIN
  n := 5;
  IF Is("open") THEN open[n] := 1 (* SubscriptOutOfRange: subscript out of range: 5 is not in [0..2], the array has 3 elements *)
  ELSIF Is("none") THEN none[0] := 1 (* SubscriptOutOfRange: subscript out of range: 0, but the array has no elements *)
  ELSIF Is("two") THEN two[1, n] := 1 (* SubscriptOutOfRange: subscript out of range: 5 is not in [0..3] *)
  ELSIF Is("negative") THEN open[n - 6] := 1 (* SubscriptOutOfRange: subscript out of range: -1 is not in [0..2] *)
  ELSIF Is("fixed") THEN fixed[n + 6] := 1 (* SubscriptOutOfRange: subscript out of range: 11 is not in [1..10] *)
  ELSIF Is("colors") THEN c := VAL(n - 3, Color); INC(n, colors[c]) (* SubscriptOutOfRange: subscript out of range: Blue is not in [Red..Green] *)
  ELSIF Is("chars") THEN ch := 'A'; INC(n, chars[ch]) (* SubscriptOutOfRange: subscript out of range: 'A' is not in ['a'..'z'] *)
  ELSIF Is("range") THEN small := n + 6 (* ValueOutOfRange: value out of range: 11 is not in [1..10] *)
  ELSIF Is("warm") THEN c := VAL(n - 3, Color); warm := c (* ValueOutOfRange: value out of range: Blue is not in [Red..Green] *)
  ELSIF Is("val") THEN c := VAL(n, Color) (* ValueOutOfRange: value out of range: 5 is not in [Red..Blue] *)
  ELSIF Is("card") THEN card := n - 6 (* ValueOutOfRange: value out of range: -1 is not in CARDINAL *)
  ELSIF Is("inc") THEN byte := 255; INC(byte) (* ValueOutOfRange: value out of range: 256 is not in [0..255] *)
  ELSIF Is("inc5") THEN byte := 252; INC(byte, n) (* ValueOutOfRange: value out of range: 257 is not in [0..255] *)
  ELSIF Is("dec") THEN card := 2; DEC(card, n) (* ValueOutOfRange: value out of range: -3 is not in CARDINAL *)
  ELSIF Is("incmax") THEN card := LAST(CARDINAL); INC(card, n) (* ValueOutOfRange: value out of range: 9223372036854775812 is not in *)
  ELSIF Is("floor") THEN n := FLOOR(lr) (* ValueOutOfRange: value out of range: FLOOR(1e+30) does not fit INTEGER *)
  ELSIF Is("sub") THEN n := Sum(SUBARRAY(open^, 1, n)) (* ValueOutOfRange: value out of range: SUBARRAY from 1 for 5, but the array has 3 elements *)
  ELSIF Is("bits") THEN w := Word.Extract(w, 60, n) (* ValueOutOfRange: value out of range: 5 bits from bit 60, but a word has 64 bits *)
  ELSIF Is("new") THEN list := NEW(REF ARRAY OF CHAR, n - 9) (* ValueOutOfRange: value out of range: NEW with the length -4 of REF ARRAY OF CHAR *)
  ELSIF Is("shape") THEN open^ := none^ (* IncompatibleArrayShape: arrays have different shapes: 3 elements wanted, no elements found *)
  ELSIF Is("div") THEN n := n DIV (x - 3) (* IntegerDivideByZero: integer division by zero: 5 DIV 0 *)
  ELSIF Is("mod") THEN n := n MOD (x - 3) (* IntegerDivideByZero: integer division by zero: 5 MOD 0 *)
  ELSIF Is("narrow") THEN sq := shape (* NarrowFailed: object is not of the required type: found Main.Circle, wanted Main.Square *)
  ELSIF Is("narrowany") THEN sq := any (* NarrowFailed: object is not of the required type: found REF INTEGER, wanted Main.Square *)
  ELSIF Is("narrowtext") THEN any := "text"; sq := any (* NarrowFailed: object is not of the required type: found TEXT, wanted Main.Square *)
  ELSIF Is("typecase") THEN TYPECASE shape OF Square, NULL => n := 1 END (* UnhandledTypecase: no type of TYPECASE matches: found Main.Circle, wanted Main.Square or NULL *)
  ELSIF Is("case") THEN <*NOWARN*> CASE n OF 1 => n := 1 | 2..4 => n := 2 END (* UnhandledCase: no label of CASE matches: 5 *)
  ELSIF Is("casecolor") THEN c := VAL(n - 3, Color); <*NOWARN*> CASE c OF Color.Red => n := 1 END (* UnhandledCase: no label of CASE matches: Blue *)
  ELSIF Is("nil") THEN r := NilShape().area() (* BadMemoryReference: dereference of NIL: NilShape() *)
  ELSIF Is("nilfield") THEN n := NilNode().v (* BadMemoryReference: dereference of NIL: NilNode() *)
  ELSIF Is("nilstore") THEN NilNode().v := 3 (* BadMemoryReference: dereference of NIL: NilNode() *)
  ELSIF Is("nilread") THEN full.v := empty.v (* BadMemoryReference: dereference of NIL: empty *)
  ELSIF Is("nilwrite") THEN empty.v := full.v (* BadMemoryReference: dereference of NIL: empty *)
  ELSIF Is("nilother") THEN n := full.v + full.next.v (* BadMemoryReference: dereference of NIL: full or full.next *)
  ELSIF Is("nilrecord") THEN full^ := empty^ (* BadMemoryReference: dereference of NIL: empty *)
  ELSIF Is("nilopen") THEN IO.PutInt(NUMBER(kept.t^)) (* BadMemoryReference: dereference of NIL: kept or kept.t *)
  ELSIF Is("niltwo") THEN n := empty.v + full.next.v (* BadMemoryReference: dereference of NIL: empty or full.next *)
  ELSIF Is("nilproc") THEN gp() (* BadMemoryReference: call of a procedure that is NIL: gp *)
  ELSIF Is("nilmethod") THEN sq := NEW(Square); r := sq.area() (* UndefinedMethod: method area of Main.Shape is NIL *)
  ELSIF Is("noreturn") THEN n := NoReturn(n) (* NoReturnValue: function procedure Main.NoReturn ended without RETURN *)
  ELSIF Is("local") THEN Local() (* NarrowFailed: a procedure that is declared in a procedure cannot be stored *)
  ELSIF Is("blocked") THEN Blocked() (* BlockedException: exception Main.Num may not leave procedure Main.Blocked: 3 *)
  ELSIF Is("stack") THEN n := Deep(1) (* StackOverflow: stack overflow: the stack of this thread has *)
  ELSIF Is("loop") THEN n := InLoop(NilNode(), n) (* BadMemoryReference: dereference of NIL *)
  ELSIF Is("branch1") OR Is("branch2") THEN Branches(NilNode(), n, NIL) (* BadMemoryReference: dereference of NIL *)
  ELSIF Is("branchcall1") OR Is("branchcall2") THEN Branches(NEW(Node), n, "t") (* BadMemoryReference: dereference of NIL *)
  ELSIF Is("assert") THEN <*ASSERT x < y*> (* AssertFailed: assertion failed: x < y (x = 3, y = 2) *)
  ELSIF Is("assertor") THEN <*ASSERT x > 0 AND (n < 3 OR Text.Equal(name, "jim"))*> (* AssertFailed: assertion failed: x > 0 AND (n < 3 OR Text.Equal(name, "jim")) (x = 3, n = 5, Text.Equal(name, "jim") = FALSE, name = "bob") *)
  ELSIF Is("assertwith") THEN <*ASSERT open[y] + x = n WITH "sum is wrong"*> (* AssertFailed: sum is wrong: open[y] + x = n (open[y] + x = 3, open[y] = 0, y = 2, x = 3, n = 5) *)
  ELSIF Is("assertnil") THEN <*ASSERT shape = NIL*> (* AssertFailed: assertion failed: shape = NIL (shape = <Main.Circle>) *)
  ELSIF Is("assertreal") THEN <*ASSERT r > 2.0 AND ch = 'y'*> (* AssertFailed: assertion failed: r > 2.0 AND ch = 'y' (r = 1.5, ch = 'x') *)
  ELSIF Is("assertcolor") THEN <*ASSERT c = Color.Green AND NUMBER(open^) = 3*> (* AssertFailed: assertion failed: c = Color.Green AND NUMBER(open^) = 3 (c = Red) *)
  ELSIF Is("assertnumber") THEN <*ASSERT NUMBER(open^) = x + y*> (* AssertFailed: assertion failed: NUMBER(open^) = x + y (NUMBER(open^) = 3, x + y = 5, x = 3, y = 2) *)
  ELSIF Is("assertin") THEN <*ASSERT ch IN SET OF CHAR{'a', 'b'}*> (* AssertFailed: assertion failed: ch IN SET OF CHAR{'a', 'b'} (ch = 'x') *)
  ELSIF Is("assertfalse") THEN <*ASSERT FALSE*> (* AssertFailed: assertion failed: FALSE *)
  ELSIF Is("num") THEN RAISE Num(42) (* Main.Num: 42 *)
  ELSIF Is("col") THEN RAISE Col(Color.Green) (* Main.Col: Green *)
  ELSIF Is("rec") THEN RAISE Rec(Why{3, "lost", Color.Blue, TRUE, 2.5d0, SET OF Color{Color.Red, Color.Blue}, ARRAY [0..2] OF Small{1, 2, 3}}) (* Main.Rec: {code = 3, why = "lost", c = Blue, ok = TRUE, f = 2.5, s = {Red, Blue}, a = {1, 2, 3}} *)
  ELSIF Is("txt") THEN RAISE Txt("some text") (* Main.Txt: some text *)
  ELSIF Is("obj") THEN RAISE Obj(shape) (* Main.Obj: <Main.Circle> *)
  ELSIF Is("rea") THEN RAISE Rea(r) (* Main.Rea: 1.5 *)
  ELSIF Is("ch") THEN RAISE Ch('q') (* Main.Ch: 'q' *)
  ELSIF Is("flag") THEN RAISE Flag(TRUE) (* Main.Flag: TRUE *)
  ELSIF Is("atom") THEN RAISE At(Atom.FromText("an atom")) (* Main.At: an atom *)
  ELSIF Is("any") THEN RAISE Any("in any") (* Main.Any: "in any" *)
  ELSIF Is("set") THEN RAISE Of(Set{3, 98}) (* Main.Of: {3, 98} *)
  ELSIF Is("array") THEN RAISE Arr(ARRAY [1..3] OF Color{Color.Blue, ..}) (* Main.Arr: {Blue, Blue, Blue} *)
  ELSIF Is("nothing") THEN RAISE Nothing (* Main.Nothing *)
  ELSIF Is("atoms") THEN RAISE OSError.E(AtomList.List2(Atom.FromText("one"), Atom.FromText("two"))) (* OSError.E: one: two *)
  ELSIF Is("file") THEN any := FileRd.Open("no/such") (* OSError.E: No such file or directory: "no/such" (errno=2) *)
  ELSIF Is("scan") THEN n := Scan.Int("12x") (* Lex.Error: "12x" is not an integer *)
  ELSIF Is("lex") THEN n := Lex.Int(TextRd.New("abc def")) (* Lex.Error: "abc" is not an integer *)
  ELSIF Is("real") THEN r := Scan.Real("1.5e") (* Lex.Error: "1.5e" is not a real number *)
  ELSIF Is("bool") THEN warm := VAL(ORD(Scan.Bool("TRUTH")), Color) (* Lex.Error: "TRUTH" is not TRUE or FALSE *)
  ELSIF Is("trap") THEN n := Scan.Int("99999999999999999999") (* FloatMode.Trap: IntOverflow: "99999999999999999999" does not fit INTEGER *)
  ELSIF Is("getchar") THEN ch := Text.GetChar(name, n) (* SubscriptOutOfRange: subscript out of range: 5 is not in [0..2] *)
  ELSIF Is("memory") THEN LOOP list := NEW(REF ARRAY OF CHAR, 1000000); Keep(list) END (* OutOfMemory: out of memory: an object of 1000008 bytes is wanted, and the heap may have at most 50 MB: run the program with a larger @M3maxheap=SIZE *)
  ELSIF Is("big") THEN list := NEW(REF ARRAY OF CHAR, LAST(INTEGER) DIV 2) (* OutOfMemory: out of memory: an array of 4611686018427387903 elements is wanted *)
  END;
  IO.Put("end\n");
END Main.
'''

# Raised in the library: the program's own line is further out in the trace.
IN_THE_LIBRARY = {"branchcall1", "branchcall2", "file", "scan", "lex", "real", "bool", "trap",
                  "getchar"}
# Where a stack overflows within the procedure is up to the machine.
SOMEWHERE = {"stack": "in Main.Deep"}
FLAGS = {"memory": ["@M3maxheap=50M"]}
CASE = re.compile(r'(?:IF|ELSIF) (Is\("\w+"\)(?: OR Is\("\w+"\))*) THEN .* \(\* (.*) \*\)$')
ELSEWHERE = re.compile(r"\(\* at (\w+) \*\)$")


class Case:
    def __init__(self, name: str, line: int, text: str):
        self.name, self.line, self.text = name, line, text


def cases():
    lines = PROGRAM.splitlines()
    elsewhere = {}
    for number, line in enumerate(lines, 1):
        found = ELSEWHERE.search(line)
        if found:
            elsewhere[found.group(1)] = number
    result = []
    for number, line in enumerate(lines, 1):
        found = CASE.search(line)
        if found:
            for name in re.findall(r'Is\("(\w+)"\)', found.group(1)):
                result.append(Case(name, elsewhere.get(name, number), found.group(2)))
    return result


PIPE = '''MODULE Main;
IMPORT Fmt, IO, Params, Stdio, Text, Thread, Wr;
<*FATAL ANY*>

PROCEDURE Fatal() =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    FOR i := 1 TO 100000 DO Wr.PutText(Stdio.stdout, "line " & Fmt.Int(i) & "\\n") END;
  END Fatal;

VAR what := Params.Get(1);
BEGIN
  IF Text.Equal(what, "io") THEN
    FOR i := 1 TO 100000 DO IO.Put("line " & Fmt.Int(i) & "\\n") END;
  ELSIF Text.Equal(what, "wr") THEN
    FOR i := 1 TO 100000 DO Wr.PutText(Stdio.stdout, "line " & Fmt.Int(i) & "\\n") END;
  ELSIF Text.Equal(what, "fatal") THEN
    Fatal();
  ELSIF Text.Equal(what, "short") THEN
    Thread.Pause(0.5d0);
    Wr.PutText(Stdio.stdout, "line\\n");
  ELSE
    TRY
      FOR i := 1 TO 100000 DO Wr.PutText(Stdio.stdout, "line " & Fmt.Int(i) & "\\n") END;
    EXCEPT
    | Wr.Failure => Wr.PutText(Stdio.stderr, "caught\\n");
    END;
  END;
END Main.
'''


# Opens files until there are no descriptors left; then fails.
WITHOUT_DESCRIPTORS = r'''MODULE Main;
IMPORT FileRd, OSError, Params, Rd, Text;
VAR
  readers: ARRAY [0..199] OF Rd.T;
  count := 0;

PROCEDURE Fail(n: INTEGER): INTEGER =
  VAR a: ARRAY [0..3] OF INTEGER;
  BEGIN
    a[n] := 1; (* line 10 *)
    RETURN a[0];
  END Fail;

BEGIN
  TRY
    WHILE count < NUMBER(readers) DO
      readers[count] := FileRd.Open("/dev/null");
      INC(count);
    END;
  EXCEPT OSError.E => (* none is left *)
  END;
  IF Text.Equal(Params.Get(1), "all") THEN EVAL Fail(count) END;
END Main.
'''

# At the first address of Outer's code stands what was put in line there.
BLOCKED = r'''MODULE Main;
EXCEPTION E;
VAR count := 0;

<*INLINE*> PROCEDURE Small(n: INTEGER): INTEGER =
  BEGIN
    INC(count, n);
    RETURN count * 3;
  END Small;

PROCEDURE Raise(n: INTEGER) RAISES {E} = BEGIN IF n > 0 THEN RAISE E END END Raise;

PROCEDURE Outer(n: INTEGER) RAISES {} =
  BEGIN
    <*NOWARN*> Raise(Small(n) + 1);
  END Outer;

BEGIN
  Outer(1);
  Outer(2);
END Main.
'''


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class RunTimeErrorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-errors-")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    def build(self, name: str, source: str, *options: str) -> str:
        package = os.path.join(self.directory, name)
        os.makedirs(package)
        with open(os.path.join(package, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(source)
        program = os.path.join(package, "program")
        built = subprocess.run([TENURE, "build", package, "-o", program, *options],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", check=False)
        self.assertEqual(built.returncode, 0, built.stdout)
        return program

    def expect_reports(self, name: str, tried, *options: str):
        program = self.build(name, PROGRAM, *options)
        for case in tried:
            with self.subTest(case=case.name, options=options):
                ran = subprocess.run([program, case.name, *FLAGS.get(case.name, [])],
                                     cwd=os.path.dirname(program), stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, errors="replace", timeout=120,
                                     check=False)
                self.assertEqual(ran.returncode, RUN_TIME_ERROR, ran.stderr)
                lines = ran.stderr.splitlines()
                self.assertRegex(lines[0], r"^\*\*\* (run-time error|unhandled exception): ")
                self.assertIn(case.text, lines[0])
                place = f" Main.m3:{case.line} in Main"
                if case.name in SOMEWHERE:
                    self.assertTrue(lines[1].endswith(SOMEWHERE[case.name]), lines[1])
                elif case.name in IN_THE_LIBRARY:
                    self.assertIn(f"from{place}", ran.stderr)
                else:
                    self.assertTrue(lines[1].startswith(f"*** at{place}"), ran.stderr)

    def test_errors_without_optimization_name_line_and_values(self):
        self.assertGreater(len(cases()), 70)
        self.expect_reports("plain", cases(), "-O0")

    def test_optimized_errors_name_line_and_values(self):
        self.expect_reports("optimized", cases(), "-O2")

    def test_errors_of_programs_for_a_debugger_name_line_and_values(self):
        self.expect_reports("debugged", cases()[::4], "-O2", "-g")

    def test_a_report_without_free_descriptors_has_names_and_lines(self):
        program = self.build("descriptors", WITHOUT_DESCRIPTORS)
        for most in (60, 20):
            with self.subTest(most=most):
                ran = subprocess.run(
                    [program, "all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
                    cwd=os.path.dirname(program),
                    preexec_fn=lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
                self.assertEqual(ran.returncode, RUN_TIME_ERROR, ran.stderr)
                self.assertIn("*** at Main.m3:10 in Main.Fail\n", ran.stderr)
                self.assertIn("from Main.m3:22 in Main", ran.stderr)

    def test_the_procedure_that_an_exception_may_not_leave_is_named(self):
        for options in (["-O0"], ["-O2"]):
            program = self.build("blocked" + options[0], BLOCKED, *options)
            ran = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                                 cwd=os.path.dirname(program), check=False)
            self.assertEqual(ran.returncode, RUN_TIME_ERROR)
            self.assertIn("exception Main.E may not leave procedure Main.Outer\n", ran.stderr)

    def test_a_program_whose_output_nobody_reads_ends_without_a_word(self):
        program = self.build("pipe", PIPE)
        for what in ("io", "wr", "fatal", "short"):
            with self.subTest(what=what):
                ran = subprocess.Popen([program, what], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
                if what != "short":
                    self.assertEqual(ran.stdout.readline(), b"line 1\n")
                ran.stdout.close()
                self.assertEqual(ran.stderr.read(), b"")
                ran.stderr.close()
                self.assertEqual(ran.wait(), -signal.SIGPIPE)

    def test_a_failed_write_to_a_pipe_can_be_handled(self):
        program = self.build("handled", PIPE)
        ran = subprocess.Popen([program, "handled"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        ran.stdout.close()
        self.assertEqual(ran.stderr.read(), b"caught\n")
        ran.stderr.close()
        ran.wait()


if __name__ == "__main__":
    unittest.main()
