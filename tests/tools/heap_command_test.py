"""Snapshots of a heap (@M3heapsnapshot), and the output of `tenure heap` for
them."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(ROOT, BUILD, "bin", "tenure")

PROGRAM = """MODULE Main;
TYPE
  List = REF RECORD next: List; data: REF ARRAY OF INTEGER END;
  Holder = OBJECT list: List; again: List END;
  Couple = OBJECT a, b: Shared END;
  Shared = REF RECORD twin: Shared; numbers: ARRAY [1..125] OF INTEGER END;
VAR
  holder := NEW(Holder);
  couple := NEW(Couple);
PROCEDURE Fill() =
  BEGIN
    FOR i := 1 TO 100 DO
      holder.list := NEW(List, next := holder.list, data := NEW(REF ARRAY OF INTEGER, 10));
    END;
    holder.again := holder.list.next;
    (* Each of the two is reached also without the other. *)
    couple.a := NEW(Shared);
    couple.b := NEW(Shared, twin := couple.a);
    couple.a.twin := couple.b;
  END Fill;
BEGIN
  Fill();
END Main.
"""
ROW = r"^ *(\d+) +(\d+)  %s$"


class HeapCommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.directory = cls.temporary.name
        with open(os.path.join(cls.directory, "Main.m3"), "w") as file:
            file.write(PROGRAM)
        subprocess.run([TENURE, "build", cls.directory, "-w", "-o", "program"], cwd=cls.directory,
                       check=True)
        subprocess.run(["./program", "@M3heapsnapshot=snapshot"], cwd=cls.directory, check=True)

    def heap(self, *words):
        return subprocess.run([TENURE, "heap", *words], cwd=self.directory, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def row(self, text, name):
        found = re.search(ROW % re.escape(name), text, re.MULTILINE)
        self.assertTrue(found, text)
        return int(found.group(1)), int(found.group(2))

    def test_counts_by_type(self):
        types = self.heap("snapshot", "--top=50").stdout.split("retained")[0]
        self.assertEqual(self.row(types, "Main.List"), (100, 100 * 24))
        self.assertEqual(self.row(types, "REF ARRAY OF INTEGER"), (100, 100 * 96))
        self.assertEqual(self.row(types, "Main.Shared"), (2, 2 * 1016))

    def test_who_retains_what(self):
        answer = self.heap("snapshot", "--type=Main.Holder")
        text = answer.stdout.split("retained")[1]
        self.assertEqual(self.row(text, "Main.Holder"), (24 + 100 * (24 + 96), 24))
        self.assertIn("<- a global variable of Main", text)
        # The first cell keeps itself and its numbers; the second one is reached without it.
        text = self.heap("snapshot", "--type=Main.List").stdout.split("retained")[1]
        self.assertEqual(self.row(text, "Main.List"), (99 * 120, 24))
        self.assertIn("<- Main.Holder", text)
        # A cycle whose two members are both reached from outside: neither keeps the other.
        text = self.heap("snapshot", "--type=Main.Shared").stdout.split("retained")[1]
        self.assertEqual(len(re.findall(r"^ *1016 +1016  Main.Shared$", text, re.MULTILINE)), 2)
        text = self.heap("snapshot", "--type=Main.Couple").stdout.split("retained")[1]
        self.assertEqual(self.row(text, "Main.Couple"), (24 + 2 * 1016, 24))

    def test_a_type_that_there_is_not(self):
        answer = self.heap("snapshot", "--type=Main.Nope")
        self.assertEqual((answer.returncode, answer.stdout), (1, ""))
        self.assertIn("has no type Main.Nope", answer.stderr)

    def test_bad_files(self):
        with open(os.path.join(self.directory, "snapshot"), "rb") as file:
            good = file.read()
        bad = {"missing": None, "empty": b"", "short": good[:-4], "noise": b"tenure heap 1\nx\n",
               "hole": re.sub(rb"\no [^\n]*\n", b"\n", good, count=1)}
        for name, text in bad.items():
            if text is not None:
                with open(os.path.join(self.directory, name), "wb") as file:
                    file.write(text)
            answer = self.heap(name)
            self.assertEqual(answer.returncode, 3, name)
            self.assertIn(f"tenure: '{name}': ", answer.stderr)
        self.assertEqual(self.heap().returncode, 2)
        self.assertEqual(self.heap("snapshot", "--top=none").returncode, 2)

    def test_a_file_that_cannot_be_written(self):
        ran = subprocess.run(["./program", "@M3heapsnapshot=/nowhere/snapshot"],
                             cwd=self.directory, text=True, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 0)
        self.assertIn("@M3heapsnapshot=/nowhere/snapshot: No such file", ran.stderr)


if __name__ == "__main__":
    unittest.main()
