"""Whoever reads a served store does not keep pages from another program for ever. Read-only
transactions of several threads see one state together, though they overlap all the time. Commands
whose output nobody reads let the store go."""

import os
import shutil
import subprocess
import tempfile
import unittest

import programs
from programs import TENURE

ACCOUNTS = 300
TRANSFERS = 25
PATIENCE = 120.0

PROGRAM = r"""
MODULE Main;
IMPORT Database, FS, IO, OSError, Params, Random, Scan, Text, Thread, Transaction, Wr, Stdio;
<*FATAL ANY*>
CONST Amount = 100;  Readers = 4;
TYPE
  Account = REF RECORD amount: INTEGER; filler: ARRAY [0..99] OF INTEGER END;
  Bank = REF ARRAY OF Account;
  Sum = Transaction.Closure OBJECT sum, times := 0 OVERRIDES apply := Add END;
  Reader = Thread.Closure OBJECT id: INTEGER; sums, repeated := 0 OVERRIDES apply := Read END;
  Transfer = Transaction.Closure OBJECT random: Random.T OVERRIDES apply := Move END;
VAR
  db := Open(Params.Get(1));
  what := Params.Get(2);
  number := Scan.Int(Params.Get(3));
  tr := NEW(Transaction.T);
  bank: Bank;
  readers: ARRAY [1..Readers] OF Reader;
  threads: ARRAY [1..Readers] OF Thread.T;
  sums, repeated := 0;

""" + programs.OPEN_OR_CREATE + r"""
PROCEDURE Say(what: TEXT; n: INTEGER) =
  BEGIN
    IO.Put(what & " "); IO.PutInt(n); IO.Put("\n");  Wr.Flush(Stdio.stdout);
  END Say;

PROCEDURE Stopped(): BOOLEAN =
  BEGIN
    TRY
      EVAL FS.Status(Params.Get(4));
      RETURN TRUE;
    EXCEPT
      OSError.E => RETURN FALSE;
    END;
  END Stopped;

PROCEDURE Add(s: Sum) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    INC(s.times);
    s.sum := 0;
    FOR i := 0 TO LAST(bank^) DO
      INC(s.sum, bank[i].amount);
      IF i = NUMBER(bank^) DIV 2 THEN Thread.Pause(0.005d0) END;
    END;
  END Add;

PROCEDURE Read(r: Reader): REFANY =
  VAR sum := NEW(Sum);
  BEGIN
    (* So that they overlap: there is always one that is open. *)
    Thread.Pause(FLOAT(r.id, LONGREAL) * 0.002d0);
    WHILE NOT Stopped() DO
      Transaction.RunReadOnly(sum);
      IF sum.sum # number * Amount THEN Say("wrong", sum.sum) END;
      INC(r.sums);
      IF r.sums = 1 THEN Say("reads", r.id) END;
    END;
    r.repeated := sum.times - r.sums;
    RETURN NIL;
  END Read;

PROCEDURE Move(t: Transfer) =
  VAR
    bank: Bank := db.getRoot();
    from := bank[t.random.integer(0, LAST(bank^))];
    to := bank[t.random.integer(0, LAST(bank^))];
  BEGIN
    DEC(from.amount, 7);
    INC(to.amount, 7);
  END Move;

BEGIN
  IF Text.Equal(what, "make") THEN
    tr.begin();
    bank := NEW(Bank, number);
    FOR i := 0 TO number - 1 DO bank[i] := NEW(Account, amount := Amount) END;
    db.setRoot(bank);
    tr.commit();
  ELSIF Text.Equal(what, "read") THEN
    FOR i := 1 TO Readers DO
      readers[i] := NEW(Reader, id := i);
      threads[i] := Thread.Fork(readers[i]);
    END;
    FOR i := 1 TO Readers DO
      EVAL Thread.Join(threads[i]);
      INC(sums, readers[i].sums);
      INC(repeated, readers[i].repeated);
    END;
    Say("sums", sums);
    Say("repeated", repeated);
  ELSE
    WITH transfer = NEW(Transfer, random := NEW(Random.Default).init()) DO
      FOR i := 1 TO number DO Transaction.Run(transfer) END;
    END;
    Say("transfers", number);
  END;
  db.close();
END Main.
"""


class ServedReadersTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="tenure-readers-")
        self.addCleanup(shutil.rmtree, self.place)
        self.store = os.path.join(self.place, "store")
        self.stop = os.path.join(self.place, "stop")
        self.server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True)
        self.assertTrue(self.server.stdout.readline().startswith("serving"))

    def tearDown(self):
        self.server.terminate()
        self.server.communicate(timeout=PATIENCE)

    def run_program(self, what, number):
        return subprocess.Popen([self.program, self.store, what, str(number), self.stop],
                                stdout=subprocess.PIPE, text=True)

    def test_overlapping_readers_let_another_program_write(self):
        maker = self.run_program("make", ACCOUNTS)
        self.assertEqual((maker.communicate(timeout=PATIENCE)[0], maker.returncode), ("", 0))
        readers = self.run_program("read", ACCOUNTS)
        self.assertTrue(readers.stdout.readline().startswith("reads"))
        try:
            writer = self.run_program("write", TRANSFERS)
            said, _ = writer.communicate(timeout=PATIENCE)
            self.assertEqual((writer.returncode, said), (0, "transfers %d\n" % TRANSFERS))
        finally:
            with open(self.stop, "w", encoding="utf-8"):
                pass
            said, _ = readers.communicate(timeout=PATIENCE)
        self.assertEqual(readers.returncode, 0)
        self.assertNotIn("wrong", said)
        self.assertIn("sums", said)

    def test_commands_whose_output_nobody_reads_let_programs_write(self):
        # More than a pipe holds, and the export more than waits in memory.
        maker = self.run_program("make", 3000)
        self.assertEqual((maker.communicate(timeout=PATIENCE)[0], maker.returncode), ("", 0))
        for line in (["export"], ["dump"], ["query", "Main.Account"]):
            command = [TENURE, "db", line[0], self.store, *line[1:]]
            expected = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            self.assertGreater(len(expected), 100000, line)
            with subprocess.Popen(command, stdout=subprocess.PIPE) as unread:
                first = unread.stdout.read(1)  # The command has begun.
                writer = self.run_program("write", TRANSFERS)
                said, _ = writer.communicate(timeout=PATIENCE)
                self.assertEqual((writer.returncode, said), (0, "transfers %d\n" % TRANSFERS), line)
                self.assertIsNone(unread.poll(), line)
                self.assertEqual(first + unread.stdout.read(), expected, line)
            self.assertEqual(unread.returncode, 0, line)


if __name__ == "__main__":
    unittest.main()
