import os
import re
import unittest

from wrap_documents import GENERATED, long_lines, wrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = ("abi", "base", "gc", "store", "stabilize", "runtime", "dbtool", "lab", "compiler",
           "stdlib")
FOLDERS = SOURCES + ("tests", "tools", "docs", "bench", "examples", "editors")
PATH = re.compile(r"`((?:" + "|".join(FOLDERS) + r")/[\w./*-]+)`")

CITATION = re.compile(r'\b([a-z_]+\.md)`?(?: section \d+)?, "([^"\n]+)"')


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files(folder: str, endings) -> list:
    return sorted(os.path.relpath(os.path.join(parent, name), ROOT)
                  for parent, _, names in os.walk(os.path.join(ROOT, folder)) for name in names
                  if name.endswith(endings))


def documents() -> list:
    top = [name for name in os.listdir(ROOT) if name.endswith(".md")]
    return sorted(top + [path for folder in FOLDERS for path in files(folder, (".md",))])


def exists(path: str) -> bool:
    """Whether a path named in a document exists: a file, a folder, or files that match a
    pattern."""
    full = os.path.join(ROOT, path.rstrip("/"))
    if "*" in path:
        pattern = re.compile(re.escape(os.path.basename(full)).replace(r"\*", ".*"))
        folder = os.path.dirname(full)
        return os.path.isdir(folder) and any(pattern.fullmatch(n) for n in os.listdir(folder))
    folder, name = os.path.split(full)
    return os.path.exists(full) or os.path.isdir(folder) and any(
        entry.startswith(name + ".") for entry in os.listdir(folder))


class DocumentsTest(unittest.TestCase):
    def test_files_that_documents_name_are_there(self):
        # The change log and the decisions use the names that files had at that time.
        missing = [f"{document}: {path}" for document in documents()
                   if document != "CHANGELOG.md" and not document.startswith("docs/decisions/")
                   for path in PATH.findall(read(document)) if not exists(path)]
        self.assertEqual(missing, [])

    def test_a_missing_file_is_found_missing(self):
        self.assertTrue(exists("gc/heap.h"))
        self.assertTrue(exists("compiler/parse/parse_*.cc"))
        self.assertFalse(exists("gc/no_such_file.h"))
        self.assertFalse(exists("compiler/parse/no_such_*.cc"))

    def test_members_that_documents_name_are_those_of_the_class(self):
        code = {path: read(path) for folder in SOURCES for path in files(folder, (".h", ".cc"))}
        members = {member for document in documents() if not document.startswith("docs/decisions/")
                   for member in re.findall(r"`([A-Z]\w+::\w+)", read(document))}
        self.assertGreater(len(members), 20)
        missing = []
        for member in sorted(members):
            owner, name = member.split("::")
            declared = re.compile(rf"\b(?:class|struct|namespace)\s+{owner}\b")
            if not any(member in text or declared.search(text) and re.search(rf"\b{name}\b", text)
                       for text in code.values()):
                missing.append(member)
        self.assertEqual(missing, [])

    def test_lines_of_prose_are_short(self):
        """Where they are not: python3 tools/wrap_documents.py."""
        wrong = [f"{document}:{number}" for document in documents() if document not in GENERATED
                 for number in long_lines(read(document))]
        self.assertEqual(wrong, [])

    def test_long_lines_of_tables_and_code_are_left(self):
        long = 130 * "x"
        text = f"| {long} |\n```\n{long}\n```\nshort\n{long}"
        self.assertEqual(long_lines(text), [6])
        self.assertEqual(wrap(f"| {long} |\n```\n{long} y\n```\n"), f"| {long} |\n```\n{long} y\n```\n")

    def test_wrapping_changes_no_word_and_keeps_items_and_code_spans(self):
        code = "`a piece of code that is long`"
        text = (f"# Title\n\nFirst words.\n\n- An item {30 * 'of words '}and {code} {12 * 'more '}end\n"
                "  of it\n- another\n\nShort line\nthat stays.\n")
        wrapped = wrap(text)
        self.assertEqual(wrapped.split(), text.split())
        self.assertEqual(long_lines(wrapped), [])
        self.assertEqual(wrapped.count(code), 1)
        self.assertIn("\n- another\n\nShort line\nthat stays.\n", wrapped)
        self.assertEqual(len([line for line in wrapped.split("\n") if line.startswith("- ")]), 2)

    def test_headings_that_are_cited_are_there(self):
        titles = {}
        for document in documents():
            text = read(document)
            found = re.findall(r"^#+ (?:[\d.]+ )?(.+)$|\*\*?([^*\n]+?)\.?\*", text, re.M)
            titles.setdefault(os.path.basename(document), []).extend(
                (heading or term).lower().replace("`", "") for heading, term in found)
        sources = [path for folder in SOURCES for path in files(folder, (".h", ".cc", ".i3"))]
        missing = [f"{path}: {document}, {title}" for path in documents() + sources
                   for document, title in CITATION.findall(read(path))
                   if not any(known.startswith(title.lower()) for known in titles.get(document, []))]
        self.assertEqual(missing, [])

    def test_names_in_the_glossary_are_in_the_code(self):
        code = "\n".join(read(path) for folder in SOURCES
                         for path in files(folder, (".h", ".cc", ".def", ".py")))
        words = set(re.findall(r"\w+", code))
        missing = []
        for line in read("docs/glossary.md").split("\n"):
            cells = line.split("|")
            if len(cells) > 3:
                missing += [name for term in re.findall(r"`([\w:]+)`", cells[2])
                            for name in term.split("::") if name not in words]
        self.assertEqual(missing, [])

    def test_the_files_of_a_store_are_the_same_in_code_and_document(self):
        code = read("store/files/store_files.h")
        listed = set(re.findall(r"^//   (\S+)  ", code, re.M))
        constants = set(re.findall(r'inline constexpr std::string_view k\w+File = "(\w[\w.]*)";', code))
        table = read("docs/page_format.md").split("\n## ")[0]
        described = {name for line in table.split("\n") if line.startswith("| `")
                     for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
        self.assertEqual(constants - listed, set())
        self.assertEqual(listed - described, set())

    def test_the_change_log_begins_with_what_is_unreleased_and_then_this_version(self):
        version = re.search(r'kVersion = "([^"]+)"', read("compiler/driver/version.cc")).group(1)
        headings = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.M)
        self.assertEqual(headings[0], "Unreleased")
        self.assertRegex(headings[1], "^" + re.escape(version) + r" \(\d{4}-\d{2}-\d{2}\)$")

    def test_an_entry_of_the_change_log_is_one_line(self):
        entries = read("CHANGELOG.md").split("\n## ", 1)[1]
        self.assertEqual([line for line in entries.split("\n") if line.startswith(" ")], [])


if __name__ == "__main__":
    unittest.main()
