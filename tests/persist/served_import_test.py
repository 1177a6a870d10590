"""`tenure db import` into a served store, where other programs see the database at once: it is
marked until it is complete, also after an import was killed; concurrent readers and collections
do no harm."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(os.path.abspath(BUILD), "bin", "tenure-db")
PATIENCE = 120.0

# A ring of records, on more pages than one commit writes.
DESCRIPTION = (r"fingerprint 0000000000000001\nname Main.Node\nkind ref\npayload 16\n"
               r"slots 0 1 8 0\nfield 0 64 next Node\nfield 64 64 number INTEGER\nend\n")
NODES = 600000
UNFINISHED = "an import into the database is not finished"


def name(number):
    return "%d:%d" % (number // 300 + 1, number % 300 * 24 + 8)


class ServedImportTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-import-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.store = os.path.join(self.directory, "store")
        self.export = os.path.join(self.directory, "export")
        with open(self.export, "w", encoding="utf-8") as file:
            file.write('{"format":"tenure export","version":1,"database":"main","root":"1:8"}\n')
            file.write('{"type":1,"description":"%s"}\n' % DESCRIPTION)
            for i in range(NODES):
                file.write('{"object":"%s","of":1,"data":"%s%016x","references":[[0,"%s"]]}\n' % (
                    name(i), "0" * 16, i, name((i + 1) % NODES)))
        self.server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        self.assertTrue(self.server.stdout.readline().startswith("serving"))
        self.database = "main"

    def tearDown(self):
        self.server.terminate()
        said = self.server.communicate(timeout=PATIENCE)[1]
        self.assertEqual((self.server.returncode, "cannot" in said), (0, False), said)

    def db(self, command, *arguments):
        return subprocess.run([TENURE, command, self.store + ":" + self.database, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
                              check=False)

    def kill_an_import_that_others_see(self):
        """Kills imports, each into a database of its own, until one had a database that other
        programs see and that is not complete."""
        self.assertEqual(self.db("import", self.export).returncode, 0)
        for i in range(10):
            self.database = f"attempt{i}"
            process = subprocess.Popen([TENURE, "import", self.store + ":" + self.database, self.export],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            seen = False
            while process.poll() is None and not seen:
                seen = UNFINISHED in self.db("verify").stdout
            process.kill()
            process.wait()
            if seen and UNFINISHED in self.db("verify").stdout:
                return
        self.fail("no import was killed while others saw its database")

    def test_an_import_that_is_killed_is_told_and_done_again(self):
        self.kill_an_import_that_others_see()
        ran = self.db("verify")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(UNFINISHED, ran.stdout)
        # Objects of a running import are not freed.
        ran = self.db("gc")
        self.assertEqual(ran.returncode, 3)
        self.assertIn("nothing is collected: " + UNFINISHED, ran.stdout)
        ran = self.db("import", self.export)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        ran = self.db("verify")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("all is well", ran.stdout)
        # A complete database must not be replaced.
        ran = self.db("import", self.export)
        self.assertEqual(ran.returncode, 3)
        self.assertIn("exists already", ran.stdout)

    def test_readers_and_collections_beside_it(self):
        process = subprocess.Popen([TENURE, "import", self.store + ":" + self.database, self.export],
                                   stdout=subprocess.DEVNULL)
        rounds = 0
        while process.poll() is None:
            for command in ("verify", "gc"):
                ran = self.db(command)
                self.assertIn(ran.returncode, (0, 1, 3), ran.stdout)
                self.assertNotIn("check failed", ran.stdout)
                rounds += 1
        self.assertEqual(process.returncode, 0)
        self.assertGreater(rounds, 0)
        ran = self.db("verify")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        # The mark is garbage until the next collection.
        self.assertRegex(ran.stdout, f"({NODES}|{NODES + 1}) objects")


if __name__ == "__main__":
    unittest.main()
