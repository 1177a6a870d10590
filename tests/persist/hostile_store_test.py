"""Stores that were built to mislead a program or a tool, with correct checksums."""

import os
import shutil
import struct
import subprocess
import sys
import unittest

import programs

sys.path.insert(0, os.path.join(programs.ROOT, "tests", "fuzz"))
import store_fuzz as trees  # noqa: E402

MARK = 0x1122334455660000

PROGRAM = """
MODULE Main;
(* program STORE make|other|read *)
IMPORT Database, Fmt, IO, Params, Text, Transaction;
TYPE
  Handler = REF RECORD action: PROCEDURE (n: INTEGER) END;
  Numbers = REF ARRAY OF INTEGER;
  Shape = OBJECT METHODS show () := ShowShape END;
  Pair = REF RECORD both: ARRAY [0 .. 1] OF RECORD shape: Shape; name: TEXT END END;
  Deep = REF RECORD
    all: ARRAY [0 .. 1] OF RECORD shapes: ARRAY [0 .. 1] OF Shape; name: TEXT END
  END;
  Painter = REF RECORD paint: PROCEDURE (s: Shape) := NIL END;
  Root = REF RECORD
    handler: Handler; data: Numbers; shape: Shape; pair: Pair; far: Numbers; deep: Deep;
    painter: Painter; large: Numbers
  END;
  Other = REF RECORD a, b: INTEGER END;
<*FATAL ANY*>
PROCEDURE Hello (n: INTEGER) = BEGIN IO.Put("hello " & Fmt.Int(n) & "\\n") END Hello;
PROCEDURE Never (<*UNUSED*> n: INTEGER) = BEGIN IO.Put("NEVER\\n") END Never;
PROCEDURE ShowShape (<*UNUSED*> s: Shape) = BEGIN IO.Put("shape\\n") END ShowShape;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  r: Root;  p: PROCEDURE (n: INTEGER) := Never;
BEGIN
  IF NOT Text.Equal(Params.Get(2), "read") THEN
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin();
    IF Text.Equal(Params.Get(2), "other") THEN db.setRoot(NEW(Other, a := 1));
    ELSE
      r := NEW(Root, handler := NEW(Handler, action := Hello), data := NEW(Numbers, 8),
               shape := NEW(Shape), pair := NEW(Pair), far := NEW(Numbers, 1000), deep := NEW(Deep),
               painter := NEW(Painter, paint := ShowShape), large := NEW(Numbers, 3000));
      FOR i := 0 TO 7 DO r.data[i] := 16_1122334455660000 + i END;
      r.pair.both[1].shape := r.shape;  r.pair.both[1].name := "one";
      r.deep.all[1].shapes[1] := r.shape;  r.deep.all[1].name := "deep";
      db.setRoot(r);
    END;
    tr.commit();  db.close();
  ELSE
    IF Text.Equal(Params.Get(1), "") THEN p(1) END;
    db := Database.Open(Params.Get(1));
    tr.begin();
    TYPECASE db.getRoot() OF
    | Root (root) =>
        IO.Put(Fmt.Int(root.far[999]) & "\\n");
        root.handler.action(root.data[7] MOD 10);  root.shape.show();
        root.pair.both[1].shape.show();  IO.Put(root.pair.both[1].name & "\\n");
        root.deep.all[1].shapes[1].show();  IO.Put(root.deep.all[1].name & "\\n");
    ELSE IO.Put("another root\\n");
    END;
    tr.commit();
  END;
END Main.
"""


