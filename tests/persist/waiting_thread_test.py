"""A thread that waits for a page of a served store, because another program holds it, is in nobody's
way, nor is a commit that waits so: other threads use pages that are here, another store and the heap."""

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
  Small = REF RECORD value: INTEGER END;
  Collector = Thread.Closure OBJECT OVERRIDES apply := Collect END;
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

PROCEDURE Collect(<*UNUSED*> c: Collector): REFANY =
  VAR garbage: REF ARRAY OF INTEGER;
  BEGIN
    (* Until the commit waits. *)
    Thread.Pause(0.5d0);
    FOR i := 1 TO 200 DO garbage := NEW(REF ARRAY OF INTEGER, 50000);  garbage[i] := i END;
    RTCollector.Collect();
    Say("went on");
    RETURN NIL;
  END Collect;

(* Two objects lie beside each other in the heap. The page is opened for the first, whose store nobody else
   uses; so there is no trap for the second. *)
PROCEDURE CommitWithout(go: TEXT) =
  VAR first := NEW(Small);  second := NEW(Small);  thread: Thread.T;
  BEGIN
    tr.begin();
    own.setRoot(first);
    shared.setRoot(second);
    tr.commit();
    Say("made");
    Await(go);
    tr.begin();
    first.value := 1;
    second.value := 2;
    thread := Thread.Fork(NEW(Collector));
    TRY
      tr.commit();
      Say("committed", second.value);
    EXCEPT Transaction.Aborted => Say("aborted");
    END;
    EVAL Thread.Join(thread);
  END CommitWithout;

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
  ELSIF Text.Equal(what, "look") THEN
    tr.begin();
    WITH small = NARROW(shared.getRoot(), Small) DO Say("looks", small.value) END;
    Await(Params.Get(3));
    tr.commit();
  ELSIF Text.Equal(what, "commit") THEN
    own := Open(Params.Get(3));
    CommitWithout(Params.Get(4));
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

    def test_beside_a_commit_that_waits(self):
        pair, look = self.store + ":pair", os.path.join(self.place, "look")
        worker = subprocess.Popen([self.program, "commit", pair, self.own + ":pair", look],
                                  stdout=subprocess.PIPE, text=True)
        patience = threading.Timer(PATIENCE, worker.kill)
        patience.start()
        self.addCleanup(patience.cancel)
        self.assertEqual(worker.stdout.readline(), "made 0\n")
        looker = subprocess.Popen([self.program, "look", pair, self.go], stdout=subprocess.PIPE, text=True)
        self.addCleanup(looker.kill)
        self.assertEqual(looker.stdout.readline(), "looks 0\n")
        for name in (look, self.go):
            if name == self.go:
                # The other program goes away only when the collection has been.
                self.assertEqual(worker.stdout.readline(), "went on 0\n")
            with open(name, "w", encoding="utf-8"):
                pass
        self.assertEqual(looker.wait(timeout=PATIENCE), 0)
        said, _ = worker.communicate(timeout=PATIENCE)
        self.assertEqual((worker.returncode, said), (0, "committed 2\n"))
        looker.stdout.close()


if __name__ == "__main__":
    unittest.main()
