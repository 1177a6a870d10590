"""`tenure node`: programs use a store that PostgreSQL keeps, over TLS, and go on when the node that
leads the store is gone."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from group import PATIENCE, Certificates, Group, Node, files_as_options
from programs import OPEN_OR_CREATE, TENURE, build_program

# Appends numbers to a list, one in each transaction, and says each when its commit has returned;
# a transaction that is aborted is done again. Or says the numbers of the list.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Stdio, Transaction, Wr;
<*FATAL ANY*>
TYPE
  Cell = REF RECORD number: INTEGER; next: Cell END;
  List = REF RECORD count := 0; first: Cell := NIL END;
VAR
  db: Database.T;
  t := NEW(Transaction.T);

PROCEDURE Say(text: TEXT) = BEGIN IO.Put(text & "\n");  Wr.Flush(Stdio.stdout) END Say;

PROCEDURE Open(name: TEXT) =
  BEGIN
    TRY
      db := Database.Open(name);
    EXCEPT Database.DatabaseNotFound =>
      Database.Create(name);
      db := Database.Open(name);
    END;
  END Open;

PROCEDURE Append(number: INTEGER) =
  VAR list: List;
  BEGIN
    LOOP
      TRY
        t.begin();
        list := db.getRoot();
        IF list = NIL THEN list := NEW(List);  db.setRoot(list) END;
        list.first := NEW(Cell, number := number, next := list.first);
        INC(list.count);
        t.commit();
        Say("committed " & Fmt.Int(number));
        EXIT;
      EXCEPT Transaction.Aborted => Say("aborted " & Fmt.Int(number)) END;
    END;
  END Append;

PROCEDURE Show() =
  VAR list: List;  cell: Cell;  count := 0;
  BEGIN
    t.begin();
    list := db.getRoot();
    IF list # NIL THEN
      cell := list.first;
      WHILE cell # NIL DO Say(Fmt.Int(cell.number));  cell := cell.next;  INC(count) END;
      <*ASSERT count = list.count*>
    END;
    t.commit();
  END Show;

BEGIN
  Open(Params.Get(1));
  IF Params.Count = 2 THEN
    Show();
  ELSE
    FOR i := Scan.Int(Params.Get(2)) TO Scan.Int(Params.Get(3)) DO
      Append(i);
      IF Params.Count > 4 THEN EVAL IO.GetLine() END;
    END;
  END;
END Main.
"""

# Adds 1 to a number in each of two stores, by transactions over both, and says the numbers.
PAIR_PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Stdio, Transaction, Wr;
<*FATAL ANY*>
TYPE Number = REF RECORD value := 0 END;
VAR
  a := Open(Params.Get(1));
  b := Open(Params.Get(2));
  t := NEW(Transaction.T);

""" + OPEN_OR_CREATE + r"""
PROCEDURE Of(db: Database.T): Number =
  VAR number: Number := db.getRoot();
  BEGIN
    IF number = NIL THEN number := NEW(Number);  db.setRoot(number) END;
    RETURN number;
  END Of;

PROCEDURE Step(add: INTEGER): TEXT =
  VAR said: TEXT;
  BEGIN
    LOOP
      TRY
        t.begin();
        IF add # 0 THEN INC(Of(a).value, add);  INC(Of(b).value, add) END;
        said := Fmt.Int(Of(a).value) & " " & Fmt.Int(Of(b).value) & "\n";
        t.commit();
        RETURN said;
      EXCEPT Transaction.Aborted => (* again *) END;
    END;
  END Step;

BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(3)) DO
    IO.Put(Step(1));
    Wr.Flush(Stdio.stdout);
  END;
  IO.Put("at last " & Step(0));
