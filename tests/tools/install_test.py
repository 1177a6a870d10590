"""What `build.py install` installs, as a user finds it: read-only, a home of their own, spaces in paths."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
sys.path.insert(0, os.path.join(ROOT, "tools"))

import command_pages  # noqa: E402  (found through the path just added)
import install  # noqa: E402

HELLO = 'MODULE Main;\nIMPORT IO;\nBEGIN IO.Put("hello\\n") END Main.\n'
COUNTER = """MODULE Main;
IMPORT Database, Fmt, IO, Params, Transaction;
TYPE Counter = REF RECORD runs: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  counter: Counter;
<*FATAL ANY*>
BEGIN
  TRY Database.Create(Params.Get(1)) EXCEPT Database.DatabaseExists => END;
  db := Database.Open(Params.Get(1));
  tr.begin();
  counter := db.getRoot();
  IF counter = NIL THEN counter := NEW(Counter, runs := 0); db.setRoot(counter) END;
  INC(counter.runs);
  tr.commit();
  IO.Put(Fmt.Int(counter.runs) & "\\n");
END Main.
"""


def files_below(directory: str):
    """The files with their times and sizes."""
    found = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            status = os.lstat(os.path.join(folder, name))
            found[os.path.relpath(os.path.join(folder, name), directory)] = (status.st_mtime_ns, status.st_size)
    return found


@unittest.skipUnless(shutil.which("git"), "there is no git")
class CommitTest(unittest.TestCase):
    def git(self, *words: str) -> str:
        return subprocess.run(["git", "-C", self.directory, "-c", "user.name=A", "-c", "user.email=a@b", *words], text=True,
                              check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.strip()

    def test_a_machine_without_git_finds_the_commit(self):
        self.directory = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)
        self.assertEqual(install.commit_in_files(self.directory), "")
        self.git("init", "-q", "-b", "main")
        self.assertEqual(install.commit_in_files(self.directory), "")  # no commit yet
        self.git("commit", "-q", "--allow-empty", "-m", "one")
        first = self.git("rev-parse", "HEAD")[:12]
        self.assertEqual(install.commit_in_files(self.directory), first)
        self.git("commit", "-q", "--allow-empty", "-m", "two")
        second = self.git("rev-parse", "HEAD")[:12]
        self.git("pack-refs", "--all")
        self.assertEqual(install.commit_in_files(self.directory), second)
        self.git("checkout", "-q", "--detach", first)
        self.assertEqual(install.commit_in_files(self.directory), first)
        self.git("worktree", "add", "-q", "-b", "other", os.path.join(self.directory, "beside"), second)
        self.assertEqual(install.commit_in_files(os.path.join(self.directory, "beside")), second)


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        install.write_commit(BUILD_DIR)
        cls.directory = os.path.realpath(tempfile.mkdtemp(prefix="tenure install "))
        cls.prefix = os.path.join(cls.directory, "opt", "new prefix")
        install.install(BUILD_DIR, cls.prefix, "", "none")
        cls.tenure = os.path.join(cls.prefix, "bin", "tenure")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def run_tenure(self, *arguments: str, home: str = "home", **more) -> subprocess.CompletedProcess:
        home = os.path.join(self.directory, home)
        os.makedirs(home, exist_ok=True)
        environment = {"HOME": home, "PATH": os.environ["PATH"], "CCACHE_DISABLE": "1", **more}
        return subprocess.run([self.tenure, *arguments], cwd=home, env=environment, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def expect(self, *arguments: str, **more) -> str:
        ran = self.run_tenure(*arguments, **more)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        return ran.stdout

    def test_a_program_is_built_without_the_checkout_and_the_prefix_stays_as_it_was(self):
        before = files_below(self.prefix)
        package = os.path.join(self.directory, "my hello")
        os.mkdir(package)
        with open(os.path.join(package, "Main.m3"), "w", encoding="utf-8") as file:
            file.write(HELLO)
        self.assertEqual(self.expect("run", package), "hello\n")
        self.assertEqual(files_below(self.prefix), before)
        objects = os.path.join(self.directory, "home", ".cache", "tenure", "objects")
        self.assertIn("Text.m3", " ".join(files_below(objects)))
        with open(os.path.join(package, ".tenure", "bin", "my hello"), "rb") as file:
            self.assertNotIn(ROOT.encode() + b"/", file.read())
        # Another package finds the library's object files in the cache.
        again = os.path.join(self.directory, "again")
        shutil.copytree(package, again, ignore=shutil.ignore_patterns(".tenure"))
        self.assertNotIn("compile Text", self.expect("build", "-v", again))
        # The cache is where XDG_CACHE_HOME says; `clean --cache` removes it.
        cache = os.path.join(self.directory, "own cache")
        self.assertIn("compile Text", self.expect("build", "-v", again, "-o", "x", XDG_CACHE_HOME=cache))
        self.assertTrue(os.path.isdir(os.path.join(cache, "tenure", "objects")))
        self.expect("clean", "--cache", XDG_CACHE_HOME=cache)
        self.assertEqual(os.listdir(cache), [])
        self.assertTrue(files_below(objects))

    def test_a_static_program_needs_no_library_and_uses_databases(self):
        package = os.path.join(self.directory, "counter")
        os.mkdir(package)
        with open(os.path.join(package, "Main.m3"), "w", encoding="utf-8") as file:
            file.write(COUNTER)
        program, store = os.path.join(self.directory, "counted"), os.path.join(self.directory, "counter.store")
        for options, runs in ((["--static"], "1"), ([], "2"), (["--static"], "3")):
            subprocess.run([TENURE, "build", package, "-o", program, *options], check=True, stdin=subprocess.DEVNULL)
            headers = subprocess.run(["readelf", "-dl", program], text=True, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual("INTERP" in headers, not options)
            ran = subprocess.run([program, store], text=True, stdout=subprocess.PIPE, check=True)
            self.assertEqual(ran.stdout, f"{runs}\n")
        self.assertIn("all is well", self.expect("db", "verify", store))

    def test_explanations_documents_and_the_library_are_found(self):
        self.assertIn("M0304", self.expect("explain", "M0304"))
        self.expect("doc", "-o", "pages")
        self.assertIn("salvage", self.expect("db", "--help"))

    def test_the_version_names_the_commit_and_the_formats(self):
        said = self.expect("--version")
        self.assertRegex(said, r"^tenure \d+\.\d+\.\d+ \(.*LLVM (19|2[0-2])\.\d+\.\d+")
        self.assertRegex(said, r"store format \d+ .*server protocol \d+, Berkeley DB 5\.3\.\d+")
        if install.commit():
            self.assertIn(f"commit {install.commit().split('-')[0]}", said)

    def test_everybody_may_read_all_files(self):
        for name in files_below(self.prefix):
            path = os.path.join(self.prefix, name)
            if not os.path.islink(path):
                self.assertIn(oct(os.stat(path).st_mode)[-3:], ("644", "755"), name)

    def test_uninstalling_leaves_nothing_but_files_of_others(self):
        prefix = os.path.join(self.directory, "some", "where")
        for name in ("bin", "share/man"):
            os.makedirs(os.path.join(prefix, name))
        shutil.copytree(os.path.join(self.prefix, "lib"), os.path.join(prefix, "lib"), symlinks=True)
        shutil.copytree(os.path.join(self.prefix, "share"), os.path.join(prefix, "share"), dirs_exist_ok=True)
        os.symlink("../lib/tenure/bin/tenure", os.path.join(prefix, "bin", "tenure"))
        with open(os.path.join(prefix, "bin", "other"), "w", encoding="utf-8"):
            pass
        install.uninstall(prefix, "")
        self.assertEqual(list(files_below(prefix)), ["bin/other"])
        with self.assertRaisesRegex(install.InstallError, "nothing is installed"):
            install.uninstall(prefix, "")

    def test_a_new_version_replaces_the_old_one_and_folders_that_were_made_are_removed(self):
        destination = os.path.join(self.directory, "package root")
        place = os.path.join(destination, "usr/local")
        install.install(BUILD_DIR, "/usr/local", destination, "none")
        path = os.path.join(place, install.LIST)
        with open(path, "a", encoding="utf-8") as file:
            file.write("lib/tenure/lib/old/file\n")
        os.mkdir(os.path.join(place, "lib/tenure/lib/old"))
        with open(os.path.join(place, "lib/tenure/lib/old/file"), "w", encoding="utf-8"):
            pass
        install.install(BUILD_DIR, "/usr/local", destination, "none")
        self.assertFalse(os.path.exists(os.path.join(place, "lib/tenure/lib/old")))
        self.assertEqual(sorted(install.Listed.read(place).files), sorted(files_below(place)))
        install.uninstall("/usr/local", destination)
        self.assertFalse(os.path.exists(destination))

    def test_a_list_that_leads_out_of_the_prefix_is_refused(self):
        place = os.path.join(self.directory, "hostile")
        os.makedirs(os.path.join(place, os.path.dirname(install.LIST)))
        victim = os.path.join(self.directory, "victim")
        for name in ("../victim", victim, "lib/../../victim"):
            with open(victim, "w", encoding="utf-8"), \
                    open(os.path.join(place, install.LIST), "w", encoding="utf-8") as file:
                file.write(f"{name}\n")
            with self.assertRaisesRegex(install.InstallError, "outside"):
                install.uninstall(place, "")
            self.assertTrue(os.path.exists(victim))

    def test_every_command_has_a_man_page(self):
        pages = os.listdir(os.path.join(self.prefix, "share/man/man1"))
        table = command_pages.read_table(TENURE, os.path.join(BUILD_DIR, "bin", "tenure-db"))
        for command in table["commands"]:
            self.assertIn(f"tenure-{command['name']}.1.gz", pages)
        if shutil.which("man"):
            for page in pages:
                ran = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z",
                                      os.path.join(self.prefix, "share/man/man1", page)],
                                     env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}, text=True,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                self.assertEqual((ran.returncode, ran.stderr), (0, ""), page)

    def bash_offers(self, line: str):
        """The completions that bash would offer behind these words."""
        script = """
            source "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _tenure 2>&1
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        completion = os.path.join(self.prefix, "share/bash-completion/completions/tenure")
        said = subprocess.run(["bash", "--norc", "-c", script, "bash", completion, *line.split(" ")],
                              cwd=self.directory, text=True, stdout=subprocess.PIPE, check=True).stdout
        return said.split("\n")[:-1]

    def test_bash_completes_commands_options_values_and_files(self):
        self.assertEqual(self.bash_offers("tenure bui"), ["build"])
        self.assertIn("salvage", self.bash_offers("tenure db "))
        self.assertEqual(self.bash_offers("tenure db sal"), ["salvage"])
        self.assertEqual(self.bash_offers("tenure build --error"), ["--error-format"])
        self.assertEqual(sorted(self.bash_offers("tenure build --barriers = ")), ["hybrid", "software", "trap"])
        self.assertEqual(self.bash_offers("tenure build --gc bo"), ["boehm"])
        self.assertIn("opt", self.bash_offers("tenure build op"))
        self.assertIn("M0304", self.bash_offers("tenure explain M030"))
        self.assertEqual(self.bash_offers("tenure serve --gr"), ["--group"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_completes(self):
        completion = os.path.join(self.prefix, "share/fish/vendor_completions.d/tenure.fish")
        for line, word in (("tenure bui", "build"), ("tenure db sal", "salvage"),
                           ("tenure build --error", "--error-format"), ("tenure build --gc bo", "boehm")):
            said = subprocess.run(["fish", "--no-config", "-c", f"source '{completion}'; complete -C '{line}'"],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
            self.assertEqual(said.stderr, "")
            self.assertEqual([offer.split("\t")[0] for offer in said.stdout.splitlines()], [word], line)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_accepts_its_completion(self):
        completion = os.path.join(self.prefix, "share/zsh/site-functions/_tenure")
        ran = subprocess.run(["zsh", "-f", "-n", completion], text=True, stderr=subprocess.PIPE)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
