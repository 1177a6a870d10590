"""The guide and the READMEs of the examples, as a reader would follow them: one test for each
document. `python3 tools/run_documents.py --update` writes what was printed into them."""

import os
import re
import unittest

import run_documents
from run_documents import Problem, is_as_expected, steps_of, updated

WORKERS = 2
GUIDE = os.path.join(run_documents.ROOT, "docs", "guide")


class GuideTest(unittest.TestCase):
    """Has a method for each document: see below."""

    @classmethod
    def setUpClass(cls):
        cls.outcomes = run_documents.follow_all(run_documents.documents(), WORKERS)

    def check(self, document: str) -> None:
        outcome = self.outcomes[document]
        self.assertEqual("\n".join(outcome.problems), "")
        self.assertGreater(outcome.commands, 0)


def name_of_test(document: str) -> str:
    return "test_" + re.sub(r"\W", "_", document.replace("docs/guide/", "").replace(".md", ""))


for document in run_documents.documents():
    setattr(GuideTest, name_of_test(document), lambda self, document=document: self.check(document))


class GuideAsAWholeTest(unittest.TestCase):
    def test_the_first_program_is_that_of_the_readme(self):
        first = [next(step.text for step in steps_of(run_documents.read(os.path.join(run_documents.ROOT, path)))
                      if getattr(step, "path", "") == "count/Main.m3")
                 for path in ("README.md", "docs/guide/first-hour.md")]
        self.assertEqual(first[0], first[1])

    def test_links_lead_to_files_that_exist(self):
        missing = []
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(GUIDE) for name in names]
        for path in paths + [os.path.join(run_documents.ROOT, "README.md")]:
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", run_documents.read(path)):
                if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
                    missing.append(f"{os.path.relpath(path, run_documents.ROOT)}: {target}")
        self.assertEqual(missing, [])

    def test_the_contents_name_every_page(self):
        for folder in (GUIDE, os.path.join(GUIDE, "language")):
            contents = run_documents.read(os.path.join(folder, "README.md"))
            missing = [name for name in os.listdir(folder)
                       if name.endswith(".md") and name != "README.md" and f"({name})" not in contents]
            self.assertEqual(missing, [], folder)


class RunDocumentsTest(unittest.TestCase):
    def test_a_block_without_a_name_is_an_error(self):
        with self.assertRaises(Problem):
            steps_of("```modula3\nMODULE Main;\n```\n")
        with self.assertRaises(Problem):
            steps_of("``` modula3\n")
        self.assertEqual(steps_of("```text\nfree\n```\n"), [])

    def test_output_is_compared_line_by_line(self):
        self.assertTrue(is_as_expected(["run 1"], ["run 1"]))
        self.assertFalse(is_as_expected(["run 1"], ["run 2"]))
        self.assertFalse(is_as_expected(["run 1"], ["run 1", "more"]))
        self.assertFalse(is_as_expected(["run 1"], []))

    def test_three_dots_stand_for_text_and_for_lines(self):
        self.assertTrue(is_as_expected(["took ... s", "..."], ["took 1.5 s", "a", "b"]))
        self.assertTrue(is_as_expected(["...", "end"], ["end"]))
        self.assertFalse(is_as_expected(["took ... s"], ["took 1.5 ms"]))

    def test_an_update_keeps_the_dots_that_still_fit(self):
        self.assertEqual(updated(["took ... s", "old"], ["took 1.5 s", "new"]), ["took ... s", "new"])

    def test_commands_go_on_behind_a_backslash_and_in_here_documents(self):
        steps = steps_of("```console\n$ a \\\n  b\nout\n$ cat <<'END'\nx\nEND\nx\n```\n")
        self.assertEqual([(step.text, step.expected) for step in steps],
                         [("a \\\n  b", ["out"]), ("cat <<'END'\nx\nEND", ["x"])])


if __name__ == "__main__":
    unittest.main()
