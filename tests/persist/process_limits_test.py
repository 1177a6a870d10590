"""Programs with databases and threads under the limits of a process: ulimit -v and -d."""

import os
import resource
import shutil
import subprocess
import sys
import unittest

import programs

# Each of 20 threads adds one to a counter in 5 transactions of its own.
PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IO, Params, Thread, Transaction;
TYPE
  Counter = OBJECT n := 0 END;
  Work = Transaction.Closure OBJECT OVERRIDES apply := Add END;
  Closure = Thread.Closure OBJECT OVERRIDES apply := Run END;
<*FATAL ANY*>
VAR db: Database.T;  tr := NEW(Transaction.T);  threads: ARRAY [1..20] OF Thread.T;

PROCEDURE Fetch(VAR counter: Counter) =
  BEGIN counter := db.getRoot() END Fetch;

PROCEDURE Add(<*UNUSED*> work: Work) =
  VAR counter: Counter;
  BEGIN Fetch(counter); INC(counter.n) END Add;

PROCEDURE Run(<*UNUSED*> closure: Closure): REFANY =
  BEGIN
    FOR i := 1 TO 5 DO Transaction.Run(NEW(Work)) END;
    RETURN NIL;
  END Run;

BEGIN
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  tr.begin(); db.setRoot(NEW(Counter)); tr.commit();
  FOR i := FIRST(threads) TO LAST(threads) DO threads[i] := Thread.Fork(NEW(Closure)) END;
  FOR i := FIRST(threads) TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
  tr.begin();
  IO.Put("counted " & Fmt.Int(NARROW(db.getRoot(), Counter).n) & "\\n");
  tr.commit();
END Main.
"""


class ProcessLimitsTest(programs.ProgramTestCase):
    text = PROGRAM

    def run_limited(self, kind, megabytes, before=()):
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        limit = (megabytes << 20, megabytes << 20)
        return subprocess.run([*before, self.program, store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=60, check=False,
                              preexec_fn=lambda: resource.setrlimit(kind, limit))

    def test_threads_under_a_limit_on_addresses(self):
        done = self.run_limited(resource.RLIMIT_AS, 3000)
        self.assertEqual((done.returncode, done.stdout), (0, "counted 100\n"))

    def test_a_limit_on_addresses_without_proc(self):
        without = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*without, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no mount namespaces here")
        done = self.run_limited(resource.RLIMIT_AS, 3000, before=without)
        self.assertEqual((done.returncode, done.stdout), (0, "counted 100\n"))

    def test_private_memory_that_runs_out_is_said(self):
        for megabytes in (10, 20, 30, 40, 60, 80):
            done = self.run_limited(resource.RLIMIT_DATA, megabytes)
            if done.returncode != 0:
                self.assertIn(done.returncode, (3, 4), (megabytes, done.stdout))

    def test_memory_that_is_missing_is_no_damage(self):
        for megabytes in (12, 14, 16, 18):
            self.assertNotIn("damaged", self.run_limited(resource.RLIMIT_DATA, megabytes).stdout)
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        done = subprocess.run([self.program, store, "@M3dbcache=4000000000G"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        self.assertNotIn("damaged", done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
