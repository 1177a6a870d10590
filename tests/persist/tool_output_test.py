"""What `tenure db` writes for people and for programs: JSON of every command, files that are whole or not there, how far
long commands are, tables on narrow terminals and with wide characters, and Control-C."""

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
import unittest

import programs
from programs import TENURE

COUNT = 40000  # objects: enough for a command to be interrupted in its middle

STORE = r"""
MODULE Main;
IMPORT Database, Params, Transaction;
<*FATAL ANY*>
TYPE
  Node = OBJECT n: INTEGER; name: TEXT; long: TEXT; next: Node; all: REF ARRAY OF INTEGER END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  node: Node;  long := "0123456789";

BEGIN
  FOR i := 1 TO 4 DO long := long & long END;
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  tr.begin();
  FOR i := 1 TO COUNT DO
    node := NEW(Node, n := i, name := "plain", long := long, next := node);
  END;
  node.name := "\346\227\245\346\234\254\350\252\236";
  node.all := NEW(REF ARRAY OF INTEGER, COUNT);
  db.setRoot(node);
  tr.commit();
END Main.
""".replace("COUNT", str(COUNT))


class ToolOutputTest(programs.ProgramTestCase):
    text = STORE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = os.path.join(cls.directory, "store")
        subprocess.run([cls.program, cls.store], check=True)

    def setUp(self):
        self.parent = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.parent)

    def place(self, name):
        return os.path.join(self.parent, name)

    def db(self, *arguments, status=0, stdin=""):
        ran = subprocess.run([TENURE, "db", *arguments], input=stdin, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran.stdout

    def json(self, *arguments, **options):
        """The one JSON value of the command's output."""
        return json.loads(self.db(*arguments, "--json", **options))

    def test_every_command_has_json(self):
        told = self.db("--help")
        commands = [line.split()[0] for line in told[told.index("Subcommands:"):].splitlines()[1:]
                    if line.startswith("  ") and line[2] != " "]
        self.assertIn("forget", commands)
        for command in commands:
            self.assertIn("--json", self.db(command, "--help"), command)

    def test_json_of_commands_that_make_something(self):
        store, exported, csv = self.place("made"), self.place("e.jsonl"), self.place("n.csv")
        self.assertEqual(self.json("export", self.store, exported), {
            "databases": [{"name": "main", "file": exported, "objects": self.objects()}], "damaged": 0})
        self.assertEqual(self.json("import", store, exported)["databases"][0]["objects"], self.objects())
        self.assertEqual(self.json("export", self.store, csv, "--csv", "Main.Node"),
                         {"type": "Main.Node", "file": csv, "objects": COUNT})
        self.db("export", self.store, "--json", status=2)  # it says what was written to a file
        self.assertEqual(self.json("set", store, "root.n", "-1"), {
            "path": "root.n", "before": str(COUNT), "after": "-1", "changed": True})
        self.assertFalse(self.json("set", store, "root.n", "7", "--dry-run")["changed"])
        for command in ("backup", "restore"):
            target = self.place(command)
            self.assertEqual(self.json(command, store, target), {"from": store, "made": target})
        salvaged = self.json("salvage", store, self.place("salvaged"))
        self.assertTrue(salvaged["complete"])
        self.assertEqual(salvaged["databases"][0]["objects"], self.objects())
        os.remove(os.path.join(store, "main.db"))
        self.assertEqual(self.json("forget", store + ":main"), {"store": store, "given_up": "main"})

    def objects(self):
        return self.json("verify", self.store)["databases"][0]["objects"]

    def test_json_of_a_dump(self):
        dumped = self.json("dump", self.store)
        self.assertEqual(len(dumped["objects"]), self.objects())
        root = next(one for one in dumped["objects"] if one["object"] == dumped["root"].split()[0])
        self.assertEqual((root["type"], root["fields"]["n"]), ("Main.Node", COUNT))
        page = self.json("dump", self.store, "1")["objects"]
        self.assertTrue(page)
        self.assertEqual({one["object"].split(":")[0] for one in page}, {"1"})

    def test_json_in_the_shell(self):
        lines = self.db("shell", self.store, "--json", stdin="root.n\nMain.Node where n < 3 select n\n").splitlines()
        self.assertEqual([json.loads(line) for line in lines], [COUNT, {"n": 2}, {"n": 1}])

    def test_json_of_the_browser(self):
        browse = subprocess.Popen([TENURE, "db", "browse", self.store, "--json"], stdout=subprocess.PIPE, text=True)
        try:
            told = json.loads(browse.stdout.readline())
            self.assertTrue(told["address"].startswith("http://127.0.0.1:"))
            self.assertEqual((told["access"], told["read_write"]), ("own", False))
        finally:
            browse.terminate()
            browse.wait(60)
            browse.stdout.close()

    def test_an_export_is_whole_or_not_there(self):
        for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGKILL):
            for flags in ([], ["--all"], ["--csv", "Main.Node"]):
                target = self.place("export")
                ran = subprocess.Popen([TENURE, "db", "export", self.store, target, *flags], stderr=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, text=True)
                end = time.monotonic() + 60
                while ran.poll() is None and not self.size_of_parts() and time.monotonic() < end:
                    time.sleep(0.001)
                ran.send_signal(signal_number)
                said = ran.communicate(timeout=60)[1]
                self.assertEqual(ran.returncode, -signal_number, (flags, said))
                self.assertFalse(os.path.exists(target), flags)
                if signal_number != signal.SIGKILL:
                    self.assertIn(f"interrupted: {target} was not made", said)
                    self.assertEqual(os.listdir(self.parent), [], flags)
        # What a killed one has left is removed by the next.
        self.assertEqual(len(os.listdir(self.parent)), 1)
        self.db("export", self.store, self.place("export"))
        self.assertEqual(os.listdir(self.parent), ["export"])
        self.db("export", self.store, self.place("export"), status=3)  # it is there

    def size_of_parts(self):
        """The bytes of what is being written."""
        return sum(os.path.getsize(os.path.join(folder, file)) for folder, _, files in os.walk(self.parent)
                   for file in files)

    def on_terminal(self, *arguments, columns=80, stdout=None):
        """What is written to a terminal, whose standard error is always one."""
        controller, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        ran = subprocess.Popen([TENURE, "db", *arguments], stdin=subprocess.DEVNULL,
                               stdout=terminal if stdout is None else stdout, stderr=terminal)
        os.close(terminal)
        said = b""
        try:
            while True:
                said += os.read(controller, 65536)
        except OSError:  # the end
            pass
        os.close(controller)
        self.assertEqual(ran.wait(60), 0, said)
        return said.decode().replace("\r\n", "\n")

    def test_long_commands_say_how_far_they_are(self):
        exported = self.place("e.jsonl")
        said = self.on_terminal("export", self.store, exported)
        self.assertRegex(said, r"pages exported: \d+ of \d+ \(\d+ %\)")
        self.assertTrue(said.endswith("\r\033[K"), said[-50:])
        self.assertRegex(self.on_terminal("export", self.store, self.place("n.csv"), "--csv", "Main.Node"),
                         r"objects exported: \d+")
        said = self.on_terminal("import", self.place("made"), exported)
        self.assertRegex(said, r"bytes read of the export of main: \d+ of \d+ \(\d+ %\)")
        self.assertIn("objects written: ", said)
        # Nothing beside the lines, where they are seen themselves.
        small = self.place("small")
        shutil.copytree(self.store, small)
        self.db("set", small, "root.next", "NIL")
        self.db("gc", small)
        self.assertNotIn("pages exported", self.on_terminal("export", small))

    def test_tables_fit_into_the_terminal(self):
        query = ("query", self.store, "Main.Node where n > %d select n, name, long, next sort by n" % (COUNT - 3))
        wide = self.on_terminal(*query, columns=400)
        self.assertEqual(wide, self.db(*query))
        for columns in (100, 60, 44):
            table = self.on_terminal(*query, columns=columns).splitlines()
            for line in table:
                self.assertLessEqual(self.cells(line), columns, table)
            self.assertEqual(len(table), 6)
            self.assertIn(f"{COUNT}  ", table[4])  # numbers stay whole
            self.assertIn("...", table[4])

    @staticmethod
    def cells(text):
        return sum(2 if "\u3000" < character < "\ua000" else 1 for character in text)

    def test_wide_characters_keep_columns_in_line(self):
        said = self.db("query", self.store, "Main.Node where n >= %d select name, n, type(it) sort by n" % (COUNT - 1))
        head, _, plain, wide, _ = said.splitlines()
        self.assertIn("\u65e5\u672c\u8a9e", wide)
        for word in (" n", "Main.Node"):
            with self.subTest(word=word):
                at = {self.cells(line[:line.index("Main.Node")]) for line in (plain, wide)}
                self.assertEqual(len(at), 1, said)
        self.assertTrue(head.startswith("name"))
        ran = subprocess.run([TENURE, "db", "query", self.store, 'Main.Node where name = "\u65e5\u672c" & nme'],
                             text=True, stderr=subprocess.PIPE)
        _, source, marks = ran.stderr.splitlines()[:3]
        self.assertEqual(self.cells(source[:source.index("nme")]), marks.index("^"), ran.stderr)


