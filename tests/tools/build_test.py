import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import build_steps
import build
import system_packages as packages

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


class InstallTest(unittest.TestCase):
    def set_up(self, groups, may_install, result):
        with mock.patch.object(packages, "set_up", result):
            build.set_up(groups, may_install)

    def test_what_is_missing_ends_with_the_status_of_the_machine_and_names_a_setup(self):
        def missing(*_):
            raise packages.PackagesError("packages are missing")

        for groups, may_install, hint in ((["build"], False, "build.py setup"), (["build", "test"], False, "setup --tests"),
                                          (["build", "bench"], False, "setup --bench"),
                                          (["build", "test", "bench"], False, "setup --all"),
                                          (["build", "cluster"], False, "setup --all"), (["build"], True, "missing")):
            with self.assertRaises(build.Stop) as stop:
                self.set_up(groups, may_install, missing)
            self.assertEqual(stop.exception.status, build.kEnvironment)
            self.assertTrue(str(stop.exception).endswith(hint), (groups, str(stop.exception)))

    def test_each_group_is_installed_by_one_option_of_setup(self):
        installed = {group for groups in build.SETUPS.values() for group in groups}
        self.assertEqual(installed, set(packages.GROUPS))
        self.assertEqual({*build.SETUPS[""], *build.SETUPS["all"]}, installed)
        asked = {group for groups in build.NEEDS_OF_PARTS.values() for group in groups}
        self.assertLessEqual(asked, installed)

    def test_setup_installs_what_its_options_say(self):
        asked = []
        with mock.patch.object(build, "set_up", lambda groups, may_install: asked.append(groups)):
            for options in ({}, {"tests": True}, {"all": True}):
                build.command_setup(argparse.Namespace(**{"tests": False, "bench": False, "all": False, **options}))
        self.assertEqual(asked[0], ["build", "programs"])
        self.assertEqual(asked[1], ["build", "programs", "test"])
        self.assertEqual(set(asked[2]), set(packages.GROUPS))

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
                action(argparse.Namespace(name=None, parts=[], tests=False, bench=False, all=False, cut="", image=False))
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
        self.assertNotIn("-include", commands["gc/heap.cc"])
        self.assertEqual([file for file in commands if not os.path.exists(os.path.join(build.ROOT, file))], [])


@unittest.skipUnless(os.path.exists(os.path.join(build.ROOT, "build", "local.ninja")),
                     "the build folder is another one")
class ProgramsTest(unittest.TestCase):
    def test_demo_builds_what_it_runs(self):
        commands = subprocess.run(["ninja", "-t", "commands", "programs"], cwd=build.ROOT, check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
        for needed in ("-o build/bin/tenure ", "build/lib/libtenure_runtime.a", "build/lib/stdlib"):
            self.assertIn(needed, commands)
        for folder in ("dbtool", "node", "store/serve", "store/postgres", "store/faults", "tests"):
            self.assertNotIn(f"build/obj/{folder}/", commands)


class FewLinesTest(unittest.TestCase):
    def printed(self, lines: list) -> list:
        output, reader = io.StringIO(), build_steps.FewLines()
        with contextlib.redirect_stdout(output):
            for line in lines:
                reader.read(line)
        return output.getvalue().splitlines()

    def test_of_many_steps_four_lines_remain(self):
        printed = self.printed([f"[{step}/400] C++ base/check.cc\n" for step in range(1, 401)])
        self.assertEqual([line.split(" in ")[0] for line in printed],
                         [f"build.py: built {step} of 400 steps" for step in (100, 200, 300, 400)])

    def test_what_compilers_say_remains(self):
        said = ["FAILED: build/obj/a.o \n", "a.cc:1:1: error: no\n"]
        self.assertEqual(self.printed(["[1/3] C++ a.cc\n", *said, "ninja: no work to do.\n"]),
                         [line.rstrip("\n") for line in said])


if __name__ == "__main__":
    unittest.main()
