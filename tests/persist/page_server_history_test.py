"""`tenure serve`: transactions of several programs leave a serializable history, and no
transaction is restarted for ever."""

import collections
import os
import shutil
import subprocess
import tempfile
import unittest

import programs
from programs import TENURE

PATIENCE = 180.0
LONG = bool(os.environ.get("TENURE_LONG"))
# The oldest transaction always wins, and a loser waits until the winner has ended.
ATTEMPTS_MAX = 20
PROGRAMS, SECONDS = 4, 120 if LONG else 4

# Each transaction prints the versions of the accounts that it has read, then of those that it has
# written. An aborted transaction prints nothing. A third are transfers; a third read two accounts
# and write another one (write locks alone would not detect their conflicts); a third read all
# accounts. A program that works `afresh` puts new objects in the places of accounts: in its own
# later transactions these lie in its heap, beside transient objects, to which it stores first.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Random, Scan, Text, Time, Transaction, Wr, Stdio;
<*FATAL ANY*>
CONST Accounts = 9;
TYPE
  Padding = ARRAY [0..499] OF INTEGER;
  Account = REF RECORD balance, version: INTEGER;  padding: Padding END;
  Slot = REF RECORD account: Account;  padding: Padding END;
  Bank = REF ARRAY OF Slot;
  Step = Transaction.Closure OBJECT
      kind, a, b, c, attempts, sum: INTEGER;  said: TEXT;
    METHODS
      read(slot: Slot;  number: INTEGER) := Read;
      write(slot: Slot;  number, amount: INTEGER) := Write;
    OVERRIDES apply := Apply END;
VAR
  db: Database.T;
  afresh := FALSE;
  beside: ARRAY [0 .. Accounts - 1] OF REF INTEGER;

PROCEDURE Read(self: Step;  slot: Slot;  number: INTEGER) =
  BEGIN
    INC(self.sum, slot.account.balance);
    self.said := self.said & " r" & Fmt.Int(number) & "=" & Fmt.Int(slot.account.version);
  END Read;

PROCEDURE Write(self: Step;  slot: Slot;  number, amount: INTEGER) =
  VAR account := slot.account;
  BEGIN
    IF beside[number] # NIL THEN INC(beside[number]^) END;
    IF afresh AND account.version MOD 3 = 0 THEN
      slot.account := NEW(Account, balance := account.balance, version := account.version);
      account := slot.account;
      beside[number] := NEW(REF INTEGER);
    END;
    INC(account.balance, amount);
    INC(account.version);
    self.said := self.said & " w" & Fmt.Int(number) & "=" & Fmt.Int(account.version);
  END Write;

PROCEDURE Apply(self: Step) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    INC(self.attempts);
    self.said := "";
    self.sum := 0;
    CASE self.kind OF
    | 0 =>
      self.read(bank[self.a], self.a);
      self.read(bank[self.b], self.b);
      self.write(bank[self.a], self.a, -7);
      self.write(bank[self.b], self.b, 7);
    | 1 =>
      self.read(bank[self.a], self.a);
      self.read(bank[self.b], self.b);
      self.write(bank[self.c], self.c, 0);
    ELSE
      FOR i := 0 TO Accounts - 1 DO self.read(bank[i], i) END;
    END;
  END Apply;

PROCEDURE Make() =
  VAR tr := NEW(Transaction.T);  bank := NEW(Bank, Accounts);
  BEGIN
    Database.Create(Params.Get(2));
    db := Database.Open(Params.Get(2));
    tr.begin();
    FOR i := 0 TO Accounts - 1 DO bank[i] := NEW(Slot, account := NEW(Account, balance := 1000)) END;
    db.setRoot(bank);
    tr.commit();
  END Make;

PROCEDURE Work(seconds: LONGREAL) =
  VAR random := NEW(Random.Default).init();  end := Time.Now() + seconds;  step: Step;
  BEGIN
    afresh := Params.Count > 4;
    db := Database.Open(Params.Get(2));
    WHILE Time.Now() < end DO
      step := NEW(Step, kind := random.integer(0, 2), a := random.integer(0, Accounts - 1));
      step.b := (step.a + random.integer(1, 4)) MOD Accounts;
      step.c := (step.b + random.integer(1, 4)) MOD Accounts;
      Transaction.Run(step);
      IO.Put(Fmt.Int(step.attempts) & " " & Fmt.Int(step.kind) & " " & Fmt.Int(step.sum) & step.said
             & "\n");
    END;
    IO.Put("end\n");
    Wr.Flush(Stdio.stdout);
  END Work;

BEGIN
  IF Text.Equal(Params.Get(1), "make") THEN Make() ELSE Work(Scan.LongReal(Params.Get(3))) END;
