import os
import shutil
import stat
import subprocess
import tempfile
import unittest
from unittest import mock

import check_systems
import debian_root


class CountsTest(unittest.TestCase):
    def test_the_last_count_of_a_test_is_told(self):
        text = "gc_tests: 3 passed, 0 failed\nbuild.py: x\n(2 skipped)\n5100 passed, 1 failed\n"
        self.assertEqual(check_systems.counts_of("test", text), "5100 passed, 1 failed")
        self.assertEqual(check_systems.counts_of("test", "ninja: build stopped\n"), "")

    def test_a_demonstration_runs_four_programs(self):
        step = "\nprimes\n  2 3 5\n  (0.12 s)\n"
        self.assertEqual(check_systems.counts_of("demo", step * 4), "4 programs ran")
        self.assertEqual(check_systems.counts_of("demo", step * 3), "")


class FakeRoot:
    """A root whose build.py answers by the shell script `answers`."""

    def __init__(self, place):
        self.place = place

    def path(self, name):
        return os.path.join(self.place, name.lstrip("/"))

    def make(self, release, include):
        os.makedirs(self.place)

    def use_network(self):
        pass

    def run(self, *command, check=True, output=None, **_):
        if output is None:
            return subprocess.CompletedProcess(command, 0, "")
        with open(output, "a", encoding="utf-8") as file:
            return subprocess.run(["sh", "-c", f"set -- {command[-1].split()[-1]}; {self.answers}"], stdout=file,
                                  check=False)


class RunAllTest(unittest.TestCase):
    def run_all(self, answers):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        FakeRoot.answers = answers
        with mock.patch.object(check_systems, "Root", FakeRoot), \
                mock.patch.object(check_systems, "clone", lambda place: None), mock.patch("builtins.print"):
            results = check_systems.run_all(["one", "two"], folder, keep=False, user=False)
        self.assertEqual(sorted(name for name in os.listdir(folder) if not name.endswith(".log")), [])
        return [(ran.release, ran.command, ran.failed) for ran in results]

    DEMO = "if [ $1 = demo ]; then for i in 1 2 3 4; do echo '  (0.10 s)'; done; fi"

    def test_both_commands_on_each_release(self):
        self.assertEqual(self.run_all(self.DEMO + "; if [ $1 = test ]; then echo 7 passed, 0 failed; fi"), [
            ("one", "demo", False), ("one", "test", False), ("two", "demo", False), ("two", "test", False)])

    def test_a_failure_is_told_and_the_next_release_tried(self):
        self.assertEqual(self.run_all("exit 1"), [("one", "demo", True), ("two", "demo", True)])

    def test_a_test_that_says_no_count_has_failed(self):
        self.assertEqual(self.run_all(self.DEMO), [("one", "demo", False), ("one", "test", True),
                                                   ("two", "demo", False), ("two", "test", True)])


class RootTest(unittest.TestCase):
    def test_the_mirror_is_that_of_the_package_manager(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        program = os.path.join(folder, "apt-get")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nprintf 'http://other\\tNode\\tNode\\nhttp://here/debian\\tDebian\\tDebian\\n"
                       "http://here/security\\tDebian\\tDebian-Security\\nhttp://here/debian\\tDebian\\tDebian\\n'\n")
        os.chmod(program, stat.S_IRWXU)
        with mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
            self.assertEqual(debian_root.mirrors(), ["http://here/debian"])
            # A release that is newer than debootstrap.
            scripts = os.path.join(folder, "scripts")
            os.mkdir(scripts)
            open(os.path.join(scripts, "bookworm"), "w", encoding="utf-8").close()
            with mock.patch.object(debian_root, "SCRIPTS", scripts):
                self.assertEqual(debian_root.mirror_and_script("bookworm"), ["http://here/debian"])
                self.assertEqual(debian_root.mirror_and_script("forky"), ["http://here/debian", f"{scripts}/sid"])


if __name__ == "__main__":
    unittest.main()
