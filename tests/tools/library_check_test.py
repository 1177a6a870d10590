import unittest

import library_check
from library_check import (Declarations, compare, read_reasons, read_tables, strip_comments,
                           tokens_of, wrong_marks)


def declared(text):
    return Declarations(tokens_of(strip_comments(text))).read()


TABLES = """
### Things

`UNSAFE INTERFACE Things`; imported by nobody.

| Declaration | Meaning |
|---|---|
| `TYPE T <: Public` | opaque |
| `TYPE Public = Rd.T OBJECT ... END` | methods follow |
| `Public.init(a, b: INTEGER; READONLY c: CHAR := 'x'): T RAISES {E, Thread.Alerted}` | a method |
| `VAR x, y: TEXT` | variables |
| `CONST Limit = 10` | a constant |
| `CONST Any` | with a value of its own |
| `Do(VAR a: ARRAY OF CHAR) RAISES {}` | a procedure |

### Other (PM3)

| Declaration | Meaning |
|---|---|
| `EXCEPTION E(INTEGER)` | an exception |

## Next section
"""

THINGS = """
  TYPE T <: Public;
    Public = Rd.T OBJECT METHODS
      init(a: INTEGER; b: INTEGER; READONLY c: CHAR := 'x';): T RAISES {Thread.Alerted, E};
    END;
  VAR (*CONST*) x: TEXT;  y: TEXT;
  CONST Limit = 10;  Any: INTEGER = 3;
  <*EXTERNAL*> PROCEDURE Do(VAR a: ARRAY OF CHAR);
  END Things."""


class CompareTest(unittest.TestCase):
    def setUp(self):
        self.table = read_tables(TABLES)["Things"]

    def differences(self, text):
        return [name for name, _ in compare(self.table, declared(text))]

    def test_the_way_of_writing_does_not_matter(self):
        self.assertEqual(self.differences(THINGS), [])

    def test_each_kind_of_difference_is_found(self):
        for old, new, name in [
                ("T <: Public", "T = Public", "T"), ("Rd.T OBJECT", "Wr.T OBJECT", "Public"),
                ("'x'", "'y'", "Public.init"), ("READONLY c", "c", "Public.init"),
                ("Alerted, E}", "Alerted}", "Public.init"), ("y: TEXT", "y: T", "y"),
                ("Limit = 10", "Limit = 11", "Limit"), ("VAR a", "READONLY a", "Do"),
                ("x: TEXT;", "", "x"), ("ARRAY OF CHAR)", "ARRAY OF CHAR) RAISES {E}", "Do")]:
            self.assertEqual(self.differences(THINGS.replace(old, new)), ["Things." + name], new)

    def test_an_interface_that_is_unsafe_here_only(self):
        entries = declared(THINGS)
        entries[library_check.UNSAFE] = library_check.Entry(library_check.UNSAFE, "")
        self.assertEqual(compare(self.table, entries), [])
        found = compare(read_tables(TABLES)["Other"], {**declared("EXCEPTION E(INTEGER);"), **{
            library_check.UNSAFE: library_check.Entry(library_check.UNSAFE, "")}})
        self.assertEqual([name for name, _ in found], ["Other.UNSAFE"])

    def test_a_mark_stands_where_something_differs_and_only_there(self):
        row = "| `CONST Limit = 10` | a constant |"
        self.assertIn(row, TABLES)
        marked = read_tables(TABLES.replace(row, "| `CONST Limit = 10` | *Differs*: a constant |"))
        without, differing = THINGS, THINGS.replace("Limit = 10", "Limit = 11")
        wrong = lambda table, text: [
            problem.split(" ", 1)[0] for problem in wrong_marks(table, compare(table, declared(text)))]
        self.assertEqual(wrong(marked["Things"], differing), [])
        self.assertEqual(wrong(marked["Things"], without), ["Things.Limit"])
        self.assertEqual(wrong(self.table, differing), ["Things.Limit"])
        self.assertEqual(wrong(self.table, without), [])

    def test_comments_and_pragmas_nest_and_literals_do_not_begin_them(self):
        self.assertEqual(strip_comments("a(* (* *) <* *)b'('*\"(*\"").replace(" ", ""),
                         "ab'('*\"(*\"")


class ReasonsTest(unittest.TestCase):
    def test_rows_of_the_section_only(self):
        text = "| `No.x` | no |\n## Differences\n| What | Reason |\n| `A.x`, `B.*` | because |\n"
        self.assertEqual(read_reasons(text), {"A.x": "because", "B.*": "because"})


class StdlibTest(unittest.TestCase):
    def test_the_library_is_as_the_tables_say(self):
        self.assertEqual(library_check.check([], missing=False), [])


if __name__ == "__main__":
    unittest.main()
