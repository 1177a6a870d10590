import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import build

BUILD = os.path.join(build.ROOT, "build.py")


class CommandLineTest(unittest.TestCase):
    def run_build(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, BUILD, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_help_names_every_command(self):
        ran = self.run_build("--help")
        self.assertEqual(ran.returncode, 0)
        for command in build.COMMANDS:
            self.assertIn(f"build.py {command}", ran.stdout)

    def test_help_names_every_part_of_check(self):
        ran = self.run_build("check", "--help")
        for part in build.PARTS_OF_CHECK:
            self.assertIn(f"{part}:", ran.stdout)

    def test_wrong_usage_has_status_2(self):
        for arguments in ([], ["nonsense"], ["test", "--nonsense"], ["check", "nonsense"]):
            self.assertEqual(self.run_build(*arguments).returncode, 2, arguments)


@unittest.skipUnless(shutil.which("dpkg-query"), "this is not a Debian system")
class PackagesTest(unittest.TestCase):
    def test_only_what_is_not_installed_is_missing(self):
        self.assertEqual(build.missing_packages(["base-files", "no-such-package-as-this"]),
                         ["no-such-package-as-this"])


class InstallTest(unittest.TestCase):
    def set_up(self, missing, may_install):
        """The packages that were installed."""
        installed = []
        with mock.patch.object(build, "is_debian", lambda: True), \
                mock.patch.object(build, "missing_packages", lambda packages: missing), \
                mock.patch.object(build, "install", installed.extend):
            build.set_up(["build"], may_install)
        return installed

    def test_packages_are_installed_where_that_is_allowed(self):
        self.assertEqual(self.set_up(["some-package"], may_install=True), ["some-package"])
        self.assertEqual(self.set_up([], may_install=True), [])

    def test_otherwise_the_command_is_told_and_nothing_installed(self):
        with self.assertRaises(build.Stop) as stop:
            self.set_up(["some-package", "another"], may_install=False)
        self.assertEqual(stop.exception.status, build.kEnvironment)
        self.assertIn("apt-get install -y some-package another", str(stop.exception))
        self.assertEqual(self.set_up([], may_install=False), [])

    def test_only_some_commands_install(self):
        class Asked(Exception):
            pass

        def ask(groups, may_install):
            raise Asked(may_install)

        may = set()
        for name, (action, _) in build.COMMANDS.items():
            if name == "uninstall":
                continue  # needs no packages
            with mock.patch.object(build, "set_up", ask), self.assertRaises(Asked) as asked:
                action(argparse.Namespace(name=None))
            if asked.exception.args[0]:
                may.add(name)
        self.assertEqual(may, {"setup", "demo", "test", "lab", "guide", "cluster"})


class FilterTest(unittest.TestCase):
    def test_a_filter_without_a_test_fails(self):
        arguments = argparse.Namespace(build_dir="build", jobs=1, filters=["xyzzy-of-nobody"])
        output = io.StringIO()
        with mock.patch.object(build, "set_up", lambda *_, **__: None), \
                mock.patch.object(build, "build", lambda *_: None), \
                contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as ended:
            build.command_test(arguments)
        self.assertEqual(ended.exception.code, build.kFailed)
        self.assertEqual(output.getvalue().split("\n")[0], "no tests match xyzzy-of-nobody")


@unittest.skipUnless(os.path.exists(os.path.join(build.ROOT, "build", "local.ninja")),
                     "the build folder is another one")
class CompileCommandsTest(unittest.TestCase):
    def test_each_file_with_the_call_of_its_compiler(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "compile_commands.json")
            before = os.getcwd()
            os.chdir(build.ROOT)
            try:
                build.write_compile_commands("build", path)
            finally:
                os.chdir(before)
            with open(path, encoding="utf-8") as file:
                commands = {entry["file"]: entry["command"] for entry in json.load(file)}
            self.assertEqual(os.listdir(directory), ["compile_commands.json"])
        self.assertIn("gc/heap.cc", commands)
        self.assertIn("tests/gc/heap_test.cc", commands)
        self.assertIn(" -c gc/heap.cc -o ", commands["gc/heap.cc"])
        self.assertNotIn("touch", commands["gc/heap.cc"])


if __name__ == "__main__":
    unittest.main()
