#!/usr/bin/env python3
"""Stores with changed files: every tool and a program must handle them without a signal, a hang or
unbounded memory, and report the damage.

    python3 tests/fuzz/store_fuzz.py [--runs N] [--seed S] [--seconds T] [--keep DIR]

Bytes, blocks, pages and whole files are changed; heads, records, references, descriptions of types
and the headers of Berkeley DB's pages are changed as well, and their checksums corrected. Use a
run's seed with --runs 1 to repeat it. A failure is printed with its seed, and the exit status is
then 1.
"""

import argparse
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

PROGRAM = r"""
MODULE Main;
(* program DIR make|kill|read|write: a store with two databases that refer to each other. *)
IMPORT Database, Transaction, IO, Params, Text, Fmt;
TYPE
  Handler = REF RECORD action: PROCEDURE (n: INTEGER) END;
  Shape = OBJECT name: TEXT; next: Shape; METHODS area (): INTEGER := NoArea END;
  Circle = Shape OBJECT r: INTEGER OVERRIDES area := CircleArea END;
  Square = Shape OBJECT side: INTEGER; any: REFANY OVERRIDES area := SquareArea END;
  Tree = REF RECORD
    key: INTEGER; left, right: Tree; shapes: REF ARRAY OF Shape;
    pair: ARRAY [0 .. 1] OF RECORD a: Shape; b: TEXT END
  END;
  Root = REF RECORD
    handler: Handler; data: REF ARRAY OF INTEGER; tree: Tree; shapes: Shape;
    big: REF ARRAY OF Tree; far: REFANY
  END;
<*FATAL ANY*>

PROCEDURE NoArea (<*UNUSED*> s: Shape): INTEGER = BEGIN RETURN 0 END NoArea;
PROCEDURE CircleArea (s: Circle): INTEGER = BEGIN RETURN s.r MOD 1000 END CircleArea;
PROCEDURE SquareArea (s: Square): INTEGER = BEGIN RETURN s.side MOD 1000 END SquareArea;
PROCEDURE Hello (n: INTEGER) = BEGIN IO.Put("hello " & Fmt.Int(n) & "\n") END Hello;

PROCEDURE Insert (VAR t: Tree; k: INTEGER; s: Shape) =
  BEGIN
    IF t = NIL THEN
      t := NEW(Tree, key := k, shapes := NEW(REF ARRAY OF Shape, 3));
      t.shapes[1] := s;  t.pair[0].a := s;  t.pair[1].b := "key " & Fmt.Int(k);
    ELSIF k < t.key THEN Insert(t.left, k, s)
    ELSE Insert(t.right, k, s)
    END;
  END Insert;

PROCEDURE Sum (t: Tree; depth := 0): INTEGER =
  VAR n := 0;
  BEGIN
    IF t = NIL OR depth > 40 THEN RETURN 0 END;
    IF t.shapes # NIL THEN
      FOR i := 0 TO MIN(LAST(t.shapes^), 10) DO
        IF t.shapes[i] # NIL THEN INC(n, t.shapes[i].area()) END;
      END;
    END;
    FOR i := 0 TO 1 DO
      IF t.pair[i].a # NIL THEN INC(n, t.pair[i].a.area()) END;
      IF t.pair[i].b # NIL THEN INC(n, Text.Length(t.pair[i].b)) END;
    END;
    RETURN (n + t.key MOD 1000 + Sum(t.left, depth + 1) + Sum(t.right, depth + 1)) MOD 1000003;
  END Sum;

PROCEDURE Make (db, other: Database.T) =
  VAR r := NEW(Root, handler := NEW(Handler, action := Hello), data := NEW(REF ARRAY OF INTEGER, 8));
      s: Shape;  k := 12345;  q := NEW(Root);
  BEGIN
    FOR i := 0 TO 7 DO r.data[i] := 16_1122334455660000 + i END;
    FOR i := 1 TO 300 DO
      IF i MOD 2 = 0 THEN s := NEW(Circle, r := i)
      ELSE s := NEW(Square, side := i, any := NEW(REF INTEGER))
      END;
      s.name := "shape " & Fmt.Int(i);  s.next := r.shapes;  r.shapes := s;
      k := (k * 1103515245 + 12345) MOD 2147483648;
      Insert(r.tree, k, s);
    END;
    r.big := NEW(REF ARRAY OF Tree, 3000);
    r.big[7] := r.tree;  r.big[2999] := r.tree.left;
    q.shapes := NEW(Circle, r := 2, name := "far");  q.far := r.tree;  r.far := q;
    other.setRoot(q);  db.setRoot(r);
  END Make;

PROCEDURE Read (db: Database.T) =
  VAR r: Root;  s: Shape;  n, steps := 0;
  BEGIN
    TYPECASE db.getRoot() OF Root (q) => r := q ELSE IO.Put("another root\n"); RETURN END;
    IF r.handler # NIL AND r.handler.action # NIL THEN r.handler.action(7) END;
    s := r.shapes;
    WHILE s # NIL AND steps < 2000 DO
      INC(steps);  INC(n, s.area());
      IF s.name # NIL THEN INC(n, Text.Length(s.name)) END;
      TYPECASE s OF
      | Square (q) => TYPECASE q.any OF NULL => | REF INTEGER (p) => INC(n, p^ MOD 10) ELSE END;
      ELSE
      END;
      s := s.next;
    END;
    INC(n, Sum(r.tree));
    IF r.big # NIL THEN
      FOR i := FIRST(r.big^) TO MIN(LAST(r.big^), 5000) DO
        IF r.big[i] # NIL THEN INC(n, r.big[i].key MOD 1000) END;
      END;
    END;
    TYPECASE r.far OF
    | NULL =>
    | Root (q) => IF q.shapes # NIL AND q.shapes.name # NIL THEN IO.Put(q.shapes.name & "\n") END;
    | Tree (t) => IO.Put("tree " & Fmt.Int(Sum(t)) & "\n");
    ELSE IO.Put("far\n");
    END;
    IO.Put(Fmt.Int(n) & "\n");
  END Read;

VAR
  db, other: Database.T;  tr := NEW(Transaction.T);
  store := Params.Get(1);  what := Params.Get(2);
  nowhere: UNTRACED REF INTEGER := NIL;
BEGIN
  IF Text.Equal(what, "make") OR Text.Equal(what, "kill") THEN
    Database.Create(store);  Database.Create(store & ":other");
    db := Database.Open(store);  other := Database.Open(store & ":other");
    tr.begin();  Make(db, other);  tr.commit();
    IF Text.Equal(what, "kill") THEN
      FOR i := 1 TO 20 DO
        tr.begin();
        VAR r: Root := db.getRoot(); BEGIN
          r.shapes := NEW(Circle, r := i, name := "late", next := r.shapes);
        END;
        tr.commit();
      END;
      nowhere^ := 0;
    END;
  ELSE
    db := Database.Open(store);  other := Database.Open(store & ":other");
    tr.begin();  Read(db);  Read(other);
    IF Text.Equal(what, "write") THEN
      VAR r: Root := db.getRoot(); BEGIN
        FOR i := 1 TO 200 DO
          r.shapes := NEW(Circle, r := i, name := "new " & Fmt.Int(i), next := r.shapes);
        END;
      END;
    END;
    tr.commit();
  END;
  db.close();  other.close();
END Main.
"""