END Main.
"""


def find_cycle(after):
    """A node on a cycle of the graph, or None: nodes without predecessors are taken away."""
    waits = collections.Counter(node for nodes in after.values() for node in nodes)
    free = [node for node in after if waits[node] == 0]
    left = set(after)
    while free:
        node = free.pop()
        left.discard(node)
        for following in after[node]:
            waits[following] -= 1
            if waits[following] == 0:
                free.append(following)
    return min(left) if left else None


def check_history(histories):
    """Raises AssertionError unless a serial order explains the histories: lists of
    (reads, writes), of one program each, in order."""
    writer, readers, after = {}, collections.defaultdict(list), {}
    for program, history in enumerate(histories):
        for number, (reads, writes) in enumerate(history):
            node = (program, number)
            after[node] = set()
            if number > 0:
                after[(program, number - 1)].add(node)
            for account, version in writes:
                assert (account, version) not in writer, f"update lost: {account} {version}"
                writer[account, version] = node
            for read in reads:
                readers[read].append(node)
    for (account, version), node in writer.items():
        assert version == 1 or (account, version - 1) in writer, f"never written: {account} {version}"
        for reader in readers[account, version]:
            after[node].add(reader)
        if (account, version + 1) in writer:
            after[node].add(writer[account, version + 1])
    for (account, version), nodes in readers.items():
        assert version == 0 or (account, version) in writer, f"never written: {account} {version}"
        if (account, version + 1) in writer:
            for node in nodes:
                after[node].add(writer[account, version + 1])
    for node, following in after.items():
        following.discard(node)
    cycle = find_cycle(after)
    assert cycle is None, f"no serial order: {cycle}"


class CheckHistoryTest(unittest.TestCase):
    """The check itself finds histories that are not serializable."""

    def test_serial(self):
        check_history([[([("a", 0)], [("a", 1)])], [([("a", 1)], [("a", 2)])]])

    def test_lost_update(self):
        with self.assertRaisesRegex(AssertionError, "lost"):
            check_history([[([("a", 0)], [("a", 1)])], [([("a", 0)], [("a", 1)])]])

    def test_write_skew(self):
        with self.assertRaisesRegex(AssertionError, "no serial order"):
            check_history([[([("a", 0), ("b", 0)], [("a", 1)])],
                           [([("a", 0), ("b", 0)], [("b", 1)])]])

    def test_mixed_read(self):
        with self.assertRaisesRegex(AssertionError, "no serial order"):
            check_history([[([], [("a", 1), ("b", 1)])], [([("a", 1), ("b", 0)], [])]])


class PageServerHistoryTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-history-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.program = programs.build_program(self.directory, PROGRAM)
        self.store = os.path.join(self.directory, "store")
        self.server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE,
                                       text=True)
        self.addCleanup(self.end_server)
        self.assertIn("serving", self.server.stdout.readline())

    def end_server(self):
        self.server.terminate()
        self.server.communicate(timeout=PATIENCE)

    def test_history(self):
        self.check_programs(SECONDS)

    def test_history_of_objects_beside_others(self):
        self.check_programs(SECONDS, "afresh")

    def check_programs(self, seconds, *how):
        subprocess.run([self.program, "make", self.store], check=True, timeout=PATIENCE)
        # Output goes to files, because a program with a full pipe would stop and leave the others
        # without competition.
        files = [open(os.path.join(self.directory, f"said{i}"), "w+", encoding="utf-8")
                 for i in range(PROGRAMS)]
        processes = [subprocess.Popen([self.program, "work", self.store, str(seconds), *how],
                                      stdout=file) for file in files]
        said = []
        for process, file in zip(processes, files):
            self.assertEqual(process.wait(timeout=PATIENCE), 0)
            with file:
                file.seek(0)
                said.append(file.read())
        histories, attempts = [], []
        for text in said:
            lines = text.splitlines()
            self.assertEqual(lines.pop(), "end")
            history = []
            for line in lines:
                tries, kind, total, *accesses = line.split()
                attempts.append(int(tries))
                if kind == "2":
                    self.assertEqual(int(total), 9 * 1000)
                steps = {"r": [], "w": []}
                for access in accesses:
                    account, version = access[1:].split("=")
                    steps[access[0]].append((int(account), int(version)))
                history.append((steps["r"], steps["w"]))
            self.assertTrue(history)
            histories.append(history)
        check_history(histories)
        print(f"\n{len(attempts)} transactions, by program {[len(h) for h in histories]}, begun "
              f"{sum(attempts)} times, one at most {max(attempts)} times")
        self.assertLessEqual(max(attempts), ATTEMPTS_MAX)
        # Nobody starves.
        self.assertGreater(min(map(len, histories)), max(map(len, histories)) / 20)


if __name__ == "__main__":
    unittest.main()
