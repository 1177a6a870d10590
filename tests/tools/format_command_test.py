"""`tenure fmt`: what it reads, writes and prints. The layouts themselves are in tests/compiler/format."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

UGLY = "MODULE Main;\nBEGIN\n    x:=1;\n    y:=2;\nEND Main.\n"
GOOD = "MODULE Main;\nBEGIN\n  x := 1;\n  y := 2;\nEND Main.\n"
WRONG = "MODULE Main;\nBEGIN\n    x := ;\nEND Main.\n"


class FormatCommandTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tenure-fmt-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def write(self, name: str, text: str) -> None:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="latin-1") as file:
            file.write(text)

    def read(self, name: str) -> str:
        with open(self.path(name), encoding="latin-1") as file:
            return file.read()

    def fmt(self, *words: str, text: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([TENURE, "fmt", *words], cwd=self.directory, check=False, encoding="latin-1", input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_a_directory_with_all_below_it(self):
        names = ["Main.m3", "src/A.i3", "src/deep/B.mg"]
        for name in names + [".tenure/C.m3", "notes.txt"]:
            self.write(name, UGLY)
        done = self.fmt()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", "tenure: formatted 3 of 3 files\n"))
        self.assertEqual([self.read(name) for name in names], [GOOD] * 3)
        self.assertEqual([self.read(name) for name in (".tenure/C.m3", "notes.txt")], [UGLY] * 2)
        again = self.fmt("--check")
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "", ""))

    def test_check_lists_files_and_writes_none(self):
        self.write("A.m3", UGLY)
        self.write("B.m3", GOOD)
        done = self.fmt("--check", ".")
        self.assertEqual((done.returncode, done.stdout, self.read("A.m3")), (1, "A.m3\n", UGLY))

    def test_diff_is_one_that_patch_applies(self):
        self.write("A.m3", UGLY)
        done = self.fmt("--diff", "A.m3")
        self.assertEqual((done.returncode, self.read("A.m3")), (1, UGLY))
        self.write("changes", done.stdout)
        subprocess.run(["git", "apply", "-p0", "changes"], cwd=self.directory, check=True)
        self.assertEqual(self.read("A.m3"), GOOD)

    def test_a_file_that_is_formatted_is_not_written(self):
        self.write("A.m3", GOOD)
        before = os.stat(self.path("A.m3"))
        self.assertEqual(self.fmt("A.m3").returncode, 0)
        after = os.stat(self.path("A.m3"))
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_permissions_and_links_stay(self):
        self.write("kept/A.m3", UGLY)
        os.chmod(self.path("kept/A.m3"), 0o640)
        os.symlink("kept/A.m3", self.path("Link.m3"))
        self.assertEqual(self.fmt("Link.m3").returncode, 0)
        self.assertTrue(os.path.islink(self.path("Link.m3")))
        self.assertEqual(self.read("kept/A.m3"), GOOD)
        self.assertEqual(os.stat(self.path("kept/A.m3")).st_mode & 0o777, 0o640)
        self.assertEqual(os.listdir(self.path("kept")), ["A.m3"])

    def test_a_filter(self):
        done = self.fmt("-", text=UGLY)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, GOOD, ""))
        self.assertEqual(self.fmt("--check", "-", text=UGLY).stdout, "-\n")
        wrong = self.fmt("-", text=WRONG)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, WRONG))
        self.assertTrue(wrong.stderr.startswith("-:3:10: error["), wrong.stderr)

    def test_a_range(self):
        self.assertEqual(self.fmt("--range", "3:3", "-", text=UGLY).stdout, UGLY.replace("    x:=1", "  x := 1"))
        for words, text in ((["--range", "3", "-"], "no range of lines"), (["--range", "4:3", "-"], "no range"),
                            (["--range", "1:2", "A.m3", "-"], "of one file")):
            self.write("A.m3", UGLY)
            done = self.fmt(*words, text=UGLY)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)

    def test_what_does_not_parse_stays_and_others_are_formatted(self):
        self.write("A.m3", WRONG)
        self.write("B.m3", UGLY)
        done = self.fmt("A.m3", "B.m3")
        self.assertEqual((done.returncode, self.read("A.m3"), self.read("B.m3")), (1, WRONG, GOOD))
        self.assertTrue(done.stderr.startswith("A.m3:3:10: error["), done.stderr)

    def test_what_is_not_there_is_named(self):
        done = self.fmt("Nowhere.m3")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'Nowhere.m3'", done.stderr)


if __name__ == "__main__":
    unittest.main()
