import unittest

import library_coverage
from library_coverage import Row


def row(name, procedures, methods=()):
    return Row(name, set(procedures), set(methods), set())


class LibraryCoverageTest(unittest.TestCase):

    def setUp(self):
        self.rows = {"Rd": row("Rd", ["GetChar", "Close"]),
                     "Table": row("Table", [], ["T.get", "T.put", "T.size"]),
                     "Fmt": row("Fmt", ["Int", "Real"])}
        self.generics = {"IntIntTbl": "Table"}

    def note(self, text):
        library_coverage.note_uses(text, self.rows, self.generics)

    def test_qualified_procedures_count(self):
        self.note("MODULE Main; IMPORT Rd; BEGIN EVAL Rd.GetChar(rd) END Main.")
        self.assertEqual(self.rows["Rd"].used, {"GetChar"})

    def test_imports_under_another_name_and_from_count(self):
        self.note("MODULE Main; IMPORT Rd AS R, Text; FROM Fmt IMPORT Int; BEGIN R.Close(r) END Main.")
        self.assertEqual(self.rows["Rd"].used, {"Close"})
        self.assertEqual(self.rows["Fmt"].used, {"Int"})

    def test_comments_and_texts_do_not_count(self):
        self.note('MODULE Main; IMPORT Rd; (* Rd.GetChar(rd) *) BEGIN END Main.')
        self.assertEqual(self.rows["Rd"].used, set())

    def test_methods_count_for_the_generic_of_an_imported_instance(self):
        self.note("MODULE Main; IMPORT IntIntTbl; BEGIN EVAL t.put(1, 2) END Main.")
        self.assertEqual(self.rows["Table"].used, {"T.put"})

    def test_methods_of_what_is_not_imported_do_not_count(self):
        self.note("MODULE Main; IMPORT Fmt; BEGIN EVAL t.put(1, 2) END Main.")
        self.assertEqual(self.rows["Table"].used, set())

    def test_an_override_counts(self):
        self.note("MODULE Main; IMPORT IntIntTbl; TYPE T = IntIntTbl.T OBJECT OVERRIDES size := Size END;"
                  " BEGIN END Main.")
        self.assertEqual(self.rows["Table"].used, {"T.size"})

    def test_a_formal_stands_for_its_actuals(self):
        self.note("MODULE M = G(Rd, Fmt) END M. GENERIC MODULE G(A, B); BEGIN A.Close(B.Int(1)) END G.")
        self.assertEqual(self.rows["Rd"].used, {"Close"})
        self.assertEqual(self.rows["Fmt"].used, {"Int"})

    def test_reasons_excuse_by_pattern(self):
        reasons = library_coverage.read_reasons(
            "\n## Not exercised\n\n| What | Reason |\n|---|---|\n| `Fmt.R*` | because |\n\n## Next\n"
            "| `Rd.*` | not here |\n")
        self.assertTrue(library_coverage.excused(self.rows["Fmt"], "Real", reasons))
        self.assertFalse(library_coverage.excused(self.rows["Fmt"], "Int", reasons))
        self.assertFalse(library_coverage.excused(self.rows["Rd"], "Close", reasons))

    def test_the_library_is_found(self):
        rows, generics = library_coverage.library()
        self.assertEqual(generics["TextRefTbl"], "Table")
        self.assertIn("T.get", rows["Table"].methods)
        self.assertIn("GetChar", rows["Rd"].procedures)
        self.assertNotIn("RTSystem", rows)


if __name__ == "__main__":
    unittest.main()
