"""The library that counts syncs counts those of a process and of its children, and no other calls."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from bench.support.syncs import Syncs  # noqa: E402

SOURCE = os.path.join(ROOT, "bench", "support", "preload", "count_syncs.cc")
BEGINNING = "import mmap, os, subprocess, sys\nfd = os.open('file', os.O_RDWR | os.O_CREAT)\n"


class SyncsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="syncs-test-")
        cls.addClassCleanup(cls.directory.cleanup)
        library = os.path.join(cls.directory.name, "count_syncs.so")
        subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", SOURCE, "-o", library, "-ldl"],
                       check=True)
        cls.syncs = Syncs(cls.directory.name, library)

    def count(self, script):
        before = self.syncs.count()
        subprocess.run([sys.executable, "-c", BEGINNING + script], check=True,
                       cwd=self.directory.name, env={**os.environ, **self.syncs.environment})
        return self.syncs.count() - before

    def test_syncs_of_all_kinds(self):
        self.assertEqual(self.count("os.fsync(fd)\nos.fdatasync(fd)\nos.fdatasync(fd)\n"), 3)
        self.assertEqual(self.count("os.truncate('file', 4096)\nmmap.mmap(fd, 4096).flush()\n"), 1)
        self.assertEqual(self.count("os.pwritev(fd, [b'x'], 0, os.RWF_DSYNC)\n"), 1)

    def test_writes_to_a_synchronous_file_until_it_is_closed(self):
        self.assertEqual(self.count(
            "s = os.open('file', os.O_WRONLY | os.O_DSYNC)\nos.write(s, b'x')\n"
            "os.pwrite(s, b'x', 0)\nos.writev(s, [b'x'])\nos.close(s)\n"
            "assert os.open('file', os.O_WRONLY) == s\nos.write(s, b'x')\n"), 3)

    def test_other_writes_do_not_count(self):
        self.assertEqual(self.count("os.write(fd, b'x')\nos.pwrite(fd, b'x', 0)\nos.close(fd)\n"), 0)

    def test_children_count_and_failed_opens_do_not_change_errors(self):
        self.assertEqual(self.count(
            "subprocess.run([sys.executable, '-c', 'import os; os.fsync(os.open(\"file\", 0))'],"
            " check=True)\n"
            "try:\n  os.open('none', os.O_RDONLY)\nexcept FileNotFoundError:\n  os.fsync(fd)\n"), 2)


if __name__ == "__main__":
    unittest.main()
