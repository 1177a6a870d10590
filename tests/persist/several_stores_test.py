"""Transactions over two stores of which one or both are served: if any process is killed or
stopped at any step, a transaction took place in both stores or in neither, and acknowledged
transactions took place."""

import os
import re
import signal
import subprocess
import time
import unittest

import programs
from programs import TENURE, TOOL_WITH_FAULTS

PATIENCE = 120.0
KILLED = 77
STEPS = 9  # of two transfers, and one that never comes

# Money goes from one store to the other. Each side counts the transfers and keeps a new entry of
# each, so that commits write old and new pages, roots and, at first, references between databases.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Stdio, Text, Transaction, Wr;
<*FATAL ANY*>
TYPE
  Entry = REF RECORD number: INTEGER;  next: Entry;  padding: ARRAY [0..199] OF INTEGER END;
  Side = REF RECORD balance, transfers: INTEGER;  log: Entry;  other: Side END;
  Transfer = Transaction.Closure OBJECT OVERRIDES apply := Move END;
  Audit = Transaction.Closure OBJECT sum, left, right: INTEGER OVERRIDES apply := Look END;
VAR a, b: Database.T;

PROCEDURE Move(<*UNUSED*> self: Transfer) =
  VAR from: Side := a.getRoot();  to: Side := b.getRoot();
  BEGIN
    DEC(from.balance, 10);
    INC(to.balance, 10);
    FOR i := 1 TO 2 DO
      WITH side = ARRAY [1..2] OF Side{from, to}[i] DO
        INC(side.transfers);
        side.log := NEW(Entry, number := side.transfers, next := side.log);
      END;
    END;
    from.other := to;
  END Move;

PROCEDURE Length(side: Side): INTEGER =
  VAR n := 0;  entry := side.log;
  BEGIN
    WHILE entry # NIL DO
      <*ASSERT entry.number = side.transfers - n*>
      INC(n);
      entry := entry.next;
    END;
    RETURN n;
  END Length;

PROCEDURE Look(self: Audit) =
  VAR from: Side := a.getRoot();  to: Side := b.getRoot();
  BEGIN
    self.sum := from.balance + to.balance;
    self.left := Length(from);
    self.right := Length(to);
    <*ASSERT from.other = NIL OR from.other = to*>
  END Look;

PROCEDURE Make() =
  VAR tr := NEW(Transaction.T);
  BEGIN
    tr.begin();
    a.setRoot(NEW(Side, balance := 1000));
    b.setRoot(NEW(Side, balance := 1000));
    tr.commit();
    IO.Put("made\n");
  END Make;

PROCEDURE Say(text: TEXT) =
  BEGIN
    IO.Put(text & "\n");
    Wr.Flush(Stdio.stdout);
  END Say;

VAR audit := NEW(Audit);
BEGIN
  TRY
    WITH mode = Text.GetChar(Params.Get(1), 0) DO
      IF mode = 'm' THEN
        Database.Create(Params.Get(2));
        Database.Create(Params.Get(3));
      END;
      IF mode = 'r' THEN
        b := Database.Open(Params.Get(3));
        a := Database.Open(Params.Get(2));
      ELSE
        a := Database.Open(Params.Get(2));
        b := Database.Open(Params.Get(3));
      END;
      IF mode = 'm' THEN
        Make();
      ELSIF mode = 't' THEN
        FOR i := 1 TO Scan.Int(Params.Get(4)) DO
          Transaction.Run(NEW(Transfer));
          Say("did " & Fmt.Int(i));
        END;
      ELSE
        Transaction.Run(audit);
        Say("sum " & Fmt.Int(audit.sum) & " left " & Fmt.Int(audit.left) & " right "
            & Fmt.Int(audit.right));
      END;
    END;
  EXCEPT
  | Transaction.Aborted => Say("aborted");
  | Transaction.OutcomeUnknown => Say("unknown");
  | Database.Failure(text) => Say("failure: " & text);
  END;
