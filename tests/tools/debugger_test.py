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


THREADS = '''MODULE Main;
IMPORT Thread, RTCollector;
TYPE C = Thread.Closure OBJECT OVERRIDES apply := Apply END;
PROCEDURE Apply(<*UNUSED*> c: C): REFANY =
  BEGIN FOR i := 1 TO 100000000 DO IF stop THEN RETURN NIL END END; RETURN NIL END Apply;
PROCEDURE Here() = BEGIN stop := TRUE END Here;
VAR stop := FALSE; t := Thread.Fork(NEW(C));
BEGIN
  FOR i := 1 TO 20 DO RTCollector.Collect() END;
  Here();
  EVAL Thread.Join(t);
END Main.
'''


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class DebugCommandTest(unittest.TestCase):
    def test_stops_of_threads_for_a_collection_do_not_stop_the_debugger(self):
        with tempfile.TemporaryDirectory(prefix="tenure-gdb-") as directory:
            with open(os.path.join(directory, "Main.m3"), "w", encoding="latin-1") as file:
                file.write(THREADS)
            ran = subprocess.run([TENURE, "debug", directory, "--batch", "--ex", "break Main.Here", "--ex", "run",
                                  "--ex", "bt 1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
            self.assertNotIn("received signal", ran.stdout)
            self.assertRegex(ran.stdout, r"#0 .*Main\.Here")


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
        self.assertIn("Main.Show.Inner (k=5) at Main.m3", frames[0])
        self.assertTrue(any("Main.Show (" in frame and "t=" in frame for frame in frames), output)
        self.assertTrue(any("Main.(body) () at Main.m3" in frame for frame in frames), output)

    def test_a_breakpoint_at_a_procedure_is_behind_the_stores_of_its_formals(self):
        output = self.gdb("break Main.Show", "run", "print t", "print r.a", "print b->y", "delete",
                          "break Main.Show.Inner", "continue", "print k", "print local")
        values = [line.split(" = ", 1)[1] for line in output.split("\n") if line.startswith("$")]
        self.assertEqual(values, ['"hello world"', "1", "7", "5", "5"], output)

    def test_globals_by_their_module(self):
        self.assertEqual(self.values("after-sum", "Main.global", "Main.halves[1]", "Main.obj->x"), ["42", "200", "1"])

    def test_sources_are_found_from_any_directory(self):
        ran = subprocess.run(["gdb", "-q", "-nx", "-batch", "-ex", "list Main.Sum",
                              os.path.join(self.directory, "program")], cwd="/", stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        self.assertIn("PROCEDURE Sum(READONLY v", ran.stdout)

    def test_stack_at_a_trap(self):
        output = self.gdb("run", "bt")
        self.assertIn("SIGSEGV", output)
        self.assertIn("#0  ", output)
        self.assertIn(f"Main.(body) () at Main.m3:{line_of('nil')}", output)


WITH_TENURE = '''MODULE Main;
IMPORT Database, Fmt, IO, Shape, Text, Transaction;
TYPE
  Color = {Red, Green, Blue};
  Node = REF RECORD key: INTEGER; next: Node END;
  Circle = Shape.T OBJECT radius := 2.5; tags: REF ARRAY OF TEXT END;
EXCEPTION Oops(TEXT);
VAR total := 17; wide := W"wide \\023072"; names: REF ARRAY OF TEXT; empty: REF INTEGER;
PROCEDURE Work(t: TEXT; s: Shape.T; READONLY open: ARRAY OF TEXT) RAISES {Oops} =
  VAR
    bounds := ARRAY [3..5] OF Color {Color.Red, Color.Green, Color.Blue};
    flag := TRUE; node := NEW(Node, key := 4); long := t;
    matrix := ARRAY [1..2], [0..1] OF INTEGER {ARRAY [0..1] OF INTEGER {1, 2}, ARRAY [0..1] OF INTEGER {3, 4}};
  BEGIN
    FOR i := 1 TO 100 DO long := long & Fmt.Int(i MOD 10) END;
    node.next := NEW(Node, key := 5);
    INC(total, ORD(flag) + ORD(bounds[4]) + NUMBER(open) + Text.Length(s.name));
    IO.Put("");  (* look *)
    RAISE Oops(t);  (* raise *)
  END Work;
PROCEDURE Store(n: INTEGER) =
  BEGIN
    TRY
      INC(total, n);  (* body *)
    FINALLY
      IO.Put("");
    END;
    TRY DEC(total, n) EXCEPT ELSE END;
  END Store;
VAR db: Database.T; tr := NEW(Transaction.T); root: Node;
BEGIN
  Store(3);
  names := NEW(REF ARRAY OF TEXT, 2); names[0] := "zero"; names[1] := "o" & "ne";
  TRY
    Work("left" & Fmt.Int(5), NEW(Circle, name := "circle", tags := names), names^);
  EXCEPT Oops => END;
  TRY Database.Create("store"); EXCEPT ELSE END;
  TRY
    db := Database.Open("store"); tr.begin(); db.setRoot(NEW(Node, key := 7)); tr.commit(); db.close();
    db := Database.Open("store"); tr.begin(); root := db.getRoot();
    IO.Put("");  (* stored *)
    INC(total, root.key);
    IO.Put("");  (* touched *)
    tr.abort();
  EXCEPT ELSE END;
END Main.
'''


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class TenureDebugTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-debug-")
        for name, text in (("Main.m3", WITH_TENURE), ("Shape.i3", "INTERFACE Shape; TYPE T = OBJECT name: TEXT END; "
                                                                  "VAR limit := 3; END Shape.")):
            with open(os.path.join(cls.directory, name), "w", encoding="latin-1") as file:
                file.write(text)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    def debug(self, *commands: str, options=()) -> str:
        words = [word for command in commands for word in ("--ex", command)]
        ran = subprocess.run([TENURE, "debug", "-w", *options, "--batch", "--ex", "set pagination off", *words],
                             cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        return ran.stdout

    @staticmethod
    def line(mark: str) -> int:
        return next(n for n, text in enumerate(WITH_TENURE.split("\n"), 1) if f"(* {mark} *)" in text)

    def values(self, mark: str, *expressions: str, options=()):
        output = self.debug(f"break Main.m3:{self.line(mark)}", "run", *[f"print {it}" for it in expressions],
                            options=options)
        found = [line.split(" = ", 1)[1] for line in output.split("\n") if line.startswith("$")]
        self.assertEqual(len(found), len(expressions), output)
        return found

    def test_texts_of_all_kinds(self):
        digits = "".join(str(i % 10) for i in range(1, 101))
        self.assertEqual(self.values("look", "t", "long", "Main.wide", "wide", "names^", "open", "s.tags^"),
                         ['"left5"', f'"left5{digits}"', '"wide \u263a"', '"wide \u263a"', '{"zero", "one"}',
                          '{"zero", "one"}', '{"zero", "one"}'])

    def test_the_characters_of_a_text_can_be_compared(self):
        self.assertEqual(self.values("look", "$text(t)", '$_streq($text(t), "left5")', "$type(s)"),
                         ['"left5"', "1", '"Main.Circle"'])

    def test_arrays_booleans_and_references(self):
        values = self.values("look", "bounds", "bounds[4]", "flag", "matrix", "node", "node^.next^", "empty",
                             "Main.total", "Shape.limit", "node.next.key")
        self.assertEqual(values[:4], ["{[3] = Red, [4] = Green, [5] = Blue}", "Green", "TRUE",
                                      "{[1] = {1, 2}, [2] = {3, 4}}"])
        self.assertRegex(values[4], r"\(.*\) 0x[0-9a-f]+")
        self.assertEqual(values[5:], ["{key = 5, next = NIL}", "NIL", "27", "3", "5"])

    def test_objects_have_their_dynamic_type(self):
        reference, whole, radius, narrowed = self.values("look", "s", "*s", "s.radius",
                                                         "NARROW(s, Main.Circle)->radius")
        self.assertRegex(reference, r"^\(Main.Circle\) 0x")
        self.assertRegex(whole, r'^\(Main.Circle\) \{name = "circle", radius = 2.5, tags = ')
        self.assertEqual([radius, narrowed], ["2.5", "2.5"])

    def test_arguments_and_locals(self):
        output = self.debug(f"break Main.m3:{self.line('look')}", "run", "info args", "info locals")
        for expected in ('t = "left5"', 's = (Main.Circle) 0x', 'open = {"zero", "one"}', "flag = TRUE",
                         "bounds = {[3] = Red, [4] = Green, [5] = Blue}"):
            self.assertIn(expected, output)

    def test_a_breakpoint_at_a_procedure_with_try_stops_once(self):
        output = self.debug("break Main.Store", "run", "continue")
        self.assertEqual(output.count("Main.Store ("), 1, output)
        self.assertIn("exited normally", output)
        # A line in the body of the TRY is a place like others.
        output = self.debug(f"break Main.m3:{self.line('body')}", "run")
        self.assertIn("Breakpoint 1, Main.Store ()", output)

    def test_catch_raise_stops_at_the_statement(self):
        output = self.debug("catch raise Main.Oops", "run", "print t")
        self.assertIn("Raise of Main.Oops", output)
        self.assertIn(f"Main.m3:{self.line('raise')}", output)
        self.assertIn('$1 = "left5"', output)

    def test_an_object_that_is_not_in_memory_stays_there(self):
        output = self.debug(f"break Main.m3:{self.line('stored')}", "run", "print root", "print root^",
                            f"break Main.m3:{self.line('touched')}", "continue", "print root.key", "print total")
        self.assertRegex(output, r"\$1 = \(Main.Node\) 0x[0-9a-f]+( <not in memory>)?\n")
        self.assertIn(" = 7\n", output)
        self.assertNotIn("SIGSEGV", output)

    def test_optimised_code_shows_nothing_wrong(self):
        output = self.debug("break Main.Work", "run", "info args", options=("-O2",))
        missing = ("<optimized out>", "<Location address is not set.>")
        for name, values in (("t", ('"left5"', *missing)), ("open", ('{"zero", "one"}', *missing))):
            shown = [line.split(" = ", 1)[1] for line in output.split("\n") if line.startswith(f"{name} = ")]
            self.assertTrue(shown and shown[0] in values, output)


FAR = '''MODULE Main;
IMPORT Database, Fmt, IO, Transaction;
TYPE Node = REF RECORD key: INTEGER; name: TEXT END; All = REF ARRAY OF Node;
VAR db: Database.T; tr := NEW(Transaction.T); all: All; node: Node;
<*FATAL ANY*>
BEGIN
  TRY
    Database.Create("store"); db := Database.Open("store"); tr.begin(); all := NEW(All, 20000);
    FOR i := 0 TO LAST(all^) DO all[i] := NEW(Node, key := i, name := "node " & Fmt.Int(i)) END;
    db.setRoot(all); tr.commit();
  EXCEPT Database.DatabaseExists =>
    db := Database.Open("store"); tr.begin(); all := db.getRoot(); node := all[15000];
    IO.Put("");  (* before *)
    IO.PutInt(node.key);
    IO.Put("\\n");  (* behind *)
    tr.commit();
  END;
END Main.
'''


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class NotInMemoryTest(unittest.TestCase):
    def test_objects_of_pages_that_nobody_read_are_shown_so_and_stay_where_they_are(self):
        with tempfile.TemporaryDirectory(prefix="tenure-far-") as directory:
            with open(os.path.join(directory, "Main.m3"), "w", encoding="utf-8") as file:
                file.write(FAR)
            subprocess.run([TENURE, "build", "-w", "-O0", "-g", ".", "-o", "program"], cwd=directory, check=True)
            subprocess.run(["./program"], cwd=directory, check=True)
            lines = [n for n, text in enumerate(FAR.split("\n"), 1) if "(* before *)" in text or "(* behind *)" in text]
            commands = [f"break Main.m3:{line}" for line in lines] + [
                "run", "print node", "print node^", "print node.name", "print all[19000]", "continue", "print node^",
                "print all[19000]", "continue"]
            ran = subprocess.run([TENURE, "debug", "program", "--batch", *[word for it in commands for word in ("--ex", it)]],
                                 cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
            shown = [line.split(" = ", 1)[1] for line in ran.stdout.split("\n") if " = " in line]
            self.assertRegex(shown[0], r"^\(Main.Node\) 0x[0-9a-f]+ <not in memory>$")
            self.assertEqual(shown[1:], ["<not in memory>", "<not in memory>", "<not in memory>",
                                         '{key = 15000, name = "node 15000"}', "<not in memory>"], ran.stdout)
            self.assertIn("15000\n", ran.stdout)
            self.assertIn("exited normally", ran.stdout)


if __name__ == "__main__":
    unittest.main()
