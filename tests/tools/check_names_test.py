import unittest

import check_format
import check_names


class KnownNames(check_names.Known):
    def __init__(self, words, paths=()):
        self.words, self.paths = set(words), set(paths)
        self.names = {path.split("/")[-1] for path in paths}


class CheckNamesTest(unittest.TestCase):
    def wrong(self, comment, *words, paths=()):
        before = check_names.read
        check_names.read = lambda path: f'const char* text = "// NotAComment";  {comment}\n'
        try:
            return [text.split(" ")[-1] for text in check_names.wrong_names("gc/a.h", KnownNames(words, paths))]
        finally:
            check_names.read = before

    def test_what_is_there_may_be_named(self):
        self.assertEqual(self.wrong("// See HeapState::lists, kept_ and gc/heap.h.", "HeapState", "lists", "kept_",
                                    paths=["gc/heap.h"]), [])

    def test_what_is_gone_is_told(self):
        self.assertEqual(self.wrong("// See HeapState::lists, OpenPages, kept_ and gc/heap.h.", "HeapState", "heap"),
                         ["HeapState::lists", "OpenPages", "gc/heap.h", "kept_"])

    def test_the_name_of_an_argument_may_be_a_librarys(self):
        self.assertEqual(self.wrong("/*LowerCase=*/"), [])

    def test_the_tree(self):
        known = check_names.Known(check_names.files())
        wrong = [text for path in check_names.files()
                 if check_format.is_formatted(path)
                 for text in check_names.wrong_names(path, known)]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
