import io
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
import unittest
from unittest import mock

import system_packages as packages


def bookworm(*more: str):
    """What a small Debian 12 has in its lists."""
    names = {name for text in packages.GROUPS["build"] + packages.GROUPS["test"]
             for version in ("19", "22") for name in packages.Need.read(text, version).names()}
    return {**{name: "1" for name in [*names, *more]}, "patroni": "3.0.2-1", "python3-pip": "23", "etcd-client": "3",
            "etcd-server": "3", "iproute2": "6", "openssl": "3"}


class ChoiceTest(unittest.TestCase):
    def wanted(self, groups, installed, available):
        return packages.wanted(groups, installed, lambda names: {n: v for n, v in available.items() if n in names})

    def test_llvm_19_is_preferred_and_otherwise_the_newest(self):
        for versions, chosen in (("19 20 21 22", "19"), ("20 21 22", "22"), ("20 21", "21"), ("18 20", "20")):
            available = {name: "1" for name in bookworm() if "llvm" not in name and "lld" not in name}
            for version in versions.split():
                available.update({f"llvm-{version}-dev": version, f"lld-{version}": version})
            missing = self.wanted(["build"], {}, available).missing
            self.assertIn(f"llvm-{chosen}-dev", missing)
            self.assertIn(f"lld-{chosen}", missing)

    def test_what_is_installed_of_llvm_counts(self):
        installed = {"llvm-21-dev": "21", "lld-21": "21"}
        missing = self.wanted(["build"], installed, bookworm()).missing
        self.assertFalse([name for name in missing if "llvm" in name or "lld" in name], missing)
        # A version without its linker does not.
        self.assertIn("llvm-19-dev", self.wanted(["build"], {"llvm-21-dev": "21"}, bookworm()).missing)

    def test_a_version_that_is_too_old_or_new_does_not_count(self):
        installed = {"llvm-14-dev": "14", "lld-14": "14", "llvm-99-dev": "99", "lld-99": "99"}
        self.assertIn("llvm-19-dev", self.wanted(["build"], installed, bookworm()).missing)

    def test_any_postgresql_is_enough(self):
        need = packages.Need.read("postgresql-# | postgresql", "19")
        for name in ("postgresql-15", "postgresql-18", "postgresql"):
            self.assertEqual(need.first({name: "1"}), name)
        for name in ("postgresql-common", "postgresql-client-15", "postgresql-15-postgis-3"):
            self.assertIsNone(need.first({name: "1"}), name)
        self.assertIn("postgresql", self.wanted(["test"], {}, bookworm()).missing)

    @unittest.skipUnless(shutil.which("dpkg"), "this is not a Debian system")
    def test_nothing_comes_from_pypi_where_debian_has_it(self):
        for version, chosen in (("3.0.2-1", "python3-pip"), ("4.0.7-3~deb13u1", "patroni"), ("10.1-1", "patroni")):
            missing = self.wanted(["cluster"], {}, {**bookworm(), "patroni": version}).missing
            self.assertEqual([name for name in missing if name in ("patroni", "python3-pip")], [chosen])

    def test_what_is_optional_is_taken_where_it_is_to_be_had(self):
        self.assertIn("clang-format-19", self.wanted(["test"], {}, bookworm()).missing)
        without = {name: version for name, version in bookworm().items() if name != "clang-format-19"}
        wanted = self.wanted(["test"], {}, without)
        self.assertNotIn("clang-format-19", wanted.missing)
        self.assertEqual(wanted.unknown, [])

    def test_what_the_lists_lack_is_named(self):
        without = {name: version for name, version in bookworm().items() if name != "libdb5.3-dev"}
        self.assertEqual(self.wanted(["build"], {}, without).unknown, ["libdb5.3-dev"])
        # The lists of a new system are empty.
        self.assertIn("llvm-19-dev", self.wanted(["build"], {}, {}).unknown)

    def test_the_lists_are_not_asked_where_nothing_is_missing(self):
        installed = {name: "1" for text in packages.GROUPS["build"] for name in packages.Need.read(text, "19").names()}
        self.assertEqual(packages.wanted(["build"], installed, None), packages.Wanted([], []))

    def test_to_compile_programs_asks_for_no_server_browser_or_debugger(self):
        missing = " ".join(self.wanted(["build", "programs"], {}, bookworm("libjemalloc-dev", "git")).missing)
        self.assertIsNone(re.search(r"postgresql|etcd|chromium|gdb|gtest|sphinx|lmdb", missing), missing)

    def test_each_line_of_each_group_can_be_read(self):
        for group, texts in packages.GROUPS.items():
            for text in texts:
                self.assertTrue(packages.Need.read(text, "19").names(), (group, text))
        self.assertLessEqual(set(packages.PROGRAMS), set(packages.GROUPS))


