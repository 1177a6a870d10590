import os
import shutil
import subprocess
import sys
import unittest

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


if __name__ == "__main__":
    unittest.main()
