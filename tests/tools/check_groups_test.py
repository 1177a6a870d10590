import unittest

import check_groups


def source(*lines: str) -> str:
    return "\n".join(["namespace tenure {", "namespace {", "", *lines, "", "}  // namespace", "", "int Shared() {",
                      "  return 1;", "}", "", "}  // namespace tenure", ""])


class LocalNamesTest(unittest.TestCase):
    def test_each_kind_of_definition(self):
        text = "#define LIMIT 7\n" + source(
            "constexpr size_t kMost = Compute(3);", "const char kMagic[16] = {};", "std::mutex lock;", "struct Plan {",
            "  int member = 0;", "};", "enum class Choice { kYes };", "class TN_SCOPED_CAPABILITY Held {", "};",
            "class TN_CAPABILITY(\"lock\") Lock {", "};", "template <typename T>", "bool Check(T value) {",
            "  int inner = 1;", "}", "std::vector<std::string> Split(const std::string& text,",
            "                               char at) {", "}")
        self.assertEqual(check_groups.local_names(text),
                         {"LIMIT", "kMost", "kMagic", "lock", "Plan", "Choice", "Held", "Lock", "Check", "Split"})

    def test_what_a_file_only_uses_or_shares_is_not_local(self):
        self.assertEqual(check_groups.local_names(source("using abi::TypeDescriptor;", "// struct Plan {")), set())

    def test_two_files_with_the_same_local_name(self):
        both = {"gc/a.cc": source("constexpr int kMost = 1;"), "gc/b.cc": source("constexpr int kMost = 2;")}
        problems = check_groups.check_files(both)
        self.assertEqual(len(problems), 1)
        self.assertIn("gc/b.cc: kMost is a local name in gc/a.cc, too", problems[0])
        self.assertIn("FILES_APART", problems[0])
        self.assertEqual(check_groups.check_files({**both, "gc/b.cc": source("constexpr int kLeast = 2;")}), [])

    def test_a_local_name_hides_what_another_file_uses(self):
        both = {"gc/a.cc": source("constexpr size_t kPageBytes = 64 << 10;"),
                "gc/b.cc": "using abi::kPageBytes;\n" + source("constexpr int kLeast = 2;")}
        problems = check_groups.check_files(both)
        self.assertEqual(len(problems), 1)
        self.assertIn("gc/b.cc: kPageBytes is a local name in gc/a.cc, which hides", problems[0])

    def test_this_tree(self):
        self.assertEqual(check_groups.check_tree(), [])


if __name__ == "__main__":
    unittest.main()