END Main.
"""


class SeveralStoresTest(programs.ProgramTestCase):
    text = PROGRAM
    options = ("--faults",)

    def setUp(self):
        parent = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(parent)
        self.stores = [os.path.join(parent, name) for name in "ab"]
        self.servers = {}
        self.committed = 0  # transfers that are known to have taken place

    def tearDown(self):
        for store in list(self.servers):
            self.end(store, signal.SIGKILL)

    def serve(self, store, *options):
        tool = TOOL_WITH_FAULTS if "--fail" in options else TENURE
        server = subprocess.Popen([tool, "serve", *options, store],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.servers[store] = server
        return server.stdout.readline().startswith("serving")

    def end(self, store, number=signal.SIGTERM):
        server = self.servers.pop(store)
        if server.poll() is None:
            server.send_signal(number)
        server.communicate(timeout=PATIENCE)
        return server.returncode

    def command(self, mode, *arguments):
        return [self.program, mode, *self.stores, *map(str, arguments)]

    def run_program(self, mode, *arguments):
        return subprocess.run(self.command(mode, *arguments), capture_output=True, text=True,
                              timeout=PATIENCE)

    def make(self, served):
        for store in served:
            self.serve(store)
        ran = self.run_program("make")
        self.assertEqual((ran.stdout, ran.stderr), ("made\n", ""))

    def audit(self, done, unsure, where, mode="audit"):
        """The stores have the acknowledged transfers, and perhaps the one in
        progress."""
        ran = self.run_program(mode)
        match = re.fullmatch(r"sum 2000 left (\d+) right (\d+)\n", ran.stdout)
        self.assertTrue(match, (where, ran))
        left, right = map(int, match.groups())
        self.assertEqual(left, right, where)
        self.assertIn(left - self.committed - done, range(unsure + 1), where)
        more = left - self.committed - done
        self.committed = left
        return more

    @staticmethod
    def done(text):
        return text.count("did ")

    def kill_programs(self, served):
        self.make(served)
        more = set()
        for point in ("crash-before", "crash-after"):
            for step in range(1, STEPS + 1):
                where = f"{point}:{step}"
                ran = self.run_program("transfer", 2, f"@M3dbfail={where}")
                self.assertEqual(ran.returncode, KILLED if step < STEPS else 0, (where, ran))
                # Whether this or that store is opened first.
                more.add(self.audit(self.done(ran.stdout), 1, where,
                                    ("audit", "reversed")[step % 2]))
        self.assertEqual(more, {0, 1})
        for store in list(self.servers):
            self.assertEqual(self.end(store), 0)
        self.audit(0, 0, "alone")
        for store in self.stores:
            verified = subprocess.run([TENURE, "db", "verify", store], capture_output=True,
                                      text=True)
            self.assertEqual(verified.returncode, 0, verified)

    def test_programs_killed_with_both_served(self):
        self.kill_programs(self.stores)

    def test_programs_killed_with_the_first_served(self):
        self.kill_programs(self.stores[:1])

    def test_programs_killed_with_the_second_served(self):
        self.kill_programs(self.stores[1:])

    def test_servers_killed(self):
        self.make(self.stores)
        said = set()
        for point in ("crash-before", "crash-after"):
            for victim in self.stores:
                for step in range(1, 6):
                    where = f"{point}:{step} of {victim}"
                    self.assertEqual(self.end(victim), 0, where)
                    self.serve(victim, "--fail", f"{point}:{step}")
                    program = subprocess.Popen(self.command("transfer", 3),
                                               stdout=subprocess.PIPE, text=True)
                    self.assertEqual(self.servers[victim].wait(PATIENCE), KILLED, where)
                    self.end(victim)
                    self.serve(victim)
                    out = program.communicate(timeout=PATIENCE)[0]
                    self.assertEqual(program.returncode, 0, (where, out))
                    said.update(out.split("\n"))
                    self.audit(self.done(out), 1, where)
        # Most programs find out the outcome, and continue.
        self.assertIn("did 3", said)

    def test_servers_killed_at_writes(self):
        self.make(self.stores)
        for victim in self.stores:
            killed = 0
            for number in range(8, 120, 2):
                where = f"crash:{number} of {victim}"
                self.assertIn(self.end(victim), (0, KILLED), where)
                if not self.serve(victim, "--fail", f"crash:{number}"):
                    self.end(victim)  # while it opened the store
                    self.serve(victim)
                    continue
                program = subprocess.Popen(self.command("transfer", 30), stdout=subprocess.PIPE,
                                           text=True)
                while program.poll() is None and self.servers[victim].poll() is None:
                    time.sleep(0.01)
                if self.servers[victim].poll() == KILLED:
                    killed += 1
                    self.end(victim)
                    self.serve(victim)
                out = program.communicate(timeout=PATIENCE)[0]
                self.audit(self.done(out), 1, where)
                if "did 30" in out and self.servers[victim].poll() is None and killed > 3:
                    break
            self.assertGreater(killed, 3, victim)

    def test_the_one_that_decides_is_served_no_more(self):
        """Its server has ended: the other store's server opens it, or a program
        that uses it does."""
        self.make(self.stores)
        for mode in ("audit", "reversed"):
            # After the commit that decides.
            ran = self.run_program("transfer", 1, "@M3dbfail=crash-after:2")
            self.assertEqual(ran.returncode, KILLED)
            self.assertEqual(self.end(self.stores[0]), 0)
            self.assertEqual(self.audit(0, 1, mode, mode), 1)
            self.serve(self.stores[0])
        # The other store's server has ended, too, and is started again.
        ran = self.run_program("transfer", 1, "@M3dbfail=crash-after:2")
        for store in self.stores:
            self.end(store, signal.SIGKILL)
        self.serve(self.stores[1])
        deadline = time.monotonic() + 20
        while True:
            verified = subprocess.run([TENURE, "db", "verify", self.stores[1]],
                                      capture_output=True, text=True)
            self.assertEqual(verified.returncode, 0, verified)
            ran = subprocess.run([TENURE, "db", "stat", self.stores[1]], capture_output=True,
                                 text=True, timeout=PATIENCE)
            self.assertEqual(ran.returncode, 0, ran)
            break
        self.assertLess(time.monotonic(), deadline)
        self.serve(self.stores[0])
        self.assertEqual(self.audit(0, 1, "both again"), 1)

    def test_stopped_program(self):
        self.make(self.stores)
        for step in (1, 2):
            program = subprocess.Popen(
                self.command("transfer", 1, f"@M3dbfail=stop-after:{step}"),
                stdout=subprocess.PIPE, text=True)
            os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WNOWAIT)
            begin = time.monotonic()
            more = self.audit(0, 1, step)
            # At each of the two stores.
            self.assertLess(time.monotonic() - begin, 21)
            program.send_signal(signal.SIGCONT)
            out = program.communicate(timeout=PATIENCE)[0]
            # Only prepared: the other programs have not waited for it, and it begins again.
            self.assertEqual((more, out), (step - 1, "did 1\n"))
            self.audit(2 - step, 0, step)


if __name__ == "__main__":
    unittest.main()