END Main.
"""


# Keeps an object that it takes out of the store in a variable; then, at a line each: looks at it, puts it back.
HOLDER_PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Stdio, Transaction, Wr;
<*FATAL ANY*>
TYPE
  Thing = REF RECORD number: INTEGER; next: Thing END;
  Root = REF RECORD thing: Thing END;
VAR
  db := Open(Params.Get(1));
  t := NEW(Transaction.T);
  held: Thing;

""" + OPEN_OR_CREATE + r"""
PROCEDURE Say(text: TEXT) = BEGIN IO.Put(text & "\n");  Wr.Flush(Stdio.stdout) END Say;

PROCEDURE Step(number: INTEGER) =
  VAR root: Root;  line: TEXT;
  BEGIN
    LOOP
      TRY
        t.begin();
        root := db.getRoot();
        IF number = 0 THEN
          root := NEW(Root);
          root.thing := NEW(Thing, number := 42, next := NEW(Thing, number := 43));
          db.setRoot(root);
          line := "made";
        ELSIF number = 1 THEN
          held := root.thing;
          root.thing := NIL;
          line := "took";
        ELSIF number = 2 THEN
          line := "holds " & Fmt.Int(held.number) & " " & Fmt.Int(held.next.number);
        ELSE
          root.thing := held;
          line := "put back";
        END;
        t.commit();
        EXIT;
      EXCEPT Transaction.Aborted => (* again *) END;
    END;
    Say(line);
  END Step;

BEGIN
  FOR i := 0 TO 3 DO Step(i);  EVAL IO.GetLine() END;
END Main.
"""


class NodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-node-")
        os.chmod(cls.directory, 0o755)
        cls.program = build_program(cls.directory, PROGRAM)
        os.makedirs(os.path.join(cls.directory, "pair"))
        cls.pair_program = build_program(os.path.join(cls.directory, "pair"), PAIR_PROGRAM)
        os.makedirs(os.path.join(cls.directory, "holder"))
        cls.holder_program = build_program(os.path.join(cls.directory, "holder"), HOLDER_PROGRAM)
        cls.group = Group(cls.directory)
        cls.alice = cls.group.certificates.issue("alice")
        cls.group.start()
        cls.stores = 0

    @classmethod
    def tearDownClass(cls):
        cls.group.stop()
        shutil.rmtree(cls.directory)

    def setUp(self):
        type(self).stores += 1
        self.store = f"s{self.stores}"
        self.place = os.path.join(self.directory, self.store)
        made = self.group.tool("create", self.store, "--owner", "alice")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.group.name_store(self.place, self.store, self.alice)
        for node in self.group.nodes:
            if node.process is None:
                node.start()
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()
        for node in self.group.nodes:
            if node.process is not None:
                node.process.send_signal(signal.SIGCONT)

    def start(self, *arguments, **more):
        process = subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.processes.append(process)
        return process

    def run_program(self, *arguments, **more):
        """Standard output, standard error and the status."""
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=PATIENCE)
        return out, err, process.returncode

    def committed(self, first, last):
        return "".join(f"committed {i}\n" for i in range(first, last + 1))

    def assert_stored(self, *numbers):
        out, err, status = self.run_program(self.place)
        # On a busy machine it can take a while until the next node leads the store.
        err = "".join(line for line in err.splitlines() if "waits for the page server" not in line)
        self.assertEqual((out, err, status), ("".join(f"{i}\n" for i in reversed(numbers)), "", 0))

    def await_line(self, process):
        if not process.stdout.readline():
            nodes = "\n".join(f"{node.name}: {node.said()}" for node in self.group.nodes)
            self.fail(f"status {process.wait(PATIENCE)}: {process.stderr.read()}\n{nodes}")

    def await_said(self, node, text, times=1):
        end = time.monotonic() + PATIENCE
        while node.said().count(text) < times and time.monotonic() < end:
            time.sleep(0.05)
        self.assertGreaterEqual(node.said().count(text), times, node.said())

    def with_settings(self, files):
        path = os.path.join(self.directory, "settings")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{name} = {value}\n" for name, value in files.items())
        return dict(os.environ, TENURE_CLUSTER=path)

    def uri(self, *nodes):
        return "tenure://" + ",".join(node.address for node in nodes) + "/" + self.store

    def test_a_program_stores_by_a_directory_and_reads_by_a_uri(self):
        self.assertEqual(self.run_program(self.place, 1, 5), (self.committed(1, 5), "", 0))
        for node in self.group.nodes:
            # Each node says who leads the store.
            out, err, status = self.run_program(self.uri(node), env=self.with_settings(self.alice))
            self.assertEqual((out, err, status), ("5\n4\n3\n2\n1\n", "", 0))

    def test_a_program_goes_on_when_the_leader_is_killed(self):
        process = self.start(self.place, 1, 4, "wait")
        self.assertEqual(process.stdout.readline(), "committed 1\n")
        leader = self.group.await_leader(self.store)
        leader.end(signal.SIGKILL)
        said = []
        for _ in range(3):
            process.stdin.write("go\n")
            process.stdin.flush()
            line = process.stdout.readline()
            while line.startswith("aborted"):
                line = process.stdout.readline()
            said.append(line)
        self.assertEqual("".join(said), self.committed(2, 4))
        process.stdin.write("go\n")
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertIsNot(self.group.await_leader(self.store), leader)
        self.assert_stored(1, 2, 3, 4)

    def test_what_was_acknowledged_is_there_when_the_leader_is_killed_under_load(self):
        process = self.start(self.place, 1, 400)
        for _ in range(50):
            self.await_line(process)
        self.group.await_leader(self.store).end(signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("committed 400\n", out)
        self.assert_stored(*range(1, 401))

    def test_a_leader_that_was_stopped_serves_nobody_when_it_wakes(self):
        self.assertEqual(self.run_program(self.place, 1, 1)[0], "committed 1\n")
        leader = self.group.await_leader(self.store)
        process = self.start(self.place, 2, 3, "wait")
        self.assertEqual(process.stdout.readline(), "committed 2\n")
        leader.process.send_signal(signal.SIGSTOP)
        self.group.await_leader(self.store, other_than=leader)
        self.assertEqual(self.run_program(self.place, 10, 10)[0].splitlines()[-1], "committed 10")
        leader.process.send_signal(signal.SIGCONT)
        out, err = process.communicate("go\ngo\n", timeout=PATIENCE)
        self.assertIn("committed 3\n", out, err)
        self.assert_stored(1, 2, 10, 3)
        # The node with the old term says once that it is over.
        self.await_said(leader, f"leads store {self.store} no more: ")
        time.sleep(1)
        self.assertEqual(leader.said().count(f"leads store {self.store} no more: "), 1, leader.said())
        self.assertNotIn("tenure serve:", leader.said())

    def test_a_leader_that_ends_hands_its_stores_over(self):
        self.assertEqual(self.run_program(self.place, 1, 2)[0], self.committed(1, 2))
        leader = self.group.await_leader(self.store)
        self.assertEqual(leader.end(signal.SIGTERM), 0, leader.said() if leader.process else "")
        begin = time.monotonic()
        self.assertEqual(self.run_program(self.place, 3, 3)[0], self.committed(3, 3))
        self.assertLess(time.monotonic() - begin, 60)
        self.assert_stored(1, 2, 3)

    def test_a_restart_of_postgresql_loses_nothing(self):
        process = self.start(self.place, 1, 300)
        for _ in range(20):
            self.await_line(process)
        self.group.postgres.stop("immediate")
        self.group.postgres.start()
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err + out)
        self.assert_stored(*range(1, 301))

    def pairs(self, other, steps):
        process = subprocess.Popen([self.pair_program, self.place, other, str(steps)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        return process

    def test_transactions_over_two_stores_are_whole_when_leaders_are_killed(self):
        self.assertEqual(self.group.tool("create", self.store + "b", "--owner", "alice").returncode, 0)
        other = self.place + "b"
        self.group.name_store(other, self.store + "b", self.alice)
        process = self.pairs(other, 60)
        for _ in range(10):
            self.await_line(process)
        self.group.await_leader(self.store).end(signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out.splitlines()[-1]), (0, "at last 60 60"), err)

    def test_nodes_settle_what_a_killed_program_has_prepared(self):
        """The node asks the leader of the store that decides, though nobody gave it a role there."""
        self.assertEqual(self.group.tool("create", self.store + "b", "--owner", "alice").returncode, 0)
        other = self.place + "b"
        self.group.name_store(other, self.store + "b", self.alice)
        for kill in range(8):
            process = self.pairs(other, 1000)
            for _ in range(3):
                self.await_line(process)
            time.sleep(0.004 * kill)
            process.kill()
        out, err = self.pairs(other, 1).communicate(timeout=PATIENCE)
        first, second = out.splitlines()[-1].removeprefix("at last ").split()
        self.assertEqual(first, second, out + err)
        self.assertNotIn("'node' has no role", "".join(node.said() for node in self.group.nodes))

    def test_transactions_over_a_cluster_and_a_directory(self):
        directory = self.place + "-here"
        self.assertEqual(self.pairs(directory, 5).communicate(timeout=PATIENCE)[0].splitlines()[-1], "at last 5 5")
        self.assertEqual(self.pairs(directory, 1).communicate(timeout=PATIENCE)[0], "6 6\nat last 6 6\n")

    def test_a_reader_reads_and_writes_nothing(self):
        self.assertEqual(self.run_program(self.place, 1, 1)[0], "committed 1\n")
        bob = self.with_settings(self.group.certificates.issue("bob"))
        out, err, status = self.run_program(self.uri(self.group.nodes[0]), env=bob)
        self.assertIn(f"'bob' has no role for store {self.store}", err)
        self.assertNotEqual(status, 0)
        self.await_said(self.group.nodes[0], f"'bob' has no role for store {self.store}")
        self.assertEqual(self.group.nodes[0].said().count(f"'bob' has no role for store {self.store}"), 1)
        granted = self.group.tool("grant", self.store, "bob", "reader")
        self.assertEqual((granted.returncode, granted.stderr), (0, ""))
        self.assertEqual(self.run_program(self.uri(self.group.nodes[0]), env=bob), ("1\n", "", 0))
        out, err, status = self.run_program(self.uri(self.group.nodes[0]), 2, 2, env=bob)
        self.assertIn("'bob' is reader of store", err)
        self.assertNotEqual(status, 0)
        self.assert_stored(1)
        self.group.tool("grant", self.store, "bob", "writer")
        self.assertEqual(self.run_program(self.uri(self.group.nodes[0]), 2, 2, env=bob)[0], "committed 2\n")
        self.group.tool("grant", self.store, "bob", "none")
        self.assertIn("has no role", self.run_program(self.uri(self.group.nodes[0]), env=bob)[1])

    def test_certificates_that_are_not_good_open_nothing(self):
        strangers = os.path.join(self.directory, self.store + "-strangers")
        os.makedirs(strangers)
        stranger = Certificates(strangers, "strange").issue("alice")
        own_ca = dict(stranger, ca=self.alice["ca"])
        expired = self.group.certificates.issue("old", expired=True)
        mixed = dict(self.alice, key=expired["key"])
        missing = dict(self.alice, key="/nowhere/key")
        node = self.group.nodes[0]
        # What the node says of each: one line.
        for files, line in ((own_ca, "certificate"), (expired, "certificate has expired")):
            before = len(node.said())
            self.run_program(self.uri(node), env=self.with_settings(files))
            end = time.monotonic() + PATIENCE
            while line not in node.said()[before:] and time.monotonic() < end:
                time.sleep(0.05)
            said = node.said()[before:].splitlines()
            self.assertEqual(len([text for text in said if "connection from" in text]), 1, said)
            self.assertIn(line, "".join(said))
        for files, text in ((stranger, "the other side's certificate is refused: "),
                            (own_ca, "the other side refuses this side's certificate"),
                            (expired, "the other side refuses this side's certificate: certificate expired"),
                            (mixed, "cannot be used: key values mismatch"),
                            (missing, "cannot read the key /nowhere/key: No such file or directory")):
            out, err, status = self.run_program(self.uri(self.group.nodes[0]), env=self.with_settings(files))
            self.assertIn(text, err)
            self.assertEqual(out, "")
            self.assertNotEqual(status, 0)

    def test_the_tool_looks_into_a_store_of_a_cluster(self):
        self.assertEqual(self.run_program(self.place, 1, 3)[0], self.committed(1, 3))
        for place, env in ((self.place, None), (self.uri(self.group.nodes[0]), self.with_settings(self.alice))):
            def tool(*words):
                return subprocess.run([TENURE, "db", *words], env=env, text=True, capture_output=True,
                                      timeout=PATIENCE)
            for command in ("verify", "stat", "show", "schema", "export"):
                ran = tool(command, place)
                self.assertEqual((ran.returncode, ran.stderr), (0, ""), command)
            self.assertRegex(tool("stat", "--clients", place).stdout,
                             r"is led by process \d+ of \S+ in term \d+ for .*; \d+ bytes not applied yet\n")
            self.assertGreater(json.loads(tool("stat", "--clients", "--json", place).stdout)["serving"]["term"], 0)
            self.assert_clients_are_named(tool, place)
            self.assertIn("Main.List", tool("schema", place).stdout)
            self.assertIn('"number":', tool("export", place).stdout)
            for command in (("compact", place), ("backup", place, self.place + "-copy")):
                ran = tool(*command)
                self.assertEqual(ran.returncode, 3, command)
                self.assertIn("is a cluster's", ran.stderr)

    def assert_clients_are_named(self, tool, place):
        programs = [self.start(self.place, number, number, "wait") for number in (90, 91)]
        for program in programs:
            self.await_line(program)
        name = os.path.basename(self.program)[:15]
        said = tool("stat", "--clients", place).stdout
        self.assertIn(": 2 clients;", said)
        clients = json.loads(tool("stat", "--clients", "--json", place).stdout)["serving"]["clients"]
        self.assertEqual({client["process"] for client in clients}, {program.pid for program in programs})
        for client in clients:
            self.assertEqual((client["program"], client["subject"]), (name, "alice"))
            self.assertRegex(client["address"], r"^127\.0\.0\.1:\d+$")
            self.assertIn(f"  process {client['process']} ({name}) of 'alice' at {client['address']}: connected for ",
                          said)
        for program in programs:
            program.communicate("\n", timeout=PATIENCE)

    # ---- Collection

    def tool(self, *words, env=None):
        return subprocess.run([TENURE, "db", *words], env=env, text=True, capture_output=True, timeout=PATIENCE)

    def assert_whole(self):
        checked = self.tool("verify", self.place)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), checked.stdout)

    def hold(self):
        """A program that keeps an object which the store does not lead to, at the end of a step."""
        process = subprocess.Popen([self.holder_program, self.place], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        self.assertEqual(process.stdout.readline(), "made\n")
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "took\n")
        return process

    def put_back(self, process):
        out, err = process.communicate("\n\n\n", timeout=PATIENCE)
        self.assertEqual((out, process.returncode), ("holds 42 43\nput back\n", 0), err)

    def test_a_collection_keeps_what_a_program_holds_whoever_leads(self):
        process = self.hold()
        kept = self.tool("gc", self.place)
        self.assertEqual(kept.returncode, 0, kept.stderr)
        self.assertIn("; freed 0 objects of", kept.stdout)
        # The next leader knows the program, which does not know of the next leader yet.
        self.group.await_leader(self.store).end(signal.SIGKILL)
        refused = self.tool("gc", self.place)
        self.assertNotEqual(refused.returncode, 0, refused.stdout)
        self.assertRegex(refused.stderr, "a program of 'alice' has lost its connection and may come again for [0-9]+ s")
        self.put_back(process)
        self.assert_whole()
        # The program has ended, and said so.
        kept = self.tool("gc", self.place)
        self.assertEqual(kept.returncode, 0, kept.stderr)
        self.assertIn("; freed 0 objects of", kept.stdout)
        self.assert_whole()

    def test_garbage_of_a_program_that_has_ended_is_freed(self):
        process = self.hold()
        process.kill()
        process.wait()
        refused = self.tool("gc", self.place)
        self.assertRegex(refused.stderr, "a program of 'alice' has lost its connection and may come again for [0-9]+ s")
        end = time.monotonic() + PATIENCE
        while (ran := self.tool("gc", self.place)).returncode != 0 and time.monotonic() < end:
            time.sleep(1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("; freed 2 objects of", ran.stdout)
        self.assert_whole()

    def test_a_program_that_was_away_for_too_long_begins_anew(self):
        process = self.hold()
        process.send_signal(signal.SIGSTOP)
        self.group.await_leader(self.store).end(signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while (ran := self.tool("gc", self.place)).returncode != 0 and time.monotonic() < end:
            time.sleep(1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("; freed 2 objects of", ran.stdout)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate("\n\n\n", timeout=PATIENCE)
        self.assertNotIn("holds", out)
        self.assertIn("must be opened anew", err)
        self.assertNotEqual(process.returncode, 0)
        self.assert_whole()

    # ---- Nodes

    def test_a_node_waits_for_a_primary_and_says_so_once(self):
        late = Node(self.group, "late")
        self.group.postgres.stop("fast")
        try:
            with open(os.path.join(self.directory, "late.log"), "w+", encoding="utf-8") as log:
                process = late.launch(log)
                self.processes.append(process)
                end = time.monotonic() + PATIENCE
                while "waits for the group" not in late.said(log.name) and time.monotonic() < end:
                    time.sleep(0.05)
                time.sleep(2.5)
                # A node that waits ends when it is told to.
                ended = Node(self.group, "later").launch(log)
                self.processes.append(ended)
                time.sleep(1)
                ended.send_signal(signal.SIGTERM)
                self.assertEqual(ended.wait(timeout=10), 0)
                said = [line for line in late.said(log.name).splitlines() if "waits for the group" in line]
                self.assertEqual(len(said), 2, said)
                self.assertIn("cannot connect to PostgreSQL", said[0])
                self.assertEqual(process.poll(), None)
                self.group.postgres.start()
                self.assertEqual(process.stdout.readline(), f"serving at {late.address}\n")
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(timeout=PATIENCE), 0)
        finally:
            if self.group.postgres.is_down():
                self.group.postgres.start()
        self.assertEqual(self.run_program(self.place, 1, 1)[0].splitlines()[-1], "committed 1")

    def test_a_group_without_tables_gets_no_node(self):
        self.group.postgres.sql("CREATE DATABASE bare")
        options = ["--group", self.group.postgres.connection.replace("dbname=postgres", "dbname=bare"),
                   "--allow-asynchronous"]
        ran = subprocess.run([TENURE, "node", "--listen", "127.0.0.1:0", "--name", "early", *options,
                              *files_as_options(self.group.node_files)],
                             text=True, capture_output=True, timeout=PATIENCE)
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertIn("the group has no tables yet: 'tenure node init' makes them", ran.stderr)
        strict = subprocess.run([TENURE, "node", "init", *options[:2]], text=True, capture_output=True,
                                timeout=PATIENCE)
        self.assertEqual((strict.returncode, strict.stdout), (3, ""))
        self.assertEqual(strict.stderr.count("\n"), 1)
        self.assertIn("PostgreSQL does not wait for a quorum of standbys", strict.stderr)

    def test_a_group_that_waits_for_no_standby_gets_no_node(self):
        node = self.group.nodes[0]
        ran = subprocess.run([TENURE, "node", "--listen", "127.0.0.1:0", "--name", "careful", "--group",
                              self.group.postgres.connection, *files_as_options(self.group.node_files)],
                             text=True, capture_output=True, timeout=PATIENCE)
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertIn("PostgreSQL does not wait for a quorum of standbys", ran.stderr)
        self.assertIn("--allow-asynchronous: commits wait for one PostgreSQL server only", node.said())

    def refused(self, *words):
        """A node that must not start; what it says."""
        ran = subprocess.run([TENURE, "node", *words, *self.group.options, *self.group.lease], text=True,
                             capture_output=True, timeout=PATIENCE)
        self.assertEqual((ran.returncode, ran.stdout), (3, ""), ran.stderr)
        return ran.stderr

    def test_an_address_that_means_every_address_is_refused_without_another(self):
        for listen in ("0.0.0.0:0", "[::]:0", "0:0"):
            said = self.refused("--listen", listen, *files_as_options(self.group.node_files))
            self.assertIn("say with --address HOST:PORT how programs on other machines reach this node", said)

    def test_a_node_whose_certificate_is_not_valid_now_does_not_start(self):
        issue = self.group.certificates.issue
        for files, text in ((issue("late", expired=True), "late.crt has expired on 2020-01-02 00:00:00 UTC"),
                            (issue("early", begins="20480101000000Z"), "early.crt is not valid before 2048-01-01")):
            self.assertIn(text, self.refused("--listen", "127.0.0.1:0", *files_as_options(files)))

    def test_commands_before_init_and_refused_ones_make_nothing(self):
        self.group.postgres.sql("CREATE DATABASE empty")
        group = ["--group", self.group.postgres.connection.replace("dbname=postgres", "dbname=empty"),
                 "--allow-asynchronous"]
        for words in (("stat",), ("create", "s"), ("grant", "s", "bob", "reader")):
            ran = subprocess.run([TENURE, "node", *words, *group], text=True, capture_output=True, timeout=PATIENCE)
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                             (3, "", "tenure node: the group has no tables yet: 'tenure node init' makes them\n"))
        # Without the option the group must wait for a quorum, which one server does not.
        ran = subprocess.run([TENURE, "node", "create", "refused", *self.group.options[:2]], text=True,
                             capture_output=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, 3)
        self.assertNotIn("store refused", self.group.tool("stat").stdout)
        self.assertIn("'eve' is now owner of store owned", self.group.tool("create", "owned", "--owner", "eve").stdout)
        self.assertIn("  eve: owner\n", self.group.tool("stat").stdout)

    def test_connections_that_say_nothing_keep_no_program_out(self):
        silent = []
        try:
            for node in self.group.nodes:
                host, port = node.address.split(":")
                silent += [socket.create_connection((host, int(port)), timeout=20) for _ in range(300)]
            self.assertEqual(self.run_program(self.place, 1, 1)[0], "committed 1\n")
        finally:
            for one in silent:
                one.close()

    def test_a_node_with_the_name_of_one_that_serves_is_refused(self):
        leader = self.group.await_leader(self.store)
        said = self.refused("--listen", "127.0.0.1:0", "--name", leader.name,
                            *files_as_options(self.group.node_files))
        self.assertIn(f"a node at {leader.address} serves with this node's name, '{leader.name}'", said)
        self.assertIsNone(leader.process.poll())
        self.assertEqual(self.run_program(self.place, 1, 1)[0], "committed 1\n")

    def test_a_second_node_of_a_name_takes_the_place_of_a_stopped_one(self):
        self.assertEqual(self.run_program(self.place, 1, 1)[0], "committed 1\n")
        leader = self.group.await_leader(self.store)
        second = Node(self.group, leader.name)
        leader.process.send_signal(signal.SIGSTOP)
        second.start()
        try:
            leader.process.send_signal(signal.SIGCONT)
            self.assertEqual(leader.process.wait(timeout=PATIENCE), 3)
            self.assertIn(f"a node at {second.address} serves with this node's name, '{leader.name}'", leader.said())
            leader.end()
            self.assertEqual(self.run_program(self.place, 2, 2)[0].splitlines()[-1], "committed 2")
            self.assert_stored(1, 2)
        finally:
            second.end(signal.SIGTERM)

    def test_garbage_at_the_port_disturbs_nobody(self):
        process = self.start(self.place, 1, 2, "wait")
        self.assertEqual(process.stdout.readline(), "committed 1\n")
        for node in self.group.nodes:
            host, port = node.address.split(":")
            for garbage in (b"GET / HTTP/1.0\r\n\r\n", os.urandom(4000), b"\x16\x03\x01\x40\x00" + bytes(100), b""):
                with socket.create_connection((host, int(port)), timeout=20) as stranger:
                    stranger.sendall(garbage)
                    if garbage.startswith(b"GET"):
                        stranger.shutdown(socket.SHUT_WR)
                        while stranger.recv(4096):
                            pass
            end = time.monotonic() + PATIENCE
            while "does not speak TLS 1.3" not in node.said() and time.monotonic() < end:
                time.sleep(0.05)
            self.assertIn("does not speak TLS 1.3", node.said())
        self.assertEqual(process.communicate("go\ngo\n", timeout=PATIENCE)[0], "committed 2\n")
        self.assertEqual(process.returncode, 0)

    def test_names_that_lead_nowhere_are_said(self):
        settings = self.with_settings(self.alice)
        node = self.group.nodes[0].address
        nothing = dict(os.environ, TENURE_CLUSTER="", HOME="/nowhere", XDG_CONFIG_HOME="")
        for name, text, env in (
                (f"tenure://{node}/nothing", "store nothing does not exist", settings),
                ("tenure://127.0.0.1:1/s", "cannot reach 127.0.0.1:1: Connection refused", settings),
                ("tenure://no-such-host.invalid/s", "host no-such-host.invalid is not known", settings),
                (f"tenure://{node}", "the store is missing", settings),
                ("tenure:///s", "the host is missing", settings),
                (f"tenure://me@{node}/s", "a user or a blank has no place in it", settings),
                (f"tenure://{node}/s", "needs a certificate", nothing)):
            out, err, status = self.run_program(name, env=env)
            self.assertIn(text, err)
            self.assertNotEqual(status, 0)

    def test_a_wrong_file_cluster_is_said_with_its_line(self):
        place = self.place + "-wrong"
        os.makedirs(place)
        for text, problem in (("servers = a b\nstor = x\n", "CLUSTER line 2: 'stor' is not known"),
                              ("servers = a:b\n", "CLUSTER line 1: 'a:b' is not a server"),
                              ("servers a\n", "CLUSTER line 1: KEY = VALUE is expected"),
                              ("servers = a\n", "CLUSTER: 'store' is missing"),
                              ("servers = a\nstore = x\npatience = 0\n", "patience '0' is not a whole number of seconds")):
            with open(os.path.join(place, "CLUSTER"), "w", encoding="utf-8") as file:
                file.write(text)
            out, err, status = self.run_program(place)
            self.assertIn(problem, err)
            self.assertNotEqual(status, 0)


@unittest.skipUnless(os.geteuid() == 0, "only the administrator may mount a small file system")
class FullDiskTest(unittest.TestCase):
    """The primary's disk is full: programs are told so, reads go on, and nothing acknowledged is lost."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-node-disk-")
        self.addCleanup(shutil.rmtree, self.directory)
        os.chmod(self.directory, 0o755)
        self.program = build_program(self.directory, PROGRAM)
        self.disk = os.path.join(self.directory, "disk")
        os.makedirs(self.disk)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "none", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.group = Group(self.directory, nodes=1, postgres=os.path.join(self.disk, "pg"),
                           settings="-c min_wal_size=32MB -c max_wal_size=32MB")
        self.addCleanup(self.group.stop)
        self.group.start()
        self.assertEqual(self.group.tool("create", "full", "--owner", "alice").returncode, 0)
        self.place = os.path.join(self.directory, "full")
        self.group.name_store(self.place, "full", self.group.certificates.issue("alice"))

    def run_program(self, *words):
        ran = subprocess.run([self.program, self.place, *map(str, words)], text=True, capture_output=True,
                             timeout=PATIENCE)
        return ran.stdout.splitlines(), ran.stderr, ran.returncode

    def test_commits_are_refused_with_postgresqls_words_until_there_is_space(self):
        told = self.run_program(1, 20)[0]
        self.assertEqual(told[-1], "committed 20")
        filler = os.path.join(self.disk, "filler")
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 12))
            except OSError:
                pass
        out, err, status = self.run_program(21, 5000)
        self.assertNotEqual(status, 0)
        self.assertIn("No space left on device", err)
        self.assertIn("Database.Failure", err)
        committed = [int(line.split()[1]) for line in told + out if line.startswith("committed ")]
        # Reads go on, by programs that come now as well.
        shown, err, status = self.run_program()
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([int(line) for line in reversed(shown)], committed)
        said = self.group.nodes[0].said()
        self.assertEqual(said.count("takes no commits until PostgreSQL has space; reads go on"), 1, said)
        os.remove(filler)
        end = time.monotonic() + PATIENCE
        number = committed[-1] + 1
        while (ran := self.run_program(number, number))[2] != 0 and time.monotonic() < end:
            time.sleep(1)
        self.assertEqual(ran[0], [f"committed {number}"], ran[1])
        self.assertEqual([int(line) for line in reversed(self.run_program()[0])], committed + [number])


class NodeCommandTest(unittest.TestCase):
    """What needs no group."""

    def ran(self, *words):
        ran = subprocess.run([TENURE, "node", *words], text=True, capture_output=True, timeout=PATIENCE)
        return ran.returncode, ran.stdout, ran.stderr

    def test_help(self):
        status, out, err = self.ran("--help")
        self.assertEqual((status, err), (0, ""))
        for word in ("--group", "--listen", "--allow-asynchronous", "--session-timeout", "init", "create", "grant", "stat", "Exit status"):
            self.assertIn(word, out)

    def test_wrong_usage(self):
        for words, text in (((), "the option --group is missing"),
                            (("--group", "x"), "the option --listen is missing"),
                            (("--group", "x", "--listen", "localhost"), "the option --ca is missing"),
                            (("grant", "s", "bob", "redaer", "--group", "x"), "did you mean reader?"),
                            (("--lease", "0", "--group", "x"), "--lease")):
            status, out, err = self.ran(*words)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(text, err)
            self.assertIn("Try 'tenure node --help'", err)

    def test_a_group_that_is_not_there(self):
        status, out, err = self.ran("stat", "--group", "host=/nowhere")
        self.assertEqual((status, out), (3, ""))
        self.assertIn("cannot connect to PostgreSQL", err)


if __name__ == "__main__":
    unittest.main()
