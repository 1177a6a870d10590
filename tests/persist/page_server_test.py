"""`tenure serve`: programs that share a store, and the state that they find when one of them, or
the server, is stopped or killed in the middle."""

import grp
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import time
import unittest

import programs
from programs import TENURE, TOOL_WITH_FAULTS

PATIENCE = 120.0

# A bank. Each transfer counts itself on both accounts and on its worker's record; each acknowledged
# one is printed on standard output. A lost update makes one of the three sums wrong.
PROGRAM = r"""
MODULE Main;
IMPORT Database, DatabaseStatistics, Fmt, IO, Params, Random, Scan, Time, Transaction, Wr, Stdio;
<*FATAL ANY*>
CONST Accounts = 12;  Workers = 8;
TYPE
  Padding = ARRAY [0..299] OF INTEGER;
  Account = REF RECORD balance, transfers: INTEGER;  padding: Padding END;
  Worker = REF RECORD transfers: INTEGER;  log: Log;  padding: Padding END;
  Log = REF RECORD number: INTEGER;  next: Log END;
  Bank = REF RECORD
      accounts: ARRAY [0..Accounts - 1] OF Account;
      workers: ARRAY [0..Workers - 1] OF Worker;
      large: REF ARRAY OF INTEGER;
    END;

  Transfer = Transaction.Closure OBJECT from, to, amount, worker: INTEGER OVERRIDES apply := Move END;
  Audit = Transaction.Closure OBJECT sum, counted, worked, logged, large: INTEGER
    OVERRIDES apply := Look END;

VAR
  db: Database.T;  attempts := 0;

PROCEDURE Move(self: Transfer) =
  VAR bank: Bank := db.getRoot();
  BEGIN
    INC(attempts);
    WITH from = bank.accounts[self.from], to = bank.accounts[self.to] DO
      DEC(from.balance, self.amount);
      INC(from.transfers);
      INC(to.balance, self.amount);
      INC(to.transfers);
    END;
    WITH worker = bank.workers[self.worker] DO
      INC(worker.transfers);
      worker.log := NEW(Log, number := worker.transfers, next := worker.log);
    END;
    INC(bank.large[self.from * 1000]);
  END Move;

PROCEDURE Look(self: Audit) =
  VAR bank: Bank := db.getRoot();  log: Log;
  BEGIN
    self.sum := 0;  self.counted := 0;  self.worked := 0;  self.logged := 0;  self.large := 0;
    FOR i := 0 TO Accounts - 1 DO
      INC(self.sum, bank.accounts[i].balance);
      INC(self.counted, bank.accounts[i].transfers);
      INC(self.large, bank.large[i * 1000]);
    END;
    FOR i := 0 TO Workers - 1 DO
      INC(self.worked, bank.workers[i].transfers);
      log := bank.workers[i].log;
      WHILE log # NIL DO
        INC(self.logged);
        <*ASSERT log.next = NIL AND log.number = 1 OR log.next.number = log.number - 1*>
        log := log.next;
      END;
    END;
  END Look;

PROCEDURE Check(): Audit =
  VAR audit := NEW(Audit);
  BEGIN
    Transaction.Run(audit);
    IF audit.sum # 1000 * Accounts OR audit.counted # 2 * audit.worked OR audit.logged # audit.worked
       OR audit.large # audit.worked THEN
      IO.Put("WRONG " & Fmt.Int(audit.sum) & " " & Fmt.Int(audit.counted) & " "
             & Fmt.Int(audit.worked) & " " & Fmt.Int(audit.logged) & " "
             & Fmt.Int(audit.large) & "\n");
    END;
    RETURN audit;
  END Check;

PROCEDURE Make() =
  VAR tr := NEW(Transaction.T);  bank := NEW(Bank);
  BEGIN
    Database.Create(Params.Get(2));
    db := Database.Open(Params.Get(2));
    tr.begin();
    FOR i := 0 TO Accounts - 1 DO bank.accounts[i] := NEW(Account, balance := 1000) END;
    FOR i := 0 TO Workers - 1 DO bank.workers[i] := NEW(Worker) END;
    bank.large := NEW(REF ARRAY OF INTEGER, Accounts * 1000);
    db.setRoot(bank);
    tr.commit();
  END Make;

PROCEDURE Work(worker: INTEGER;  seconds: LONGREAL) =
  VAR
    random := NEW(Random.Default).init();  begin := Time.Now();  end := begin + seconds;  done := 0;
    transfer := NEW(Transfer, worker := worker);
  BEGIN
    db := Database.Open(Params.Get(2));
    WHILE Time.Now() < end DO
      transfer.from := random.integer(0, Accounts - 1);
      transfer.to := (transfer.from + random.integer(1, Accounts - 1)) MOD Accounts;
      transfer.amount := random.integer(1, 100);
      Transaction.Run(transfer);
      INC(done);
      IF done = 1 THEN
        IO.Put("first " & Fmt.Int(ROUND((Time.Now() - begin) * 1000.0D0)) & "\n");
      END;
      IO.Put("did " & Fmt.Int(done) & "\n");
      Wr.Flush(Stdio.stdout);
      IF done MOD 16 = 0 THEN EVAL Check() END;
    END;
    IO.Put("end " & Fmt.Int(done) & " " & Fmt.Int(attempts) & "\n");
  END Work;

PROCEDURE Faults(): INTEGER =
  BEGIN
    RETURN DatabaseStatistics.Get(DatabaseStatistics.Kind.ReadFaults)
           + DatabaseStatistics.Get(DatabaseStatistics.Kind.WriteFaults);
  END Faults;

(* Twice the same traversal; a line of input is waited for between. *)
PROCEDURE Hot() =
  BEGIN
    db := Database.Open(Params.Get(2));
    EVAL Check();
    WITH faults = Faults() DO
      IO.Put("hot\n");
      Wr.Flush(Stdio.stdout);
      EVAL IO.GetLine();
      WITH audit = Check() DO
        IO.Put("again " & Fmt.Int(audit.worked) & " "
               & Fmt.Int(Faults() - faults) & "\n");
      END;
    END;
  END Hot;

(* Holds everything it has read for some time. *)
PROCEDURE Hold(seconds: LONGREAL) =
  VAR tr := NEW(Transaction.T);  end := Time.Now() + seconds;  bank: Bank;
  BEGIN
    db := Database.Open(Params.Get(2));
    tr.begin();
    bank := db.getRoot();
    INC(bank.accounts[0].balance, 5000);
    IO.Put("holding\n");
    Wr.Flush(Stdio.stdout);
    WHILE Time.Now() < end DO END;
    tr.commit();
    IO.Put("held\n");
  END Hold;

BEGIN
  TRY
    WITH mode = Params.Get(1) DO
      IF mode[0] = 'm' THEN Make()
      ELSIF mode[0] = 'w' THEN Work(Scan.Int(Params.Get(3)), Scan.LongReal(Params.Get(4)))
      ELSIF mode[0] = 't' THEN Hot()
      ELSIF mode[0] = 'h' THEN Hold(Scan.LongReal(Params.Get(3)))
      ELSE
        db := Database.Open(Params.Get(2));
        IO.Put("transfers " & Fmt.Int(Check().worked) & "\n");
      END;
    END;
  EXCEPT
  | Transaction.Aborted => IO.Put("aborted\n");
  | Transaction.OutcomeUnknown => IO.Put("unknown\n");
  | Database.Failure(text) => IO.Put("failure: " & text & "\n");
  END;
END Main.
""".replace("mode[0]", "Text.GetChar(mode, 0)").replace("Scan, Time", "Scan, Text, Time")