class HostileStoreTest(programs.ProgramTestCase):
    text = PROGRAM

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good = os.path.join(cls.directory, "good")
        cls.other = os.path.join(cls.directory, "other")
        for store, what in ((cls.good, "make"), (cls.other, "other")):
            subprocess.run([cls.program, store, what], check=True, stdin=subprocess.DEVNULL)

    def setUp(self):
        self.store = os.path.join(self.directory, self.id().rpartition(".")[2])
        shutil.copytree(self.good, self.store)

    def load(self, name="main.db"):
        with open(os.path.join(self.store, name), "rb") as file:
            return bytearray(file.read())

    def save(self, data, name="main.db"):
        with open(os.path.join(self.store, name), "wb") as file:
            file.write(data)

    def run_one(self, *command):
        return subprocess.run(command, text=True, timeout=60, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def expect_refused(self, *said):
        """Verification finds the damage, and the program reports it as damage of the
        database."""
        verified = self.run_one(programs.TENURE, "db", "verify", self.store)
        self.assertIn(verified.returncode, (1, 3), verified)
        for flags in ((), ("@M3paranoiddb",)):
            ran = self.run_one(self.program, self.store, "read", *flags)
            self.assertNotIn("NEVER", ran.stdout)
            self.assertIn("Database.Failure", ran.stderr)
            self.assertGreater(ran.returncode, 0)
            for text in said if not flags else ():
                self.assertIn(text, verified.stdout + verified.stderr + ran.stderr)

    # --- References

    def pages(self, data):
        """The records of pages: (tree page, key, offset of the contents, number)."""
        return [(page, key, value + 24, int.from_bytes(key, "big"))
                for page in range(1, len(data) // trees.PAGE)
                for key, value, length in trees.items(data, page) if length == 8216]

    def words(self, data, contents):
        return struct.unpack_from("<1024Q", data, contents)

    def find(self, data, word):
        for page, key, contents, number in self.pages(data):
            words = self.words(data, contents)
            if word in words:
                return page, key, contents, number, 8 * words.index(word)
        raise AssertionError(hex(word))

    def change(self, offset, new):
        """The word at this offset from the beginning of the root's fields."""
        data = self.load()
        root = next(struct.unpack_from("<Q", data, value + 32)[0]
                    for page in range(1, len(data) // trees.PAGE)
                    for key, value, length in trees.items(data, page) if key == bytes(8))
        for page, key, contents, number in self.pages(data):
            if number == root // 8192:
                at = contents + root % 8192 + offset
                old = struct.unpack_from("<Q", data, at)[0]
                struct.pack_into("<Q", data, at, new(data, root, old))
                trees.fix_record(data, key, contents - 24, 8216)
                trees.fix_page(data, page)
        self.save(data)

    def test_what_is_whole_is_read(self):
        ran = self.run_one(self.program, self.store, "read")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                         (0, "0\nhello 9\nshape\nshape\none\nshape\ndeep\n", ""))
        verified = self.run_one(programs.TENURE, "db", "verify", self.store)
        self.assertEqual(verified.returncode, 0, verified)

    def test_a_reference_into_an_array_calls_nothing(self):
        def into(data, root, old):
            _, _, _, number, at = self.find(data, MARK)
            return number * 8192 + at
        self.change(0, into)
        self.expect_refused("where no object begins")

    def test_a_procedure_of_another_signature_is_not_called(self):
        """A slot has NIL instead, so a call of it ends in an exception. The store keeps its value."""
        before = self.load()
        data = self.load()
        words = [(page, key, contents, 8 * i, word)
                 for page, key, contents, _ in self.pages(data)
                 for i, word in enumerate(self.words(data, contents))
                 if word & 7 == 2 and word < 1000]
        self.assertEqual(len(words), 2, words)
        (page, key, contents, first, one), (_, _, other, second, two) = words
        self.assertEqual(contents, other)
        struct.pack_into("<Q", data, contents + first, two)
        struct.pack_into("<Q", data, contents + second, one)
        trees.fix_record(data, key, contents - 24, 8216)
        trees.fix_page(data, page)
        self.save(data)
        for _ in range(2):
            ran = self.run_one(self.program, self.store, "read")
            self.assertNotIn("shape", ran.stdout)
            self.assertIn("NIL", ran.stderr)
            self.assertGreater(ran.returncode, 0)
        self.save(before)
        self.assertEqual(self.run_one(self.program, self.store, "read").returncode, 0)

    def test_a_reference_to_an_object_of_another_type_is_seen(self):
        self.change(0, lambda data, root, old: root)
        self.expect_refused("Main.Root", "Handler")
        # In the export such a reference is NIL, and counted.
        target = self.store + ".saved"
        saved = self.run_one(programs.TENURE, "db", "salvage", self.store, target)
        self.assertEqual(saved.returncode, 1, saved)
        self.assertIn("1 references lost", saved.stdout)
        self.assertIn("1 of these references led to objects of other types", saved.stdout)
        verified = self.run_one(programs.TENURE, "db", "verify", target)
        self.assertEqual(verified.returncode, 0, verified)
        ran = self.run_one(self.program, target, "read")
        self.assertIn("NIL", ran.stderr)

    def test_the_header_of_a_large_object_names_its_type(self):
        for header in (1 << 62, 0, 0xffffffffffffffff):
            shutil.rmtree(self.store)
            shutil.copytree(self.good, self.store)
            large = {}

            def keep(data, root, old):
                large["at"] = old
                return old
            self.change(56, keep)
            data = self.load()
            for page, key, contents, number in self.pages(data):
                if number == large["at"] // 8192:
                    self.assertNotEqual(struct.unpack_from("<Q", data, contents)[0], header)
                    struct.pack_into("<Q", data, contents, header)
                    trees.fix_record(data, key, contents - 24, 8216)
                    trees.fix_page(data, page)
            self.save(data)
            verified = self.run_one(programs.TENURE, "db", "verify", self.store)
            self.assertEqual(verified.returncode, 1, verified)
            target = self.store + ".saved"
            saved = self.run_one(programs.TENURE, "db", "salvage", self.store, target)
            self.assertEqual(saved.returncode, 1, saved)
            self.assertIn("3 damaged pages, 1 references lost", saved.stdout)
            self.assertEqual(self.run_one(programs.TENURE, "db", "verify", target).returncode, 0)
            shutil.rmtree(target)

    def test_an_object_is_no_supertype(self):
        self.change(16, lambda data, root, old: struct.unpack_from(
            "<Q", data, self.at_root(data, root) + 8)[0])
        self.expect_refused("Main.Shape")

    def test_a_reference_to_a_page_that_comes_later_is_seen(self):
        far = {}

        def keep(data, root, old):
            far["to"] = old
            return old
        self.change(32, keep)
        self.assertNotEqual(far["to"] // 8192, 0)
        for wrong in (far["to"] + 64, far["to"]):
            shutil.rmtree(self.store)
            shutil.copytree(self.good, self.store)
            self.change(0 if wrong == far["to"] else 32, lambda data, root, old, w=wrong: w)
            self.expect_refused()

    def test_records_in_arrays_are_told_apart(self):
        self.swap_shape_and_name(field=24, at=16)  # both[1]

    def test_arrays_in_records_are_told_apart(self):
        self.swap_shape_and_name(field=40, at=32)  # all[1].shapes[1]

    def swap_shape_and_name(self, field, at):
        data = self.load()
        root = next(struct.unpack_from("<Q", data, value + 32)[0]
                    for page in range(1, len(data) // trees.PAGE)
                    for key, value, length in trees.items(data, page) if key == bytes(8))
        pair = struct.unpack_from("<Q", data, self.at_root(data, root) + field)[0]
        for page, key, contents, number in self.pages(data):
            if number == pair // 8192:
                place = contents + pair % 8192 + at
                shape, name = struct.unpack_from("<QQ", data, place)
                struct.pack_into("<QQ", data, place, name, shape)
                trees.fix_record(data, key, contents - 24, 8216)
                trees.fix_page(data, page)
        self.save(data)
        self.expect_refused("TEXT")

    def at_root(self, data, root):
        return next(contents + root % 8192 for _, _, contents, number in self.pages(data)
                    if number == root // 8192)

    # --- Heads and trees

    def test_a_database_of_another_store_is_refused(self):
        shutil.copy(os.path.join(self.other, "main.db"), self.store)
        self.expect_refused("is a database of the store with uuid")

    def test_a_head_that_names_no_store_is_as_good_as_before(self):
        self.change_head(12, bytes(4))
        self.change_head(48, bytes(12))
        ran = self.run_one(self.program, self.store, "read")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def change_head(self, at, new):
        data = self.load()
        for page in range(1, len(data) // trees.PAGE):
            for key, value, length in trees.items(data, page):
                if key == bytes(8):
                    data[value + at:value + at + len(new)] = new
                    trees.fix_record(data, key, value, length)
                    trees.fix_page(data, page)
        self.save(data)

    def test_pages_that_were_never_made(self):
        for number in (1 << 60, 1 << 40, 9, 2):
            self.change_head(40, number.to_bytes(8, "little"))
            self.expect_refused("pages have been made" if number < 1 << 51 else "head")

    def change_tree(self, page, at, new, name="main.db"):
        data = self.load(name)
        data[page * trees.PAGE + at:page * trees.PAGE + at + len(new)] = new
        trees.fix_page(data, page)
        self.save(data, name)

    def test_settings_that_a_tree_cannot_have(self):
        for at, new in ((76, bytes(4)), (20, (4096).to_bytes(4, "little")),
                        (88, (7).to_bytes(4, "little")), (32, (1 << 30).to_bytes(4, "little"))):
            shutil.copy(os.path.join(self.good, "main.db"), self.store)
            self.change_tree(0, at, new)
            self.expect_refused("main.db")

    def test_pages_at_the_place_of_others(self):
        data = self.load()
        page = trees.PAGE
        self.save(data[:page] + self.load("_store.db")[page:2 * page] + data[2 * page:])
        self.expect_refused()
        shutil.copy(os.path.join(self.good, "main.db"), self.store)
        self.change_tree(1, 8, (2).to_bytes(4, "little"))
        self.expect_refused("is page 2 of a tree")
        # A meta page without checksum in the place of the root.
        data = self.load()
        self.save(data[:page] + data[:page] + data[2 * page:])
        self.change_tree(1, 26, b"\0")
        self.expect_refused("main.db")

    def test_levels_items_and_links_that_lead_in_circles(self):
        for at, new in ((24, b"\x07"), (20, b"\xff\xff"), (32, b"\xfc\xff"), (16, b"\x01\0\0\0")):
            shutil.copy(os.path.join(self.good, "main.db"), self.store)
            self.change_tree(1, at, new)
            self.expect_refused("page 1")


if __name__ == "__main__":
    unittest.main()