@unittest.skipUnless(shutil.which("dpkg-query"), "this is not a Debian system")
class SystemTest(unittest.TestCase):
    def test_installed_packages_have_versions(self):
        self.assertIn("base-files", packages.installed_packages())
        self.assertNotIn("no-such-package-as-this", packages.installed_packages())

    def test_the_lists_have_what_is_installed(self):
        self.assertEqual(set(packages.available_packages(["base-files", "no-such-package-as-this"])), {"base-files"})


class InstallerTest(unittest.TestCase):
    """With an apt-get of the test's own."""

    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.directory)
        self.said = []
        path = f"{self.directory}:{os.environ['PATH']}"
        for patch in (mock.patch.dict(os.environ, PATH=path), mock.patch.object(packages, "LOCK_PAUSE_S", 0.01)):
            patch.start()
            self.addCleanup(patch.stop)
        self.installer = packages.Installer([], self.said.append)

    def program(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + textwrap.dedent(text))
        os.chmod(path, 0o755)

    def test_a_lock_of_another_process_is_waited_for_with_one_word(self):
        self.program("apt-get", f"""
            case "$*" in *assume-no*) exit 1 ;; esac
            echo x >> {self.directory}/tries
            if [ $(wc -l < {self.directory}/tries) -lt 4 ]; then
              echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (unattended-upgr)" >&2
              exit 100
            fi
            """)
        self.assertTrue(self.installer.install(["some-package"]))
        self.assertEqual(self.said, ["installing some-package", "another process, 4711 (unattended-upgr), is using the "
                                     "package manager; waiting until it has ended"])

    def test_a_lock_that_is_never_released_is_an_error(self):
        self.program("apt-get", "echo 'E: Unable to lock directory /var/lib/apt/lists/'; exit 100\n")
        with mock.patch.object(packages, "LOCK_PATIENCE_S", 0.05), self.assertRaises(packages.PackagesError) as error:
            self.installer.update()
        self.assertIn("Unable to lock", str(error.exception))

    def test_another_failure_is_not_repeated(self):
        self.program("apt-get", f"echo x >> {self.directory}/tries; echo 'E: no such package'; exit 100\n")
        with self.assertRaises(packages.PackagesError) as error:
            self.installer.update()
        self.assertIn("no such package", str(error.exception))
        with open(os.path.join(self.directory, "tries"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "x\n")

    def test_a_terminal_shows_the_latest_line_while_it_lasts(self):
        shown = io.StringIO()
        shown.isatty = lambda: True
        with mock.patch.object(packages.sys, "stdout", shown), tempfile.TemporaryFile("w+b") as output:
            status = packages._run_showing(["sh", "-c", "echo one; echo two; sleep 1; exit 7"], output)
        self.assertEqual(status, 7)
        self.assertIn("\r\x1b[Ktwo", shown.getvalue())
        self.assertTrue(shown.getvalue().endswith("\r\x1b[K"))

    def test_the_size_is_told(self):
        self.program("apt-get", """
            case "$*" in *assume-no*)
              echo "0 upgraded, 8 newly installed, 0 to remove and 131 not upgraded."
              echo "Need to get 118 MB of archives."
              echo "After this operation, 1,740 MB of additional disk space will be used."
              exit 1 ;;
            esac
            """)
        self.installer.install(["one", "two"])
        self.assertEqual(self.said, ["installing one two (8 packages, 118 MB to fetch, 1,740 MB on disk)"])

    def run_with_policy(self, calls, there=("old", "idle")):
        """Runs the script that keeps services from starting. `calls` are lines of shell in the place of apt-get, with
        $policy; the service `old` ran before."""
        policy = os.path.join(self.directory, "policy-rc.d")
        self.program("service", "printf ' [ + ]  old\\n [ - ]  idle\\n'\n")
        self.program("update-rc.d", f'echo "$@" >> {self.directory}/disabled\n')
        self.program("apt-get", f"policy={policy}\ncase \"$*\" in *assume-no*) exit 1 ;; esac\n{calls}\n")
        services = os.path.join(self.directory, "init.d")
        os.mkdir(services)
        for name in there:
            self.program(os.path.join("init.d", name), "")
        script = packages._WITHOUT_SERVICES
        for place, own in (("/usr/sbin/policy-rc.d", policy), ("/run/systemd/system", "/no-such-folder"),
                           ("/etc/init.d /lib/systemd/system /etc/systemd/system", services)):
            script = script.replace(place, own)
        with mock.patch.object(packages, "_WITHOUT_SERVICES", script):
            self.installer.install(["package"])
        return policy

    def asked(self, *words):
        return f'$policy {" ".join(words)}; echo "{words[-2]} {words[-1]}: $?" >> {self.directory}/answers'

    def answers(self):
        with open(os.path.join(self.directory, "answers"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_only_services_that_ran_before_are_started(self):
        policy = self.run_with_policy("\n".join(self.asked(*words) for words in (
            ("etcd", "start"), ("old", "restart"), ("--quiet", "postgresql.service", "start"), ("idle", "restart"),
            ("etcd", "stop"), ("old.service", "start"), ("dbus", "start"))))
        self.assertEqual(self.answers(), ["etcd start: 101", "old restart: 0", "postgresql.service start: 101",
                                          "idle restart: 101", "etcd stop: 0", "old.service start: 0", "dbus start: 101"])
        self.assertFalse(os.path.exists(policy))
        # One that was there, and did not run, is left as it is; so is one that is no server.
        self.assertEqual(self.said[-1], "not started, now or with the system: etcd, postgresql")
        with open(os.path.join(self.directory, "disabled"), encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), ["etcd disable", "postgresql disable"])

    def test_a_server_that_was_there_is_started_with_the_system_as_before(self):
        self.run_with_policy(self.asked("etcd", "restart"), there=("etcd",))
        self.assertEqual(self.answers(), ["etcd restart: 101"])
        self.assertFalse(os.path.exists(os.path.join(self.directory, "disabled")))

    def test_a_policy_of_the_system_is_left_as_it_is(self):
        self.program("policy-rc.d", "exit 101\n")
        policy = self.run_with_policy(self.asked("old", "restart"))
        self.assertEqual(self.answers(), ["old restart: 101"])
        self.assertTrue(os.path.exists(policy))

    def test_a_policy_that_is_left_behind_has_no_effect(self):
        policy = self.run_with_policy(f"cp $policy {self.directory}/copy\n{self.asked('new', 'start')}")
        self.assertEqual(self.answers(), ["new start: 101"])
        self.assertFalse(os.path.exists(policy))
        self.assertEqual(subprocess.run([os.path.join(self.directory, "copy"), "new", "start"], check=False).returncode, 0)

    def test_the_policy_is_removed_when_the_installation_fails(self):
        policy = self.run_with_policy("exit 100")
        self.assertFalse(os.path.exists(policy))


if __name__ == "__main__":
    unittest.main()
