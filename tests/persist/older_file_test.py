"""A file of an older copy of a store, or of another copy, beside newer files: everybody names it, and
nobody reads from it or writes to it."""

import os
import shutil
import signal
import subprocess
import unittest

import programs
from programs import OPEN_OR_CREATE, TENURE

# program DATABASE: adds one to the number at the root.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Counter = REF RECORD n: INTEGER END;
VAR
  tr := NEW(Transaction.T);
  db := Open(Params.Get(1));
  counter: Counter;

""" + OPEN_OR_CREATE + r"""
BEGIN
  tr.begin();
  counter := db.getRoot();
  IF counter = NIL THEN counter := NEW(Counter); db.setRoot(counter) END;
  INC(counter.n);
  tr.commit();
  IO.Put(Fmt.Int(counter.n) & "\n");
END Main.
"""

POLICIES = ((), ("@M3recovery=diff",), ("@M3recovery=whole",), ("@M3recovery=wpl",))


class OlderFileTest(programs.CountingTestCase):
    text = PROGRAM
    options = ("--faults",)

    def setUp(self):
        super().setUp()
        self.count("store:main", 1)
        self.count("store:other", 1)

    def place(self, name):
        return os.path.join(self.parent, name)

    def keep(self, name="kept"):
        shutil.rmtree(self.place(name), ignore_errors=True)
        shutil.copytree(self.place("store"), self.place(name))

    def put(self, *files, kept="kept"):
        for file in files:
            shutil.copyfile(self.place(f"{kept}/{file}"), self.place(f"store/{file}"))

    def expect_refused(self, *texts, database="store:main", flags=()):
        before = self.contents("main.db")
        ran = self.ran(self.program, database, *flags)
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        for text in ("Database.Failure", "tenure db salvage", *texts):
            self.assertIn(text, ran.stdout)
        self.assertEqual(self.contents("main.db"), before)

    def contents(self, file):
        with open(self.place(f"store/{file}"), "rb") as opened:
            return opened.read()

    def test_everybody_names_it(self):
        self.keep()
        self.count("store:main", 2)
        self.put("main.db")
        said = ("main.db is an older copy", "tenure db salvage store")
        self.expect_refused("main.db is an older copy")
        self.count("store:other", 2)
        self.db("verify", "store", status=1, said=(*said, "database other: 1 pages"))
        self.db("verify", "store:main", status=1, said=said)
        self.db("stat", "store", status=3, said=said)
        for command in ("gc", "compact", "dump"):
            self.db(command, "store:main", status=3, said=said)
        self.db("backup", "store", "copy", status=3, said=said)
        self.assertFalse(os.path.exists(self.place("copy")))
        self.db("salvage", "store", "saved", status=1,
                said=("main: 1 objects", "the file is not the one that the store had last"))
        self.db("verify", "saved")

    def test_of_a_served_store(self):
        self.keep()
        self.count("store:main", 2)
        self.put("main.db")
        with subprocess.Popen([TENURE, "serve", "store"], cwd=self.parent, stdout=subprocess.PIPE,
                              text=True) as server:
            self.assertIn("store", server.stdout.readline())
            self.expect_refused("main.db is an older copy")
            self.count("store:other", 2)
            self.db("verify", "store", status=1, said=("main.db is an older copy",))
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(60), 0)

    def test_whatever_the_policy(self):
        number = 1
        for flags in POLICIES:
            with self.subTest(flags=flags):
                self.keep()
                number += 1
                self.count("store:main", number, *flags)
                newest = self.contents("main.db")
                self.put("main.db")
                self.expect_refused("main.db is an older copy", flags=flags)
                with open(self.place("store/main.db"), "wb") as file:
                    file.write(newest)
                number += 1
                self.count("store:main", number, *flags)
                self.db("verify", "store")

    def test_the_same_file_from_a_backup_is_no_older_one(self):
        self.db("backup", "store", "kept")
        self.put("main.db", "other.db")
        self.count("store:main", 2)
        self.db("verify", "store")

    def test_one_of_another_copy(self):
        """Both have gone on from the same state, by as many commits."""
        self.keep()
        self.count("store:main", 2)
        self.count("kept:main", 2)
        self.put("main.db")
        self.expect_refused("of another copy of the store")
        self.count("kept:main", 3)
        self.put("main.db")
        self.expect_refused("different copies of the store")

    def test_an_older_list_of_databases(self):
        self.keep()
        self.count("store:main", 2)
        newest = self.contents("_store.db"), self.contents("MARK")
        self.put("_store.db")
        self.expect_refused("has lost commits")
        # Nothing tells any more how many commits there were, but the databases.
        self.put("MARK")
        self.expect_refused("different copies of the store")
        self.db("verify", "store", status=1, said=("different copies of the store",))
        self.put("MARK")
        for file, contents in zip(("_store.db", "MARK"), newest):
            with open(self.place("store/" + file), "wb") as opened:
                opened.write(contents)
        self.count("store:main", 3)

    def test_of_a_store_that_was_killed(self):
        self.keep()
        killed = refused = 0
        for flags in ((), ("@M3recovery=diff",)):
            for at in range(10, 70, 6):
                shutil.rmtree(self.place("store"))
                shutil.copytree(self.place("kept"), self.place("store"))
                self.count("store:main", 2, *flags)
                ran = self.ran(self.program, "store:main", f"@M3dbfail=crash:{at}", *flags)
                if ran.returncode == 0:
                    continue
                killed += 1
                right = self.place("right")
                shutil.rmtree(right, ignore_errors=True)
                shutil.copytree(self.place("store"), right)
                self.put("main.db")
                ran = self.ran(self.program, "store:main", *flags)
                if ran.returncode == 0:  # DOUBLEWRITE has all that the file lacks
                    self.assertIn(ran.stdout, ("3\n", "4\n"), (flags, at))
                    continue
                refused += 1
                self.assertIn("Database.Failure", ran.stdout)
                # With the right file nothing is lost.
                self.put("main.db", kept="right")
                ran = self.ran(self.program, "store:main", *flags)
                self.assertEqual(ran.returncode, 0, (flags, at, ran.stdout))
                self.assertIn(ran.stdout, ("3\n", "4\n"))
        self.assertGreater(killed, 4)
        self.assertGreater(refused, 0)

    def test_one_from_before_a_compaction(self):
        for _ in range(2):
            self.keep()
            self.db("compact", "store:main")
            self.put("main.db")
            self.expect_refused("main.db")
            shutil.rmtree(self.place("store"))
            self.keep_back()
        self.db("compact", "store:main")
        self.count("store:main", 2)
        self.db("verify", "store")

    def keep_back(self):
        shutil.copytree(self.place("kept"), self.place("store"))

    def test_it_is_taken_knowingly(self):
        self.keep()
        self.count("store:main", 2)
        os.unlink(self.place("store/main.db"))
        self.db("forget", "store:main")
        self.put("main.db")
        self.db("verify", "store")
        self.count("store:main", 2)
        self.keep("later")
        self.count("store:main", 3)
        self.put("main.db", kept="later")
        self.expect_refused("main.db is an older copy")

    def test_many_sessions_and_databases(self):
        """Each state of a file is another one, and the stores that nobody meddles with are never refused."""
        for round_ in range(2, 8):
            self.keep(f"kept{round_}")
            self.count("store:main", round_)
            self.count("store:other", round_)
        newest = self.contents("main.db")
        for round_ in range(2, 8):
            self.put("main.db", kept=f"kept{round_}")
            self.expect_refused("main.db is an older copy")
        with open(self.place("store/main.db"), "wb") as file:
            file.write(newest)
        self.count("store:main", 8)
        self.count("store:other", 8)


if __name__ == "__main__":
    unittest.main()
