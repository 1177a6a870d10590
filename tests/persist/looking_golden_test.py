"""Every store that a golden persistent program leaves can be shown, dumped, queried, exported and
imported; nothing is without a bound, no text is in base 16, and the schema compiles. A few programs; with
TENURE_LONG set, all of them."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import programs
from programs import TENURE

sys.path.insert(0, os.path.join(programs.ROOT, "tools"))
import golden_test  # noqa: E402
import run_golden  # noqa: E402

GOLDEN = os.path.join(programs.ROOT, "tests", "golden")
FAST = ["containers", "tables", "names", "atoms", "graph", "two_databases", "captured_large", "weak_references",
        "transient_by_nature", "text_append"]
LONGEST = 2600  # characters of a line of show and dump
MOST_OBJECTS = 300  # of a database that are shown one by one


class GoldenStoresTest(unittest.TestCase):
    def db(self, *arguments, stdin=None, status=0):
        ran = subprocess.run([TENURE, "db", *arguments], text=True, timeout=300, input=stdin, errors="replace",
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, status, f"{arguments}: {ran.stderr[:2000]}")
        return ran.stdout

    def check_lines(self, text, what):
        for line in text.split("\n"):
            self.assertLess(len(line), LONGEST, f"{what}: {line[:200]}")

    def check_database(self, place, directory):
        for text, what in ((self.db("show", place), "show"), (self.db("dump", place), "dump")):
            self.check_lines(text, f"{what} of {place}")
        self.check_lines(self.db("show", place, "root"), f"root of {place}")
        exported = self.db("export", place)
        lines = [json.loads(line) for line in exported.splitlines()]
        # No type needs its bytes, and no value is bits without a meaning.
        self.assertEqual([line for line in lines if "data" in line or '"hex"' in json.dumps(line)], [], place)
        objects = [line for line in lines if "of" in line]
        shown = self.db("shell", place, stdin="\n".join(line["object"] for line in objects[:MOST_OBJECTS]) + "\n")
        self.check_lines(shown, f"objects of {place}")
        # Each type's objects are rows, as many as the export has.
        counts = {}
        for line in objects:
            counts[line["type"]] = counts.get(line["type"], 0) + 1
        names = [name for name in counts if "`" not in name]
        said = self.db("shell", place, stdin="format csv\n" + "".join(
            f"all `{name}` select id(it) as id, type(it) as t limit 3\n" for name in names))
        self.assertEqual(said.count("id,t\n"), len(names), said[:2000])
        self.db("query", place, "root")
        if lines[0].get("root"):
            self.db("query", place, "root count")
        with tempfile.TemporaryDirectory(dir=directory) as other:
            self.db("import", os.path.join(other, "copy"), stdin=exported)
            self.assertEqual(len([1 for line in self.db("export", os.path.join(other, "copy")).splitlines()
                                  if '"of":' in line]), len(objects))

    def check_schema(self, store, directory):
        schema = self.db("schema", store)
        with tempfile.TemporaryDirectory(dir=directory) as package:
            for name, text in (("Schema.i3", schema), ("Main.m3", "MODULE Main;\nIMPORT Schema;\nBEGIN END Main.\n")):
                with open(os.path.join(package, name), "w", encoding="utf-8") as file:
                    file.write(text)
            ran = subprocess.run([TENURE, "check", package], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
            errors = [line for line in ran.stdout.split("\n") if "error" in line]
            self.assertEqual(errors, [], schema[:3000])

    def check_program(self, name):
        path = os.path.join(GOLDEN, "persist", name + ".m3")
        test = golden_test.read_golden_test(path, GOLDEN)
        options = run_golden.Options(build_dir=programs.BUILD, optimize="-O0")
        with tempfile.TemporaryDirectory(prefix="tenure-golden-") as directory:
            package, work = (os.path.join(directory, part) for part in ("package", "work"))
            os.mkdir(package)
            os.mkdir(work)
            run_golden.write_package(test, package)
            self.assertEqual(run_golden.build_program(test, options, package, []).status, 0)
            for step in test.steps:
                run_golden.run_step(test, step, package, work, [], 180)
            for store in sorted(at for at, _, files in os.walk(work) if "FORMAT" in files):
                # A store whose making was interrupted has no databases that can be opened.
                listed = subprocess.run([TENURE, "db", "stat", store, "--json"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, check=False)
                if listed.returncode != 0:
                    continue
                for database in json.loads(listed.stdout)["databases"]:
                    with self.subTest(program=name, store=os.path.basename(store), database=database["name"]):
                        self.check_database(f"{store}:{database['name']}", directory)
                with self.subTest(program=name, store=os.path.basename(store)):
                    self.check_schema(store, directory)

    def programs(self):
        return sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(GOLDEN, "persist", "*.m3")))

    def test_some_stores_can_be_looked_at(self):
        for name in FAST:
            if name in self.programs():
                self.check_program(name)

    @unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
    def test_all_stores_can_be_looked_at(self):
        for name in self.programs():
            self.check_program(name)


if __name__ == "__main__":
    unittest.main()
