"""The compiler at its limits: large generated programs, each within a bound of processor time and memory."""

import os
import resource
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

MOST_SECONDS = 60  # of processor time: far more than needed, far less than quadratic steps take
MOST_KILOBYTES = 2_000_000


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class LimitsTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-limits-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def build(self, declarations: str, body: str, imports: str = "IO", command=()) -> subprocess.CompletedProcess:
        """`command`: instead of building a program."""
        with open(os.path.join(self.directory, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(f"MODULE Main;\nIMPORT {imports};\n{declarations}\nBEGIN\n{body}\nEND Main.\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        to_program = ("-o", os.path.join(self.directory, "program"))
        ran = subprocess.run([TENURE, *(command or ("build", *to_program)), "-w", self.directory],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=900,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, MOST_SECONDS)
        self.assertLess(after.ru_maxrss, MOST_KILOBYTES)
        return ran

    def expect(self, output: str, declarations: str, body: str, imports: str = "IO"):
        ran = self.build(declarations, body, imports)
        self.assertEqual(ran.returncode, 0, ran.stderr[:1000])
        program = subprocess.run([os.path.join(self.directory, "program")], stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(program.stdout, output)
        self.assertEqual(program.returncode, 0)

    def expect_error(self, message: str, declarations: str, body: str):
        ran = self.build(declarations, body)
        self.assertEqual(ran.returncode, 1, ran.stderr[:1000])
        self.assertIn(message, ran.stderr)

    def test_a_chain_of_object_types(self):
        n = 1000
        types = "TYPE T0 = OBJECT f0: INTEGER := 0 METHODS m0(): INTEGER := P0 END;\n"
        types += "PROCEDURE P0(t: T0): INTEGER = BEGIN RETURN t.f0 END P0;\n"
        for i in range(1, n):
            types += (f"TYPE T{i} = T{i - 1} OBJECT f{i}: INTEGER := {i} METHODS m{i}(): INTEGER := P{i} "
                      f"OVERRIDES m{i - 1} := P{i} END;\n"
                      f"PROCEDURE P{i}(t: T{i - 1}): INTEGER = BEGIN RETURN t.f{i - 1} + 1 END P{i};\n")
        self.expect(f"1 {n - 1} {n // 2}", types + f"VAR t := NEW(T{n - 1}); u: T{n // 2} := t;",
                    f'  IO.PutInt(t.m0()); IO.Put(" "); IO.PutInt(t.f{n - 1}); IO.Put(" "); IO.PutInt(u.f{n // 2});')

    def test_many_declarations_are_checked(self):
        n = 100_000
        records = "TYPE R0 = RECORD a: INTEGER END;\n" + "".join(
            f"TYPE R{i} = RECORD r: R{i - 1} END;\n" for i in range(1, n))
        variables = "".join(f"VAR v{i} := {i};\n" for i in range(n))
        local = "PROCEDURE P() =\n" + "".join(f"VAR v{i} := {i};\n" for i in range(n)) + "BEGIN END P;\n"
        for declarations in (records, variables, local, "VAR\n" + variables.replace("VAR ", "")):
            with self.subTest(declarations=declarations[:40]):
                ran = self.build(declarations, "", command=("check",))
                self.assertEqual(ran.returncode, 0, ran.stderr[:1000])

    def test_many_types_that_refer_to_each_other(self):
        n = 30000
        types = "".join(f"  R{i} = REF RECORD a{i}: INTEGER; next: R{(i + 1) % n} END;\n" for i in range(n))
        self.expect("7 TRUE", f"TYPE\n{types}VAR r := NEW(R5, a5 := 7); x: REFANY := r;",
                    '  IO.PutInt(r.a5); IF ISTYPE(x, R5) AND NOT ISTYPE(x, R6) THEN IO.Put(" TRUE") END;')

    def test_a_record_of_many_fields(self):
        n = 20000
        fields = "".join(f"  f{i}: INTEGER := {i};\n" for i in range(n))
        self.expect(f"{n - 1}", f"TYPE R = RECORD\n{fields}END;\nVAR r: R; p := NEW(REF R);",
                    f"  r.f7 := r.f{n - 1}; p^ := r; IO.PutInt(p.f7);")

    def test_records_of_records(self):
        types = "".join(f"  R{i} = RECORD l: R{i - 1}; n: INTEGER; r: R{i - 1} END;\n" for i in range(1, 20))
        self.expect("3", f"TYPE\n  R0 = RECORD a: INTEGER END;\n{types}VAR r: R19;",
                    f"  r.l{'.r' * 18}.a := 3; IO.PutInt(r.l{'.r' * 18}.a);")
        more = "".join(f"  R{i} = RECORD l: R{i - 1}; n: INTEGER; r: R{i - 1} END;\n" for i in range(20, 60))
        self.expect_error("this record is too large", f"TYPE\n  R0 = RECORD a: INTEGER END;\n{types}{more}VAR r: R59;",
                          "  r.n := 1;")

    def test_a_long_concatenation_and_a_long_sum(self):
        n = 20000
        self.expect(f"{n} {n}", 'VAR a := "x"; t: TEXT; one, sum := 1;',
                    f"  t := a{' & a' * (n - 1)};\n  sum := one{' + one' * (n - 1)};\n"
                    '  IO.PutInt(Text.Length(t)); IO.Put(" "); IO.PutInt(sum);', "IO, Text")

    def test_a_case_of_many_arms_that_call(self):
        n = 40000
        arms = "\n".join(f"| {i} => P({i % 1000}); s := s * {i};" for i in range(n))
        self.expect("43", "VAR i := 43; s := 1; PROCEDURE P(n: INTEGER) = BEGIN s := n; INC(i) END P;",
                    f"  CASE i OF\n{arms}\n  ELSE END;\n  IO.PutInt(s DIV 43);")

    def test_a_with_of_many_bindings(self):
        n = 80_000
        bindings = ", ".join(f"a{i} = s + {i}" for i in range(n))
        self.expect(f"{n - 1}", "VAR s := 0;", f"  WITH {bindings} DO IO.PutInt(a{n - 1}) END;")

    def test_many_statements(self):
        n = 400_000
        self.expect(str(n), "VAR s := 0;", "  INC(s);\n" * n + "  IO.PutInt(s);")

    def test_many_names(self):
        n = 30000
        elements = ",\n".join(f"e{i}" for i in range(n))
        constants = "".join(f"CONST C{i} = {f'C{i - 1} + 1' if i else 0};\n" for i in range(n // 10))
        self.expect(f"777 {n // 10 - 1}", f"TYPE E = {{{elements}}};\nVAR e := E.e777; s := SET OF E{{e}};\n{constants}",
                    f'  IF e IN s THEN IO.PutInt(ORD(e)) END; IO.Put(" "); IO.PutInt(C{n // 10 - 1});')

    def test_deep_nesting_is_said_to_be_too_deep(self):
        n = 100_000
        for expression in ("(" * n + "1" + ")" * n, "-" * n + "1", "ABS(" * n + "1" + ")" * n):
            self.expect_error("nested too deeply", "VAR x: INTEGER;", f"  x := {expression};")
        self.expect_error("nested too deeply", "VAR x := 1;", "IF x = 1 THEN\n" * n + "x := 2" + " END" * n)

    def test_a_file_that_is_too_long(self):
        with open(os.path.join(self.directory, "Long.i3"), "wb") as file:
            file.truncate((1 << 30) + 1)  # a hole: no space is used
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.expect_error("Long.i3:1:1: error[M0124]: the file is longer than 1 GiB", "IMPORT Long;", "")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 5)

    def test_a_unit_that_is_made_in_parts(self):
        n = 20_200
        procedures = "".join(f"PROCEDURE P{i}(x: INTEGER): INTEGER = BEGIN g := g + x; RETURN {i} END P{i};\n"
                             for i in range(n))
        self.expect("7 17 raised 2 51 in line 201",
                    f"""VAR g := 7; t := "in line"; r: REF INTEGER;
EXCEPTION E(INTEGER);
PROCEDURE Quiet(n: INTEGER) = BEGIN RAISE E(n) END Quiet;
PROCEDURE Count(): INTEGER =
  VAR count := 0;
  PROCEDURE Deep(k: INTEGER) = BEGIN INC(count, k); IF k > 0 THEN Deep(k - 1) END END Deep;
  BEGIN TRY Deep(5); RAISE E(count) EXCEPT E(k) => RETURN k + g END END Count;
{procedures}""",
                    f"""  IO.PutInt(g); IO.Put(" "); EVAL P{n - 1}(10); IO.PutInt(g);
  TRY Quiet(3) EXCEPT RuntimeError.E => IO.Put(" raised ") END;
  r := NEW(REF INTEGER); r^ := 2;
  WITH w = r^ DO
    VAR local := 19;
    PROCEDURE Inner() = BEGIN IO.PutInt(w); IO.Put(" "); IO.PutInt(Count() + local) END Inner;
    BEGIN Inner() END
  END;
  IO.Put(" " & t & " "); IO.PutInt(P200(0) + P1(0));""", "IO, RuntimeError")

    def test_a_large_array_constant(self):
        n = 200_000
        numbers = ",".join(str(i) + ("\n" if i % 10 == 0 else "") for i in range(n))
        self.expect("77777", f"CONST A = ARRAY OF INTEGER{{{numbers}}};\nVAR i := 77777;", "  IO.PutInt(A[i]);")

    def check(self, declarations: str, body: str) -> subprocess.CompletedProcess:
        with open(os.path.join(self.directory, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(f"MODULE Main;\n{declarations}\nBEGIN\n{body}\nEND Main.\n")
        return subprocess.run([TENURE, "check", self.directory], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=300)

    variables = ("VAR x, y := 1; r := 1.0; b := TRUE; t := \"a\"; s: SET OF [0..9];\n"
                 "TYPE A = ARRAY [0..0] OF INTEGER;")

    def test_a_chain_of_operators_has_any_length(self):
        n = 200_000
        for variable, operator, operand in (
                ("x", " +", "y"), ("x", " *", "y"), ("r", " -", "r"), ("s", " +", "s"), ("x", " +", "1"),
                ("t", " &", "t"), ("b", " OR", "b"), ("b", " AND", "x = y")):
            with self.subTest(variable=variable, operator=operator):
                ran = self.check(self.variables, f"{variable} := {variable}" + f"{operator}\n{operand}" * n + ";")
                self.assertEqual(ran.returncode, 0, ran.stderr[:1000])
        ran = self.check(self.variables + "CONST c = x" + " +\ny" * n + ";", "")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("the value of a constant must be constant", ran.stderr)

    def test_nesting_is_counted(self):
        n = 200_000
        for begin, inside, end in (
                ("x := (", "x", ")"), ("x := (x + ", "x", ")"), ("x := -", "x", ""), ("b := NOT ", "b", ""),
                ("x := ABS(", "x", ")"), ("x := ", "x", "^"), ("x := ", "x", ".a"), ("x := ", "x", "[1]"),
                ("x := ", "x", ".m()"), ("EVAL A {", "1", "}"), ("TRY\n", "INC(x)", "\nFINALLY END"),
                ("BEGIN\n", "INC(x)", "\nEND"), ("IF b THEN\n", "INC(x)", "\nEND"), ("LOOP\n", "EXIT", "\nEND"),
                ("WITH z = x DO\n", "INC(x)", "\nEND")):
            first, _, repeated = begin.rpartition(":= ") if ":= " in begin else ("", "", begin)
            if begin.startswith("EVAL "):
                first, repeated = "EVAL ", begin[5:]
            elif first:
                first += ":= "
            with self.subTest(begin=begin, end=end):
                ran = self.check(self.variables, first + repeated * n + inside + end * n + ";")
                self.assertEqual(ran.returncode, 1, ran.stderr[:1000])
                self.assertIn("nested too deeply", ran.stderr)
        for begin, end in (("REF ", ""), ("ARRAY [0..0] OF ", ""), ("SET OF ", ""), ("RECORD a: ", " END"),
                           ("PROCEDURE (a: ", ")"), ("PROCEDURE (): ", ""), ("", " OBJECT END")):
            with self.subTest(begin=begin, end=end):
                ran = self.check("TYPE T = " + begin * n + "ROOT" + end * n + ";", "")
                self.assertEqual(ran.returncode, 1, ran.stderr[:1000])
                self.assertIn("nested too deeply", ran.stderr)


if __name__ == "__main__":
    unittest.main()
