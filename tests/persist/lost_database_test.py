"""A database whose file is missing: programs and tools report it, and none makes an empty one
in its place; the user restores it or gives it up."""

import os
import shutil
import signal
import subprocess
import unittest

import programs
from programs import OPEN_OR_CREATE, TENURE

# program DATABASE [OTHER]: adds one to the number at the root, and makes a database that does not
# exist; from then on it refers to the root of OTHER.
PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
<*FATAL ANY*>
TYPE
  Counter = REF RECORD n: INTEGER; other: Counter END;
VAR
  tr := NEW(Transaction.T);
  db := Open(Params.Get(1));
  there: Database.T;
  counter: Counter;

""" + OPEN_OR_CREATE + r"""
BEGIN
  IF Params.Count > 2 THEN there := Open(Params.Get(2)) END;
  tr.begin();
  counter := db.getRoot();
  IF counter = NIL THEN counter := NEW(Counter); db.setRoot(counter) END;
  INC(counter.n);
  IF there # NIL THEN counter.other := there.getRoot() END;
  tr.commit();
  IO.Put(Fmt.Int(counter.n) & "\n");
END Main.
"""


class LostDatabaseTest(programs.CountingTestCase):
    text = PROGRAM
    options = ("--faults",)

    def setUp(self):
        super().setUp()
        self.count("store:main", 1)
        self.count("store:late", 1)
        self.file = os.path.join(self.parent, "store", "late.db")

    def expect_lost(self, database="store:late"):
        ran = self.ran(self.program, database)
        self.assertIn("Database.Failure", ran.stdout)
        self.assertIn("late.db is gone", ran.stdout)
        self.assertIn("tenure db forget", ran.stdout)
        self.assertFalse(os.path.exists(self.file))

    def test_everybody_names_it(self):
        os.unlink(self.file)
        self.expect_lost()
        self.count("store:main", 2)
        said = ("late.db is gone", "tenure db forget store:late")
        # The existing databases are still checked.
        self.db("verify", "store", status=1, said=(*said, "database main: 1 pages"))
        self.db("verify", "store:late", status=1, said=said)
        self.db("verify", "--json", "store", status=1, said=said)
        self.db("stat", "store", status=3, said=(*said, "database main: root"))
        self.db("stat", "--json", "store", status=3, said=said)
        self.db("backup", "store", "copy", status=3, said=said)
        self.assertFalse(os.path.exists(os.path.join(self.parent, "copy")))
        for command in ("gc", "compact", "dump"):
            self.db(command, "store:late", status=3, said=said)
        self.db("salvage", "store", "saved", status=1, said=("late: lost: its file late.db is gone",))
        self.db("verify", "saved")

    def test_it_is_put_back(self):
        aside = os.path.join(self.parent, "aside")
        os.rename(self.file, aside)
        self.expect_lost()
        os.rename(aside, self.file)
        self.count("store:late", 2)
        self.db("verify", "store")

    def test_it_is_given_up(self):
        self.db("forget", "store:late", status=3, said=("has its file",))
        self.db("forget", "store", status=2)
        self.db("forget", "store:never", status=3, said=("does not exist",))
        os.unlink(self.file)
        self.db("forget", "store:late", said=("is given up",))
        self.db("verify", "store")
        self.db("backup", "store", "copy")
        self.count("store:late", 1)

    def test_of_a_served_store(self):
        os.unlink(self.file)
        server = subprocess.Popen([TENURE, "serve", "store"], cwd=self.parent,
                                  stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("store", server.stdout.readline())
            self.expect_lost()
            self.count("store:main", 2)
            self.db("verify", "store", status=1, said=("late.db is gone", "database main: 1 pages"))
            self.db("forget", "store:late", status=3, said=("stop the server",))
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(60), 0)
            server.stdout.close()

    def test_of_a_store_that_was_killed(self):
        """The store's log or redo log has commits to the database: none is dropped without
        a message."""
        copy = os.path.join(self.parent, "killed")
        for flags in ((), ("@M3recovery=diff",)):
            ran = self.ran(self.program, "store:late", "@M3dbfail=crash:30", *flags)
            self.assertNotEqual(ran.returncode, 0, ran.stdout)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(os.path.join(self.parent, "store"), copy)
            os.unlink(os.path.join(copy, "late.db"))
            ran = self.ran(self.program, "killed:late")
            if ran.returncode == 0:  # recovery has rebuilt it from the log
                self.assertNotEqual(ran.stdout, "1\n")
            else:
                self.assertIn("Database.Failure", ran.stdout)

    def test_an_imported_database_too(self):
        self.db("export", "store:late", "lines")
        self.db("import", "store:new", "lines")
        os.unlink(os.path.join(self.parent, "store", "new.db"))
        self.db("verify", "store", status=1, said=("new.db is gone",))
        self.db("import", "store:new", "lines", status=3, said=("new.db is gone",))
        self.db("forget", "store:new")
        self.db("import", "store:new", "lines")
        self.db("verify", "store")

    def test_references_to_other_stores_are_followed(self):
        self.count("from:main", 1, "store:late")
        self.assertNotIn("not looked at", self.db("verify", "from"))
        kept = os.path.join(self.parent, "kept")
        shutil.copytree(os.path.join(self.parent, "store"), kept)
        os.unlink(self.file)
        self.db("verify", "from", said=("not looked at: import 1", "late.db is gone"))
        # Another database of that name is not accepted.
        self.db("forget", "store:late")
        self.count("store:late", 1)
        self.db("verify", "from", status=1, said=("another database has that name",))
        shutil.rmtree(os.path.join(self.parent, "store"))
        self.db("verify", "from", said=("not looked at: import 1", "there is no store"))


if __name__ == "__main__":
    unittest.main()
