import os
import tempfile
import unittest

from golden_test import (BadTest, Diagnostic, Step, parse_directives, parse_header,
                         read_golden_test, split_units, updated_lines)
from run_golden import (Failure, Finished, compare_diagnostics, compare_step, stdout_lines)


class HeaderTest(unittest.TestCase):
    def test_phase_companions_and_options(self):
        self.assertEqual(
            parse_header("(* golden: persist, with lib/A, lib/B, -O0, @M3gcstats *)"),
            ("persist", ["lib/A", "lib/B"], ["-O0", "@M3gcstats"]))

    def test_unknown_phase_is_refused(self):
        with self.assertRaises(BadTest):
            parse_header("(* golden: link *)")

    def test_missing_header_is_refused(self):
        with self.assertRaises(BadTest):
            parse_header("MODULE Main;")


class DirectiveTest(unittest.TestCase):
    def test_above_looks_past_other_expectations(self):
        diagnostics, _ = parse_directives([
            "code;",
            "(* expect-error above: one *)",
            "  (* expect-warning above: two *)",
            "(* expect-error below: three *)",
            "",
            "more;  (* expect-error: four *)"])
        self.assertEqual([(d.line, d.kind, d.text) for d in diagnostics],
                         [(1, "error", "one"), (1, "warning", "two"), (6, "error", "three"),
                          (6, "error", "four")])

    def test_steps(self):
        _, steps = parse_directives([
            "(* args: create 'two words' *)", "(* expect: 1 *)", "(* expect: *)",
            "(* expect:   indented *)", "(* crash after-write 3 *)", "(* restart *)",
            "(* stdin: yes *)", "(* expect-status: 4 *)", "(* expect-stderr: *** oops *)"])
        self.assertEqual(steps, [
            Step(stdout=["1", "", "  indented"], args=["create", "two words"],
                 crash_after_write=3),
            Step(stdin=["yes"], status=4, stderr=["*** oops"])])

    def test_prose_is_not_a_directive(self):
        _, steps = parse_directives(["(* expect nothing of this comment *)"])
        self.assertEqual(steps, [Step()])


class UnitTest(unittest.TestCase):
    def test_name_comes_from_the_unit(self):
        self.assertEqual(list(split_units(["(* golden: run *)", "INTERFACE Shape;"])),
                         ["Shape.i3"])
        self.assertEqual(list(split_units(["GENERIC MODULE List(E);"])), ["List.mg"])
        self.assertEqual(list(split_units(["UNSAFE MODULE Main;"])), ["Main.m3"])
        self.assertEqual(list(split_units(["MODULE"])), ["Main.m3"])

    def test_units_keep_their_line_numbers(self):
        units = split_units(["(* golden: run *)", "(* unit: A.i3 *)", "INTERFACE A; END A.",
                             "(* unit: Main.m3 *)", "MODULE Main;", "END Main."])
        self.assertEqual(list(units), ["A.i3", "Main.m3"])
        self.assertEqual(units["Main.m3"].split("\n")[4], "MODULE Main;")

    def test_programs_that_start_threads(self):
        for line, options, starts in (("t := Thread.Fork(c);", "", True), ("Task.Run(body);", "", True),
                                      ("VAR g := NEW(Task.Group).init();", "", True),
                                      ("Task.Run(body);", ", @M3threads=kernel", False),
                                      ("EVAL MyTask.Runner();", "", False), ("Thread.Pause(1.0D0);", "", False)):
            with self.subTest(line=line, options=options), tempfile.TemporaryDirectory() as root:
                path = os.path.join(root, "t.m3")
                with open(path, "w") as file:
                    file.write(f"(* golden: run{options} *)\nMODULE Main;\n{line}\n")
                self.assertEqual(read_golden_test(path, root).starts_threads(), starts)

    def test_missing_companion_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "t.m3")
            with open(path, "w") as file:
                file.write("(* golden: run, with lib/Nothing *)\nMODULE Main; BEGIN END Main.\n")
            with self.assertRaisesRegex(BadTest, "lib/Nothing"):
                read_golden_test(path, root)


