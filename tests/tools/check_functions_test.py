import os
import tempfile
import unittest

import check_functions

LONG_BODY = "  Step();\n" * 120


def names(text: str):
    return [(name, count) for name, _, count in check_functions.functions(text)]


class FunctionsTest(unittest.TestCase):
    def test_functions_and_methods(self):
        self.assertEqual(names("int Twice(int x) {\n  return 2 * x;\n}\n"), [("Twice", 3)])
        self.assertEqual(names("void Heap::Collect() {\n}\n"), [("Collect", 2)])

    def test_a_declaration_of_several_lines(self):
        self.assertEqual(names("Status Store::Read(PageId page,\n                   Reader& in) const {\n  x();\n}\n"),
                         [("Read", 3)])

    def test_tests_have_their_own_names(self):
        self.assertEqual(names("TEST_F(HeapTest, Moves) {\n  x();\n}\n"), [("Moves", 3)])

    def test_classes_and_tables_are_no_functions(self):
        self.assertEqual(names("class Heap final : public Space {\n public:\n  void Collect(int x,\n"
                               "               int y) {\n    x();\n  }\n};\n"), [])
        self.assertEqual(names("constexpr Row kRows[] = {\n    {1},\n};\n"), [])

    def test_a_long_function_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "gc"))
            with open(os.path.join(root, "gc", "heap.cc"), "w", encoding="utf-8") as file:
                file.write("\nvoid Collect() {\n" + LONG_BODY + "}\n")
            self.assertIn("gc/heap.cc:2: Collect has 122 lines, more than 100", check_functions.check_tree(root))

    def test_this_tree(self):
        self.assertEqual(check_functions.check_tree(check_functions.ROOT), [])


if __name__ == "__main__":
    unittest.main()
