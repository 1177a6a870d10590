"""The recovery policies (docs/recovery.md, "Policies"), alone and over a page server: a program that
is killed, or whose server is, leaves a store that a program with another policy can use, and in
which every acknowledged commit is."""

import os
import re
import signal
import subprocess
import time
import unittest

from programs import OPEN_OR_CREATE, TENURE, ProgramTestCase

POLICIES = ("pd-redo", "pd-esm", "wpl", "sd", "sl", "diff", "whole")
BLOCKS = ("8", "16", "32", "64")

# Each step is a transaction that changes words, references and texts; `step` counts them. The
# program makes the same steps in memory and compares.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Stdio, Text, Transaction, Wr;
<*FATAL ANY*>

CONST Cells = 300;
TYPE
  Cell = REF RECORD n := 0; other: Cell := NIL; pad: ARRAY [0 .. 30] OF INTEGER; name: TEXT := ""; END;
  Root = REF RECORD step := 0; cells: REF ARRAY OF Cell; END;

VAR
  db: Database.T;
  t := NEW(Transaction.T);
  root, model: Root;

""" + OPEN_OR_CREATE + r"""

PROCEDURE Make(): Root =
  VAR r := NEW(Root, cells := NEW(REF ARRAY OF Cell, Cells));
  BEGIN
    FOR i := 0 TO Cells - 1 DO
      r.cells[i] := NEW(Cell);
      FOR k := 0 TO 30 DO r.cells[i].pad[k] := 0 END;
    END;
    RETURN r;
  END Make;

PROCEDURE Step(r: Root) =
  VAR k: INTEGER;
  BEGIN
    INC(r.step);
    k := r.step;
    FOR j := 0 TO 5 DO
      WITH cell = r.cells[(k * 37 + j * 101) MOD Cells] DO
        INC(cell.n, k);
        cell.pad[(k + j) MOD 31] := cell.n;
        IF j = 1 THEN cell.pad[3] := cell.pad[3] END;
        IF k MOD 5 = 0 THEN
          IF cell.other = NIL THEN cell.other := r.cells[(k + j) MOD Cells] ELSE cell.other := NIL END;
        END;
      END;
    END;
    IF k MOD 7 = 0 THEN r.cells[k MOD Cells].name := "step " & Fmt.Int(k) END;
    IF k MOD 11 = 0 THEN
      r.cells[(k * 13) MOD Cells] := NEW(Cell, n := k);
      FOR i := 0 TO 30 DO r.cells[(k * 13) MOD Cells].pad[i] := k END;
    END;
  END Step;

PROCEDURE Place(r: Root; cell: Cell): INTEGER =
  BEGIN
    IF cell = NIL THEN RETURN -1 END;
    FOR i := 0 TO Cells - 1 DO IF r.cells[i] = cell THEN RETURN i END END;
    RETURN Cells;
  END Place;

PROCEDURE Check() =
  BEGIN
    IF root.step # model.step THEN IO.Put("WRONG step\n") END;
    FOR i := 0 TO Cells - 1 DO
      WITH a = root.cells[i], b = model.cells[i] DO
        IF a.n # b.n OR NOT Text.Equal(a.name, b.name) OR a.pad # b.pad
          OR Place(root, a.other) # Place(model, b.other) THEN
          IO.Put("WRONG cell " & Fmt.Int(i) & " at step " & Fmt.Int(root.step) & "\n");
          RETURN;
        END;
      END;
    END;
  END Check;

BEGIN
  db := Open(Params.Get(1));
  t.begin();
  IF db.getRoot() = NIL THEN db.setRoot(Make()) END;
  t.commit();
  t.begin();
  root := db.getRoot();
  model := Make();
  WHILE model.step < root.step DO Step(model) END;
  Check();
  IO.Put("begins at " & Fmt.Int(root.step) & "\n");
  FOR i := 1 TO Scan.Int(Params.Get(2)) DO
    Step(root);
    Step(model);
    IF i MOD 4 = 0 THEN
      t.abort();
      t.begin();
      root := db.getRoot();
      Step(root);
    END;
    IF i MOD 3 = 0 THEN t.chain() ELSE t.commit(); t.begin() END;
    IO.Put("step " & Fmt.Int(model.step) & "\n");
    Wr.Flush(Stdio.stdout);
  END;
  root := db.getRoot();
  Check();
  t.commit();
  IO.Put("done\n");
