"""Programs whose data is larger than the memory that @M3memory or a control group gives them."""

import os
import shutil
import subprocess
import sys
import time
import unittest

import programs
from storm_test_case import LONG

# Records of 60 bytes under two B+ trees, one of them in random order; then an update of each in
# place; then a traversal, which prints the sum.
PROGRAM = r"""
MODULE Main;
IMPORT Database, DatabaseStatistics, Fmt, IO, IntRefBPlusTree, Params, Random, Scan, Transaction;
TYPE
  Record = REF RECORD id, key: INTEGER; text: ARRAY [0..43] OF CHAR END;
  Root = OBJECT ids, keys: IntRefBPlusTree.T END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  root: Root;
  rnd := NEW(Random.Default).init(fixed := TRUE);
  count, every: INTEGER;  sum := 0;
<*FATAL ANY*>

PROCEDURE Insert(i: INTEGER) =
  VAR r := NEW(Record, id := i, key := rnd.integer(0, LAST(INTEGER) DIV 2));
  BEGIN
    FOR j := 0 TO 43 DO r.text[j] := VAL(ORD('a') + (i + j) MOD 26, CHAR) END;
    EVAL root.ids.put(i, r);
    EVAL root.keys.put(r.key, r);
  END Insert;

PROCEDURE Each(tree: IntRefBPlusTree.T; add: INTEGER) =
  VAR it := tree.iterateOrdered();  key: INTEGER;  value: REFANY;  n := 0;
  BEGIN
    WHILE it.next(key, value) DO
      WITH r = NARROW(value, Record) DO
        IF add # 0 THEN
          INC(r.id, add);
          INC(n);
          IF n MOD every = 0 THEN tr.checkpoint() END;
        END;
        INC(sum, r.id);
      END;
    END;
  END Each;

BEGIN
  count := Scan.Int(Params.Get(2));
  every := Scan.Int(Params.Get(3));
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  tr.begin();
  root := NEW(Root, ids := NEW(IntRefBPlusTree.T).init(), keys := NEW(IntRefBPlusTree.T).init());
  db.setRoot(root);
  FOR i := 1 TO count DO
    Insert(i);
    IF i MOD every = 0 THEN tr.checkpoint() END;
  END;
  tr.checkpoint();
  Each(root.ids, 1);
  tr.commit();
  tr.begin();
  sum := 0;
  root := db.getRoot();
  Each(root.keys, 0);
  tr.abort();
  IO.Put(Fmt.F("sum %s\n", Fmt.Int(sum)));
  IF DatabaseStatistics.Get(DatabaseStatistics.Kind.PagesDropped) > 0 THEN IO.Put("dropped\n") END;
END Main.
"""

# A list of objects with a checkpoint after each third. An abort takes back what follows the last.
LIST = r"""
MODULE Main;
IMPORT Database, Fmt, IO, Params, Scan, Transaction;
TYPE
  Data = REF ARRAY OF CHAR;
  Cell = REF RECORD next: Cell;  data: Data END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  list: Cell;  made, found := 0;
  megabytes, size: INTEGER;
<*FATAL ANY*>
BEGIN
  megabytes := Scan.Int(Params.Get(2));
  size := Scan.Int(Params.Get(3));
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  tr.begin();
  FOR third := 1 TO 3 DO
    FOR i := 1 TO megabytes * 1000000 DIV size DO
      list := NEW(Cell, next := list, data := NEW(Data, size));
      list.data[0] := 'x';
      INC(made);
    END;
    db.setRoot(list);
    tr.checkpoint();
  END;
  FOR i := 1 TO MIN(5000, made) DO
    list.data[0] := 'y';
    list := list.next;
  END;
  tr.abort();
  tr.begin();
  list := db.getRoot();
  WHILE list # NIL DO
    IF list.data[0] = 'x' THEN INC(found) END;
    list := list.next;
  END;
  tr.commit();
  IO.Put(Fmt.F("found %s of %s\n", Fmt.Int(found), Fmt.Int(made)));
END Main.
"""