class Server:
    def __init__(self, store, *options):
        tool = TOOL_WITH_FAULTS if "--fail" in options else TENURE
        self.process = subprocess.Popen([tool, "serve", *options, store], stdout=subprocess.PIPE,
                                        text=True)
        line = self.process.stdout.readline()
        assert line.startswith("serving"), line

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


class PageServerTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.store)
        self.server = Server(self.store)
        self.programs = []
        self.assertEqual(self.run_program("make"), "")

    def tearDown(self):
        for process in self.programs:
            if process.poll() is None:
                process.kill()
            process.communicate()
        if self.server.process.poll() is None:
            self.server.end(signal.SIGKILL)

    def start(self, mode, *arguments):
        process = subprocess.Popen([self.program, mode, self.store, *map(str, arguments)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.programs.append(process)
        return process

    def run_program(self, mode, *arguments):
        return self.output(self.start(mode, *arguments))

    @staticmethod
    def output(process, line=None):
        return process.communicate(line, timeout=PATIENCE)[0]

    def transfers(self):
        said = self.run_program("audit")
        self.assertRegex(said, r"^transfers \d+\n$")
        return int(said.split()[1])

    def work(self, workers, seconds):
        return [self.start("work", number, seconds) for number in range(workers)]

    def done(self, said):
        """The number of acknowledged transfers."""
        self.assertNotIn("WRONG", said)
        return sum(line.startswith("did ") for line in said.split("\n"))

    def test_transfers(self):
        said = [self.output(process) for process in self.work(4, 4)]
        for text in said:
            self.assertRegex(text, r"end \d+ \d+\n$")
        self.assertEqual(self.transfers(), sum(self.done(text) for text in said))
        self.assertEqual(self.server.end(), 0)
        # The same without a server.
        self.assertEqual(self.transfers(), sum(self.done(text) for text in said))

    def test_hot_traversal(self):
        """The program takes no trap and sends no message, so it continues while the
        server is stopped."""
        self.output(self.work(1, 1)[0])
        reader = self.start("twice")
        self.assertEqual(reader.stdout.readline(), "hot\n")
        self.server.process.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        reader.stdin.write("\n")
        reader.stdin.flush()
        said = reader.stdout.readline()
        self.assertRegex(said, r"^again \d+ 0\n$")
        self.assertLess(time.monotonic() - begin, 5)
        self.server.process.send_signal(signal.SIGCONT)
        self.output(reader)
        # Changes by another program are visible.
        reader = self.start("twice")
        self.assertEqual(reader.stdout.readline(), "hot\n")
        said = self.output(self.work(1, 1)[0])
        self.assertGreater(self.done(said), 0)
        transfers = self.transfers()
        self.assertRegex(self.output(reader, "\n"), rf"^again {transfers} [1-9]\d*\n$")

    def test_server_that_dies_before_it_answers(self):
        self.assertEqual(self.server.end(), 0)
        for point in ("commit-unknown-done:5", "commit-unknown-lost:5"):
            before = self.transfers()
            self.server = Server(self.store, "--fail", point)
            process = self.work(1, 3)[0]
            self.assertEqual(self.server.end(0), 3)
            self.server = Server(self.store)
            said = self.output(process)
            self.assertRegex(said, r"end \d+ \d+\n$")
            self.assertGreater(self.done(said), 4)
            self.assertEqual(self.transfers() - before, self.done(said))
            self.assertEqual(self.server.end(), 0)

    def test_killed_programs(self):
        done = unsure = 0
        for _ in range(4):
            processes = self.work(3, 2)
            time.sleep(random.uniform(0.2, 1.2))
            processes[0].kill()
            said = [self.output(process) for process in processes]
            done += sum(self.done(text) for text in said)
            unsure += 1
            for text in said[1:]:
                self.assertRegex(text, r"end \d+ \d+\n$")
        self.assertIn(self.transfers() - done, range(unsure + 1))

    def test_killed_holder(self):
        """The permissions of a dead program are free within a second."""
        holder = self.start("hold", 60)
        self.assertEqual(holder.stdout.readline(), "holding\n")
        worker = self.start("work", 0, 8)
        time.sleep(2)
        holder.kill()
        killed = time.monotonic()
        while not (line := worker.stdout.readline()).startswith("did"):
            self.assertTrue(line)
        self.assertLess(time.monotonic() - killed, 1)
        self.output(worker)

    def test_who_holds_and_who_waits(self):
        def clients(*options):
            ran = subprocess.run([TENURE, "db", "stat", "--clients", *options, self.store],
                                 capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            return ran.stdout

        def serving():
            return json.loads(clients("--json"))["serving"]
        self.assertEqual(serving()["clients"], [])
        holder = self.start("hold", 60)
        self.assertEqual(holder.stdout.readline(), "holding\n")
        worker = self.start("work", 0, 1)
        begin = time.monotonic()
        # The holder answers a moment after the server has asked it.
        while not ((waits := serving()["waits"]) and waits[0]["holders"][0]["busy"]):
            self.assertLess(time.monotonic() - begin, 10)
        said = serving()
        self.assertEqual(said["process"], self.server.process.pid)
        self.assertGreater(said["commits"], 0)
        self.assertEqual([client["process"] for client in said["clients"]],
                         [holder.pid, worker.pid])
        for client in said["clients"]:
            self.assertEqual(client["program"], os.path.basename(self.program)[:15])
            self.assertTrue(client["answers"])
            self.assertGreater(client["transaction"], 0)
            # Times have two decimals, and a program may begin as soon as it is connected.
            self.assertGreaterEqual(client["connected"], client["transaction"])
        self.assertGreaterEqual(said["clients"][0]["pages_for_writing"], 1)
        wait = waits[0]
        self.assertEqual((wait["process"], wait["database"]), (worker.pid, "main"))
        self.assertEqual([of["process"] for of in wait["holders"]], [holder.pid])
        self.assertGreaterEqual(wait["holders"][0]["held"], wait["holders"][0]["asked"])
        text = clients()
        self.assertRegex(text, rf"process {worker.pid} \(.*\) has waited .* s for .* of database main, for \w+\n")
        self.assertRegex(text, rf"process {holder.pid} \(.*\) has had it for \w+ for .*: it is in a transaction")
        # A program that is stopped is shown as well.
        holder.send_signal(signal.SIGSTOP)
        stopped = serving()["clients"][0]
        self.assertEqual((stopped["process"], stopped["answers"], stopped["transaction"]),
                         (holder.pid, False, None))
        holder.kill()
        self.output(worker)
        self.assertEqual(serving()["waits"], [])
        self.assertEqual(self.server.end(), 0)
        ran = subprocess.run([TENURE, "db", "stat", "--clients", self.store], capture_output=True,
                             text=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, 3)
        self.assertIn("is not being served", ran.stderr)

    def test_group(self):
        self.assertEqual(self.server.end(), 0)
        path = os.path.join(self.store, "SOCKET")
        self.assertFalse(os.path.exists(path))
        group = grp.getgrgid(os.getgid())
        self.server = Server(self.store, "--group", group.gr_name)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o660)
        self.assertEqual(os.stat(path).st_gid, group.gr_gid)
        self.assertEqual(self.transfers(), 0)
        self.assertEqual(self.server.end(), 0)
        wrong = subprocess.run([TENURE, "serve", "--group", "no-such-group", self.store],
                               capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(wrong.returncode, 3)
        self.assertIn("there is no group 'no-such-group'", wrong.stderr)
        self.assertFalse(os.path.exists(path))
        for wrong in (["--group", "no-such-group"], ["--fail", "x"]):
            for tool in ([TENURE], [TOOL_WITH_FAULTS]):
                ran = subprocess.run([*tool, "serve", self.store + "-new", *wrong],
                                     stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
                self.assertEqual(ran.returncode, 2 if wrong[0] == "--fail" else 3)
                self.assertFalse(os.path.exists(self.store + "-new"))
        self.server = Server(self.store)

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv"), "needs root")
    def test_another_user(self):
        """Another user gets an error; a member of the group may use the server, but not
        read the files."""
        for folder in (self.directory, self.program):
            os.chmod(folder, 0o755)
        os.chmod(self.store, 0o700)
        group, other = 64123, 64124

        def as_user(command, *groups):
            chosen = ["--groups", ",".join(map(str, groups))] if groups else ["--clear-groups"]
            return subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", *chosen, *command],
                                  capture_output=True, text=True, timeout=PATIENCE)
        audit = [self.program, "audit", self.store]
        for name in os.listdir(self.store):
            self.assertEqual(os.stat(os.path.join(self.store, name)).st_mode & 0o077, 0, name)
        for mode in (audit, [TENURE, "db", "stat", self.store]):
            ran = as_user(mode)
            self.assertIn("is another user's: permission denied", ran.stdout + ran.stderr)
        # Groups without a name are given as a socket's group by hand.
        self.assertEqual(self.server.end(), 0)
        self.server = Server(self.store, "--group", grp.getgrgid(os.getgid()).gr_name)
        self.assertEqual(os.stat(self.store).st_mode & 0o777, 0o710)
        for name in (self.store, os.path.join(self.store, "SOCKET")):
            os.chown(name, -1, group)
        self.assertEqual(as_user(audit, group).stdout, "transfers 0\n")
        self.assertNotEqual(as_user(["cat", os.path.join(self.store, "FORMAT")], group).returncode, 0)
        self.assertIn("permission denied", as_user(audit, other).stdout)

    def test_stopped_program(self):
        holder = self.start("hold", 2)
        self.assertEqual(holder.stdout.readline(), "holding\n")
        holder.send_signal(signal.SIGSTOP)
        worker = self.work(1, 1)[0]
        said = self.output(worker)
        self.assertIn("did 1\n", said)
        first = int(re.search(r"^first (\d+)$", said, re.M).group(1)) / 1000
        self.assertLess(first, 10)
        self.assertGreater(first, 5)
        holder.send_signal(signal.SIGCONT)
        # The program's work during the stop must not be committed.
        self.assertEqual(self.output(holder), "aborted\n")

    def test_killed_server(self):
        done = unsure = 0
        for _ in range(3):
            processes = self.work(3, 30)
            time.sleep(random.uniform(0.5, 1.5))
            self.server.end(signal.SIGKILL)
            self.server = Server(self.store)
            time.sleep(1)
            for process in processes:
                process.kill()
            said = [self.output(process) for process in processes]
            for text in said:
                self.assertNotIn("unknown", text)
            done += sum(self.done(text) for text in said)
            unsure += 3
        self.assertIn(self.transfers() - done, range(unsure + 1))

    def test_server_that_stays_away(self):
        processes = self.work(2, 60)
        time.sleep(1)
        self.server.end(signal.SIGKILL)
        said = [self.output(process) for process in processes]
        for text in said:
            self.assertRegex(text, r"(failure: .*|unknown)\n$")
        self.server = Server(self.store)
        self.assertIn(self.transfers() - sum(self.done(text) for text in said), range(3))

    def test_a_transaction_that_begins_waits_for_a_server_that_is_started_again(self):
        reader = subprocess.Popen([self.program, "traverse", self.store], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.programs.append(reader)
        self.assertEqual(reader.stdout.readline(), "hot\n")
        self.server.end(signal.SIGKILL)
        reader.stdin.write("\n")
        reader.stdin.flush()
        time.sleep(2.5)
        self.server = Server(self.store)
        out, said = reader.communicate(timeout=PATIENCE)
        self.assertRegex(out, r"^again 0 \d+\n$")
        self.assertIn("waits for the page server", said)
        self.assertIn(self.store, said)

    def test_a_transaction_that_begins_does_not_wait_for_ever(self):
        reader = self.start("traverse")
        self.assertEqual(reader.stdout.readline(), "hot\n")
        self.server.end(signal.SIGKILL)
        begin = time.monotonic()
        said = self.output(reader, "\n")
        self.assertRegex(said, r"failure: .*cannot reach the page server")
        self.assertGreater(time.monotonic() - begin, 4)
        self.server = Server(self.store)

    def test_stopped_server(self):
        process = self.work(1, 60)[0]
        time.sleep(1)
        self.server.process.send_signal(signal.SIGSTOP)
        begin = time.monotonic()
        said = self.output(process)
        self.assertRegex(said, r"(failure: .*|unknown)\n$")
        self.assertLess(time.monotonic() - begin, 45)
        self.server.process.send_signal(signal.SIGCONT)
        self.assertIn(self.transfers() - self.done(said), range(2))

    def test_hostile_bytes(self):
        seed = random.randrange(1 << 30)
        generator = random.Random(seed)
        path = os.path.join(self.store, "SOCKET")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        table = []
        for n in range(256):
            for _ in range(8):
                n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
            table.append(n)

        def checksum(data):
            crc = 0xFFFFFFFF
            for byte in data:
                crc = crc >> 8 ^ table[(crc ^ byte) & 255]
            return crc ^ 0xFFFFFFFF

        def message(kind, body, number=1):
            return struct.pack("<IIIHHQ", 0x544E5053, len(body), checksum(body), kind, 0,
                               number) + body

        greeting = message(1, struct.pack("<I", 5))
        opening = message(2, struct.pack("<I", 4) + b"main" + bytes(41), 2)
        greeted = 0
        for round_number in range(300):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(path)
                try:
                    if round_number % 4 == 0:
                        client.sendall(generator.randbytes(generator.randrange(100)))
                    elif round_number % 4 == 1:
                        client.sendall(struct.pack("<IIIHHQ", 0x544E5053, 0xFFFFFFFF, 0, 1, 0, 1))
                    else:
                        client.sendall(greeting + opening)
                        greeted += len(client.recv(24)) == 24
                        for _ in range(5):
                            body = generator.choice([b"", struct.pack("<I", 0)]) + \
                                generator.randbytes(generator.randrange(60))
                            client.sendall(message(generator.randrange(40), body))
                except (BrokenPipeError, ConnectionResetError):
                    pass
        self.assertEqual(greeted, 150, seed)
        self.assertIsNone(self.server.process.poll(), seed)
        self.assertEqual(self.transfers(), 0)
        self.assertEqual(self.server.end(), 0)

    def test_database_tool(self):
        """Commands that read see one state while programs work; some commands refuse."""
        def tool(*arguments):
            return subprocess.run([TENURE, "db", *arguments], capture_output=True, text=True,
                                  timeout=PATIENCE)
        workers = self.work(2, 6)
        for _ in range(3):
            ran = tool("verify", self.store)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        exported = os.path.join(self.directory, "exported")
        self.assertEqual(tool("export", self.store, exported).returncode, 0)
        for command in ("stat", "schema", "dump"):
            self.assertEqual(tool(command, self.store).returncode, 0, command)
        copy = os.path.join(self.directory, "copy")
        self.assertEqual(tool("gc", self.store).returncode, 0)
        for arguments in (("compact", self.store), ("upgrade", self.store, self.program),
                          ("backup", self.store, copy)):
            ran = tool(*arguments)
            self.assertEqual(ran.returncode, 3, arguments)
            self.assertIn("stop the server first", ran.stderr)
        self.assertEqual(sum(self.done(self.output(worker)) for worker in workers),
                         self.transfers())
        ran = tool("import", self.store + ":other", exported)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertEqual(tool("verify", self.store + ":other").returncode, 0)
        self.assertEqual(self.server.end(), 0)
        self.assertEqual(tool("verify", self.store).returncode, 0)
        self.server = Server(self.store)

    def test_import_of_what_refers_to_pages_of_later_commits(self):
        """A ring of objects with a page each; a commit of import takes 512."""
        nodes, payload = 1100, 5000
        exported = os.path.join(self.directory, "ring")
        with open(exported, "w", encoding="utf-8") as file:
            file.write('{"format":"tenure export","version":1,"database":"ring","root":"1:8"}\n')
            file.write('{"type":1,"description":"fingerprint 00000000000000ad\\nname Main.Node\\n'
                       f'kind ref\\npayload {payload}\\nslots 0 1 8 0\\n'
                       'field 0 64 next Node\\nfield 64 64 number INTEGER\\nend\\n"}\n')
            for i in range(nodes):
                data = struct.pack("<QQ", 0, i).hex() + "00" * (payload - 16)
                following = (i + 700) % nodes + 1
                file.write(f'{{"object":"{i + 1}:8","of":1,"data":"{data}",'
                           f'"references":[[0,"{following}:8"]]}}\n')

        def tool(*arguments):
            ran = subprocess.run([TENURE, "db", *arguments], capture_output=True, text=True,
                                 timeout=PATIENCE)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        tool("import", self.store + ":ring", exported)
        tool("verify", self.store + ":ring")
        again = os.path.join(self.directory, "again")
        tool("export", self.store + ":ring", again)
        leads = {}
        with open(again, encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"object"'):
                    entry = json.loads(line)
                    leads[entry["object"]] = (entry["fields"]["next"]["ref"],
                                              entry["fields"]["number"])
        self.assertEqual(len(leads), nodes)
        wrong = [i for i in range(nodes)
                 if leads[f"{i + 1}:8"] != (f"{(i + 700) % nodes + 1}:8", i)]
        self.assertEqual(wrong, [])

    def test_a_new_store_is_said_to_be_new(self):
        store = os.path.join(self.directory, "new-store")
        for said in (f"tenure serve: there was no store at {store}: made one\n", ""):
            process = subprocess.Popen([TENURE, "serve", store], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), f"serving {store}\n")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.communicate(timeout=PATIENCE)[1], said)

    def test_second_server(self):
        second = subprocess.run([TENURE, "serve", self.store], capture_output=True, text=True)
        self.assertEqual(second.returncode, 3)
        self.assertIn("tenure serve: ", second.stderr)
        self.assertEqual(self.transfers(), 0)


if __name__ == "__main__":
    unittest.main()
