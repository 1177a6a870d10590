"""Commands that write a database anew (upgrade, compact, import, salvage) on disks with every amount of room, from
none to enough: each ends with the old state or the new one, as a whole, says what it needs, and leaves a store that
opens at once on the disk as full as it is. Small file systems in memory, in mount name spaces of their own."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import programs
from full_disk_test import PROGRAM, in_a_small_disk

LONG = bool(os.environ.get("TENURE_LONG"))
STEP = 16 if LONG else 128  # KB
DISK = 60  # MB

# For each amount of free KB: a copy of the store, with the blocks that a program's closing reserves; the rest of the
# disk filled; the command; then what programs and tools find, on the disk as it is.
STEPS = """
cp store.tar disk/
for free in $(seq {first} {step} {last}); do
  rm -rf disk/store disk/other disk/made
  tar -C disk -xf store.tar && ./program 1 >/dev/null || exit 9
  rm -f disk/store.tar
  dd if=/dev/zero of=disk/other bs=1M 2>/dev/null
  truncate -s -${{free}}K disk/other
  echo "== $free"
  {command} >said 2>&1; echo "status $?"; tail -1 said
  {look}
done
"""


class ReplacingRoomTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="replacing-room-")
        os.mkdir(os.path.join(cls.directory, "disk"))
        if subprocess.run(in_a_small_disk(1)[:3] + ["true"], cwd=cls.directory, check=False,
                          stderr=subprocess.DEVNULL).returncode != 0 or cls.run_steps("true").returncode != 0:
            shutil.rmtree(cls.directory)
            raise unittest.SkipTest("no file system can be mounted here")
        programs.build_program(cls.directory, PROGRAM)
        new = os.path.join(cls.directory, "new")
        os.mkdir(new)
        programs.build_program(new, PROGRAM.replace("content:", "more: INTEGER := 7;  content:"))
        # About 1.1 MB, of which a part is garbage.
        cls.run_steps("./program 10; tar -C disk -cf store.tar store")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    @classmethod
    def run_steps(cls, steps):
        with open(os.path.join(cls.directory, "steps"), "w", encoding="utf-8") as file:
            file.write(steps)
        return subprocess.run(in_a_small_disk(DISK), cwd=cls.directory, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=3000, check=False)

    def attempts(self, command, look, last=3072):
        """(free KB, status, last line said, lines of `look`) of each."""
        ran = self.run_steps(STEPS.format(first=0, step=STEP, last=last, command=command, look=look))
        found = []
        for part in ran.stdout.split("== ")[1:]:
            lines = part.strip().split("\n")
            self.assertRegex(lines[1], r"status \d+", part)
            found.append((int(lines[0]), int(lines[1].split()[1]), lines[2] if len(lines) > 2 else "", lines[3:]))
        self.assertGreater(len(found), last // STEP, ran.stdout[-2000:])
        # From some amount of room on the command succeeds.
        done = [status == 0 for _, status, _, _ in found]
        self.assertIn(True, done, found)
        self.assertIn(False, done, found)
        self.assertEqual(done, sorted(done), found)
        return found

    def check_refusal(self, free, said):
        self.assertRegex(said, r"no space left|No space left", free)
        self.assertIn("nothing has been changed", said, free)

    # The old program reads a store that was not upgraded, the new one one that was.
    def test_upgrade(self):
        look = (f"./program 0 2>&1 | tail -1; new/program 0 2>&1 | tail -1; {programs.TENURE} db verify disk/store 2>&1 | tail -1; "
                "ls disk/store | grep -c '\\.new$'; ./program 1 2>&1 | tail -1; new/program 1 2>&1 | tail -1")
        for free, status, said, seen in self.attempts(f"{programs.TENURE} db upgrade disk/store new/program", look):
            with self.subTest(free=free):
                old, new, verified, remains, old_writes, new_writes = seen[:6]
                self.assertIn("all is well", verified)
                self.assertEqual(remains, "0")
                if status == 0:
                    self.assertEqual(new, "found 1100")
                    self.assertNotIn("found", old)
                    self.assertRegex(new_writes, "now 1200|no space left for store", seen)
                    continue
                self.assertEqual(status, 3)
                self.check_refusal(free, said)
                self.assertEqual(old, "found 1100")
                self.assertRegex(old_writes, "now 1200|no space left for store")

    def test_compact_needs_about_its_size(self):
        look = f"./program 0; {programs.TENURE} db verify disk/store 2>&1 | tail -1; ls -s --block-size=K disk/store/main.db"
        least = None
        for free, status, said, seen in self.attempts(f"{programs.TENURE} db compact disk/store", look):
            with self.subTest(free=free):
                self.assertEqual(seen[0], "found 1100", seen)
                self.assertIn("all is well", seen[1])
                size = int(re.match(r"(\d+)K", seen[2])[1])
                if status == 0:
                    least = least or (free, size)
                    continue
                self.check_refusal(free, said)
                needed = int(re.search(r"need (\d+) KB", said)[1])
                self.assertLess(needed, size + 1024 + 512, said)
        self.assertLess(least[0], least[1] + 1024 + 512 + STEP, least)

    def test_import(self):
        self.run_steps(f"tar -C disk -xf store.tar; {programs.TENURE} db export disk/store exported")
        look = (f"{programs.TENURE} db verify disk/store 2>&1 | tail -1; ls disk/store | grep -c '\\.new$'; ./program 0")
        command = f"{programs.TENURE} db import disk/store:copy exported"
        for free, status, said, seen in self.attempts(command, look):
            with self.subTest(free=free):
                self.assertIn("all is well", seen[0])
                self.assertEqual(seen[1:3], ["0", "found 1100"], seen)
                if status != 0:
                    self.assertRegex(said, "no space left|No space left")

    # An upgrade that is killed with the disk full leaves a store that opens there.
    def test_a_kill_on_a_full_disk(self):
        look = (f"./program 0 2>&1 | tail -1; new/program 0 2>&1 | tail -1; {programs.TENURE} db verify disk/store 2>&1 | tail -1")
        for at in (10, 25, 40) if not LONG else range(5, 60, 2):
            command = f"{programs.TOOL_WITH_FAULTS} upgrade disk/store new/program @M3dbfail=crash:{at}"
            ran = self.run_steps(STEPS.format(first=1280, step=384, last=2816, command=command, look=look))
            for part in ran.stdout.split("== ")[1:]:
                lines = part.strip().split("\n")
                with self.subTest(at=at, part=part):
                    self.assertIn("found 1100", lines[-3:-1], part)
                    self.assertIn("all is well", lines[-1])


if __name__ == "__main__":
    unittest.main()