def peak_of(command):
    """Runs the command; its output, its status, and the peak of its private and shared memory, in bytes.
    Shared memory counts once, though frames are mapped twice."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        peak = 0
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as mappings:
                    fields = dict(line.split(":", 1) for line in mappings.readlines()[1:])
                peak = max(peak, sum(int(fields[name].split()[0]) for name in ("Pss_Anon", "Pss_Shmem")) << 10)
            except (OSError, KeyError):
                pass  # it is ending
            time.sleep(0.005)
        return process.stdout.read(), process.returncode, peak


class BoundedMemoryTest(programs.ProgramTestCase):
    text = PROGRAM
    records = 50_000
    total = records * (records + 1) // 2 + records

    def run_with(self, every, *flags):
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        output, status, peak = peak_of([self.program, store, str(self.records), str(every), *flags])
        self.assertEqual(status, 0, output)
        self.assertEqual(output.splitlines()[0], f"sum {self.total}", output)
        return output, peak

    def test_memory_is_bounded_with_many_commits_and_with_few(self):
        for every in (2_500, 25_000):
            with self.subTest(every=every):
                output, peak = self.run_with(every, "@M3memory=20M")
                self.assertIn("dropped", output)
                self.assertLess(peak, (20 + 16) << 20)

    @unittest.skipUnless(LONG, "long")
    def test_memory_is_bounded_with_a_million_records(self):
        self.records = 1_000_000
        self.total = self.records * (self.records + 1) // 2 + self.records
        for every in (20_000, 200_000):
            with self.subTest(every=every):
                _, peak = self.run_with(every, "@M3memory=128M")
                self.assertLess(peak, (128 + 16) << 20)

    def test_twins_are_bounded(self):
        self.run_with(25_000, "@M3twins=64K", "@M3memory=20M")

    def test_pages_are_handled_one_by_one(self):
        self.run_with(25_000, "@M3readahead=1", "@M3opentogether=1", "@M3stayopen=off", "@M3frames=4M")

    def test_mprotect_does_as_well(self):
        self.run_with(2_500, "@M3memory=20M", "@M3faults=mprotect", "@M3twins=1M")


class ControlGroupTest(programs.ProgramTestCase):
    """Needs the right to make control groups, version 1 or 2, beside the one that this test is in."""

    text = LIST
    limit_megabytes = 200 if LONG else 64
    megabytes = 160 if LONG else 25  # of objects, before each of three checkpoints
    size = 1000

    def setUp(self):
        self.group = None
        for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            group = os.path.join(root, f"tenure-test-{os.getpid()}")
            try:
                os.mkdir(group)
            except OSError:
                continue
            self.group = group
            try:
                with open(os.path.join(group, limit), "w", encoding="ascii") as file:
                    file.write(str(self.limit_megabytes << 20))
                return
            except OSError:
                os.rmdir(group)
                self.group = None
        self.skipTest("no control group can be made here")

    def tearDown(self):
        # A process that has ended leaves its group a little later.
        for _ in range(100):
            try:
                if self.group is not None:
                    os.rmdir(self.group)
                return
            except OSError:
                time.sleep(0.05)

    def enter(self):
        with open(os.path.join(self.group, "cgroup.procs"), "w", encoding="ascii") as file:
            file.write(str(os.getpid()))

    def test_a_program_lives_within_the_groups_limit(self):
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        done = subprocess.run([self.program, store, str(self.megabytes), str(self.size)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=500 if LONG else 200, check=False,
                              preexec_fn=self.enter)
        self.assertEqual(done.returncode, 0, done.stdout)
        made = 3 * (self.megabytes * 1000000 // self.size)
        self.assertEqual(done.stdout, f"found {made} of {made}\n")


class LargeTransactionTest(programs.ProgramTestCase):
    text = LIST

    def run_with(self, megabytes, *flags):
        store = os.path.join(self.directory, "store")
        shutil.rmtree(store, ignore_errors=True)
        return subprocess.run([self.program, store, str(megabytes), "1000", *flags], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=200, check=False)

    def test_a_transaction_makes_more_objects_than_the_memory_has_room_for(self):
        for tier in ("uffd", "mprotect"):
            with self.subTest(tier=tier):
                done = self.run_with(24, "@M3memory=24M", "@M3faults=" + tier)
                self.assertEqual(done.stdout, "found 72000 of 72000\n")

    def test_the_limit_of_the_heap_counts_what_lies_in_files(self):
        done = self.run_with(24, "@M3memory=24M", "@M3maxheap=20M")
        self.assertEqual(done.returncode, 4)
        self.assertIn("the heap may have at most 20 MB", done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
