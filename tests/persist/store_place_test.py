"""The place of a store: it is moved while it is used, has an odd name, belongs to another user,
or there is no /proc."""

import os
import shutil
import signal
import stat
import subprocess
import unittest

import programs
from programs import TENURE

# "add N": makes N commits, each of which adds a number to a list, and prints their number; with a
# second N waits for a line and repeats this. "count": prints the number.
PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IO, Params, Rd, Scan, Stdio, Text, Transaction;
TYPE Cell = REF RECORD n: INTEGER; pad: ARRAY [0..200] OF INTEGER; next: Cell END;
<*FATAL ANY*>
VAR db: Database.T;  tr := NEW(Transaction.T);  told := 0;

PROCEDURE Count(): INTEGER =
  VAR cell: Cell := db.getRoot();  n := 0;
  BEGIN
    WHILE cell # NIL DO INC(n); cell := cell.next END;
    RETURN n;
  END Count;

PROCEDURE Add(commits: INTEGER) =
  BEGIN
    FOR i := 1 TO commits DO
      TRY
        tr.begin();
        db.setRoot(NEW(Cell, n := i, next := db.getRoot()));
        tr.commit();
      EXCEPT
        Database.Failure (why) => IO.Put("failure " & why & "\\n"); EXIT;
      END;
      INC(told);
    END;
    IO.Put("acknowledged " & Fmt.Int(told) & "\\n");
  END Add;

BEGIN
  TRY
    db := Database.Open(Params.Get(1));
  EXCEPT
  | Database.DatabaseNotFound => Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
  END;
  tr.begin(); told := Count(); tr.commit();
  IF Text.Equal(Params.Get(2), "count") THEN
    IO.Put(Fmt.Int(told) & "\\n");
  ELSE
    FOR i := 3 TO Params.Count - 1 DO
      IF i > 3 THEN EVAL Rd.GetLine(Stdio.stdin) END;
      Add(Scan.Int(Params.Get(i)));
    END;
  END;
