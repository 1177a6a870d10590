"""The Debian package and `install --prefix` on a system with nothing else, in a root of its own that debootstrap makes.

Takes minutes and fetches a few hundred megabytes of Debian's packages: part of `build.py check package` only. Needs
the rights of the administrator.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
sys.path.insert(0, os.path.join(ROOT, "tools"))

import install  # noqa: E402  (found through the path just added)
from debian_root import Root  # noqa: E402
from system_packages import installed_packages, llvm_version  # noqa: E402

# The commands of an ordinary user, with the compiler $1.
SESSION = r"""
set -eu
tenure=$1
cd "$HOME"
"$tenure" --version
"$tenure" new "my-app"
start=$(date +%s%N)
"$tenure" build my-app
echo "first build: $((($(date +%s%N) - start) / 1000000)) ms"
test "$("$tenure" run my-app)" = "Hello, world!"
"$tenure" test my-app
"$tenure" test --coverage my-app
test -s coverage/index.html
"$tenure" check my-app
"$tenure" doc my-app -o pages
test -s pages/index.html
if command -v gdb > /dev/null; then
  "$tenure" debug my-app --batch --ex 'break Main.m3:1' --ex run --ex backtrace > debugged 2>&1
  grep -q "#0  Main.(body) () at my-app/src/Main.m3" debugged
fi
"$tenure" new --library words
"$tenure" test words
cd my-app
"$tenure" add ../words
cd ..
"$tenure" build -O0 -g --barriers=software my-app
mkdir "a counter"
cat > "a counter/Main.m3" <<'END'
MODULE Main;
IMPORT Database, Transaction, IO;
TYPE Counter = REF RECORD runs: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  counter: Counter;
<*FATAL ANY*>
BEGIN
  TRY db := Database.Open("counter")
  EXCEPT Database.DatabaseNotFound => Database.Create("counter"); db := Database.Open("counter") END;
  tr.begin();
  counter := db.getRoot();
  IF counter = NIL THEN counter := NEW(Counter, runs := 0); db.setRoot(counter) END;
  INC(counter.runs);
  tr.commit();
  IO.Put("run "); IO.PutInt(counter.runs); IO.Put("\n");
END Main.
END
test "$("$tenure" run "a counter")" = "run 1"
"$tenure" build --static "a counter" -o counted
test "$(./counted)" = "run 2"
"$tenure" db verify counter
"$tenure" clean my-app
"$tenure" clean --cache
"""


def files_below(root: str):
    """All but what belongs to the kernel, to users, and to the records of packages."""
    found = set()
    left_out = {os.path.join(root, name) for name in ("proc", "sys", "dev", "home", "tmp", "var", "run", "root")}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in left_out]
        found.update(os.path.join(folder, name) for name in [*folders, *names])
    return found


@unittest.skipUnless(os.environ.get("TENURE_LONG"), "only in `build.py check package`")
@unittest.skipUnless(os.geteuid() == 0 and shutil.which("debootstrap"), "needs debootstrap, and the administrator")
class BareRootTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = os.path.realpath(tempfile.mkdtemp(prefix="tenure-bare-"))
        os.chmod(cls.directory, 0o755)
        cls.root = os.environ.get("TENURE_BARE_ROOT", "")
        if not cls.root:
            cls.root = os.path.join(cls.directory, "root")
            # The release that the package is for.
            with open("/etc/os-release", encoding="utf-8") as file:
                codename = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.MULTILINE).group(1)
            Root(cls.root).make(codename)
        Root(cls.root).use_network()
        cls.in_root("apt-get", "update", "-q")
        cls.in_root("useradd", "--create-home", "user", check=False)
        cls.package = install.make_package(BUILD_DIR, cls.directory,
                                           os.environ.get("TENURE_BARE_OBJECTS", "all"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    @classmethod
    def in_root(cls, *command: str, check: bool = True) -> subprocess.CompletedProcess:
        return Root(cls.root).run(*command, check=check)

    def session(self, tenure: str) -> str:
        with open(os.path.join(self.root, "tmp/session.sh"), "w", encoding="utf-8") as file:
            file.write(SESSION)
        self.in_root("rm", "-rf", "/home/user")
        self.in_root("cp", "-r", "/etc/skel", "/home/user")
        self.in_root("chown", "-R", "user:", "/home/user")
        return self.in_root("su", "-", "user", "-c", f"sh /tmp/session.sh {tenure}").stdout

    def test_the_package_is_installed_used_and_removed(self):
        name = os.path.basename(self.package)
        shutil.copy(self.package, os.path.join(self.root, "tmp", name))
        # Packages that it depends on stay when it is removed.
        depends = subprocess.run(["dpkg-deb", "-f", self.package, "Depends"], text=True, stdout=subprocess.PIPE,
                                 check=True).stdout
        wanted = [one.split("(")[0].split("|")[0].strip() for one in depends.split(",")]
        self.in_root("apt-get", "install", "-y", "-q", "--no-install-recommends", *wanted, "gdb")
        before = files_below(self.root)
        self.in_root("apt-get", "install", "-y", "-q", "--no-install-recommends", f"/tmp/{name}")
        installed = files_below(self.root)
        said = self.session("tenure")
        print(said)
        self.assertEqual(files_below(self.root), installed, "the user's session left files outside of the home")
        self.in_root("dpkg", "--purge", "tenure")
        self.assertEqual(files_below(self.root), before)

    def test_the_first_hour_of_the_guide_is_as_it_is_written(self):
        # A user copies from it; tools/run_documents.py is that user, and needs Python.
        name = os.path.basename(self.package)
        shutil.copy(self.package, os.path.join(self.root, "tmp", name))
        self.in_root("apt-get", "install", "-y", "-q", "--no-install-recommends", "python3-minimal",
                     "libpython3-stdlib", f"/tmp/{name}")
        guide = os.path.join(self.root, "tmp", "guide")
        shutil.rmtree(guide, ignore_errors=True)
        for path in ("tools/run_documents.py", "docs/guide/first-hour.md", "examples"):
            place = os.path.join(guide, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            (shutil.copytree if os.path.isdir(os.path.join(ROOT, path)) else shutil.copy)(os.path.join(ROOT, path), place)
        said = self.in_root("su", "-", "user", "-c", "TENURE_BUILD_DIR=/usr/lib/tenure python3 "
                            "/tmp/guide/tools/run_documents.py /tmp/guide/docs/guide/first-hour.md").stdout
        self.assertIn("1 documents, 0 problems", said)
        self.in_root("dpkg", "--purge", "tenure")

    def test_an_installation_without_the_administrator(self):
        # In the user's home, and the same home as here: the object files name the place.
        llvm = llvm_version(installed_packages(), {})
        self.in_root("apt-get", "install", "-y", "-q", "--no-install-recommends", "g++", f"lld-{llvm}", "libdb5.3-dev",
                     f"libllvm{llvm}")
        place = os.path.join(self.root, "opt/users tenure")
        install.install(BUILD_DIR, "/opt/users tenure", self.root, "usual")
        before = files_below(self.root)
        print(self.session("'/opt/users tenure/bin/tenure'"))
        self.assertEqual(files_below(self.root), before)
        install.uninstall("/opt/users tenure", self.root)
        self.assertFalse(os.path.exists(place))

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_no_errors(self):
        ran = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", self.package], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertFalse(glob.glob(os.path.join(self.root, "usr/lib/tenure")))


if __name__ == "__main__":
    unittest.main()
