"""A full disk (a small file system in memory): a clear message, no lost data, and the store can
be read."""

import os
import re
import subprocess
import tempfile
import unittest

import programs


# Counts the cells, adds COUNT times a hundred cells of 800 bytes, each in a transaction, and prints
# the number added.
PROGRAM = """
MODULE Main;
IMPORT Database, Fmt, IO, Params, Process, Scan, Transaction;
<*FATAL ANY*>
TYPE
  Cell = REF RECORD next: Cell;  content: ARRAY [0..99] OF INTEGER END;
  Root = REF RECORD first: Cell;  count: INTEGER END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  root: Root;  cell: Cell;  found := 0;
BEGIN
  TRY
    TRY Database.Create("disk/store") EXCEPT Database.DatabaseExists => END;
    db := Database.Open("disk/store");
    tr.begin();
    root := db.getRoot();
    IF root = NIL THEN root := NEW(Root); db.setRoot(root) END;
    cell := root.first;
    WHILE cell # NIL DO INC(found); cell := cell.next END;
    IF found # root.count THEN IO.Put("wrong: " & Fmt.Int(root.count) & "\\n") END;
    IO.Put("found " & Fmt.Int(found) & "\\n");
    tr.commit();
    FOR i := 1 TO Scan.Int(Params.Get(1)) DO
      tr.begin();
      FOR j := 1 TO 100 DO root.first := NEW(Cell, next := root.first) END;
      INC(root.count, 100);
      tr.commit();
      IO.Put("now " & Fmt.Int(found + 100 * i) & "\\n");
    END;
    db.close();
  EXCEPT
  | Database.Failure (why) => IO.Put("Failure: " & why & "\\n"); Process.Exit(1);
  END;
END Main.
"""


def in_a_small_disk(megabytes):
    """A file system of its own, in a mount name space of its own."""
    return ["unshare", "--mount", "--map-root-user", "sh", "-c",
            f"mount -t tmpfs -o size={megabytes}m none disk && exec sh steps"]


class FullDiskTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="full-disk-")
        self.addCleanup(self.directory.cleanup)
        os.mkdir(os.path.join(self.directory.name, "disk"))

    def run_steps(self, steps, megabytes=60):
        with open(os.path.join(self.directory.name, "steps"), "w", encoding="utf-8") as file:
            file.write(steps)
        return subprocess.run(in_a_small_disk(megabytes), cwd=self.directory.name,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)

    def test_a_full_disk_refuses_commits_and_loses_none(self):
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        ran = self.run_steps("""
            ./program 20 | tail -1
            dd if=/dev/zero of=disk/other bs=1M 2>/dev/null
            echo -- it can be read
            ./program 0
            echo -- and not written
            ./program 5
            rm disk/other
            echo -- there is room again
            ./program 5
            echo -- the store itself fills the disk
            ./program 2000 | tail -2
            echo -- and loses nothing
            ./program 0
        """)
        parts = [part.strip().split("\n") for part in re.split("^-- .*\n", ran.stdout, flags=re.M)]
        self.assertEqual(parts[0], ["now 2000"], ran.stdout)
        self.assertEqual(parts[1], ["found 2000"])
        self.assertEqual(parts[2][0], "found 2000")
        self.assertRegex(parts[2][1], "Failure: no space left for store .*disk/store: a commit needs .* KB")
        self.assertEqual(parts[3], ["found 2000"] + [f"now {n}" for n in range(2100, 2600, 100)])
        last = re.fullmatch("now (\\d+)", parts[4][0])
        self.assertTrue(last, ran.stdout)
        self.assertIn("no space left", parts[4][1])
        # Most of the disk has been used.
        self.assertGreater(int(last[1]), 5000)
        self.assertEqual(parts[5], ["found " + last[1]])

    def test_small_commits_need_little_room(self):
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        for megabytes in (16, 24):
            with self.subTest(megabytes=megabytes):
                ran = self.run_steps("""
                    ./program 3
                    echo -- until it is full
                    ./program 1000 | tail -2
                    echo -- and loses nothing
                    ./program 0
                """, megabytes)
                parts = [part.strip().split("\n")
                         for part in re.split("^-- .*\n", ran.stdout, flags=re.M)]
                self.assertEqual(parts[0], ["found 0", "now 100", "now 200", "now 300"], ran.stdout)
                last = re.fullmatch("now (\\d+)", parts[1][0])
                self.assertTrue(last, ran.stdout)
                self.assertIn("no space left", parts[1][1])
                self.assertEqual(parts[2], ["found " + last[1]], ran.stdout)

    # On larger disks there is time for more than one checkpoint before the end.
    def test_a_store_fills_larger_disks_alone(self):
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        for megabytes in (100, 160):
            with self.subTest(megabytes=megabytes):
                ran = self.run_steps("""
                    ./program 100000 | tail -2
                    ./program 0
                    ./program 5
                """, megabytes)
                lines = ran.stdout.strip().split("\n")
                last = re.fullmatch("now (\\d+)", lines[0])
                self.assertTrue(last, ran.stdout)
                self.assertIn("no space left", lines[1])
                self.assertGreater(int(last[1]), 300 * megabytes)
                self.assertEqual(lines[2], "found " + last[1], ran.stdout)
                self.assertEqual(lines[3], "found " + last[1], ran.stdout)

    # Other programs fill the disk between a commit's check of the space and the checkpoint.
    def test_a_served_store_goes_on_when_there_is_room_again(self):
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        for _ in range(3):
            self.fill_the_disk_of_a_server()

    def fill_the_disk_of_a_server(self):
        ran = self.run_steps(f"""
            rm -f log
            {programs.TENURE} serve disk/store >log 2>&1 & server=$!
            until grep -q serving log; do sleep 0.1; done
            ./program 200 >/dev/null & writer=$!
            dd if=/dev/zero of=disk/other bs=64K 2>/dev/null
            wait $writer
            dd if=/dev/zero of=disk/more bs=4K 2>/dev/null
            ./program 1 >/dev/null
            echo -- it can be read
            ./program 0
            rm disk/other disk/more
            echo -- there is room again
            ./program 3
            kill -TERM $server; wait $server; echo status $?
            ./program 0
        """, megabytes=100)
        parts = [part.strip().split("\n") for part in re.split("^-- .*\n", ran.stdout, flags=re.M)]
        found = re.fullmatch("found (\\d+)", parts[1][0])
        self.assertTrue(found, ran.stdout)
        count = int(found[1])
        self.assertEqual(parts[2], [f"found {count}"]
                         + [f"now {n}" for n in range(count + 100, count + 400, 100)]
                         + ["status 0", f"found {count + 300}"])

    # A server that cannot continue prints a message and ends.
    def test_a_server_that_has_failed_ends(self):
        programs.build_program(self.directory.name, PROGRAM)
        in_it = {"cwd": self.directory.name, "stdout": subprocess.PIPE,
                 "stderr": subprocess.STDOUT, "text": True}
        said = []
        subprocess.run(["./program", "1"], timeout=60, check=True, **in_it)
        for at in range(4, 14):
            with subprocess.Popen([programs.TOOL_WITH_FAULTS, "serve", "disk/store", "--fail",
                                   f"io-error:{at}"], **in_it) as server:
                if "serving" in server.stdout.readline():
                    subprocess.run(["./program", "1"], timeout=60, check=False, **in_it)
                    server.terminate()
                said.append(server.communicate(timeout=60)[0])
        self.assertTrue(any("started again" in text for text in said), said)

    def test_a_store_without_room_to_be_made(self):
        if self.run_steps("true").returncode != 0:
            self.skipTest("no file system can be mounted here")
        programs.build_program(self.directory.name, PROGRAM)
        # With one free megabyte a sync finds no space; with none the first write does.
        ran = self.run_steps("""
            dd if=/dev/zero of=disk/other bs=1M count=59 2>/dev/null
            ./program 1
            dd if=/dev/zero of=disk/more bs=1M 2>/dev/null
            ./program 1
            rm disk/other disk/more
            ./program 1
        """)
        lines = ran.stdout.strip().split("\n")
        self.assertEqual(len(lines), 4, ran.stdout)
        for line in lines[:2]:
            self.assertRegex(line, "Failure: .*No space left on device")
        self.assertEqual(lines[2:], ["found 0", "now 100"])


if __name__ == "__main__":
    unittest.main()
