"""A stock gdb on programs built with -g: breakpoints by file and line, values by name, the stack."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

PROGRAM = '''MODULE Main;
IMPORT IO;
TYPE
  Color = {Red, Green, Blue};
  R = RECORD a: INTEGER; c: Color; f: REAL; s: SET OF Color END;
  A = OBJECT x := 1; next: A; name: TEXT END;
  B = A OBJECT y: INTEGER := 7; r: R END;
  Bits = RECORD lo: BITS 4 FOR [0..15]; hi: BITS 4 FOR [0..15] END;
  Bit3 = BITS 3 FOR [0..7];
  Row = ARRAY [0..2] OF Bit3;
  Pair = RECORD a: BITS 2 FOR Color; b: BITS 3 FOR [-4..3] END;
EXCEPTION E(INTEGER);
VAR
  global := 42;
  arr := ARRAY [1..5] OF INTEGER {10, 20, 30, 40, 50};
  bools := ARRAY [1..3] OF BITS 1 FOR BOOLEAN {TRUE, FALSE, TRUE};
  halves := ARRAY [0..2] OF BITS 16 FOR [0..255] {1, 200, 3};
  rows := ARRAY [0..1] OF Row {Row {1, 2, 3}, Row {4, 5, 6}};
  nested: RECORD tag: Bit3; row: BITS 9 FOR Row; pair: BITS 5 FOR Pair END;
  open_halves := NEW(REF ARRAY OF BITS 16 FOR [0..255], 2);
PROCEDURE Sum(READONLY v: ARRAY OF INTEGER; VAR total: INTEGER) =
  BEGIN
    FOR i := FIRST(v) TO LAST(v) DO INC(total, v[i]) END;
    IO.PutInt(total);  (* after-sum *)
  END Sum;
PROCEDURE Show(t: TEXT; r: R; b: B; open: REF ARRAY OF ARRAY OF CHAR): INTEGER RAISES {E} =
  VAR local := 5; flag := TRUE; ch := 'z'; bits := Bits{3, 12}; shadow := 1; none: TEXT := NIL;
  PROCEDURE Inner(k: INTEGER) RAISES {E} =
    VAR deep := k * 2;
    BEGIN
      INC(local);  (* in-inner *)
      IF local > 1 THEN RAISE E(deep) END;
    END Inner;
  BEGIN
    WITH alias = b.r.a, shadow = local + 1 DO
      alias := shadow + bits.lo;  (* in-with *)
    END;
    TRY
      Inner(local);
    EXCEPT
    | E(code) => INC(local, code);  (* in-handler *)
    END;
    RETURN local + r.a + ORD(flag) + ORD(ch) + NUMBER(open^) + shadow + ORD(t = none);
  END Show;
VAR total := 0; obj := NEW(B, name := "obj"); nothing: REF INTEGER := NIL;
BEGIN
  nested.tag := 7; nested.row := rows[1]; nested.pair := Pair {Color.Blue, -3};
  open_halves[1] := 99;
  Sum(arr, total);
  obj.next := obj;
  IO.PutInt(Show("hello" & " world", R{1, Color.Blue, 2.5, SET OF Color{Color.Red, Color.Blue}},
                 obj, NEW(REF ARRAY OF ARRAY OF CHAR, 2, 3)));
  nothing^ := 1;  (* nil *)
END Main.
'''


def line_of(mark: str) -> int:
    return next(n for n, text in enumerate(PROGRAM.split("\n"), 1) if f"(* {mark} *)" in text)


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class DebuggerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-gdb-")
        with open(os.path.join(cls.directory, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(PROGRAM)
        subprocess.run([TENURE, "build", "-w", "-g", "-O0", "-o", "program"], cwd=cls.directory,
                       check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    def gdb(self, *commands: str) -> str:
        arguments = [word for command in commands for word in ("-ex", command)]
        ran = subprocess.run(["gdb", "-q", "-nx", "-batch", "-ex", "set pagination off", *arguments,
                              "./program"], cwd=self.directory, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=120)
        return ran.stdout

    def values(self, mark: str, *expressions: str):
        """The output of `print` for the expressions at the marked line."""
        output = self.gdb(f"break Main.m3:{line_of(mark)}", "run",
                          *[f"print {expression}" for expression in expressions])
        found = [line.split(" = ", 1)[1] for line in output.split("\n") if line.startswith("$")]
        self.assertEqual(len(found), len(expressions), output)
        return found

    def test_open_arrays_and_var_parameters(self):
        self.assertEqual(self.values("after-sum", "v", "v[1]", "total"),
                         ["{10, 20, 30, 40, 50}", "20", "150"])

    def test_globals(self):
        self.assertEqual(self.values("after-sum", "global", "arr", "arr[1]"),
                         ["42", "{10, 20, 30, 40, 50}", "10"])

    def test_records_sets_enumerations_and_bits(self):
        self.assertEqual(self.values("in-handler", "r", "r.s", "bits.hi", "flag", "ch"),
                         ["{a = 1, c = Blue, f = 2.5, s = (Red | Blue)}", "(Red | Blue)",
                          "12 '\\f'", "true", "122 'z'"])

    def test_packed_arrays_and_records(self):
        self.assertEqual(self.values("after-sum", "bools", "halves", "halves[1]", "rows[1]",
                                     "nested", "*open_halves"),
                         ["{[1] = true, [2] = false, [3] = true}", "{1, 200, 3}", "200",
                          "{[0] = 4 '\\004', [1] = 5 '\\005', [2] = 6 '\\006'}",
                          "{tag = 7 '\\a', row[0] = 4 '\\004', row[1] = 5 '\\005', "
                          "row[2] = 6 '\\006', pair.a = Blue, pair.b = -3 '\\375'}",
                          "{0, 99}"])

    def test_objects(self):
        whole, name, field = self.values("in-handler", "*b", "b->next->name", "b->r.a")
        self.assertIn("<Main.A> = {x = 1, next = 0x", whole)
        self.assertIn('name = "obj"}, y = 7, r = {a = 9, c = Red', whole)
        self.assertEqual([name, field], ['"obj"', "9"])

    def test_texts(self):
        self.assertEqual(self.values("in-handler", "t", "none"),
                         ['"hello world"', "<not allocated>"])

    def test_open_array_in_the_heap(self):
        self.assertEqual(self.values("in-handler", "*open"), ['{"\\000\\000", "\\000\\000"}'])

    def test_with_and_names_that_hide_names(self):
        self.assertEqual(self.values("in-with", "shadow"), ["6"])
        self.assertEqual(self.values("in-handler", "shadow", "code"), ["1", "10"])

    def test_variables_of_the_procedures_around(self):
        self.assertEqual(self.values("in-inner", "k", "deep", "local"), ["5", "10", "5"])

    def test_stack_through_the_body_of_a_try(self):
        output = self.gdb(f"break Main.m3:{line_of('in-inner')}", "run", "bt")
        frames = [line for line in output.split("\n") if line.startswith("#")]
        self.assertIn("Main.Show.Inner (k=5) at ./Main.m3", frames[0])
        self.assertTrue(any("Main.Show (" in frame and "t=" in frame for frame in frames), output)
        self.assertTrue(any("Main.(body) () at ./Main.m3" in frame for frame in frames), output)

    def test_stack_at_a_trap(self):
        output = self.gdb("run", "bt")
        self.assertIn("SIGSEGV", output)
        self.assertIn("#0  ", output)
        self.assertIn(f"Main.(body) () at ./Main.m3:{line_of('nil')}", output)


if __name__ == "__main__":
    unittest.main()