class CompareTest(unittest.TestCase):
    def test_each_diagnostic_needs_its_own_expectation(self):
        one = Diagnostic(3, "error", "M0701: WHILE condition must be BOOLEAN")
        compare_diagnostics([Diagnostic(3, "error", "must be BOOLEAN")], [one])
        with self.assertRaisesRegex(Failure, "unexpected line 3"):
            compare_diagnostics([Diagnostic(3, "error", "must be BOOLEAN")], [one, one])
        with self.assertRaisesRegex(Failure, "missing    line 4"):
            compare_diagnostics([Diagnostic(4, "error", "must be BOOLEAN")], [])
        with self.assertRaises(Failure):
            compare_diagnostics([Diagnostic(3, "warning", "must be BOOLEAN")], [one])

    def test_stdout_is_compared_line_by_line(self):
        compare_step(Step(stdout=["a", ""]), Finished(0, "a\n\n", ""), "", False)
        for wrong in ("a\n", "a\n\n\n", "a\nb\n", ""):
            with self.assertRaises(Failure):
                compare_step(Step(stdout=["a", ""]), Finished(0, wrong, ""), "", False)

    def test_status_and_stderr_are_compared(self):
        compare_step(Step(status=4, stderr=["oops"]), Finished(4, "", "*** oops\n"), "", False)
        with self.assertRaises(Failure):
            compare_step(Step(status=4), Finished(-11, "", ""), "", False)
        with self.assertRaises(Failure):
            compare_step(Step(status=4, stderr=["oops"]), Finished(4, "", ""), "", False)
        with self.assertRaises(Failure):
            compare_step(Step(), Finished(0, "", "noise\n"), "", False)

    def test_a_crash_must_happen(self):
        step = Step(stdout=["a", "b"], crash_after_write=2)
        compare_step(step, Finished(-9, "a\n", ""), "", False)
        compare_step(step, Finished(77, "a\nb\n", ""), "", False)
        with self.assertRaises(Failure):
            compare_step(step, Finished(-11, "a\n", ""), "", False)
        with self.assertRaises(Failure):
            compare_step(step, Finished(0, "a\n", ""), "", False)
        with self.assertRaises(Failure):
            compare_step(step, Finished(-9, "b\n", ""), "", False)

    def test_lines_of_output(self):
        self.assertEqual(stdout_lines(""), [])
        self.assertEqual(stdout_lines("a\n"), ["a"])
        self.assertEqual(stdout_lines("a\n\n"), ["a", ""])
        self.assertEqual(stdout_lines("a\nb"), ["a", "b"])


class UpdateTest(unittest.TestCase):
    def test_diagnostics_go_below_their_line(self):
        lines = ["(* golden: check *)", "  code;  (* expect-error: old *)",
                 "(* expect-error above: old *)", "other;"]
        self.assertEqual(
            updated_lines(lines, [Diagnostic(2, "error", "new"), Diagnostic(4, "error", "more")],
                          None),
            ["(* golden: check *)", "  code;", "  (* expect-error above: new *)", "other;",
             "(* expect-error above: more *)"])

    def test_output_goes_to_the_step_that_made_it(self):
        lines = ["code", "(* expect: x *)", "(* expect: y *)", "(* restart *)",
                 "(* expect: z *)"]
        self.assertEqual(
            updated_lines(lines, None, [Step(stdout=["1"]), Step(stdout=["2", ""], status=4)]),
            ["code", "(* expect: 1 *)", "(* restart *)", "(* expect: 2 *)", "(* expect: *)",
             "(* expect-status: 4 *)"])

    def test_what_is_updated_then_matches(self):
        lines = updated_lines(["code"], None, [Step(stdout=["  a", "", "b"])])
        _, steps = parse_directives(lines)
        self.assertEqual(steps, [Step(stdout=["  a", "", "b"])])


if __name__ == "__main__":
    unittest.main()
