"""Threads of one program commit while operations on the store's files fail: no commit that returned
is lost, no commit that raised Aborted is there, and all threads come to an end."""

import os
import random
import shutil
import subprocess
import unittest

from programs import OPEN_OR_CREATE, ProgramTestCase

THREADS = 8
ROUNDS = 40
SEED = int(os.environ.get("TENURE_TEST_SEED", "1"))
POLICIES = ("pd-redo", "diff", "whole", "pd-esm", "wpl")
CASES = 30

PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Thread, Transaction;
<*FATAL ANY*>

(* Each thread counts in a cell of its own, and in one that all share; the commits of every other
   thread are waited for later. *)
CONST Rounds = 40;
TYPE
  Cell = REF RECORD n := 0; pad: ARRAY [0 .. 1500] OF INTEGER; END;
  Cells = REF ARRAY OF Cell;
  Worker = Thread.Closure OBJECT
    i: INTEGER;
    acknowledged, tried := 0;
    aborted := FALSE;  (* the last one that was tried did not happen *)
    why := "";
  OVERRIDES
    apply := Work;
  END;

VAR
  db: Database.T;
  t := NEW(Transaction.T);
  threads := Scan.Int(Params.Get(2));
  handles := NEW(REF ARRAY OF Thread.T, threads);
  workers := NEW(REF ARRAY OF Worker, threads);
  cells: Cells;

""" + OPEN_OR_CREATE + r"""

PROCEDURE Work(w: Worker): REFANY =
  VAR
    t := NEW(Transaction.T);
    mine: Cells;
    tickets: ARRAY [0 .. 3] OF Transaction.Ticket;
    many := w.i MOD 2 = 1;
  BEGIN
    TRY
      WHILE w.tried < Rounds DO
        FOR i := 0 TO 3 DO
          t.begin();
          mine := db.getRoot();
          INC(mine[w.i].n);
          INC(mine[threads].n);
          IF many THEN
            tickets[i] := t.commitLater();
            INC(w.tried);
          ELSE
            INC(w.tried);
            t.commit();
            w.acknowledged := w.tried;
          END;
        END;
        IF many THEN
          Transaction.WaitAll(tickets);
          w.acknowledged := w.tried;
        END;
      END;
    EXCEPT
    | Transaction.Aborted => w.aborted := TRUE; w.why := "Aborted";
    | Transaction.OutcomeUnknown => w.why := "OutcomeUnknown";
    | Database.Failure (text) => w.why := text;
    END;
    IF t.isOpen() THEN t.abort() END;
    RETURN NIL;
  END Work;

BEGIN
  db := Open(Params.Get(1));
  t.begin();
  cells := db.getRoot();
  IF cells = NIL THEN
    cells := NEW(Cells, threads + 1);
    FOR i := 0 TO threads DO cells[i] := NEW(Cell) END;
    db.setRoot(cells);
    t.commit();
    IO.Put("made\n");
  ELSIF Params.Count > 3 THEN
    FOR i := 0 TO threads DO IO.Put(Fmt.Int(cells[i].n) & "\n") END;
    t.commit();
  ELSE
    t.commit();
    FOR i := 0 TO threads - 1 DO
      workers[i] := NEW(Worker, i := i);
      handles[i] := Thread.Fork(workers[i]);
    END;
    FOR i := 0 TO threads - 1 DO
      EVAL Thread.Join(handles[i]);
      WITH w = workers[i] DO
        IO.Put(Fmt.Int(w.acknowledged) & " " & Fmt.Int(w.tried) & " " & Fmt.Bool(w.aborted) & " "
                 & w.why & "\n");
      END;
    END;
  END;
END Main.
"""


class FailingSyncTest(ProgramTestCase):
    text = PROGRAM
    options = ("--faults",)

    def ran(self, *arguments):
        ran = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, timeout=60, check=False)
        return ran.returncode, ran.stdout, ran.stderr

    def check(self, point, number, policy):
        """Whether the fault was met."""
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        status, made, errors = self.ran(store, str(THREADS))
        self.assertEqual((status, made), (0, "made\n"), errors)
        about = f"@M3dbfail={point}:{number} {policy}"
        status, said, errors = self.ran(store, str(THREADS), f"@M3dbfail={point}:{number}", policy)
        if "*** unhandled exception: Database" in errors and said == "":
            return False  # before the threads began
        self.assertEqual(status, 0, about + "\n" + said + errors)
        status, found, errors = self.ran(store, str(THREADS), "show")
        self.assertEqual(status, 0, about + "\n" + errors)
        stored = [int(n) for n in found.split()]
        self.assertEqual(sum(stored[:THREADS]), stored[THREADS], about)
        failed = False
        for thread, line in enumerate(said.splitlines()):
            acknowledged, tried, aborted, why = line.split(" ", 3)
            message = f"{about}\n{said}\nthread {thread}: {stored[thread]} in the store"
            self.assertLessEqual(int(acknowledged), stored[thread], message)
            self.assertLessEqual(stored[thread], int(tried), message)
            if aborted == "TRUE" and thread % 2 == 0:
                # Its last commit did not happen, or its transaction was undone before it.
                self.assertLessEqual(stored[thread], int(acknowledged), message)
            if not why:
                self.assertEqual(stored[thread], ROUNDS, message)
            failed |= why != ""
        return failed

    def test_failures(self):
        rng = random.Random(SEED)
        failed = 0
        for case in range(CASES):
            point = rng.choice(("io-error", "io-nospace"))
            policy = "@M3recovery=" + POLICIES[case % len(POLICIES)]
            failed += self.check(point, rng.randrange(1, 120), policy)
        # The faults were met in the middle of commits, and some were not survived.
        self.assertGreater(failed, 0)


if __name__ == "__main__":
    unittest.main()
