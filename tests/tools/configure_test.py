import os
import re
import shutil
import subprocess
import tempfile
import unittest

import configure


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


class SmallTree:
    """A repository of one layer, with its own configure.py."""

    def __init__(self, root: str):
        self.root = root
        shutil.copy(os.path.join(configure.ROOT, "configure.py"), root)
        os.makedirs(os.path.join(root, "tools"))
        for name in ("ninja_writer.py", "system_packages.py"):
            shutil.copy(os.path.join(configure.ROOT, "tools", name), os.path.join(root, "tools"))
        write(os.path.join(root, "base", "one.cc"), "int One() { return 1; }\n")
        self.configure()

    def configure(self, *arguments: str) -> None:
        subprocess.run(["python3", "configure.py", "--no-ccache", *arguments], cwd=self.root,
                       check=True)

    def build_file(self, name: str = "build.ninja") -> str:
        with open(os.path.join(self.root, name)) as file:
            return file.read()

    def ninja(self, *arguments: str) -> str:
        return subprocess.run(["ninja", *arguments], cwd=self.root, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def age(self) -> None:
        """Makes all existing files older, as if a minute had passed."""
        for folder, _, names in os.walk(self.root):
            for path in [folder] + [os.path.join(folder, name) for name in names]:
                old = os.stat(path).st_mtime - 60
                os.utime(path, (old, old))


class ConfigureTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.tree = SmallTree(self.directory.name)

    def test_build_file_does_not_depend_on_options_or_the_machine(self):
        before = self.tree.build_file()
        self.tree.configure("--cxx=some-compiler", "--debug")
        self.assertEqual(self.tree.build_file(), before)
        self.assertIn("some-compiler", self.tree.build_file("build/local.ninja"))
        self.assertIsNone(re.search(r"(?<![\w$])/(usr|home|opt|tmp|root)/", before))

    def test_other_build_folder_leaves_the_checked_in_file_alone(self):
        before = self.tree.build_file()
        os.remove(os.path.join(self.tree.root, "build.ninja"))
        self.tree.configure("--build-dir", "elsewhere")
        self.assertFalse(os.path.exists(os.path.join(self.tree.root, "build.ninja")))
        after = self.tree.build_file("elsewhere/build.ninja")
        after = after.replace("elsewhere/build.ninja", "build.ninja").replace("elsewhere", "build")
        self.assertEqual(after.replace("$\n", " ").split(), before.replace("$\n", " ").split())

    def test_files_come_and_go_without_configuring(self):
        self.assertNotIn("base/two.cc", self.tree.build_file())
        self.tree.age()
        write(os.path.join(self.tree.root, "base", "two.cc"), "int Two() { return 2; }\n")
        self.tree.ninja("configure.py")  # nothing but the renewal of build.ninja
        self.assertIn("base/two.cc", self.tree.build_file())
        self.tree.age()
        os.remove(os.path.join(self.tree.root, "base", "two.cc"))
        self.tree.ninja("configure.py")  # nothing but the renewal of build.ninja
        self.assertNotIn("base/two.cc", self.tree.build_file())

    def test_regeneration_keeps_the_options(self):
        self.tree.configure("--debug")
        self.tree.age()
        write(os.path.join(self.tree.root, "base", "two.cc"), "int Two() { return 2; }\n")
        self.tree.ninja("configure.py")  # nothing but the renewal of build.ninja
        self.assertIn("base/two.cc", self.tree.build_file())
        self.assertIn("TENURE_DEBUG", self.tree.build_file("build/local.ninja"))

    def test_empty_layers_and_missing_folders_are_no_error(self):
        os.remove(os.path.join(self.tree.root, "base", "one.cc"))
        self.tree.configure()
        self.tree.ninja("-n", "test")

    def test_missing_llvm_says_what_to_do(self):
        ran = subprocess.run(["python3", "configure.py", "--llvm-config=no-such-program"],
                             cwd=self.tree.root, text=True, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("build.py setup", ran.stderr)


if __name__ == "__main__":
    unittest.main()
