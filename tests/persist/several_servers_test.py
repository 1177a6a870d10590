"""Transactions over two served stores: they have one serial order, also if a program only reads
at one of the stores, or at both; and two programs that use both in the same order do not block each
other."""

import os
import signal
import subprocess
import time
import unittest

import programs
from programs import TENURE

PATIENCE = 120.0

PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Stdio, Text, Thread, Time, Transaction, Wr;
<*FATAL ANY*>
TYPE
  Cell = REF RECORD v: INTEGER := 0 END;
  Touch = Transaction.Closure OBJECT OVERRIDES apply := OfA END;
  Body = Transaction.Closure OBJECT OVERRIDES apply := Both END;
  Look = Transaction.Closure OBJECT x, y := -1;  runs := 0 OVERRIDES apply := LookAtBoth END;
  LookAtA = Transaction.Closure OBJECT x := -1 OVERRIDES apply := XOfA END;
  Waiter = Thread.Closure OBJECT OVERRIDES apply := WaitInTransaction END;
VAR
  a, b: Database.T;
  t := NEW(Transaction.T);

PROCEDURE Say(text: TEXT) = BEGIN IO.Put(text & "\n");  Wr.Flush(Stdio.stdout) END Say;
PROCEDURE Of(db: Database.T): Cell = BEGIN RETURN db.getRoot() END Of;

PROCEDURE OfA(<*UNUSED*> self: Touch) = BEGIN INC(Of(a).v) END OfA;

PROCEDURE Both(<*UNUSED*> self: Body) =
  BEGIN
    INC(Of(a).v);
    INC(Of(b).v);
  END Both;

(* Reads x, waits for a line, and sets y if x was 0; or reads y only. *)
PROCEDURE First(writes: BOOLEAN) =
  VAR x, y: INTEGER;
  BEGIN
    t.begin();
    IF NOT writes THEN EVAL Of(b).v;  t.chain() END;
    x := Of(a).v;
    Say("read " & Fmt.Int(x));
    EVAL IO.GetLine();
    TRY
      y := Of(b).v;
      IF x = 0 AND writes THEN Of(b).v := 1 END;
      t.commit();
      Say("committed " & Fmt.Int(x) & " " & Fmt.Int(y));
    EXCEPT Transaction.Aborted => Say("aborted") END;
  END First;

PROCEDURE Second() =
  BEGIN
    LOOP
      TRY
        t.begin();
        IF Of(b).v = 0 THEN Of(a).v := 1 END;
        t.commit();
        EXIT;
      EXCEPT Transaction.Aborted => END;
    END;
  END Second;

(* Reads x; the first time, waits for a line; and reads y. *)
PROCEDURE LookAtBoth(self: Look) =
  BEGIN
    self.x := Of(a).v;
    INC(self.runs);
    IF self.runs = 1 THEN Say("read " & Fmt.Int(self.x));  EVAL IO.GetLine() END;
    self.y := Of(b).v;
  END LookAtBoth;

PROCEDURE ReadOnly() =
  VAR look := NEW(Look);
  BEGIN
    Transaction.RunReadOnly(look);
    Say("saw " & Fmt.Int(look.x) & " " & Fmt.Int(look.y));
  END ReadOnly;

PROCEDURE XOfA(self: LookAtA) = BEGIN self.x := Of(a).v END XOfA;

VAR begun, goes := FALSE;

(* Keeps a read-only transaction open, from "read" until a second after the line. *)
PROCEDURE WaitInTransaction(<*UNUSED*> self: Waiter): REFANY =
  VAR r := NEW(Transaction.T);
  BEGIN
    r.beginReadOnly();
    Say("read " & Fmt.Int(Of(a).v));
    begun := TRUE;
    WHILE NOT goes DO Thread.Pause(0.01d0) END;
    Thread.Pause(1.0d0);
    r.abort();
    RETURN NIL;
  END WaitInTransaction;

PROCEDURE Beside() =
  VAR look := NEW(LookAtA);  waiter := Thread.Fork(NEW(Waiter));
  BEGIN
    WHILE NOT begun DO Thread.Pause(0.01d0) END;
    EVAL IO.GetLine();
    goes := TRUE;
    Transaction.RunReadOnly(look);
    Say("saw " & Fmt.Int(look.x));
    EVAL Thread.Join(waiter);
  END Beside;

