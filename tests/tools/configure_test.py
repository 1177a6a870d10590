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

    def add_files(self, count: int) -> None:
        for number in range(count):
            write(os.path.join(self.tree.root, "gc", f"part{number}.cc"),
                  f'#include "gc/part.h"\nint Part{number}() {{ return kPart + {number}; }}\n')
        write(os.path.join(self.tree.root, "gc", "part.h"), "#pragma once\nconstexpr int kPart = 1;\n")

    def test_neighbours_are_compiled_together_and_follow_each_of_their_files(self):
        self.add_files(configure.GROUP_FILES + 1)
        self.tree.configure()
        self.tree.ninja("build/lib/libgc.a")
        objects = os.listdir(os.path.join(self.tree.root, "build", "obj", "gc"))
        self.assertEqual(sorted(name for name in objects if name.endswith(".o")),
                         ["part0+part1.cc.o", "part2+part3.cc.o"])
        self.assertEqual(self.tree.ninja("build/lib/libgc.a").strip(), "ninja: no work to do.")
        self.tree.age()
        write(os.path.join(self.tree.root, "gc", "part3.cc"), "int Part3() { return 7; }\n")
        self.assertNotIn("part0+part1", self.tree.ninja("-n", "-v", "build/lib/libgc.a").split("ar crs")[0])
        self.tree.ninja("build/lib/libgc.a")
        names = subprocess.run(["nm", "-C", "build/lib/libgc.a"], cwd=self.tree.root, check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        for number in range(configure.GROUP_FILES + 1):
            self.assertIn(f"T Part{number}()", names)

    def test_each_file_compiles_files_by_themselves(self):
        self.add_files(2)
        self.tree.configure("--build-dir", "apart", "--each-file")
        text = self.tree.build_file("apart/build.ninja")
        self.assertNotIn("+", text.partition("# gc")[2])
        self.assertIn("$builddir/obj/gc/part0.cc.o: cxx gc/part0.cc", text)
        ran = subprocess.run(["python3", "configure.py", "--each-file"], cwd=self.tree.root, text=True,
                             stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--build-dir", ran.stderr)

    def test_warnings_end_the_build_of_continuous_integration(self):
        def flags(variables, *options):
            environment = {name: value for name, value in os.environ.items() if name != "CI"}
            subprocess.run(["python3", "configure.py", "--no-ccache", *options], cwd=self.tree.root, check=True,
                           env={**environment, **variables})
            return self.tree.build_file("build/local.ninja")
        self.assertNotIn("-Werror", flags({}))
        self.assertIn("-Werror", flags({"CI": "true"}))
        self.assertIn("-Werror", flags({}, "--warnings-are-errors"))

    def test_what_is_precompiled_is_used(self):
        write(os.path.join(self.tree.root, configure.COMMON_HEADER), "#pragma once\n#include <vector>\n")
        self.tree.configure()
        self.tree.ninja("build/lib/libbase.a")
        command = self.tree.ninja("-t", "commands", "build/lib/libbase.a").splitlines()[-2]
        compiler = command.split(" && ")[1]
        used = subprocess.run(compiler + " -H", cwd=self.tree.root, shell=True, check=True, text=True,
                              stderr=subprocess.PIPE).stderr
        self.assertRegex(used, r"^! (\./)?build/precompiled/base/common_headers_0\.h\.gch")

    def test_missing_llvm_says_what_to_do(self):
        ran = subprocess.run(["python3", "configure.py", "--llvm-config=no-such-program"],
                             cwd=self.tree.root, text=True, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("build.py setup", ran.stderr)


if __name__ == "__main__":
    unittest.main()
