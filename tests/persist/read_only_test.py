"""A store that cannot be written: operations that only read work, all others fail with the
reason."""

import os
import signal
import subprocess
import tempfile
import unittest

import programs
from programs import TENURE


# Prints the number in the root; with "add" adds one to it; with a second argument leaves the store open.
PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IO, Params, Process, Text, Thread, Transaction;
<*FATAL ANY*>
TYPE Number = REF RECORD n: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  number: Number;
BEGIN
  TRY
    TRY db := Database.Open("disk/store");
    EXCEPT Database.DatabaseNotFound => Database.Create("disk/store"); db := Database.Open("disk/store");
    END;
    tr.begin();
    number := db.getRoot();
    IF number = NIL THEN number := NEW(Number); db.setRoot(number) END;
    IO.Put(Fmt.Int(number.n) & "\\n");
    IF Params.Count > 1 AND Text.Equal(Params.Get(1), "add") THEN INC(number.n) END;
    tr.commit();
    IF Params.Count > 2 THEN
      IO.Put("waiting\\n");
      Thread.Pause(1000.0d0);
    END;
    db.close();
  EXCEPT
  | Database.Failure (why) => IO.Put("Failure: " & why & "\\n"); Process.Exit(1);
  END;
END Main.
"""

# In a mount name space of its own.
WITH_THE_DISK_READ_ONLY = ["unshare", "--mount", "--map-root-user", "sh", "-c",
                           "mount --bind disk disk && mount -o remount,bind,ro disk && exec sh steps"]


class ReadOnlyTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="read-only-")
        self.addCleanup(self.directory.cleanup)
        os.mkdir(self.path("disk"))
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        self.program("add")

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def program(self, *arguments):
        return subprocess.run(["./program", *arguments], cwd=self.directory.name, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def run_steps(self, steps):
        with open(self.path("steps"), "w", encoding="utf-8") as file:
            file.write(f'db() {{ {TENURE} db "$@" 2>&1; echo "status $?"; }}\n' + steps)
        return subprocess.run(WITH_THE_DISK_READ_ONLY, cwd=self.directory.name,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)

    def said(self, step):
        return self.run_steps(step).stdout

    def files(self):
        """The contents of each file of the store."""
        contents = {}
        for name in os.listdir(self.path("disk/store")):
            with open(self.path(os.path.join("disk/store", name)), "rb") as file:
                contents[name] = file.read()
        return contents

    def test_tools_that_read(self):
        before = self.files()
        for command in ("stat", "verify", "schema", "dump", "export", "why disk/store 1:8",
                        "check disk/store program", "backup disk/store copy"):
            name, _, rest = command.partition(" ")
            said = self.said(f"db {name} {rest or 'disk/store'}")
            self.assertTrue(said.endswith("status 0\n"), f"{command}: {said}")
        self.assertIn("Number", self.said("db export disk/store"))
        self.assertIn("status 0", self.said("db verify copy"))
        self.assertEqual(self.files(), before)

    def test_tools_that_write_say_why_they_do_not(self):
        for command in ("db compact", "db gc"):
            said = self.said(command + " disk/store")
            self.assertIn("can only be read: Read-only file system; what writes can work on a copy", said)
            self.assertIn("status 3", said)
        said = self.said("db export disk/store | grep -v status > lines; db import disk/store:new lines")
        self.assertIn("Read-only file system", said)

    def test_a_program_reads_and_is_told_when_it_writes(self):
        self.assertEqual(self.said("./program"), "1\n")
        said = self.said("./program add").split("\n")
        self.assertEqual(said[0], "1")
        self.assertRegex(said[1], "Failure: store .*disk/store can only be read: Read-only file system")
        self.assertEqual(self.program(), "1\n")

    def test_readers_at_once(self):
        said = self.said("./program read wait > other & while ! grep -qs 'waiting\\|Failure' other; do sleep 0.1; done\n"
                         "./program; kill $!")
        self.assertEqual(said, "1\n")

    def test_what_needs_recovery_says_so(self):
        process = subprocess.Popen(["./program", "add", "wait"], cwd=self.directory.name, text=True,
                                   stdout=subprocess.PIPE)
        self.assertEqual([process.stdout.readline(), process.stdout.readline()], ["1\n", "waiting\n"])
        said = self.said("db verify disk/store")
        self.assertIn(f"is held by process {process.pid}", said)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        said = self.said("db verify disk/store; ./program")
        self.assertEqual(said.count("was not closed cleanly and needs recovery"), 2, said)
        self.assertIn("status 3", said)
        # The text in LOCK is not enough: the commit is in REDO or in the log.
        with open(self.path("disk/store/LOCK"), "rb+") as lock:
            held = lock.read()
            for text in (b"\n", b""):
                lock.seek(0)
                lock.truncate()
                lock.write(text)
                lock.flush()
                self.assertIn("needs recovery", self.said("./program"))
            lock.seek(0)
            lock.write(held)
        self.assertEqual(self.said("cp -r disk/store writable; db verify writable").split("\n")[-2], "status 0")
        self.assertEqual(self.program(), "2\n")


if __name__ == "__main__":
    unittest.main()
