import contextlib
import io
import os
import subprocess
import tempfile
import unittest

import check_format
import pre_commit

GOOD = '#include "abi/object_header.h"\n\nint x = 1;\n'


class PreCommitTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        pre_commit.git(self.root, "init", "-q")

    def write(self, path: str, text: str) -> None:
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def stage(self, path: str, text: str) -> None:
        self.write(path, text)
        pre_commit.git(self.root, "add", path)

    def test_nothing_is_wrong(self):
        self.stage("gc/heap.cc", GOOD)
        self.assertEqual(pre_commit.problems(self.root), [])

    def test_an_include_against_the_layers(self):
        self.stage("gc/heap.cc", '#include "store/open.h"\n')
        self.assertEqual(pre_commit.problems(self.root), ["gc/heap.cc:1: gc may not include store"])

    @unittest.skipUnless(check_format.is_installed(), "clang-format-19 is not installed")
    def test_a_file_that_is_not_formatted(self):
        self.stage("gc/heap.cc", "int   x=1 ;\n")
        self.stage("gc/notes.txt", "int   x=1 ;\n")
        self.assertEqual(pre_commit.problems(self.root),
                         ["gc/heap.cc: run clang-format-19 -i gc/heap.cc"])

    def test_what_is_to_be_committed_counts_and_not_what_lies_in_the_folder(self):
        self.stage("gc/heap.cc", GOOD)
        self.write("gc/heap.cc", '#include "store/open.h"\n')
        self.assertEqual(pre_commit.problems(self.root), [])

    def hook(self) -> str:
        with contextlib.redirect_stdout(io.StringIO()):
            pre_commit.install(self.root)
        return os.path.join(self.root, ".git", "hooks", "pre-commit")

    def test_the_hook_refuses_the_commit(self):
        hook = self.hook()
        self.assertTrue(os.access(hook, os.X_OK))
        self.assertEqual(self.hook(), hook)  # a second time
        self.stage("tools/pre_commit.py", "import sys\nsys.exit(1)\n")
        commit = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm",
                                 "x"], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(commit.returncode, 1)

    def test_titles(self):
        good = "Refuse a page without a checksum\n\nWhy.\n# Please enter the commit message\n"
        self.assertEqual(pre_commit.message_problems(good), [])
        self.assertEqual(pre_commit.message_problems("x" * 72), [])
        self.assertEqual(pre_commit.message_problems("x" * 73),
                         ["the title has 73 characters, more than 72: say why in the body"])
        self.assertEqual(pre_commit.message_problems("A title\nand more\n"),
                         ["an empty line stands between the title and the body"])
        self.assertEqual(pre_commit.message_problems("Revert \"" + "x" * 72 + "\"\n"), [])

    def test_the_hook_refuses_a_long_title(self):
        self.hook()
        tool = os.path.join(pre_commit.ROOT, "tools")
        self.stage("tools/pre_commit.py", f"import runpy, sys\nsys.path.insert(0, {tool!r})\n"
                   "import pre_commit\n"
                   "sys.exit(sys.argv[1:2] == ['message'] and pre_commit.main())\n")

        def commit(title: str) -> int:
            return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty",
                                   "-m", title], cwd=self.root, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT).returncode

        self.assertEqual(commit("x" * 73), 1)
        self.assertEqual(commit("x" * 72), 0)

    def test_another_hook_is_left_alone(self):
        self.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
        with self.assertRaises(SystemExit):
            self.hook()

    def test_a_hook_of_ours_that_was_changed_is_left_alone(self):
        changed = pre_commit.HOOKS["commit-msg"] + "exec more\n"
        self.write(".git/hooks/commit-msg", changed)
        with self.assertRaises(SystemExit):
            self.hook()
        with open(os.path.join(self.root, ".git", "hooks", "commit-msg"), encoding="utf-8") as file:
            self.assertEqual(file.read(), changed)


if __name__ == "__main__":
    unittest.main()