END Main.
"""


class PoliciesTest(ProgramTestCase):
    text = PROGRAM
    options = ("--barriers=software", "--faults")

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().rsplit(".", 1)[1])
        self.acknowledged = 0

    def took(self, out):
        self.assertNotIn("WRONG", out)
        begins = re.search(r"^begins at (\d+)", out, re.MULTILINE)
        if begins:
            # The commit in progress may have taken place.
            self.assertIn(int(begins[1]), (self.acknowledged, self.acknowledged + 1), out)
            self.acknowledged = int(begins[1])
        steps = re.findall(r"^step (\d+)$", out, re.MULTILINE)
        if steps:
            self.acknowledged = int(steps[-1])

    def run_program(self, policy, steps, *flags):
        ran = subprocess.run([self.program, self.store, str(steps), f"@M3recovery={policy}", *flags],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        self.took(ran.stdout)
        return ran

    def test_each_policy_goes_on_where_another_was_killed(self):
        kinds = ("crash", "crash-torn", "crash-unsynced", "crash-half-synced")
        for i, policy in enumerate(POLICIES * 2):
            ran = self.run_program(policy, 40, f"@M3block={BLOCKS[i % 4]}",
                                   f"@M3dbfail={kinds[i % 4]}:{30 + 37 * i}")
            self.assertIn(ran.returncode, (0, 77), (policy, ran.stderr))
        ran = self.run_program("pd-redo", 1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        verified = subprocess.run([TENURE, "db", "verify", self.store], stdout=subprocess.PIPE, text=True)
        self.assertEqual(verified.returncode, 0, verified.stdout)
        self.assertGreater(self.acknowledged, 100)

    def test_each_policy_over_a_server_that_is_killed(self):
        os.mkdir(self.store)
        for i, policy in enumerate(POLICIES):
            server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True)
            try:
                self.assertIn("serving", server.stdout.readline())
                ran = self.run_program(policy, 20, f"@M3block={BLOCKS[i % 4]}")
                self.assertEqual(ran.returncode, 0, (policy, ran.stderr))
                program = subprocess.Popen([self.program, self.store, "100000", f"@M3recovery={policy}"],
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                time.sleep(0.3)
            finally:
                server.send_signal(signal.SIGKILL)
                server.wait()
                server.stdout.close()
            # It finds no server in time.
            out = program.communicate(timeout=60)[0]
            self.took(out)
        verified = subprocess.run([TENURE, "db", "verify", self.store], stdout=subprocess.PIPE, text=True)
        self.assertEqual(verified.returncode, 0, verified.stdout)

    def test_what_a_policy_ships_and_logs(self):
        self.run_program("pd-redo", 30)
        shipped = {}
        for policy in POLICIES:
            ran = self.run_program(policy, 30, "@M3commitreport", "@M3block=8")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            pages, regions = (sum(int(number) for number in re.findall(pattern, ran.stderr)) for pattern in
                              (r"shipped: (\d+) pages", r"shipped: \d+ pages, (\d+) regions"))
            log = sum(int(number) for number in re.findall(r"log: (\d+) bytes", ran.stderr))
            blocks, copied = (sum(int(number) for number in re.findall(pattern, ran.stderr)) for pattern in
                              (r"(\d+) blocks \(", r"blocks \((\d+) copied"))
            shipped[policy] = (pages, regions, log, blocks, copied)
        for policy in ("pd-esm", "wpl", "sd", "sl", "whole"):
            self.assertGreater(shipped[policy][0], 30, (policy, shipped))
        for policy in ("wpl", "whole"):
            self.assertLess(shipped[policy][1], 1, (policy, shipped))
        for policy in ("pd-redo", "pd-esm", "sd", "sl", "diff"):
            self.assertGreater(shipped[policy][1], 100, (policy, shipped))
        # Whole pages take much more log than regions.
        self.assertGreater(shipped["wpl"][2], 5 * shipped["pd-esm"][2], shipped)
        self.assertGreater(shipped["sd"][3], 100, shipped)
        self.assertGreater(shipped["sd"][4], 100, shipped)
        self.assertEqual(shipped["sl"][4], 0, shipped)

    def test_wrong_flags(self):
        for flags, said in ((("@M3recovery=esm",), "pd-esm"), (("@M3block=12",), "8, 16, 32 or 64")):
            ran = subprocess.run([self.program, self.store, "1", *flags], stderr=subprocess.PIPE, text=True)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn(said, ran.stderr)


class BarriersTest(unittest.TestCase):
    def test_blocks_need_software_barriers(self):
        class Other(ProgramTestCase):
            text = "MODULE Main;\nBEGIN\nEND Main.\n"

        Other.setUpClass()
        try:
            for policy in ("sd", "sl"):
                ran = subprocess.run([Other.program, f"@M3recovery={policy}"], stderr=subprocess.PIPE, text=True)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn("--barriers=software", ran.stderr)
        finally:
            Other.tearDownClass()


if __name__ == "__main__":
    unittest.main()