PROCEDURE Work(seconds: LONGREAL) =
  VAR end := Time.Now() + seconds;  done := 0;
  BEGIN
    WHILE Time.Now() < end DO Transaction.Run(NEW(Body));  INC(done) END;
    Say("did " & Fmt.Int(done));
  END Work;

VAR mode := Params.Get(1);
BEGIN
  IF Text.Equal(mode, "make") THEN
    Database.Create(Params.Get(2));
    Database.Create(Params.Get(3));
  END;
  a := Database.Open(Params.Get(2));
  b := Database.Open(Params.Get(3));
  IF Text.Equal(mode, "make") THEN
    t.begin();  a.setRoot(NEW(Cell));  b.setRoot(NEW(Cell));  t.commit();
  ELSIF Text.Equal(mode, "first") THEN First(TRUE);
  ELSIF Text.Equal(mode, "reader") THEN First(FALSE);
  ELSIF Text.Equal(mode, "second") THEN Second();
  ELSIF Text.Equal(mode, "read only") THEN ReadOnly();
  ELSIF Text.Equal(mode, "beside") THEN Beside();
  ELSIF Text.Equal(mode, "both") THEN Transaction.Run(NEW(Body));
  ELSIF Text.Equal(mode, "touch") THEN Transaction.Run(NEW(Touch));
  ELSIF Text.Equal(mode, "work") THEN Work(Scan.LongReal(Params.Get(4)));
  ELSE
    t.begin();  Say(Fmt.Int(Of(a).v) & " " & Fmt.Int(Of(b).v));  t.commit();
  END;
END Main.
"""


class SeveralServersTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.parent = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.parent)
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def serve(self, name):
        store = os.path.join(self.parent, name)
        server = subprocess.Popen([TENURE, "serve", store], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        self.processes.append(server)
        self.assertTrue(server.stdout.readline().startswith("serving"))
        return store

    def start(self, mode, *arguments):
        process = subprocess.Popen([self.program, mode, *map(str, arguments)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.processes.append(process)
        return process

    def run_program(self, mode, *arguments):
        return self.start(mode, *arguments).communicate(timeout=PATIENCE)[0]

    def stopped_reader(self, mode, other):
        """The output of a program that one server has disconnected and that continues at the
        other one. `other`: the mode of a program that runs meanwhile."""
        stores = [self.serve(name) for name in "ab"]
        self.assertEqual(self.run_program("make", *stores), "")
        first = self.start(mode, *stores)
        self.assertEqual(first.stdout.readline(), "read 0\n")
        first.send_signal(signal.SIGSTOP)
        self.assertEqual(self.run_program(other, *stores), "")
        first.send_signal(signal.SIGCONT)
        said = first.communicate("go\n", timeout=PATIENCE)[0]
        return said, self.run_program("look", *stores)

    def test_what_was_read_at_one_server_holds_when_another_commits(self):
        said, now = self.stopped_reader("first", "second")
        self.assertEqual((said, now), ("aborted\n", "1 0\n"))

    def test_a_transaction_that_reads_at_two_servers_asks_both(self):
        # The program keeps its cached pages of b, and continues without a message.
        said, _ = self.stopped_reader("reader", "touch")
        self.assertEqual(said, "aborted\n")

    def test_a_read_only_transaction_at_two_servers_asks_both(self):
        said, _ = self.stopped_reader("read only", "both")
        self.assertEqual(said, "saw 1 1\n")

    def test_a_read_only_transaction_that_begins_beside_an_old_one_sees_what_was_committed(self):
        said, _ = self.stopped_reader("beside", "touch")
        self.assertEqual(said, "saw 1\n")

    def work(self, *stores):
        self.assertEqual(self.run_program("make", *stores), "")
        seconds = 5
        workers = [self.start("work", *stores, seconds) for _ in range(2)]
        done = 0
        for worker in workers:
            said = worker.communicate(timeout=PATIENCE)[0]
            self.assertRegex(said, r"^did \d+\n$")
            done += int(said.split()[1])
        self.assertEqual(self.run_program("look", *stores), f"{done} {done}\n")
        return done / seconds

    def test_two_programs_that_use_both_in_one_order(self):
        # If they waited seconds for each other, there would be less than one transaction per
        # second.
        self.assertGreater(self.work(self.serve("a"), self.serve("b")), 10)


if __name__ == "__main__":
    unittest.main()
