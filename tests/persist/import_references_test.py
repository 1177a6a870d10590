"""References between the databases of a store come back with `tenure db import`, in a directory and in
a served store: with --all, one database after the other, and beside the databases that were exported.
What cannot be imported is refused before anything is made."""

import os
import shutil
import subprocess
import unittest

from programs import TENURE, ProgramTestCase

PROGRAM = r"""
MODULE Main;
(* make STORE: two databases that refer to each other. check MAIN PEOPLE *)
IMPORT Database, IO, Params, Text, Transaction;
TYPE
  Customer = REF RECORD name: TEXT; last: Order END;
  Order = REF RECORD customer: Customer; text: TEXT END;
VAR
  main, people: Database.T;  tr := NEW(Transaction.T);  order: Order;  customer: Customer;
<*FATAL ANY*>
BEGIN
  IF Text.Equal(Params.Get(1), "make") THEN
    WITH store = Params.Get(2) DO
      Database.Create(store);  Database.Create(store & ":people");
      main := Database.Open(store);  people := Database.Open(store & ":people");
    END;
    tr.begin();  people.setRoot(NEW(Customer, name := "Ada"));  tr.commit();
    tr.begin();  main.setRoot(NEW(Order, customer := people.getRoot(), text := "a letter"));  tr.commit();
    tr.begin();  customer := people.getRoot();  customer.last := main.getRoot();  tr.commit();
  ELSE
    main := Database.Open(Params.Get(2));  people := Database.Open(Params.Get(3));
    tr.begin();
    order := main.getRoot();  customer := people.getRoot();
    IO.Put(order.customer.name & " " & customer.last.text);
    IF order.customer = customer AND customer.last = order THEN IO.Put(" same\n") ELSE IO.Put(" others\n") END;
    tr.commit();
  END;
END Main.
"""


class ImportReferencesTest(ProgramTestCase):
    text = PROGRAM

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.source, cls.lines = os.path.join(cls.directory, "source"), os.path.join(cls.directory, "lines")
        subprocess.run([cls.program, "make", cls.source], check=True, timeout=60)
        subprocess.run([TENURE, "db", "export", "--all", cls.source, cls.lines], check=True, timeout=60)

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().split(".")[-1])

    def serve(self):
        os.mkdir(self.store)
        server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)

        def end():
            server.terminate()
            server.communicate(timeout=60)
        self.addCleanup(end)
        self.assertTrue(server.stdout.readline().startswith("serving"))

    def db(self, *words, status=0):
        ran = subprocess.run([TENURE, "db", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def check(self, main="main", people="people"):
        ran = subprocess.run([self.program, "check", f"{self.store}:{main}", f"{self.store}:{people}"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual((ran.returncode, ran.stdout), (0, "Ada a letter same\n"))
        self.db("verify", self.store)
        self.db("verify", f"{self.store}:{people}")

    def import_all(self):
        said = self.db("import", "--all", self.store, self.lines)
        self.assertEqual(said, "main: 2 objects on 1 pages\npeople: 2 objects on 1 pages\n")
        self.check()
        # The exports of the copy are as good.
        again = self.store + ".lines"
        self.db("export", "--all", self.store, again)
        self.store += ".again"
        self.assertNotIn("note", self.db("import", "--all", self.store, again))
        self.check()

    def test_all_into_a_directory(self):
        self.import_all()

    def test_all_into_a_served_store(self):
        self.serve()
        self.import_all()

    def one_after_the_other(self):
        self.assertIn("note: database people, as it is now: import 1 refers to object 1 of database main",
                      self.db("import", self.store + ":people", os.path.join(self.lines, "people.jsonl")))
        self.assertNotIn("note", self.db("import", self.store, os.path.join(self.lines, "main.jsonl")))
        self.check()

    def test_one_after_the_other_into_a_directory(self):
        self.one_after_the_other()

    def test_one_after_the_other_into_a_served_store(self):
        self.serve()
        self.one_after_the_other()

    def beside(self):
        """The databases that were exported keep their references, and the new ones have theirs."""
        self.db("import", "--all", self.store, self.lines)
        other = self.store + ".lines"
        os.mkdir(other)
        for old, new in (("main", "orders"), ("people", "clients")):
            shutil.copy(os.path.join(self.lines, old + ".jsonl"), os.path.join(other, new + ".jsonl"))
        said = self.db("import", "--all", self.store, other)
        self.assertIn("is this store's database people", said)
        self.check()
        self.check("orders", "clients")

    def test_beside_the_exported_databases_in_a_directory(self):
        self.beside()

    def test_beside_the_exported_databases_in_a_served_store(self):
        self.serve()
        self.beside()

    def refused(self, lines, said, status=3):
        def databases():
            return sorted(name for name in os.listdir(self.store) if "main" in name or "people" in name) \
                if os.path.exists(self.store) else None
        before = databases()
        self.assertIn(said, self.db("import", "--all", self.store, lines, status=status))
        self.assertEqual(databases(), before)

    def refusals(self):
        other = self.store + ".lines"
        shutil.copytree(self.lines, other)
        with open(os.path.join(other, "people.jsonl"), "a", encoding="utf-8") as file:
            file.write("{}\n")
        self.refused(other, "people.jsonl: line ")
        shutil.copy(os.path.join(other, "main.jsonl"), os.path.join(other, "people.jsonl"))
        self.refused(other, "the exports of main and people are of one database")
        self.db("import", self.store + ":people", os.path.join(self.lines, "people.jsonl"))
        self.refused(self.lines, "database people exists already")

    def test_refusals_change_nothing_in_a_directory(self):
        self.refusals()

    def test_refusals_change_nothing_in_a_served_store(self):
        self.serve()
        self.refusals()


if __name__ == "__main__":
    unittest.main()