# --- Berkeley DB's pages and the records in them.

PAGE = 65536
MASK = 0xFFFFFFFF


def tree_sum(data):
    total = 0
    for byte in data:
        total = (total * 33 + byte) & MASK
    return total


def _table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = _table()


def crc32c(data):
    crc = MASK
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ MASK


def fix_page(data, number):
    """Corrects the checksum of a tree's page."""
    at = number * PAGE
    if data[at + 25] == 9 or number == 0:
        data[at + 492:at + 512] = bytes(20)
        struct.pack_into("<I", data, at + 492, tree_sum(data[at:at + 512]))
    else:
        data[at + 28:at + 32] = bytes(4)
        struct.pack_into("<I", data, at + 28, tree_sum(data[at:at + PAGE]))


def items(data, number):
    """The items of a leaf: [(key, offset of the value, length of the
    value)]."""
    at = number * PAGE
    if len(data) < at + PAGE or data[at + 25] != 5:
        return []
    count = struct.unpack_from("<H", data, at + 20)[0]
    if count > 10000:
        return []
    places = struct.unpack_from(f"<{count}H", data, at + 32)
    found = []
    for i in range(0, count - 1, 2):
        if max(places[i], places[i + 1]) > PAGE - 8:
            continue
        key_length = struct.unpack_from("<H", data, at + places[i])[0]
        length = struct.unpack_from("<H", data, at + places[i + 1])[0]
        key = bytes(data[at + places[i] + 3:at + places[i] + 3 + key_length])
        if places[i + 1] + 3 + length <= PAGE and data[at + places[i + 1] + 2] == 1:
            found.append((key, at + places[i + 1] + 3, length))
    return found


