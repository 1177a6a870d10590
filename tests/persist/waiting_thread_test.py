"""A thread that waits for a page of a served store, because another program holds it, is in nobody's
way: other threads of its transaction use pages that are here, another store and the heap."""

import os
import shutil
import subprocess
import tempfile
import threading
import unittest

import programs
from programs import TENURE

PATIENCE = 120.0

PROGRAM = r"""
MODULE Main;
IMPORT Database, FS, IO, OSError, Params, RTCollector, Stdio, Text, Thread, Transaction, Wr;
<*FATAL ANY*>
CONST Cells = 300;
TYPE
  Cell = REF RECORD value: INTEGER; filler: ARRAY [0..999] OF INTEGER END;
  Cells_ = REF ARRAY OF Cell;
  Toucher = Thread.Closure OBJECT write: BOOLEAN; value := -1 OVERRIDES apply := Touch END;
VAR
  what := Params.Get(1);
  tr := NEW(Transaction.T);
  shared, own: Database.T;
  mine, others: Cells_;

""" + programs.OPEN_OR_CREATE + r"""
PROCEDURE Say(what: TEXT; n := 0) =
  BEGIN
    IO.Put(what & " "); IO.PutInt(n); IO.Put("\n");  Wr.Flush(Stdio.stdout);
  END Say;

PROCEDURE Await(name: TEXT) =
  BEGIN
    LOOP
      TRY EVAL FS.Status(name);  RETURN; EXCEPT OSError.E => Thread.Pause(0.01d0) END;
    END;
  END Await;

PROCEDURE Make(db: Database.T) =
  VAR made := NEW(Cells_, Cells);
  BEGIN
    tr.begin();
    FOR i := 0 TO Cells - 1 DO made[i] := NEW(Cell, value := i) END;
    db.setRoot(made);
    tr.commit();
  END Make;

PROCEDURE Touch(t: Toucher): REFANY =
  BEGIN
    tr.join();
    TRY
      (* Another program has it. *)
      IF t.write THEN others[Cells - 1].value := 7 END;
      t.value := others[Cells - 1].value;
    EXCEPT
      Transaction.Aborted => t.value := -2;
    END;
    RETURN NIL;
  END Touch;

PROCEDURE Work(toucher: Toucher) =
  VAR thread: Thread.T;  sum := 0;  garbage: REF ARRAY OF INTEGER;
  BEGIN
    tr.begin();
    others := shared.getRoot();
    mine := own.getRoot();
    FOR i := 0 TO 9 DO INC(sum, others[i].value) END;
    thread := Thread.Fork(toucher);
    (* Until it waits. *)
    Thread.Pause(0.5d0);
    FOR i := 0 TO 9 DO INC(sum, others[i].value) END;
    FOR i := 0 TO Cells - 1 DO INC(mine[i].value) END;
    FOR i := 1 TO 200 DO garbage := NEW(REF ARRAY OF INTEGER, 50000);  garbage[i] := i END;
    RTCollector.Collect();
    IF shared.getRoot() # others THEN Say("another root") END;
    FOR i := 0 TO Cells - 1 DO INC(sum, mine[i].value) END;
    Say("went on", sum);
    EVAL Thread.Join(thread);
    Say("touched", toucher.value);
    IF toucher.value >= 0 THEN tr.commit() END;
  END Work;

BEGIN
  shared := Open(Params.Get(2));
  IF Text.Equal(what, "make") THEN
    Make(shared);
    Make(Open(Params.Get(3)));
  ELSIF Text.Equal(what, "hold") THEN
    tr.begin();
    others := shared.getRoot();
    others[Cells - 1].value := 41;
    Say("holds");
    Await(Params.Get(3));
    INC(others[Cells - 1].value);
    tr.commit();
  ELSE
    own := Open(Params.Get(3));
    Work(NEW(Toucher, write := Text.Equal(what, "write")));
  END;
END Main.
"""


class WaitingThreadTest(programs.ProgramTestCase):
    text = PROGRAM
    sum = 2 * 45 + sum(range(300)) + 300

    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="tenure-waiting-")
        self.addCleanup(shutil.rmtree, self.place)
        self.store, self.own, self.go = (os.path.join(self.place, name) for name in ("store", "own", "go"))
        self.server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True)
        self.assertTrue(self.server.stdout.readline().startswith("serving"))
        subprocess.run([self.program, "make", self.store, self.own], check=True, timeout=PATIENCE)
        self.holder = self.start("hold", self.go)
        self.assertEqual(self.holder.stdout.readline(), "holds 0\n")

    def tearDown(self):
        for process in (self.holder, self.server):
            process.terminate()
            process.communicate(timeout=PATIENCE)

    def start(self, what, third):
        return subprocess.Popen([self.program, what, self.store, third], stdout=subprocess.PIPE, text=True)

    def others_go_on(self, what):
        """The value that the waiting thread gets in the end."""
        worker = self.start(what, self.own)
        patience = threading.Timer(PATIENCE, worker.kill)
        patience.start()
        self.addCleanup(patience.cancel)
        try:
            # The holder ends only when the other thread has said this.
            self.assertEqual(worker.stdout.readline(), "went on %d\n" % self.sum)
        finally:
            with open(self.go, "w", encoding="utf-8"):
                pass
        said, _ = worker.communicate(timeout=PATIENCE)
        self.assertEqual((worker.returncode, self.holder.wait(timeout=PATIENCE)), (0, 0))
        return said

    def test_beside_a_thread_that_waits_to_read(self):
        self.assertEqual(self.others_go_on("read"), "touched 42\n")

    def test_beside_a_thread_that_waits_to_write(self):
        self.assertEqual(self.others_go_on("write"), "touched 7\n")


if __name__ == "__main__":
    unittest.main()