END Main.
"""

SOMEBODY = 65534


class StorePlaceTest(programs.ProgramTestCase):
    text = PROGRAM

    def setUp(self):
        self.place = os.path.join(self.directory, self.id().rsplit(".", 1)[-1])
        os.mkdir(self.place)

    def run_in_place(self, *command, before=(), **options):
        return subprocess.run([*before, *command], cwd=self.place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="surrogateescape", timeout=120, check=False, **options)

    def said(self, store, *arguments, before=()):
        done = self.run_in_place(self.program, store, *arguments, before=before)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def db(self, *arguments, status=0, before=()):
        done = self.run_in_place(TENURE, "db", *arguments, before=before)
        self.assertEqual(done.returncode, status, (arguments, done.stdout))
        return done.stdout

    def path(self, name):
        return os.path.join(self.place, name)

    def test_a_store_that_is_replaced_in_use(self):
        for replacement in ("restore", "new", "nothing"):
            for name in ("st", "st.old", "spare"):
                shutil.rmtree(self.path(name), ignore_errors=True)
            self.said("st", "add", "5")
            self.db("backup", "st", "spare")
            with subprocess.Popen([self.program, "st", "add", "15", "45"], cwd=self.place, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), "acknowledged 20\n")
                os.rename(self.path("st"), self.path("st.old"))
                if replacement == "restore":
                    self.db("restore", "spare", "st")
                if replacement == "new":
                    self.said("st", "add", "2")
                rest, _ = process.communicate("\n", timeout=60)
            self.assertIn("failure", rest)
            self.assertIn("moved, removed or replaced", rest)
            self.assertIn("acknowledged 20", rest)
            self.assertIn("all is well", self.db("verify", "st.old"))
            self.assertEqual(self.said("st.old", "count"), "20\n")
            if replacement != "nothing":
                self.assertIn("all is well", self.db("verify", "st"))
                self.assertEqual(self.said("st", "count"), "5\n" if replacement == "restore" else "2\n")

    def test_a_served_store_that_is_replaced_in_use(self):
        self.said("st", "add", "3")
        self.db("backup", "st", "spare")
        with subprocess.Popen([TENURE, "serve", "st"], cwd=self.place, text=True, stdout=subprocess.PIPE) as server:
            self.assertEqual(server.stdout.readline(), "serving st\n")
            with subprocess.Popen([self.program, "st", "add", "1", "1"], cwd=self.place, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), "acknowledged 4\n")
                os.rename(self.path("st"), self.path("st.old"))
                os.rename(self.path("spare"), self.path("st"))
                rest, _ = process.communicate("\n", timeout=60)
            self.assertIn("moved, removed or replaced", rest)
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)
        self.assertEqual(self.said("st", "count"), "3\n")
        self.assertEqual(self.said("st.old", "count"), "4\n")

    def test_names_of_any_kind(self):
        for name in ("two words", "it's \"quoted\"", "a\nb", "100%", "%s%n", "a\\b", "*?[", "\udcff\udcfe", "-dash", "st:12:30",
                     "\u00e4\u4e2d"):
            self.said("./" + name + "/", "add", "2")
            self.assertIn("all is well", self.db("verify", "./" + name), name)
            self.db("backup", "./" + name, self.path(name + ".copy"))
            self.db("restore", "./" + name + ".copy", "./" + name + ".back")
            self.assertEqual(self.said("./" + name + ".back", "count"), "2\n", name)
            self.assertIn("all is well", self.db("verify", "./" + name + ".back"), name)
            self.assertIn("all is well", self.db("verify", "./" + name + ".back:main"), name)
            with subprocess.Popen([TENURE, "serve", "./" + name], cwd=self.place, stdout=subprocess.PIPE) as server:
                self.assertTrue(server.stdout.readline().startswith(b"serving ./"))
                self.assertEqual(self.said("./" + name, "add", "1"), "acknowledged 3\n", name)
                server.send_signal(signal.SIGTERM)

    def test_long_paths(self):
        deep = self.place
        while len(deep) < 3800:
            deep = os.path.join(deep, "d" * 200)
        os.makedirs(deep)
        store = os.path.join(deep, "st")
        self.said(store, "add", "2")
        self.assertIn("all is well", self.db("verify", store))
        with subprocess.Popen([TENURE, "serve", store], stdout=subprocess.PIPE) as server:
            self.assertTrue(server.stdout.readline().startswith(b"serving"))
            self.assertEqual(self.said(store, "add", "1"), "acknowledged 3\n")
            server.send_signal(signal.SIGTERM)

    def test_without_proc(self):
        hidden = ["unshare", "--mount", "--map-root-user", "sh", "-c",
                  'mount -t tmpfs none /proc && exec "$0" "$@"']
        if self.run_in_place("true", before=hidden).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.assertEqual(self.said("st", "add", "2", before=hidden), "acknowledged 2\n")
        self.assertIn("all is well", self.db("verify", "st", before=hidden))
        with subprocess.Popen([*hidden, TENURE, "serve", "st"], cwd=self.place, stdout=subprocess.PIPE) as server:
            self.assertEqual(server.stdout.readline(), b"serving st\n")
            self.assertEqual(self.said("st", "add", "1", before=hidden), "acknowledged 3\n")
            server.send_signal(signal.SIGTERM)
        source = os.path.join(self.directory, "Main.m3")
        built = self.run_in_place(TENURE, "build", source, "-o", self.path("again"), before=hidden)
        self.assertEqual(built.returncode, 0, built.stdout)

    def test_root_leaves_a_store_to_its_owner(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("needs root, and setpriv")
        owner = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"]
        home = self.place
        while home.startswith(self.directory):
            os.chmod(home, 0o755)
            home = os.path.dirname(home)
        os.chown(self.place, SOMEBODY, SOMEBODY)
        self.said("st", "add", "2", before=owner)

        def crash():
            with subprocess.Popen([*owner, self.program, "st", "add", "1", "1"], cwd=self.place, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE) as process:
                process.stdout.readline()
                process.kill()

        def serve():
            with subprocess.Popen([TENURE, "serve", "st"], cwd=self.place, stdout=subprocess.PIPE) as server:
                server.stdout.readline()
                self.assertIn("acknowledged", self.said("st", "add", "1", before=owner))
                server.send_signal(signal.SIGTERM)

        def use(*flags):
            return lambda: self.said("st", "add", "300", *flags)

        for what in (lambda: self.db("stat", "st"), lambda: self.db("backup", "st", "copy"), lambda: self.db("gc", "st"),
                     lambda: self.db("compact", "st"), use(), use("@M3recovery=diff"), serve):
            for before in (lambda: None, crash):
                before()
                what()
                shutil.rmtree(self.path("copy.kept"), ignore_errors=True)
                if os.path.exists(self.path("copy")):
                    os.rename(self.path("copy"), self.path("copy.kept"))
                for name in os.listdir(self.path("st")):
                    status = os.lstat(self.path(os.path.join("st", name)))
                    self.assertEqual((name, status.st_uid, status.st_gid), (name, SOMEBODY, SOMEBODY))
                    self.assertEqual(stat.S_IMODE(status.st_mode), 0o600, name)
                self.assertIn("acknowledged", self.said("st", "add", "1", before=owner))
        self.db("backup", "st", "copy")
        self.db("restore", "copy", "back")
        self.db("salvage", "st", "saved")
        for store in ("copy", "back", "saved"):
            self.assertIn("acknowledged", self.said(store, "add", "1", before=owner))


if __name__ == "__main__":
    unittest.main()
