"""`tenure db` with too little memory: it prints an error, and the store is intact
afterwards."""

import os
import resource
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(os.path.abspath(BUILD), "bin", "tenure-db")

# The contents of a store: a ring of records, and garbage.
DESCRIPTION = (r"fingerprint 0000000000000001\nname Main.Node\nkind ref\npayload 16\n"
               r"slots 0 1 8 0\nfield 0 64 next Node\nfield 64 64 number INTEGER\nend\n")
NODES = 20000


class ToolMemoryTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-memory-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.store = os.path.join(self.directory, "store")
        self.db("import", self.store, self.export(NODES))

    def export(self, nodes):
        export = os.path.join(self.directory, "export-%d" % nodes)
        with open(export, "w", encoding="utf-8") as file:
            file.write('{"format":"tenure export","version":1,"database":"main","root":"1:8"}\n')
            file.write('{"type":1,"description":"%s"}\n' % DESCRIPTION)
            for i in range(nodes):
                # Every second record refers to the next but one.
                file.write('{"object":"%d:%d","of":1,"data":"%s%016x","references":[[0,"%s"]]}\n' % (
                    i // 300 + 1, i % 300 * 24 + 8, "0" * 16, i, self.name((i + 2) % nodes)))
        return export

    def peak(self, *arguments):
        """The greatest resident set of a command, in bytes."""
        process = subprocess.Popen([TENURE, *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, arguments)
        return usage.ru_maxrss << 10

    def test_memory_that_commands_take(self):
        # 11 MB of objects of 24 bytes. Most of the commands' memory is caches, which have limits.
        nodes = 450000
        place = os.path.join(self.directory, "place")
        # The last but one record of the ring, at the place where import puts it: a page has 341.
        last = "%d:%d" % ((nodes - 2) // 341 + 1, (nodes - 2) % 341 * 24 + 8)
        for command, words, megabytes in (
                ("import", [self.export(nodes)], 64), ("verify", [], 40), ("why", [last], 60),
                ("compact", [], 70), ("gc", [], 40)):
            self.assertLess(self.peak(command, place, *words), megabytes << 20, command)

    def test_an_export_takes_the_memory_of_its_largest_object(self):
        # 20 MB each, as a text and as numbers.
        head = ('{"format":"tenure export","version":2,"database":"main","root":"2:8"}\n'
                '{"type":1,"name":"Chars","description":"fingerprint 0000000000000002\\nname Chars\\nkind ref\\n'
                'payload 0\\nopen 1 1\\nfield 0 8  CHAR\\nend\\n"}\n'
                '{"type":2,"name":"Numbers","description":"fingerprint 0000000000000003\\nname Numbers\\nkind ref\\n'
                'payload 0\\nopen 1 8\\nfield 0 64  INTEGER\\nend\\n"}\n')
        for number, (begin, element, between, count, end) in enumerate((
                ('"of":1,"text":"', "abc\u00e4", "", 5_000_000, '"'),
                ('"of":2,"elements":[', "1000000007", ",", 2_500_000, "]"))):
            export = os.path.join(self.directory, "large-%d" % number)
            place = os.path.join(self.directory, "large-store-%d" % number)
            # In pieces: the peak of this process counts for those that it starts.
            with open(export, "w", encoding="utf-8") as file:
                file.write(head + '{"object":"2:8",' + begin + element)
                for _ in range(count // 100 - 1):
                    file.write((between + element) * 100)
                file.write(end + "}\n")
            self.db("import", place, export)
            self.assertLess(self.peak("export", place), (20 + 40) << 20)
            again = os.path.join(self.directory, "again")
            with open(again, "w", encoding="utf-8") as file:
                subprocess.run([TENURE, "export", place], check=True, stdout=file)
            with open(export, "rb") as file, open(again, "rb") as copy:
                file.seek(-1_000_000, os.SEEK_END)
                copy.seek(-1_000_000, os.SEEK_END)
                self.assertEqual(file.read(), copy.read())

    @staticmethod
    def name(number):
        return "%d:%d" % (number // 300 + 1, number % 300 * 24 + 8)

    def db(self, *arguments, megabytes=None):
        def limit():
            if megabytes is not None:
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        ran = subprocess.run([TENURE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=60, preexec_fn=limit)
        if megabytes is None:
            self.assertEqual(ran.returncode, 0, ran.stdout)
        return ran

    def test_commands(self):
        failed = 0
        for command in ("gc", "compact"):
            for megabytes in range(20, 80, 3):
                place = os.path.join(self.directory, "place")
                shutil.copytree(self.store, place)
                ran = self.db(command, place, megabytes=megabytes)
                # 127 and 1: not even its libraries found room.
                self.assertIn(ran.returncode, (0, 1, 3, 127), (command, megabytes, ran.stdout))
                if ran.returncode != 0:
                    self.assertNotEqual(ran.stdout, "")
                    failed += ran.returncode == 3
                self.assertIn("all is well", self.db("verify", place).stdout)
                self.assertIn(str(NODES // 2), self.db("gc", place).stdout)
                shutil.rmtree(place)
        self.assertGreater(failed, 2)


if __name__ == "__main__":
    unittest.main()