class ShellInterruptTest(programs.ProgramTestCase):
    text = STORE

    def test_control_c_gives_up_the_line_or_the_query(self):
        store = os.path.join(self.directory, "store")
        subprocess.run([self.program, store], check=True)
        controller, terminal = pty.openpty()
        process = subprocess.Popen([TENURE, "db", "shell", store], stdin=terminal, stdout=terminal, stderr=terminal,
                                   start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                                   env={**os.environ, "TERM": "xterm", "TENURE_HISTORY": ""})
        os.close(terminal)
        seen = ""

        def until(text, limit=60):
            nonlocal seen
            end = time.monotonic() + limit
            while text not in seen and time.monotonic() < end:
                if select.select([controller], [], [], 0.2)[0]:
                    seen += os.read(controller, 4096).decode("utf-8", "replace")
            self.assertIn(text, seen)
            seen = seen[seen.index(text) + len(text):]

        try:
            until("tenure> ")
            os.write(controller, b"root.nonsense")
            until("nonsense")
            os.write(controller, b"\x03")
            until("tenure> ")
            os.write(controller, "1 + 1\n".encode())
            until("2")
            until("tenure> ")
            # Each element is compared for each object, which takes minutes.
            os.write(controller, b"Main.Node where n in root.all count\n")
            time.sleep(1)
            os.write(controller, b"\x03")
            until("interrupted")
            until("tenure> ")
            os.write(controller, b"Main.Node count\n")
            until(str(COUNT))
            until("tenure> ")
            os.write(controller, b"quit\n")
            self.assertEqual(process.wait(timeout=60), 0)
        finally:
            process.kill()
            process.wait()
            os.close(controller)


if __name__ == "__main__":
    unittest.main()
