"""Base of tests whose program is built once: the paths of the tools, and a directory with the
program."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(os.path.abspath(BUILD), "bin", "tenure")
# Executes what `tenure db` and `tenure serve` do, and takes @M3dbfail=POINT:N and --fail.
TOOL_WITH_FAULTS = os.path.join(os.path.abspath(BUILD), "bin", "tenure-db-faults")


def build_program(directory: str, text: str, *options: str) -> str:
    """The program of the module Main with this text; both lie in `directory`."""
    source = os.path.join(directory, "Main.m3")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    program = os.path.join(directory, "program")
    subprocess.run([TENURE, "build", source, "-o", program, *options], check=True, stdout=subprocess.DEVNULL)
    return program


class ProgramTestCase(unittest.TestCase):
    """Before the tests of a class, its `text` is built to `program`, in
    `directory`."""

    text = ""
    options = ()  # for `tenure build`; --faults: the program takes @M3dbfail

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-persist-")
        cls.program = build_program(cls.directory, cls.text, *cls.options)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)


class CountingTestCase(ProgramTestCase):
    """Tests of a program that adds one to the number at the root of a database, and prints it. Each
    test has a directory, `parent`, of its own."""

    def setUp(self):
        self.parent = os.path.join(self.directory, self.id().split(".")[-1])
        os.mkdir(self.parent)

    def ran(self, *command):
        return subprocess.run(command, cwd=self.parent, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                              timeout=60)

    def count(self, database, number, *flags):
        ran = self.ran(self.program, database, *flags)
        self.assertEqual((ran.returncode, ran.stdout), (0, f"{number}\n"))

    def db(self, *arguments, status=0, said=()):
        ran = self.ran(TENURE, "db", *arguments)
        self.assertEqual(ran.returncode, status, ran.stdout)
        for text in said:
            self.assertIn(text, ran.stdout)
        return ran.stdout


# For programs that make the databases which do not exist: Open(name).
OPEN_OR_CREATE = """PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT Database.DatabaseNotFound =>
      Database.Create(name);
      RETURN Database.Open(name);
    END;
  END Open;
"""

# A list, made by the first run and shown by others.
LIST_PROGRAM = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Text, Transaction;
<*FATAL ANY*>
TYPE
  Colour = {{Red, Green, Blue}};
  Rec = RECORD i: INTEGER; t: TEXT; x: REAL END;
  Base = OBJECT {base} END;
  Node = Base {brand} OBJECT {fields} next: Node END;
VAR db: Database.T;  tr := NEW(Transaction.T);  node, made: Node;

PROCEDURE Hello(): TEXT =
  BEGIN
    RETURN "hello";
  END Hello;

BEGIN
  EVAL FIRST(Colour);  EVAL Hello;  EVAL Text.Length("");
  EVAL Rec{{1, NIL, 1.0}}.i;
  TRY
    db := Database.Open(Params.Get(1));
    tr.begin();
    node := db.getRoot();
    WHILE node # NIL DO {show} node := node.next END;
    tr.commit();
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    FOR i := {count} TO 1 BY -1 DO
      made := NEW(Node, next := made);
      {make}
    END;
    db.setRoot(made);
    tr.commit();
  END;
END Main.
"""

CONVERTER = r"""
MODULE Main;
IMPORT DatabaseConverter, Fmt, Scan, Text;
<*FATAL ANY*>

PROCEDURE Convert(object: DatabaseConverter.Object) RAISES {{DatabaseConverter.Refused}} =
  VAR name: TEXT;  space: INTEGER;
  BEGIN
    {body}
  END Convert;

BEGIN
  DatabaseConverter.Register("{type}", Convert);
  DatabaseConverter.Run();
END Main.
"""


def list_program(fields: str, show: str = "", make: str = "", base: str = "", brand: str = "",
                 count: int = 3) -> str:
    """The text of the list's program: the fields of a Node and its supertype Base, the
    statements for each `node`, and those for each `made`; the list has `count` nodes, numbered
    from i = 1."""
    return LIST_PROGRAM.format(fields=fields, show=show, make=make, base=base, brand=brand,
                               count=count)


def converter(body: str, type_name: str = "Main.Node") -> str:
    """The program of a converter for `object`, of this type."""
    return CONVERTER.format(body=body, type=type_name)


class UpgradeTestCase(unittest.TestCase):
    """A directory for programs and stores, and `tenure db`."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-upgrade-")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    @classmethod
    def place(cls, name):
        return os.path.join(cls.directory, name)

    @classmethod
    def build(cls, name, text):
        directory = cls.place(name + ".dir")
        os.mkdir(directory)
        return build_program(directory, text)

    def db(self, *arguments, status=0):
        ran = subprocess.run([TENURE, "db", *arguments], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=60)
        self.assertEqual(ran.returncode, status, ran.stdout)
        return ran.stdout

    def objects(self, store):
        """Additional types do no harm."""
        return [line for line in self.db("export", store).splitlines() if '"object"' in line]
