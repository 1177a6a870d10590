"""`tenure db gc` of a store that is being served, while programs move money, make garbage, and
link again objects that only their variables still refer to."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import programs
from programs import TENURE

PATIENCE = 120.0

# Each account has a note, a list of ten with a large array at its end. A transfer gives one account
# another note: a new one, or one that was removed from some account before and may be garbage.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Random, Scan, Stdio, Text, Time, Transaction, Wr;
<*FATAL ANY*>
CONST Accounts = 40;  Kept = 12;
TYPE
  Note = REF RECORD number, check: INTEGER;  next: Note;  large: REF ARRAY OF INTEGER END;
  Account = REF RECORD balance: INTEGER;  note: Note END;
  Bank = REF ARRAY OF Account;
  Transfer = Transaction.Closure OBJECT
      from, to, amount, number: INTEGER;
      note, old: Note;
    OVERRIDES apply := Move END;
  Audit = Transaction.Closure OBJECT sum: INTEGER OVERRIDES apply := Look END;
  Keeping = Transaction.Closure OBJECT OVERRIDES apply := Keep END;

VAR
  db: Database.T;
  kept: ARRAY [0..Kept - 1] OF Note;
  broken, relinked := 0;

PROCEDURE NewNote(number: INTEGER): Note =
  VAR note: Note;
  BEGIN
    FOR i := 1 TO 10 DO
      note := NEW(Note, number := number, check := 7 * number + 1, next := note);
    END;
    IF number MOD 8 = 0 THEN
      note.large := NEW(REF ARRAY OF INTEGER, 3000);
      FOR i := 0 TO 2999 DO note.large[i] := number END;
    END;
    RETURN note;
  END NewNote;

PROCEDURE Check(note: Note) =
  VAR count := 0;  number := note.number;
  BEGIN
    IF note.large # NIL THEN
      IF NUMBER(note.large^) # 3000 THEN INC(broken) END;
      FOR i := 0 TO 2999 BY 500 DO IF note.large[i] # number THEN INC(broken) END END;
    END;
    WHILE note # NIL DO
      INC(count);
      IF note.number # number OR note.check # 7 * number + 1 THEN INC(broken) END;
      note := note.next;
    END;
    IF count # 10 THEN INC(broken) END;
  END Check;

PROCEDURE Move(self: Transfer) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    DEC(bank[self.from].balance, self.amount);
    INC(bank[self.to].balance, self.amount);
    IF self.note # NIL THEN Check(self.note) END;
    self.old := bank[self.to].note;
    IF self.old # NIL THEN Check(self.old) END;
    IF self.note # NIL THEN
      bank[self.to].note := self.note;
    ELSE
      bank[self.to].note := NewNote(self.number);
    END;
  END Move;

PROCEDURE Look(self: Audit) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    self.sum := 0;
    FOR i := 0 TO LAST(bank^) DO
      INC(self.sum, bank[i].balance);
      IF bank[i].note # NIL THEN Check(bank[i].note) END;
    END;
  END Look;

PROCEDURE Make() =
  VAR tr := NEW(Transaction.T);  bank := NEW(Bank, Accounts);
  BEGIN
    Database.Create(Params.Get(2));
    db := Database.Open(Params.Get(2));
    tr.begin();
    FOR i := 0 TO Accounts - 1 DO bank[i] := NEW(Account, balance := 1000) END;
    db.setRoot(bank);
    tr.commit();
  END Make;

PROCEDURE Work(worker: INTEGER;  seconds: LONGREAL) =
  VAR
    random := NEW(Random.Default).init();  end := Time.Now() + seconds;  done := 0;
    transfer: Transfer;  place: INTEGER;
  BEGIN
    db := Database.Open(Params.Get(2));
    WHILE Time.Now() < end DO
      transfer := NEW(Transfer, number := 10 * done + worker, amount := random.integer(1, 100));
      transfer.from := random.integer(0, Accounts - 1);
      transfer.to := (transfer.from + random.integer(1, Accounts - 1)) MOD Accounts;
      place := random.integer(0, Kept - 1);
      IF random.integer(0, 3) = 0 THEN transfer.note := kept[place] END;
      IF transfer.note # NIL THEN INC(relinked) END;
      Transaction.Run(transfer);
      IF random.integer(0, 1) = 0 THEN kept[place] := transfer.old END;
      transfer := NIL;
      INC(done);
      IF done = 1 THEN IO.Put("first\n");  Wr.Flush(Stdio.stdout) END;
    END;
    IO.Put("did " & Fmt.Int(done) & " relinked " & Fmt.Int(relinked) & " broken "
           & Fmt.Int(broken) & "\n");
  END Work;

PROCEDURE Keep(<*UNUSED*> self: Keeping) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    broken := 0;
    Check(kept[0]);
    bank[1].note := kept[0];
  END Keep;

(* A variable, and nothing else, has a note while a line of input is waited for. *)
PROCEDURE Idle() =
  VAR tr := NEW(Transaction.T);  bank: Bank;
  BEGIN
    db := Database.Open(Params.Get(2));
    tr.begin();
    bank := db.getRoot();
    kept[0] := NewNote(8);
    bank[0].note := kept[0];
    tr.chain();
    bank[0].note := NIL;
    tr.commit();
    IO.Put("idle\n");
    Wr.Flush(Stdio.stdout);
    EVAL IO.GetLine();
    (* The server does not wait for one that has stopped: its transaction may have to run again. *)
    Transaction.Run(NEW(Keeping));
    IO.Put("broken " & Fmt.Int(broken) & "\n");
  END Idle;

VAR audit := NEW(Audit);
BEGIN
  WITH mode = Text.GetChar(Params.Get(1), 0) DO
    IF mode = 'm' THEN Make()
    ELSIF mode = 'w' THEN Work(Scan.Int(Params.Get(3)), Scan.LongReal(Params.Get(4)))
    ELSIF mode = 'i' THEN Idle()
    ELSE
      db := Database.Open(Params.Get(2));
      Transaction.Run(audit);
      IO.Put("sum " & Fmt.Int(audit.sum) & " broken " & Fmt.Int(broken) & "\n");
    END;
  END;
END Main.
"""


class SharedCollectionTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.store)
        self.programs = []
        self.serve()
        self.addCleanup(self.end_all)
        self.assertEqual(self.output(self.start("make")), "")

    def serve(self):
        self.server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True)
        self.assertTrue(self.server.stdout.readline().startswith("serving"))

    def end_all(self):
        for process in self.programs:
            if process.poll() is None:
                process.kill()
            process.communicate()
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait(PATIENCE)
        self.server.stdout.close()

    def start(self, mode, *arguments):
        process = subprocess.Popen([self.program, mode, self.store, *map(str, arguments)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.programs.append(process)
        return process

    @staticmethod
    def output(process, line=None):
        return process.communicate(line, timeout=PATIENCE)[0]

    def db(self, *arguments, status=0):
        ran = subprocess.run([TENURE, "db", *arguments, "--json"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def collect(self):
        return json.loads(self.db("gc", self.store))["databases"][0]

    def end_server(self):
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(PATIENCE), 0)
        self.server.wait(PATIENCE)
        self.server.stdout.close()

    def test_while_programs_work(self):
        workers = [self.start("work", number, 15) for number in range(2)]
        for worker in workers:
            self.assertEqual(worker.stdout.readline(), "first\n")
        freed = 0
        working = []
        for _ in range(3):
            time.sleep(1)
            freed += self.collect()["freed_objects"]
            working.append(all(worker.poll() is None for worker in workers))
        self.assertTrue(working[0])
        self.assertGreater(freed, 100)
        for worker in workers:
            said = self.output(worker)
            self.assertRegex(said, r"^did [1-9]\d* relinked [1-9]\d* broken 0\n$")
        self.db("verify", self.store)
        self.assertEqual(self.output(self.start("audit")), "sum 40000 broken 0\n")
        # There are no references to the objects now.
        self.collect()
        after = self.collect()
        self.assertEqual(after["freed_objects"], 0)
        self.assertLess(after["objects"], 1 + 40 * 12)
        self.end_server()
        # The same number as for a collector that runs alone.
        self.assertEqual(self.collect()["freed_objects"], 0)
        self.db("verify", self.store)
        self.assertEqual(self.output(self.start("audit")), "sum 40000 broken 0\n")

    def test_what_only_a_variable_has(self):
        program = self.start("idle")
        self.assertEqual(program.stdout.readline(), "idle\n")
        # Ten of the list, and the array.
        self.assertEqual(self.collect()["freed_objects"], 0)
        self.assertEqual(self.output(program, "\n"), "broken 0\n")
        self.db("verify", self.store)
        self.assertEqual(self.output(self.start("audit")), "sum 40000 broken 0\n")
        self.assertEqual(self.collect()["objects"], 1 + 40 + 11)

    def test_a_program_that_has_stopped(self):
        """The program cannot report its references: nothing is freed, and it
        finds all objects."""
        program = self.start("idle")
        self.assertEqual(program.stdout.readline(), "idle\n")
        program.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        said = self.db("gc", self.store, status=3)
        self.assertIn("nothing is collected", said)
        self.assertLess(time.monotonic() - begin, 60)
        program.send_signal(signal.SIGCONT)
        self.assertEqual(self.output(program, "\n"), "broken 0\n")
        self.db("verify", self.store)

    def idle(self):
        program = self.start("idle")
        self.assertEqual(program.stdout.readline(), "idle\n")
        return program

    def assert_goes_on(self, program):
        self.assertEqual(self.output(program, "\n"), "broken 0\n")
        self.db("verify", self.store)
        self.assertEqual(self.output(self.start("audit")), "sum 40000 broken 0\n")
        self.assertEqual(self.collect()["freed_objects"], 0)

    def assert_not_collected(self, program):
        said = self.db("gc", self.store, status=3)
        self.assertIn(f"process {program.pid} has lost its connection", said)

    def test_a_server_that_is_started_again(self):
        """The collector knows of a program that it has not asked yet."""
        program = self.idle()
        for _ in range(2):
            self.end_server()
            self.serve()
        self.assert_not_collected(program)
        self.assert_goes_on(program)

    def test_a_collector_without_a_server(self):
        """So does a process that has the store alone, also after the server was
        killed."""
        program = self.idle()
        self.server.kill()
        self.server.wait(PATIENCE)
        self.server.stdout.close()
        self.assert_not_collected(program)
        program.send_signal(signal.SIGSTOP)
        self.assert_not_collected(program)
        self.serve()
        self.assert_not_collected(program)
        program.send_signal(signal.SIGCONT)
        self.assert_goes_on(program)

    def test_a_program_that_ends_is_waited_for_no_more(self):
        program = self.idle()
        self.end_server()
        program.kill()
        program.communicate()
        self.assertEqual(self.collect()["freed_objects"], 11)
        self.serve()
        self.assertEqual(self.collect()["freed_objects"], 0)

    def assert_must_begin_anew(self, program):
        said = self.output(program, "\n")
        self.assertIn("must be opened anew", said)
        self.assertNotEqual(program.returncode, 0)
        self.db("verify", self.store)
        self.assertEqual(self.output(self.start("audit")), "sum 40000 broken 0\n")

    def test_a_store_that_is_rewritten_meanwhile(self):
        """Objects have other places: a program that was disconnected gets an
        error."""
        program = self.idle()
        self.end_server()
        self.db("compact", self.store)
        self.serve()
        self.assert_must_begin_anew(program)

    def restore(self, from_copy):
        shutil.rmtree(self.store)
        shutil.copytree(from_copy, self.store)

    def test_an_older_copy_in_the_place_of_the_store(self):
        self.end_server()
        copy = self.store + "-copy"
        shutil.copytree(self.store, copy)
        self.serve()
        program = self.idle()
        self.end_server()
        # Also if it has as many commits of its own then.
        for workers in range(2):
            self.restore(copy)
            self.serve()
            if workers == 1:
                self.assertRegex(self.output(self.start("work", 1, 1)), "broken 0")
            self.collect()
            if workers == 0:
                self.end_server()
        self.assert_must_begin_anew(program)

    def test_an_older_copy_over_the_files_of_the_store(self):
        self.end_server()
        copy = self.store + "-copy"
        shutil.copytree(self.store, copy)
        self.serve()
        program = self.idle()
        self.end_server()
        for name in os.listdir(self.store):
            if name != "SESSIONS":
                os.remove(os.path.join(self.store, name))
        for name in os.listdir(copy):
            if name != "SESSIONS":
                shutil.copy(os.path.join(copy, name), self.store)
        # The store has commits of its own before it is served.
        self.assertRegex(self.output(self.start("work", 1, 1)), "broken 0")
        self.serve()
        self.assert_must_begin_anew(program)


if __name__ == "__main__":
    unittest.main()
