"""Packages with versions: tenure.toml, tenure.lock, repositories, vendor; and `tenure new`, `clean`, `check`."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
OK, SOURCE, USAGE, ENVIRONMENT = 0, 1, 2, 3


class TestCase(unittest.TestCase):
    """A directory with a space in its name, and a user whose cache is in it."""

    def setUp(self):
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix="tenure packages "))
        self.addCleanup(shutil.rmtree, self.directory)
        self.environment = {"HOME": self.path("home"), "PATH": os.environ["PATH"],
                            "CCACHE_DISABLE": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@localhost",
                            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@localhost",
                            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}

    def path(self, *names: str) -> str:
        return os.path.join(self.directory, *names)

    def write(self, name: str, text: str) -> None:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name: str) -> str:
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def tenure(self, *arguments: str, cwd: str = "", **more) -> subprocess.CompletedProcess:
        return subprocess.run([TENURE, *arguments], cwd=self.path(cwd), env={**self.environment, **more}, text=True,
                              timeout=300, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def expect(self, status: int, *arguments: str, **more) -> str:
        """Returns what it printed, on both streams."""
        ran = self.tenure(*arguments, **more)
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def git(self, repository: str, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.path(repository), env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout.strip()

    def package(self, directory: str, name: str, unit: str, value: str, dependencies: str = "", uses: str = ""):
        """A library whose function Value tells a text, and that of another unit's behind it."""
        imports = f"IMPORT {uses};\n" if uses else ""
        more = f' & " " & {uses}.Value()' if uses else ""
        self.write(f"{directory}/tenure.toml", f'[package]\nname = "{name}"\nversion = "{value}"\n\n'
                   f"[dependencies]\n{dependencies}")
        self.write(f"{directory}/src/{unit}.i3", f"INTERFACE {unit};\nPROCEDURE Value(): TEXT;\nEND {unit}.\n")
        self.write(f"{directory}/src/{unit}.m3", f"MODULE {unit};\n{imports}PROCEDURE Value(): TEXT =\n"
                   f'  BEGIN RETURN "{name} {value}"{more} END Value;\nBEGIN END {unit}.\n')

    def commit(self, repository: str, tag: str = "") -> str:
        if not os.path.isdir(self.path(repository, ".git")):
            self.git(repository, "init", "-q")
        self.git(repository, "add", "-A")
        self.git(repository, "commit", "-q", "-m", "change")
        if tag:
            self.git(repository, "tag", "-f", tag)
        return self.git(repository, "rev-parse", "HEAD")

    def program(self, directory: str, dependencies: str, *units: str) -> None:
        self.write(f"{directory}/tenure.toml", f'[package]\nname = "app"\nversion = "0.1.0"\n\n'
                   f"[dependencies]\n{dependencies}")
        puts = "".join(f'IO.Put({unit}.Value() & "\\n");\n' for unit in units)
        self.write(f"{directory}/src/Main.m3",
                   f"MODULE Main;\nIMPORT IO{''.join(', ' + unit for unit in units)};\nBEGIN\n{puts}END Main.\n")

    def runs(self, directory: str, output: str, *options: str, **more) -> None:
        ran = self.tenure("run", directory, *options, **more)
        self.assertEqual((ran.returncode, ran.stdout), (OK, output), ran.stderr)


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class PathTest(TestCase):
    def test_a_package_beside_another_one(self):
        self.package("lists", "lists", "Lists", "1.0.0", 'trees = { path = "../deep/trees" }\n', "Trees")
        self.package("deep/trees", "trees", "Trees", "2.0.0")
        self.program("app", 'lists = { path = "../lists" }\n', "Lists")
        self.runs("app", "lists 1.0.0 trees 2.0.0\n")
        lock = self.read("app/tenure.lock")
        self.assertIn('path = "../deep/trees"', lock)
        self.assertNotIn("hash =", lock)
        # A change of the package is part of the next build; so is one of a manifest.
        self.package("deep/trees", "trees", "Trees", "2.1.0")
        self.runs("app", "lists 1.0.0 trees 2.1.0\n")
        self.assertEqual(self.read("app/tenure.lock"), lock.replace("2.0.0", "2.1.0"))
        # The units of a package's packages are not the program's own.
        self.write("app/tenure.toml", self.read("app/tenure.toml") + 'nothing = { path = "../gone" }\n')
        said = self.expect(ENVIRONMENT, "build", "app")
        self.assertIn("'app/../gone'" if "app/../gone" in said else "'gone'", said)
        self.assertIn("nothing", said)

    def test_only_a_package_gets_a_dependency(self):
        self.package("lists", "lists", "Lists", "1.0.0")
        os.mkdir(self.path("empty"))
        said = self.expect(USAGE, "add", "../lists", cwd="empty")
        self.assertIn("'.' is no package", said)
        self.assertIn("tenure new NAME", said)
        self.assertEqual(os.listdir(self.path("empty")), [])
        # A package without a manifest gets one; its folders of sources do not.
        self.write("old/src/Main.m3", "MODULE Main;\nBEGIN\nEND Main.\n")
        self.assertIn("run 'tenure add' there", self.expect(USAGE, "add", "../../lists", cwd="old/src"))
        self.assertFalse(os.path.exists(self.path("old/src/tenure.toml")))
        self.expect(OK, "add", "../lists", cwd="old")
        self.assertIn('lists = { path = "../lists" }', self.read("old/tenure.toml"))
        self.write("flat/Main.m3", "MODULE Main;\nBEGIN\nEND Main.\n")
        self.expect(OK, "add", "lists", "--package", "flat")
        self.write("built/m3makefile", "% nothing yet\n")
        self.expect(OK, "add", "../lists", cwd="built")

    def test_a_tag_that_is_not_the_version_of_the_package_is_said(self):
        self.package("repos/lists", "lists", "Lists", "1.0.0")
        self.commit("repos/lists", "v1.0.0")
        self.commit_again("repos/lists", "v1.1.0")
        self.program("app", "", "Lists")
        said = self.expect(OK, "add", "--git", "../repos/lists", cwd="app")
        self.assertIn("warning: the package 'lists': tag v1.1.0 of '../repos/lists' has version 1.0.0", said)
        # It is said when the package comes, and not at each build.
        self.assertNotIn("warning", self.expect(OK, "build", "app"))
        self.assertNotIn("warning", self.expect(OK, "update", cwd="app"))
        self.assertNotIn("warning", self.expect(OK, "add", "--git", "../repos/lists", "--tag", "v1.0.0", cwd="app"))
        # A tag that has been moved is another one; so is one that a manifest names.
        self.git("repos/lists", "tag", "-d", "v1.0.0")
        self.package("repos/lists", "lists", "Lists", "2.0.0")
        self.commit("repos/lists", "v1.0.0")
        said = self.expect(OK, "update", cwd="app")
        self.assertIn("tag v1.0.0 of '../repos/lists' has version 2.0.0", said)
        self.write("app/tenure.toml", self.read("app/tenure.toml").replace("v1.0.0", "v1.1.0"))
        self.assertIn("tag v1.1.0 of '../repos/lists' has version 1.0.0", self.expect(OK, "build", "app"))

    def commit_again(self, repository: str, tag: str) -> None:
        """The same files under another tag."""
        self.git(repository, "commit", "-q", "--allow-empty", "-m", "again")
        self.git(repository, "tag", tag)

    def test_a_build_file_may_import_what_the_manifest_names(self):
        self.package("elsewhere/lists", "lists", "Lists", "1.0.0")
        self.program("app", 'lists = { path = "../elsewhere/lists" }\n', "Lists")
        self.write("app/src/m3makefile", 'import("lists")\nimplementation("Main")\nprogram("tool")\n')
        self.runs("app", "lists 1.0.0\n")
        self.write("app/src/m3makefile", 'implementation("Main")\nprogram("tool")\n')
        self.runs("app", "lists 1.0.0\n")

    def test_the_program_has_the_name_of_the_manifest(self):
        self.program("folder", "")
        self.expect(OK, "build", "folder")
        self.assertTrue(os.path.exists(self.path("folder/.tenure/bin/app")))
        self.assertFalse(os.path.exists(self.path("folder/tenure.lock")))

    def test_a_package_without_main_is_a_library(self):
        self.package("lists", "lists", "Lists", "1.0.0")
        self.expect(OK, "build", "lists")
        self.assertIn("makes no program", self.expect(USAGE, "run", "lists"))

    def test_packages_that_need_each_other(self):
        self.package("a", "a", "A", "1.0.0", 'b = { path = "../b" }\n', "B")
        self.package("b", "b", "B", "1.0.0", 'a = { path = "../a" }\n', "A")
        self.program("app", 'a = { path = "../a" }\n', "A")
        self.assertIn("need each other: a needs b needs a", self.expect(ENVIRONMENT, "build", "app"))

    def test_two_packages_of_one_name_and_two_units_of_one_name(self):
        self.package("one/util", "util", "Util", "1.0.0")
        self.package("two/util", "util", "Util", "1.0.0")
        self.package("a", "a", "A", "1.0.0", 'util = { path = "../one/util" }\n', "Util")
        self.package("b", "b", "B", "1.0.0", 'util = { path = "../two/util" }\n', "Util")
        self.program("app", 'a = { path = "../a" }\nb = { path = "../b" }\n', "A", "B")
        said = self.expect(ENVIRONMENT, "build", "app")
        for text in ("two packages have the name 'util'", "one/util", "two/util", "[overrides]"):
            self.assertIn(text, said)
        self.write("app/tenure.toml", self.read("app/tenure.toml")
                   + '\n[overrides]\nutil = { path = "../two/util" }\n')
        self.runs("app", "a 1.0.0 util 1.0.0\nb 1.0.0 util 1.0.0\n")
        # Interfaces of one name in two packages that one package needs.
        self.package("c", "c", "A", "1.0.0")
        self.program("other", 'a = { path = "../one/util" }\nc = { path = "../c" }\n')
        self.assertIn("has the name 'util', and not 'a'", self.expect(ENVIRONMENT, "build", "other"))
        self.package("d", "d", "A", "1.0.0")
        self.program("other", 'd = { path = "../d" }\nc = { path = "../c" }\n')
        said = self.expect(ENVIRONMENT, "build", "other")
        for text in ("two units have the name A", "c/src/A.i3", "d/src/A.i3"):
            self.assertIn(text, said)
        self.program("other", 'd = { path = "../d" }\n', "A")
        self.runs("other", "d 1.0.0\n")
        self.write("other/src/A.i3", "INTERFACE A;\nEND A.\n")
        said = self.expect(ENVIRONMENT, "build", "other")
        for text in ("two units have the name A", "other/src/A.i3", "d/src/A.i3"):
            self.assertIn(text, said)

    def test_what_is_wrong_in_a_manifest_is_said_with_its_line(self):
        self.program("app", "")
        for text, said in (("[package]\nname = 7\n", "tenure.toml:2: 'name' must be a text"),
                           ("[package]\nname = \"1st\"\n", ":2: '1st' is not the name"),
                           ("[package]\nversion = \"1.x\"\n", ":2: '1.x' is not a version"),
                           ("[package\n", ":1: "), ("[dependency]\n", ":1: unknown table 'dependency'"),
                           ("[dependencies]\na = \"1.0\"\n", ":2: the dependency a must be { path"),
                           ("[dependencies]\n\na = { git = \"u\" }\n", ":3: the dependency a must be"),
                           ("[dependencies]\na = { git = \"u\", commit = \"12\" }\n", ":2: a commit has 40 digits"),
                           ("[dependencies]\na = { git = \"--help\", tag = \"1\" }\n", ":2: '--help' is not a URL"),
                           ("[dependencies]\na = { path = \"u\", tag = \"1\" }\n", ":2: the dependency a must be"),
                           ("[overrides]\na = { path = \"u\" }\n", "no package needs 'a'")):
            self.write("app/tenure.toml", text)
            found = self.expect(ENVIRONMENT, "build", "app")
            self.assertIn(said, re.sub(r":(\d+):\d+: ", r":\1: ", found), text)

    def test_a_mistake_in_a_manifest_is_told_with_what_was_meant(self):
        self.program("app", "")
        for text, said in (("name = \"app\"\n", ":1:1: unknown key 'name'; the package's name and version stand in [package]"),
                           ("[package]\nverison = \"1.0.0\"\n", ":2:1: unknown key of package 'verison'; did you mean version?"),
                           ("[package]\nname = app\n", "a text stands in quotes: name = \"app\""),
                           ("[dependancies]\n", "did you mean dependencies?"),
                           ("[project]\nname = \"app\"\n", ":1:2: unknown table 'project'; did you mean package?"),
                           ("[dependencies]\na = { git = \"u\", branch = \"main\", tag = \"1\" }\n", "or commit or branch in the place of tag"),
                           ("[dependencies]\na = { git = \"u\", rev = \"1\" }\n", "did you mean commit?")):
            self.write("app/tenure.toml", text)
            self.assertIn(said, self.expect(ENVIRONMENT, "build", "app"), text)
        said = self.expect(ENVIRONMENT, "add", "trees", "1.2.3", cwd="app")
        self.assertIn("'1.2.3' is not a directory; packages come from directories and repositories", said)


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
@unittest.skipUnless(shutil.which("git"), "git is not installed")
class RepositoryTest(TestCase):
    def setUp(self):
        super().setUp()
        self.package("repos/trees", "trees", "Trees", "1.0.0")
        self.commit("repos/trees", "v1.0.0")
        self.package("repos/lists", "lists", "Lists", "1.0.0",
                     f'trees = {{ git = "{self.path("repos/trees")}", tag = "v1.0.0" }}\n', "Trees")
        self.commit("repos/lists", "v1.0.0")
        self.program("app", "", "Lists")

    def add_lists(self, version: str = "v1.0.0") -> None:
        self.expect(OK, "add", "--git", "../repos/lists", "--tag", version, cwd="app")

    def test_a_dependency_is_added_built_and_kept_by_the_lock(self):
        self.write("app/tenure.toml", "# My program\n" + self.read("app/tenure.toml"))
        said = self.expect(OK, "add", "--git", "../repos/lists", cwd="app")
        self.assertIn("added lists: ../repos/lists, tag v1.0.0", said)
        self.assertIn("# My program", self.read("app/tenure.toml"))
        self.runs("app", "lists 1.0.0 trees 1.0.0\n")
        lock = self.read("app/tenure.lock")
        self.assertEqual(len(re.findall(r'^hash = "sha256:[0-9a-f]{64}"$', lock, re.MULTILINE)), 2)
        # A tag that is moved changes nothing until `update`.
        self.package("repos/trees", "trees", "Trees", "1.0.1")
        moved = self.commit("repos/trees", "v1.0.0")
        self.expect(OK, "clean", "app")
        self.runs("app", "lists 1.0.0 trees 1.0.0\n")
        self.assertEqual(self.read("app/tenure.lock"), lock)
        said = self.expect(OK, "update", cwd="app")
        self.assertIn(f"changed trees: tag v1.0.0 was moved from commit", said)
        self.assertIn(moved, said)
        self.runs("app", "lists 1.0.0 trees 1.0.1\n")
        self.assertIn("nothing changed", self.expect(OK, "update", "lists", cwd="app"))
        # Another version in the place of this one.
        self.package("repos/lists", "lists", "Lists", "1.2.0")
        self.commit("repos/lists", "v1.2.0")
        self.commit_nothing("repos/lists", "v1.10.0")
        self.expect(OK, "add", "lists", "../repos/lists/.git", cwd="app")
        self.assertIn("v1.10.0", self.read("app/tenure.toml"))
        self.runs("app", "lists 1.2.0\n")
        self.assertNotIn("trees", self.read("app/tenure.lock"))
        self.expect(OK, "remove", "lists", cwd="app")
        self.assertNotIn("lists", self.read("app/tenure.toml") + self.read("app/tenure.lock"))

    def test_commands_at_the_same_time_lose_no_change_of_each_other(self):
        names = [f"p{i}" for i in range(12)]
        for name in names:
            self.write(f"{name}/tenure.toml", f'[package]\nname = "{name}"\nversion = "1.0.0"\n')
        running = [subprocess.Popen([TENURE, "add", f"../{name}"], cwd=self.path("app"), env=self.environment,
                                    stdout=subprocess.DEVNULL) for name in names]
        self.assertEqual([one.wait(timeout=300) for one in running], [OK] * len(names))
        manifest, lock = self.read("app/tenure.toml"), self.read("app/tenure.lock")
        for name in names:
            self.assertIn(f'{name} = {{ path = "../{name}" }}\n', manifest)
            self.assertIn(f'name = "{name}"\n', lock)

    def test_settings_and_variables_of_git_change_nothing(self):
        self.commit_nothing("repos/lists", "v1.2.0")
        self.write("home/.gitconfig", "[column]\n\tui = always\n[color]\n\tui = always\n[tag]\n\tsort = -refname\n"
                   "[init]\n\tdefaultObjectFormat = sha256\n[core]\n\tautocrlf = true\n\tpager = false\n")
        foreign = {name: "/nonexistent" for name in (
            "GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_EXEC_PATH", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR", "GIT_SHALLOW_FILE")}
        foreign |= {"GIT_DEFAULT_HASH": "sha256", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "tag.sort",
                    "GIT_CONFIG_VALUE_0": "nonsense", "GIT_TRACE": "1", "GIT_LITERAL_PATHSPECS": "1"}
        del self.environment["GIT_CONFIG_GLOBAL"]
        self.expect(OK, "add", "--git", "../repos/lists", cwd="app", **foreign)
        self.assertIn('tag = "v1.2.0"', self.read("app/tenure.toml"))
        self.assertIn("lists 1.0.0 trees 1.0.0\n", self.expect(OK, "run", "app", **foreign))

    def test_settings_of_git_say_how_a_server_is_reached(self):
        self.write("home/.gitconfig", f'[url "{self.path("repos")}/"]\n\tinsteadOf = "https://example.org/\\"a b\\"/"\n')
        del self.environment["GIT_CONFIG_GLOBAL"]
        self.expect(OK, "add", "--git", 'https://example.org/"a b"/trees', cwd="app")
        self.assertIn('tag = "v1.0.0"', self.read("app/tenure.toml"))

    def test_a_cache_that_others_can_write_is_not_used(self):
        os.makedirs(self.path("everybody"))
        os.chmod(self.path("everybody"), 0o1777)
        os.makedirs(self.path("shared/tenure"))
        os.chmod(self.path("shared/tenure"), 0o777)
        said = self.expect(OK, "add", "--git", "../repos/lists", cwd="app", XDG_CACHE_HOME=self.path("shared"))
        self.assertIn("is not used as a cache, since other users can write there", said)
        self.assertEqual(os.listdir(self.path("shared/tenure")), [])
        # Without a home the copies last as long as the command; /tmp/git is anybody's.
        self.expect(OK, "add", "--git", "../repos/lists", cwd="app", HOME="relative", XDG_CACHE_HOME="",
                    TMPDIR=self.path("everybody"))
        self.assertEqual(os.listdir(self.path("everybody")), [])
        self.expect(OK, "add", "--git", "../repos/lists", cwd="app")
        self.assertEqual(os.stat(self.path("home/.cache/tenure")).st_mode & 0o777, 0o700)

    def commit_nothing(self, repository: str, tag: str) -> None:
        self.git(repository, "commit", "-q", "--allow-empty", "-m", "nothing")
        self.git(repository, "tag", tag)

    def test_a_lock_is_enough_without_the_network(self):
        self.add_lists()
        self.runs("app", "lists 1.0.0 trees 1.0.0\n")
        os.rename(self.path("repos"), self.path("away"))
        self.expect(OK, "clean", "app")
        self.runs("app", "lists 1.0.0 trees 1.0.0\n", "--locked", "--offline")
        # Another user's cache is empty, and the message says so.
        self.environment["HOME"] = self.path("other home")
        self.expect(OK, "clean", "app")
        said = self.expect(ENVIRONMENT, "build", "app")
        self.assertIn("cannot fetch", said)
        self.assertIn("repos/", said)
        self.assertIn("--offline", self.expect(ENVIRONMENT, "build", "--offline", "app"))

    def test_vendored_packages_need_no_repository_and_may_not_be_changed(self):
        self.add_lists()
        self.assertIn("copied lists\ncopied trees\n", self.expect(OK, "vendor", cwd="app"))
        shutil.rmtree(self.path("repos"))
        shutil.rmtree(self.path("home"))
        self.expect(OK, "clean", "app")
        self.runs("app", "lists 1.0.0 trees 1.0.0\n", "--locked")
        self.write("app/vendor/trees/src/Trees.m3", self.read("app/vendor/trees/src/Trees.m3").replace("1.0", "6.6"))
        said = self.expect(ENVIRONMENT, "build", "app")
        self.assertIn("the files in 'app/vendor/trees' are not those", said)
        self.assertIn("tenure.lock", said)

    def test_files_that_a_tampered_repository_gives_are_refused(self):
        self.add_lists()
        lock = self.read("app/tenure.lock")
        self.write("app/tenure.lock", re.sub(r'(name = "trees".*?sha256:)\w{8}', r"\g<1>00000000", lock, flags=re.DOTALL))
        self.expect(OK, "clean", "app")
        said = self.expect(ENVIRONMENT, "build", "app")
        self.assertIn("the package 'trees'", said)
        self.assertIn("other files than", said)

    def test_two_packages_that_need_two_versions_of_a_third(self):
        trees = self.path("repos/trees")
        self.package("repos/trees", "trees", "Trees", "2.0.0")
        self.commit("repos/trees", "v2.0.0")
        self.package("maps", "maps", "Maps", "1.0.0", f'trees = {{ git = "{trees}", tag = "v2.0.0" }}\n', "Trees")
        self.add_lists()
        self.program("both", 'lists = { git = "../repos/lists", tag = "v1.0.0" }\nmaps = { path = "../maps" }\n',
                     "Lists", "Maps")
        said = self.expect(ENVIRONMENT, "build", "both")
        for text in ("two versions of the package 'trees'", "lists in", "maps in", "tag v1.0.0", "tag v2.0.0",
                     "[overrides] in both/tenure.toml"):
            self.assertIn(text, said)
        self.write("both/tenure.toml", self.read("both/tenure.toml")
                   + f'\n[overrides]\ntrees = {{ git = "{trees}", tag = "v2.0.0" }}\n')
        self.runs("both", "lists 1.0.0 trees 2.0.0\nmaps 1.0.0 trees 2.0.0\n")
        # The tag and its commit are one version.
        commit = self.git("repos/trees", "rev-parse", "v1.0.0")
        self.package("maps", "maps", "Maps", "1.0.0", f'trees = {{ git = "{trees}", commit = "{commit}" }}\n', "Trees")
        self.program("both", 'lists = { git = "../repos/lists", tag = "v1.0.0" }\nmaps = { path = "../maps" }\n',
                     "Lists", "Maps")
        self.runs("both", "lists 1.0.0 trees 1.0.0\nmaps 1.0.0 trees 1.0.0\n")

    def test_a_branch_is_kept_by_the_lock_until_it_is_updated(self):
        self.package("lists", "lists", "Lists", "1.0.0")
        self.git("", "init", "-q", "-b", "work", "lists")
        first = self.commit("lists")
        self.program("app", f'lists = {{ git = "{self.path("lists")}", branch = "work" }}\n', "Lists")
        self.runs("app", "lists 1.0.0\n")
        lock = self.read("app/tenure.lock")
        self.assertIn('branch = "work"', lock)
        self.assertIn(first, lock)
        # The branch grows; the lock keeps its commit, also without the repository.
        self.package("lists", "lists", "Lists", "1.1.0")
        second = self.commit("lists")
        self.runs("app", "lists 1.0.0\n", "--locked")
        self.assertEqual(self.read("app/tenure.lock"), lock)
        said = self.expect(OK, "update", cwd="app")
        self.assertIn(second[:7], said + self.read("app/tenure.lock"))
        self.runs("app", "lists 1.1.0\n", "--offline")
        # A branch that is not there is told with those that are.
        said = self.expect(ENVIRONMENT, "add", "lists", "--git", self.path("lists"), "--branch", "wrok", cwd="app")
        self.assertIn("has no branch 'wrok'; its newest branches: work", said)
        self.expect(OK, "add", "lists", "--git", self.path("lists"), "--branch", "work", cwd="app")
        self.assertIn('branch = "work"', self.read("app/tenure.toml"))
        self.expect(USAGE, "add", "lists", "--git", "x", "--branch", "a", "--tag", "b", cwd="app")

    def test_a_repository_of_several_packages(self):
        self.package("repos/many/a", "a", "A", "1.0.0", 'b = { path = "../inner/b" }\n', "B")
        self.package("repos/many/inner/b", "b", "B", "3.0.0")
        self.commit("repos/many", "1.0.0")
        self.program("app", "", "A")
        self.expect(OK, "add", "--git", "../repos/many", "--directory", "a", cwd="app")
        self.runs("app", "a 1.0.0 b 3.0.0\n")
        self.package("repos/many/a", "a", "A", "1.0.1", 'b = { path = "../../../maps" }\n', "B")
        commit = self.commit("repos/many")
        before = self.read("app/tenure.toml"), self.read("app/tenure.lock")
        said = self.expect(ENVIRONMENT, "add", "--git", "../repos/many", "--commit", commit, "--directory", "a",
                           cwd="app")
        self.assertIn("not in the package's repository", said)
        self.assertEqual((self.read("app/tenure.toml"), self.read("app/tenure.lock")), before)

    def test_one_lock_makes_the_same_bytes_for_two_users(self):
        self.add_lists()
        programs = []
        for user in ("one", "another user"):
            shutil.copytree(self.path("app"), self.path(user, "app"), ignore=shutil.ignore_patterns(".tenure"))
            shutil.copytree(self.path("repos"), self.path(user, "repos"))
            self.expect(OK, "build", cwd=f"{user}/app", HOME=self.path(user, "home"))
            with open(self.path(user, "app/.tenure/bin/app"), "rb") as file:
                programs.append(file.read())
        self.assertEqual(programs[0], programs[1])

    def fetched(self, url: str, *options: str) -> str:
        """Adds this repository's package trees, builds, and returns what was said."""
        self.program("app", "", "Trees")
        said = self.expect(OK, "add", "--git", url, *options, cwd="app")
        self.runs("app", "trees 1.0.0\n")
        return said

    def test_a_repository_whose_head_leads_nowhere(self):
        self.git("repos", "clone", "-q", "--bare", "trees", "bare")
        self.git("repos/bare", "symbolic-ref", "HEAD", "refs/heads/never-made")
        self.assertIn("tag v1.0.0", self.fetched("../repos/bare"))
        self.git("repos/bare", "branch", "now", "v1.0.0")
        self.assertIn("branch now", self.fetched("../repos/bare", "--branch", "now"))
        self.git("repos/bare", "tag", "-d", "v1.0.0")
        self.assertIn("name one of its branches: --branch ",
                      self.expect(ENVIRONMENT, "add", "--git", "../repos/bare", cwd="app"))
        self.git("repos", "init", "-q", "--bare", "empty")
        self.assertIn("has no commits", self.expect(ENVIRONMENT, "add", "--git", "../repos/empty", cwd="app"))

    def test_a_repository_without_its_older_commits(self):
        self.git("repos/trees", "commit", "-q", "--allow-empty", "-m", "newest")
        self.git("repos", "clone", "-q", "--depth", "1", "file://" + self.path("repos", "trees"), "shallow")
        self.assertNotIn("tag", self.fetched("../repos/shallow"))

    def test_a_repository_of_sha_256(self):
        self.git("repos", "init", "-q", "--object-format=sha256", "newer")
        shutil.copytree(self.path("repos", "trees", "src"), self.path("repos", "newer", "src"))
        shutil.copy(self.path("repos", "trees", "tenure.toml"), self.path("repos", "newer"))
        commit = self.commit("repos/newer")
        self.assertEqual(len(commit), 64)
        self.fetched("../repos/newer")
        self.fetched("../repos/newer", "--commit", commit)
        # Another repository at the same place.
        shutil.rmtree(self.path("repos", "newer"))
        os.rename(self.path("repos", "trees"), self.path("repos", "newer"))
        self.assertIn("tag v1.0.0", self.fetched("../repos/newer"))

    def test_what_is_asked_for_in_vain(self):
        for arguments, text in ((["--git", "../repos/lists", "--tag", "v9"], "has no tag 'v9'; its newest tags: v1.0.0"),
                                (["--git", "../repos/lists", "--commit", "0" * 40], "has no commit"),
                                (["--git", "../repos/none"], "cannot fetch"),
                                (["other", "--git", "../repos/lists"], "has the name 'lists', and not 'other'"),
                                (["--path", "../repos/none"], "is not a directory"),
                                (["--git", "ext::sh -c true"], "cannot fetch")):
            before = self.read("app/tenure.toml")
            self.assertIn(text, self.expect(ENVIRONMENT, "add", *arguments, cwd="app"))
            self.assertEqual(self.read("app/tenure.toml"), before)
        for arguments, text in ((["lists"], "where is the package"), (["lists", "../a", "--path", "../b"], "where is"),
                                (["lists", "--path", "../repos/lists", "--tag", "v1"], "belong to --git")):
            self.assertIn(text, self.expect(USAGE, "add", *arguments, cwd="app"))
        self.assertIn("no dependency 'lists'", self.expect(ENVIRONMENT, "remove", "lists", cwd="app"))


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class NewTest(TestCase):
    def test_a_program_builds_runs_and_passes_its_test(self):
        self.expect(OK, "new", "my-app")
        self.runs("my-app", "Hello, world!\n")
        self.runs("my-app", "Hello, Ada!\n", "--", "Ada")
        self.assertRegex(self.expect(OK, "test", "my-app"), r"1 passed, 0 failed")
        self.assertEqual(self.expect(OK, "check", "my-app"), "")
        self.assertIn("tenure run", self.read("my-app/README.md"))

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_git_ignores_all_that_the_tools_write_into_a_package(self):
        self.expect(OK, "new", "app")
        for command in (["build"], ["test"], ["test", "--coverage"], ["doc"]):
            self.expect(OK, *command, cwd="app")
        for made in ("coverage/index.html", "doc/index.html"):
            self.assertTrue(os.path.exists(self.path("app/" + made)))
        self.git("app", "init", "-q")
        known = self.git("app", "ls-files", "--others", "--exclude-standard").split()
        self.assertEqual(sorted(known), [".gitignore", "README.md", "src/Greeting.i3", "src/Greeting.m3", "src/Main.m3",
                                         "tenure.toml", "tests/GreetingTest.m3"])

    def test_a_library_is_used_by_a_program(self):
        self.expect(OK, "new", "--library", "deep/two-words")
        self.expect(OK, "build", "deep/two-words")
        self.assertRegex(self.expect(OK, "test", "deep/two-words"), r"1 passed, 0 failed")
        self.expect(OK, "new", "app")
        self.assertIn("added two-words: ../deep/two-words", self.expect(OK, "add", "../deep/two-words", cwd="app"))
        self.write("app/src/Main.m3", "MODULE Main;\nIMPORT IO, TwoWords;\n"
                   'BEGIN IO.Put(TwoWords.For("you") & "\\n") END Main.\n')
        self.runs("app", "Hello, you!\n")

    def test_a_name_that_cannot_be(self):
        self.write("full/file", "")
        for name, text in (("1st", "not the name of a package"), ("a b", "not the name"), ("", "not the name"), ("full", "already"),
                           ("libm3", "standard library")):
            self.assertIn(text, self.expect(USAGE, "new", name))
        for name, text in (("text", "has an interface Text"), ("IF", "keyword")):
            self.assertIn(text, self.expect(USAGE, "new", "--library", name))
        self.assertEqual(sorted(os.listdir(self.directory)), ["full"])

    def test_an_empty_directory_is_filled(self):
        os.mkdir(self.path("empty"))
        self.expect(OK, "new", ".", cwd="empty")
        self.runs("empty", "Hello, world!\n")


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class CheckTest(TestCase):
    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.directory)
                      for folder, _, names in os.walk(self.directory) for name in names)

    def test_everything_wrong_is_said_and_nothing_built(self):
        self.write("p/src/A.i3", "INTERFACE A;\nPROCEDURE F(): INTEGER;\nEND A.\n")
        self.write("p/src/A.m3", "MODULE A;\nPROCEDURE F(): INTEGER = BEGIN RETURN x END F;\nBEGIN\n  y := 1;\nEND A.\n")
        self.write("p/src/Main.m3", "MODULE Main;\nBEGIN\n  z := 1;\nEND Main.\n")
        before = self.files()
        for build_file in ("", 'module("A")\nimplementation("Main")\nprogram("p")\n'):
            if build_file:
                self.write("p/src/m3makefile", build_file)
                before = self.files()
            said = self.expect(SOURCE, "check", "p")
            for place in ("A.m3:2:39", "A.m3:4:3", "Main.m3:3:3"):
                self.assertIn(place, said)
            self.assertEqual(self.files(), before)

    def test_a_library_with_and_without_a_build_file(self):
        self.package("lists", "lists", "Lists", "1.0.0")
        os.remove(self.path("lists/tenure.toml"))
        before = self.files()
        self.assertEqual(self.expect(OK, "check", "lists"), "")
        self.write("lists/src/m3makefile", 'Module("Lists")\nbuild_generic_intf("IntList", "List", ["Integer"])\n'
                   'build_generic_impl("IntList", "List", ["Integer"])\nlibrary("lists")\n')
        self.assertEqual(self.expect(OK, "check", "lists"), "")
        self.assertEqual(self.files(), sorted([*before, "lists/src/m3makefile"]))
        self.assertIn("does not exist", self.expect(ENVIRONMENT, "check", "none"))

    def test_modules_of_tests_are_checked(self):
        self.expect(OK, "new", "app")
        self.write("app/tests/OtherTest.m3", "MODULE OtherTest EXPORTS Main;\nBEGIN\n  x := 1;\nEND OtherTest.\n")
        self.write("app/tests/GreetingTest.m3", self.read("app/tests/GreetingTest.m3").replace("For(", "Fur("))
        before = self.files()
        said = self.expect(SOURCE, "check", "app")
        self.assertIn("app/tests/OtherTest.m3:3:3", said)
        self.assertIn("app/tests/GreetingTest.m3:7", said)
        self.assertEqual(self.files(), before)

    def test_clean_removes_what_builds_made_and_nothing_else(self):
        self.program("app", "")
        before = self.files()
        self.expect(OK, "build", "app")
        self.assertNotEqual(self.files(), before)
        self.assertIn("removed app/.tenure", self.expect(OK, "clean", "app"))
        self.assertEqual(self.files(), before)
        self.assertEqual(self.expect(OK, "clean", "app"), "")
        self.assertIn("does not exist", self.expect(ENVIRONMENT, "clean", "none"))


if __name__ == "__main__":
    unittest.main()
