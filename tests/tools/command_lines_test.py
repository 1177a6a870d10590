"""What a command cannot do anything with is refused, by every command: options, values, and names that find
nothing. The commands and their options come from the table that the programs print themselves."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")

USAGE = 2
# Values that may be any text: whether they mean something is known only later.
FREE_VALUES = {"FILE", "TEXT", "NAME", "DIR", "TYPE", "ADDRESS", "STORE[:NAME]", "COMMAND", "URL", "GROUP"}

PROGRAM = """MODULE Main;
IMPORT Database, Transaction;
TYPE Counter = REF RECORD runs: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);
<*FATAL ANY*>
BEGIN
  Database.Create("store"); db := Database.Open("store");
  tr.begin(); db.setRoot(NEW(Counter, runs := 1)); tr.commit();
END Main.
"""

# Names that find nothing, in a folder with the package app, its store and a snapshot of its heap.
NOTHING_FOUND = [
    "build nowhere", "run nowhere", "test nowhere", "check nowhere", "fix nowhere", "fmt nowhere", "debug nowhere", "bench nowhere",
    "test app NoSuch", "bench app NoSuch", "test app --list NoSuch", "check app --db nowhere",
    "check app --db store:nowhere", "explain M9999", "explain 99.99", "heap nowhere",
    "heap snapshot --type NoSuch", "clean nowhere", "remove nothing", "update nothing", "doc nowhere",
    "db stat nowhere", "db show store NoSuch", "db show store:nowhere", "db query store NoSuch",
    "db set store NoSuch 3", "db dump store:nowhere", "db why store 99:99", "db export store --csv NoSuch",
    "db schema store:nowhere", "db verify store:nowhere", "db gc store:nowhere", "db compact store:nowhere",
    "db browse store:nowhere --port 0", "db import store nowhere", "db backup nowhere copy",
    "db restore nowhere copy", "db shell store:nowhere"]


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class CommandLinesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-lines-")
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)

    def tenure(self, *words):
        try:
            return subprocess.run([TENURE, *words], cwd=self.directory, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            self.fail(f"tenure {' '.join(words)} goes on")

    def commands(self):
        """The words of each command, the arguments that it needs, and its options."""
        tables = [([], json.loads(self.tenure("--command-table").stdout))]
        for table in json.loads(self.tenure("db", "--command-table").stdout):
            tables.append((table["name"].split()[1:], table))
        for words, table in tables:
            if not table.get("commands"):
                yield words, table
            for command in table.get("commands", []):
                if command["name"] not in ("db", "serve", "node"):
                    yield words + [command["name"]], command

    def test_options_and_values_that_mean_nothing(self):
        wrong, asked, count = [], set(), 0

        def refuses(*words):
            nonlocal count
            count += 1
            ran = self.tenure(*words)
            if ran.returncode != USAGE or not ran.stderr:
                wrong.append((" ".join(words), ran.returncode, ran.stderr))

        for words, command in self.commands():
            line = words + ["nowhere" for a in command["arguments"] if a["required"]]
            refuses(*line, "--no-such-option")
            for option in command["options"]:
                name, value = option["names"][-1], option["value"]
                # Commands that share an option share its check.
                key = (words[0] == "db", name, value)
                if not value or key in asked:
                    continue
                asked.add(key)
                if name != "--coverage":  # its value may be left out
                    refuses(*line, name)
                if value not in FREE_VALUES:
                    refuses(*line, name, "no sense")
        self.assertGreater(count, 100)
        self.assertEqual(wrong, [])

    def test_options_without_effect_are_refused(self):
        os.mkdir(os.path.join(self.directory, "served"))
        self.addCleanup(os.rmdir, os.path.join(self.directory, "served"))
        programs = ["-g", "-O0", "-O2", "--no-checks", "--gc=tenure", "--barriers=trap", "--static", "--faults"]
        for line in [f"check . {option}" for option in programs] + [
                "run . --dump=ast", "test . --dump=llvm", "bench . --dump=ast", "debug . --dump=ast",
                "test . --list --disk 5", "test . --list --fail-fast", "check . -o x", "build . --dump=ast -o x",
                "db show store --limit 3 --all", "db schema store:main", "serve served:main"]:
            ran = self.tenure(*line.split())
            self.assertEqual((ran.returncode, ran.stdout), (USAGE, ""), line)
            self.assertTrue(ran.stderr, line)

    def test_an_empty_value_is_refused_by_every_command(self):
        tables = list(self.commands())
        tables += [(["node"], table) for table in json.loads(self.tenure("node", "--command-table").stdout)[:1]]
        wrong, asked, programs, count = [], set(), set(), 0
        for words, command in tables:
            line = words + ["nowhere" for a in command["arguments"] if a["required"]]
            for option in command["options"]:
                name = option["names"][-1]
                # Programs share the check of an option among their commands.
                key = (words[0] if words[:1] == ["db"] else "", name, option["value"], words == ["node"])
                # The value of --coverage may be left out.
                if not option["value"] or key in asked or name == "--coverage":
                    continue
                asked.add(key)
                # -o= gives the value "=".
                for value in ([name + "="], [name, ""]) if name.startswith("--") else ([name, ""],):
                    ran = self.tenure(*line, *value)
                    count += 1
                    programs.add(words[0])
                    if ran.returncode != USAGE or not ran.stderr:
                        wrong.append((" ".join(line + value), ran.returncode, ran.stderr))
        self.assertEqual("\n".join(map(str, wrong)), "")
        self.assertGreater(count, 100)
        self.assertLessEqual({"build", "db", "serve", "node"}, programs)
        self.assertEqual(os.listdir(self.directory), [], "files were made")

    def test_names_that_find_nothing(self):
        os.mkdir(os.path.join(self.directory, "app"))
        with open(os.path.join(self.directory, "app", "Main.m3"), "w") as file:
            file.write(PROGRAM)
        self.assertEqual(self.tenure("build", "app", "-o", "program").returncode, 0)
        subprocess.run(["./program", "@M3heapsnapshot=snapshot"], cwd=self.directory, check=True,
                       stdout=subprocess.DEVNULL)
        before = sorted(os.listdir(self.directory))
        self.assertIn("snapshot", before)
        for line in NOTHING_FOUND:
            ran = self.tenure(*line.split())
            self.assertNotEqual(ran.returncode, 0, line)
            self.assertTrue(ran.stderr, line)
        self.assertEqual(sorted(os.listdir(self.directory)), before, "files were made")


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class StartTest(unittest.TestCase):
    """What a command says of where and how it is started."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="tenure-start-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "wb") as file:
            file.write(text.encode())

    def tenure(self, *words, **more):
        return subprocess.run([TENURE, *words], cwd=self.directory, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100,
                              env={**os.environ, "LC_ALL": "C.UTF-8"}, **more)

    def test_controls_of_names_and_sources_do_not_reach_the_terminal(self):
        controls = "\x1b\u009b\u202e"
        os.mkdir(os.path.join(self.directory, "a" + controls))
        self.write(f"a{controls}/Main.m3", f'MODULE Main;\nIMPORT IO; (* {controls} *) BEGIN IO.Put(1) END Main.\n')
        for words in (["check", "a" + controls], ["build", "no" + controls], ["explain", controls], [controls],
                      ["run", "--" + controls], ["new", controls], ["db", "show", controls], ["db", controls],
                      ["db", "show", "a" + controls, controls], ["db", "stat", "x:" + controls], ["node", controls]):
            ran = self.tenure(*words)
            self.assertNotEqual(ran.returncode, 0, words)
            self.assertEqual(set(controls) & set(ran.stdout + ran.stderr), set(), words)

    @unittest.skipIf(os.geteuid() != 0, "only the administrator can become another user")
    def test_a_folder_that_cannot_be_written_or_entered_is_named(self):
        os.mkdir(os.path.join(self.directory, "p"))
        self.write("p/m3makefile", 'exec("true")\nimplementation("Main")\nprogram("p")\n')
        self.write("p/Main.m3", "MODULE Main;\nBEGIN\nEND Main.\n")
        os.chmod(self.directory, 0o755)
        ran = self.tenure("build", "p", user="nobody")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("cannot make the directory", ran.stderr)
        self.assertNotIn("cannot run", ran.stderr)
        os.chmod(os.path.join(self.directory, "p"), 0o700)
        for command in ("build", "clean"):
            self.assertIn("Permission denied", self.tenure(command, "p/q", user="nobody").stderr)


if __name__ == "__main__":
    unittest.main()