def damage_page(path, page):
    """Changes a byte of the database's page; the sums of the tree around its record stay right."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for tree_page in range(1, len(data) // PAGE):
        for key, value, length in items(data, tree_page):
            if length == 8216 and int.from_bytes(key, "big") == page:
                data[value + 4000] ^= 0xFF
                fix_page(data, tree_page)
    with open(path, "wb") as file:
        file.write(data)


def fix_record(data, key, value, length):
    """Corrects the checksum of a record, according to its kind."""
    if length == 8216:  # a page
        body = key[::-1] + bytes(data[value + 12:value + 24])
        for quarter in range(4):
            begin = value + 24 + 2048 * quarter
            body += struct.pack("<I", crc32c(data[begin:begin + 2048]))
        struct.pack_into("<I", data, value + 8, crc32c(body + bytes(4)))
    elif length in (64, 88) and key == bytes(8):  # a head; 64 bytes in stores of earlier versions
        rest = data[value + 64:value + length]
        struct.pack_into("<I", data, value + 60, crc32c(data[value:value + 60] + rest))
    elif length == 32 and key[:1] == b"C":
        struct.pack_into("<I", data, value + 28, crc32c(data[value:value + 28]))
    elif length > 4:
        struct.pack_into("<I", data, value, crc32c(data[value + 4:value + length]))


# --- The changes of a store.

ODD = [0, 1, 2, 7, 8, 9, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
       1 << 40, 1 << 56, (1 << 60) + 8, (1 << 64) - 1, (1 << 63)]


def odd(rng, size):
    value = rng.choice(ODD + [rng.getrandbits(64), rng.randrange(200), 8 * rng.randrange(8192)])
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


class Store:
    def __init__(self, path, rng):
        self.path, self.rng, self.done = path, rng, []

    def files(self, suffix=""):
        return sorted(n for n in os.listdir(self.path) if n.endswith(suffix)
                      and os.path.isfile(os.path.join(self.path, n)))

    def load(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return bytearray(file.read())

    def save(self, name, data):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)

    def note(self, text):
        self.done.append(text)

    def any_file(self):
        big = [n for n in self.files() if os.path.getsize(os.path.join(self.path, n)) > 0]
        return self.rng.choice(big)

    def flip(self):
        name = self.any_file()
        data = self.load(name)
        if not data:
            return
        for _ in range(self.rng.choice([1, 1, 1, 4])):
            at = self.rng.randrange(len(data))
            data[at] ^= 1 << self.rng.randrange(8)
            self.note(f"bit at {at} of {name}")
        self.save(name, data)

    def block(self):
        name = self.any_file()
        data = self.load(name)
        size = self.rng.choice([1, 8, 16, 512, 4096, PAGE])
        at = self.rng.randrange(max(1, len(data)))
        at -= at % size
        kind = self.rng.choice(["zero", "ones", "random", "copy"])
        end = min(len(data), at + size)
        other = self.rng.randrange(max(1, len(data) - size + 1))
        new = {"zero": bytes(end - at), "ones": b"\xff" * (end - at),
               "random": self.rng.randbytes(end - at),
               "copy": bytes(data[other:other + end - at])}[kind]
        data[at:end] = new.ljust(end - at, b"\0")
        self.note(f"{kind} block of {size} at {at} of {name}")
        self.save(name, data)

    def length(self):
        name = self.any_file()
        data = self.load(name)
        if self.rng.random() < 0.7:
            size = self.rng.randrange(len(data) + 1)
            size -= size % self.rng.choice([1, 1, 512, PAGE])
            data = data[:size]
        else:
            data += self.rng.choice([bytes(PAGE), self.rng.randbytes(1000), b"\n"])
        self.note(f"{name} has length {len(data)}")
        self.save(name, data)

    def tree(self):
        name = self.rng.choice(self.files(".db"))
        return name, self.load(name)

    def misplace(self):
        name, data = self.tree()
        source, other = self.tree()
        pages = len(data) // PAGE
        if pages < 1 or len(other) < PAGE:
            return
        to, from_ = self.rng.randrange(pages), self.rng.randrange(len(other) // PAGE)
        data[to * PAGE:(to + 1) * PAGE] = other[from_ * PAGE:(from_ + 1) * PAGE]
        if self.rng.random() < 0.4:
            struct.pack_into("<I", data, to * PAGE + 8, to)
            fix_page(data, to)
        self.note(f"page {from_} of {source} at page {to} of {name}")
        self.save(name, data)

    def swap_files(self):
        names = self.files()
        a, b = self.rng.choice(names), self.rng.choice(names)
        if self.rng.random() < 0.5:
            b = self.rng.choice(self.files(".db"))
            a = self.rng.choice(self.files(".db"))
        first, second = self.load(a), self.load(b)
        self.save(a, second)
        if self.rng.random() < 0.5:
            self.save(b, first)
        self.note(f"{b} in the place of {a}")

    def remove(self):
        name = self.rng.choice(self.files())
        os.unlink(os.path.join(self.path, name))
        self.note(f"without {name}")

    def page_word(self):
        """Changes the header of a page of a tree."""
        name, data = self.tree()
        if len(data) < PAGE:
            return
        page = self.rng.randrange(len(data) // PAGE)
        base = page * PAGE
        if page == 0:
            at, size = self.rng.choice([(12, 4), (16, 4), (20, 4), (24, 1), (25, 1), (26, 1), (28, 4),
                                        (32, 4), (36, 4), (40, 4), (44, 4), (48, 4), (52, 4), (76, 4),
                                        (80, 4), (84, 4), (88, 4), (0, 8), (8, 4)])
        else:
            at, size = self.rng.choice([(0, 8), (8, 4), (12, 4), (16, 4), (20, 2), (22, 2), (24, 1),
                                        (25, 1), (26, 1), (32, 2), (34, 2), (36, 2), (38, 2)])
            if self.rng.random() < 0.4:
                count = struct.unpack_from("<H", data, base + 20)[0]
                if 0 < count < 10000:
                    place = struct.unpack_from("<H", data, base + 32 + 2 * self.rng.randrange(count))[0]
                    at, size = place + self.rng.choice([0, 2, 4, 8]), self.rng.choice([1, 2, 4])
                    at = min(at, PAGE - 8)
        new = odd(self.rng, size)
        if self.rng.random() < 0.4:
            new = self.rng.randrange(len(data) // PAGE + 1).to_bytes(8, "little")[:size]
        data[base + at:base + at + size] = new
        fix_page(data, page)
        self.note(f"{new.hex()} at {at} of page {page} of {name}, summed")
        self.save(name, data)

    def records(self, name, data):
        return [(page, *item) for page in range(len(data) // PAGE) for item in items(data, page)]

    def record_word(self):
        """A word of a record: of a head, a page, a type, an entry of a table."""
        name, data = self.tree()
        all_records = self.records(name, data)
        if not all_records:
            return
        heads = [r for r in all_records if r[1] == bytes(8)]
        if heads and self.rng.random() < 0.2:
            all_records = heads
        page, key, value, length = self.rng.choice(all_records)
        if length == 8216:
            words = range(24, 8216, 8)
            at = self.rng.choice([0, 12, 16, 20] + [self.rng.choice(words) for _ in range(4)])
            size = 4 if at < 24 else 8
            if at >= 24 and self.rng.random() < 0.7:  # a word that is not zero
                used = [w for w in words if any(data[value + w:value + w + 8])]
                at = self.rng.choice(used or [24])
            new = odd(self.rng, size)
            if at >= 24 and self.rng.random() < 0.6:
                other = self.rng.choice([r for r in all_records if r[3] == 8216])
                word = self.rng.choice(words)
                new = bytes(data[other[2] + word:other[2] + word + 8])
                if self.rng.random() < 0.5:
                    number = int.from_bytes(other[1], "big")
                    new = (number * 8192 + 8 * self.rng.randrange(1024)).to_bytes(8, "little")
        else:
            size = self.rng.choice([1, 4, 8])
            at = self.rng.randrange(max(1, length - size))
            if self.rng.random() < 0.5:
                at -= at % 8
            new = odd(self.rng, size)
            if key[:1] == b"T" and self.rng.random() < 0.7:
                digits = [i for i in range(4, length) if 48 <= data[value + i] < 58]
                if digits:
                    at, size = self.rng.choice(digits), 1
                    new = bytes([self.rng.choice(b"0123456789 -")])
        size = min(size, length - at)
        data[value + at:value + at + size] = new[:size]
        fix_record(data, key, value, length)
        fix_page(data, page)
        self.note(f"{new[:size].hex()} at {at} of record {key.hex()} of {name}, summed")
        self.save(name, data)

    def swap_records(self):
        """Two records of a kind, each with the other's key."""
        name, data = self.tree()
        all_records = self.records(name, data)
        if len(all_records) < 2:
            return
        first = self.rng.choice(all_records)
        same = [r for r in all_records if r[3] == first[3] and r is not first]
        if not same:
            return
        second = self.rng.choice(same)
        (p, k, v, n), (q, l, w, _) = first, second
        data[v:v + n], data[w:w + n] = data[w:w + n], data[v:v + n]
        fix_record(data, k, v, n)
        fix_record(data, l, w, n)
        fix_page(data, p)
        fix_page(data, q)
        self.note(f"records {k.hex()} and {l.hex()} of {name} exchanged, summed")
        self.save(name, data)

    def log(self):
        logs = [n for n in self.files() if n.startswith("log.") or n in ("REDO", "DOUBLEWRITE")]
        logs = [n for n in logs if os.path.getsize(os.path.join(self.path, n)) > 0]
        if not logs:
            return self.flip()
        name = self.rng.choice(logs)
        data = self.load(name)
        used = len(bytes(data).rstrip(b"\0")) or 1
        at = self.rng.randrange(used)
        new = self.rng.choice([odd(self.rng, 4), odd(self.rng, 8), bytes(64)])
        data[at:at + len(new)] = new
        self.note(f"{new.hex()[:16]} at {at} of {name}")
        self.save(name, data)
        return None

    def change(self):
        step = self.rng.choices(
            [self.flip, self.block, self.length, self.misplace, self.swap_files, self.remove,
             self.page_word, self.record_word, self.swap_records, self.log],
            [3, 3, 2, 3, 1, 1, 8, 12, 2, 2])[0]
        step()


# "agree": a program reads the store, and verification must find everything that the program cannot
# read.
COMMANDS = ["verify", "verify", "verify", "stat", "schema", "dump", "why", "export", "check", "gc",
            "compact", "backup", "salvage", "read", "read", "read", "write", "read-paranoid",
            "agree", "agree", "show", "show", "query", "query", "set", "csv"]

# For commands that read data: paths to places where the program's objects may be.
PATHS = ["", "root", "root.tree.left.shapes[1].name", "root.big", "root.data[3..5]", "root.far.shapes",
         "root.tree.pair", "root.handler"]
QUERIES = ["Main.Shape where r > 100 select name, r sort by r desc limit 5", "root.big where it # nil count",
           "from Main.Tree group by left is nil select left is nil, count(*) as n", "names",
           "root.data select it sort by it", "Main.Square where any # nil select id(it), type(any)"]
CHANGES = [("root.data[3]", "17"), ("root.shapes.name", '"changed"'), ("root.big[7]", "root.big[2999]"),
           ("root.tree.pair[0].a", "NIL"), ("root.tree.key", "-1")]

SECONDS = 30
MEGABYTES = 600


def processor_seconds(pid):
    """The processor time that a process has taken so far."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Fuzz:
    def __init__(self, directory, tenure):
        self.directory, self.tenure = directory, tenure
        source = os.path.join(directory, "Main.m3")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        self.program = os.path.join(directory, "program")
        subprocess.run([tenure, "build", source, "-o", self.program], check=True,
                       stdout=subprocess.DEVNULL)
        self.seeds = []
        for what, flags in [("make", []), ("kill", []), ("kill", ["@M3recovery=diff"]),
                            ("kill", ["@M3recovery=whole"])]:
            path = os.path.join(directory, f"seed{len(self.seeds)}")
            ran = subprocess.run([self.program, path, what, *flags], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, check=False)
            assert (ran.returncode == 0) == (what == "make"), (what, ran.returncode)
            self.seeds.append(path)

    def command(self, what, store, extra):
        if what == "read-paranoid":
            return [self.program, store, "read", "@M3paranoiddb"]
        if what in ("read", "write", "agree"):
            return [self.program, store, "read" if what == "agree" else what]
        command = [self.tenure, "db", what, store]
        if what == "why":
            command.append(f"{1 + extra % 12}:{8 * (1 + extra // 12 % 100)}")
        if what in ("export", "backup", "salvage"):
            command.append(store + ".out")
        if what == "check":
            command.append(self.program)
        if what == "csv":
            command[2:] = ["export", store, store + ".out", "--csv", "Main.Tree"]
        if what == "show":
            command += [PATHS[extra % len(PATHS)]] if extra % 3 else [f"{1 + extra % 12}:{8 * (1 + extra // 12)}"]
        if what == "query":
            command.append(QUERIES[extra % len(QUERIES)])
        if what == "set":
            command += [*CHANGES[extra % len(CHANGES)]]
        return command

    def execute(self, command):
        """(status, usage, what it said, whether it was ended). A busy machine is no reason to end it: it may
        take SECONDS of a processor, and ten times as long by the clock."""
        with open(os.path.join(self.directory, f"out{os.getpid()}"), "wb+") as out:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=out, start_new_session=True)
            end = time.monotonic() + 10 * SECONDS
            look, hung = time.monotonic() + SECONDS, False
            while True:
                pid, status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid != 0:
                    break
                now = time.monotonic()
                if now > end or (now > look and processor_seconds(child.pid) > SECONDS):
                    hung = True
                    os.killpg(child.pid, 9)
                    _, status, usage = os.wait4(child.pid, 0)
                    break
                time.sleep(0.002 if now < look else 0.2)
            child.returncode = 0
            out.seek(0)
            return status, usage, out.read().decode("utf-8", "replace"), hung

    def run(self, seed, keep=None):
        """The failure, or None."""
        rng = random.Random(seed)
        store = os.path.join(self.directory, f"run{os.getpid()}")
        for path in (store, store + ".out"):
            shutil.rmtree(path, ignore_errors=True)
            if os.path.exists(path):
                os.unlink(path)
        from_ = rng.choice(self.seeds)
        # Cut off the empty end of a log: keeping it would test nothing more, only slow the test
        # down.
        shutil.copytree(from_, store)
        changes = Store(store, rng)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            if changes.files(".db"):
                changes.change()
        what = rng.choice(COMMANDS)
        if keep or what == "agree":
            shutil.copytree(store, keep or store + ".out")
        command = self.command(what, store, rng.randrange(1200))
        status, usage, said, hung = self.execute(command)
        wrong = []
        code = os.waitstatus_to_exitcode(status)
        if hung:
            wrong.append("it hung" if usage.ru_utime > SECONDS / 4 else "it waited for ever")
        elif code < 0 or code >= 128:
            wrong.append(f"status {code}")
        if usage.ru_maxrss > MEGABYTES << 10:
            wrong.append(f"{usage.ru_maxrss >> 10} MB")
        for sign in ("check failed", "terminate called", "Sanitizer", "internal error", "(signal"):
            if sign in said:
                wrong.append(sign)
        if not hung and code != 0 and not said.strip() and what not in ("verify", "check", "salvage"):
            wrong.append("nothing was said")
        # Verification finds everything that the program cannot read.
        if what == "agree" and "Database.Failure" in said:
            status, _, _, hung = self.execute(self.command("verify", keep or store + ".out", 0))
            if hung:
                wrong.append("verify hung")
            if status == 0:
                wrong.append("verify finds nothing")
        if not wrong:
            return None
        return (f"seed {seed}: {' '.join(wrong)}: {what} of {os.path.basename(from_)} with "
                f"{'; '.join(changes.done)}\n    {said.strip()[:400]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=0, help="no run begins after so long")
    parser.add_argument("--keep", help="the changed store of the (last) run is kept there")
    parser.add_argument("--tenure", default=TENURE)
    given = parser.parse_args()
    first = given.seed if given.seed is not None else random.randrange(10**9)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    begin, done, bad = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="store-fuzz-") as directory:
        fuzz = Fuzz(directory, given.tenure)
        for seed in range(first, first + given.runs):
            if given.seconds and time.monotonic() - begin > given.seconds:
                break
            report = fuzz.run(seed, given.keep)
            done += 1
            if done % 1000 == 0:
                print(f"{done} runs, {bad} not clean", file=sys.stderr, flush=True)
            if report:
                bad += 1
                print(report, flush=True)
    print(f"{done} runs from seed {first}: {done - bad} clean, {bad} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
