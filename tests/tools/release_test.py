import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import install
import release
from system_packages import GROUPS

ROOT = install.ROOT


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


class CutTest(Folder):
    CHANGELOG = "# Changes\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 (2026-11-26)\n\n- All.\n"

    def setUp(self):
        super().setUp()
        write(self.path("CHANGELOG.md"), self.CHANGELOG)
        write(self.path(release.VERSION_FILE), 'constexpr const char* kVersion = "0.1.0";\n')

    def test_what_was_unreleased_becomes_the_version(self):
        release.cut("0.2.0", self.folder, "2026-12-01")
        self.assertEqual(self.read("CHANGELOG.md"), "# Changes\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n"
                         "- A thing.\n\n## 0.1.0 (2026-11-26)\n\n- All.\n")
        self.assertEqual(self.read(release.VERSION_FILE), 'constexpr const char* kVersion = "0.2.0";\n')
        self.assertEqual(release.notes("0.2.0", self.folder), "### Added\n\n- A thing.\n")
        self.assertEqual(release.notes("0.1.0", self.folder), "- All.\n")

    def test_nothing_changes_where_no_version_can_be_cut(self):
        for version in ("0.2", "v0.2.0", "0.1.0", "0.0.9"):
            with self.assertRaises(install.InstallError, msg=version):
                release.cut(version, self.folder)
        self.assertEqual(self.read("CHANGELOG.md"), self.CHANGELOG)
        release.cut("0.2.0", self.folder)
        with self.assertRaises(install.InstallError):
            release.cut("0.3.0", self.folder)  # nothing is below Unreleased
        with self.assertRaises(install.InstallError):
            release.notes("0.3.0", self.folder)

    def test_notes_are_those_of_the_version_that_the_compiler_names(self):
        program = os.path.join(ROOT, "tools", "release.py")
        for version, status in ((install.version(), 0), ("99.0.0", 1)):
            ran = subprocess.run([sys.executable, program, version], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, check=False)
            self.assertEqual(ran.returncode, status, ran.stderr)
        self.assertIn("release --cut 99.0.0", ran.stderr)

    def test_this_tree_can_be_cut(self):
        for name in ("CHANGELOG.md", release.VERSION_FILE):
            shutil.copy(os.path.join(ROOT, name), self.path(name))
        if re.search(r"^## Unreleased\n+(?=## |\Z)", self.read("CHANGELOG.md"), re.MULTILINE):
            self.skipTest("nothing is unreleased")
        release.cut("9.0.0", self.folder)
        self.assertIn('kVersion = "9.0.0"', self.read(release.VERSION_FILE))


class SystemTest(unittest.TestCase):
    def test_the_label_and_the_suite(self):
        for text, label, suite in (
                ('ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n', "deb12", "bookworm"),
                ('ID=debian\nVERSION_ID="13"\nVERSION_CODENAME=trixie\n', "deb13", "trixie"),
                ('PRETTY_NAME="Debian GNU/Linux forky/sid"\nID=debian\nVERSION_CODENAME=forky\n', "deb14", "forky"),
                ('ID=ubuntu\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\n', "ubuntu24.04", "noble")):
            self.assertEqual(release.system_of(text), release.System(label, suite))
            self.assertEqual(release.suite_of(f"/x/tenure_0.2.0+{label}_amd64.deb"), suite)

    @unittest.skipUnless(shutil.which("dpkg"), "this is not a Debian system")
    def test_a_newer_system_has_a_newer_package_and_a_release_is_newer_than_what_was_before_it(self):
        versions = ["0.1.0+20261129.0123456789ab", "0.2.0+deb12", "0.2.0+deb13", "0.2.0+deb14",
                    "0.2.1+deb12"]
        for one, other in zip(versions, versions[1:]):
            self.assertEqual(subprocess.run(["dpkg", "--compare-versions", one, "lt", other], check=False).returncode, 0,
                             (one, other))


class TarTest(Folder):
    @unittest.skipUnless(shutil.which("zstd"), "there is no zstd")
    def test_the_same_files_make_the_same_bytes(self):
        sums = []
        for number, names in enumerate((["b/two", "a"], ["a", "b/two"])):
            top = self.path(f"{number}/tenure")
            for name in names:  # in another order, at another time, of another user
                write(os.path.join(top, name), name)
                os.utime(os.path.join(top, name), (number, number))
            os.chmod(os.path.join(top, "a"), 0o755)
            os.symlink("a", os.path.join(top, "link"))
            packed = self.path(f"{number}.tar.zst")
            release.write_tar(top, packed, 1000)
            sums.append(release.digest(packed))
        self.assertEqual(sums[0], sums[1])
        listed = subprocess.run(["tar", "--zstd", "-tvf", self.path("0.tar.zst")], text=True, check=True,
                                stdout=subprocess.PIPE, env=dict(os.environ, TZ="UTC")).stdout
        self.assertEqual([line.split()[0] for line in listed.splitlines()],
                         ["drwxr-xr-x", "-rwxr-xr-x", "drwxr-xr-x", "lrwxrwxrwx", "-rw-r--r--"])
        self.assertEqual({line.split()[1] for line in listed.splitlines()}, {"root/root"})
        self.assertEqual({line.split()[3] for line in listed.splitlines()}, {"1970-01-01"})

    def test_the_c_library_is_that_of_the_system_and_nothing_else_is(self):
        for name in ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2", "libresolv.so.2"):
            self.assertTrue(release.OF_THE_SYSTEM.match(name), name)
        for name in ("libcrypto.so.3", "libLLVM.so.19.1", "libdb-5.3.so", "libstdc++.so.6", "libmicrohttpd.so.12", "libcap.so.2",
                     "libnghttp2.so.14"):
            self.assertFalse(release.OF_THE_SYSTEM.match(name), name)

    def test_the_libraries_of_a_program_are_found(self):
        self.assertIn("libc.so.6", release.ldd("/bin/sh"))


@unittest.skipUnless(shutil.which("patchelf") and any(glob.glob("/usr/lib/llvm-*/bin/ld.lld")), "there is no patchelf or LLD")
class LibrariesTest(Folder):
    def test_programs_find_the_libraries_beside_them_wherever_they_are(self):
        stage = install.Stage(self.folder, self.path("made"), "/usr")
        for name in install.PROGRAMS_INSTALLED:
            shutil.copy(os.path.realpath(sys.executable) if name == "tenure" else "/bin/true",
                        stage.path(f"{install.HOME}/bin/{name}"))
        libraries = release.bundle_libraries(stage)
        self.assertTrue(any(name.startswith("libLLVM") for name in libraries), libraries)
        self.assertFalse([name for name in libraries if release.OF_THE_SYSTEM.match(name)])
        os.rename(self.path("made"), self.path("moved"))
        home = self.path(f"moved/{install.HOME}")
        found = release.ldd(f"{home}/bin/ld.lld")
        for name in libraries:
            if name in found:
                self.assertEqual(os.path.realpath(found[name]), f"{home}/shared/{name}")
        # The libraries of a library, too, with nothing of the environment.
        said = subprocess.run([f"{home}/bin/ld.lld", "--version"], text=True, stdout=subprocess.PIPE, env={}, check=True)
        self.assertIn("LLD", said.stdout)


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("apt-get"), "this is not a Debian system")
class RepositoryTest(Folder):
    def package(self, version):
        top = self.path(f"package-{version}")
        write(os.path.join(top, "DEBIAN", "control"), f"Package: tenure\nVersion: {version}\nArchitecture: amd64\n"
              "Maintainer: A <a@b.invalid>\nDescription: a test\n")
        write(os.path.join(top, "usr", "share", "tenure-test"), version)
        os.chmod(top, 0o755)
        made = self.path(f"tenure_{version}_amd64.deb")
        install.run(["dpkg-deb", "--root-owner-group", "--build", top, made])
        return made

    def apt(self, *words):
        """apt-get with nothing of this machine but its architecture."""
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            os.makedirs(self.path(f"apt/{name}"), exist_ok=True)
        write(self.path("apt/status"), "")
        options = [f"Dir::State={self.path('apt')}", f"Dir::State::status={self.path('apt/status')}",
                   f"Dir::State::lists={self.path('apt/lists')}", f"Dir::Cache={self.path('apt/cache')}",
                   f"Dir::Etc::sourcelist={self.path('apt/sources.list')}", f"Dir::Etc::sourceparts={self.path('apt/parts')}",
                   "APT::Architecture=amd64", "APT::Architectures=amd64", "APT::Sandbox::User=root"]
        return subprocess.run(["apt-get", *(word for option in options for word in ("-o", option)), "-q", *words],
                              cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def test_apt_gets_the_package_that_is_for_its_system(self):
        made = [self.package("0.2.0+deb12"), self.package("0.2.0+deb13")]
        release.make_repository(made, self.path("site"), 1000)
        for suite, number in (("bookworm", "12"), ("trixie", "13")):
            write(self.path("apt/sources.list"), f"deb [trusted=yes] file:{self.path('site')} {suite} main\n")
            said = self.apt("update")
            self.assertEqual((said.returncode, "W:" in said.stdout), (0, False), said.stdout)
            said = self.apt("install", "-y", "--download-only", "--reinstall", "tenure", "--print-uris")
            self.assertIn(f"/pool/tenure_0.2.0+deb{number}_amd64.deb", said.stdout.replace("%2b", "+"))

    def test_a_changed_package_is_noticed(self):
        release.make_repository([self.package("0.2.0+deb12")], self.path("site"), 1000)
        write(self.path("apt/sources.list"), f"deb [trusted=yes] file:{self.path('site')} bookworm main\n")
        with open(self.path("site/dists/bookworm/main/binary-amd64/Packages"), "a", encoding="utf-8") as file:
            file.write("\n")
        with open(self.path("site/dists/bookworm/main/binary-amd64/Packages.gz"), "wb") as file:
            file.write(gzip.compress(b"Package: other\n"))
        self.assertNotEqual(self.apt("update").returncode, 0)

    def test_the_same_packages_make_the_same_bytes(self):
        made = self.package("0.2.0+deb12")
        sums = []
        for name in ("one", "two"):
            release.make_repository([made], self.path(name), 1000)
            sums.append({os.path.relpath(os.path.join(folder, file), self.path(name)): release.digest(os.path.join(folder, file))
                         for folder, _, files in os.walk(self.path(name)) for file in files})
        self.assertEqual(sums[0], sums[1])
        self.assertIn("dists/bookworm/Release", sums[0])

    def test_the_container_installs_the_package_of_its_system(self):
        release.make_container(self.package("0.2.0+deb13"), self.path("container"))
        self.assertIn("FROM docker.io/library/debian:trixie-slim\n", self.read("container/Dockerfile"))
        self.assertNotIn("@", self.read("container/Dockerfile").replace("$PWD", ""))
        self.assertTrue(os.path.exists(self.path("container/tenure.deb")))


class PartsTest(unittest.TestCase):
    def test_each_dependency_of_the_document_is_listed_with_version_and_licence(self):
        with open(os.path.join(ROOT, "docs", "dependencies.md"), encoding="utf-8") as file:
            parts = release.dependencies(file.read())
        packages = {part.package for part in parts}
        for name in ("llvm-19-dev", "libdb5.3-dev", "libssl-dev", "libpq-dev", "node-d3"):
            self.assertIn(name, packages)
        # What is linked with a program is what is needed to build it.
        for need in GROUPS["build"]:
            name = need.replace("{llvm}", "19")
            self.assertTrue(name in packages or name == "ninja-build", name)
        document = release.make_spdx({}, 1000)
        self.assertEqual(json.loads(json.dumps(document)), document)
        ids = [package["SPDXID"] for package in document["packages"]]
        self.assertEqual(len(ids), len(set(ids)))
        for relation in document["relationships"]:
            self.assertIn(relation["relatedSpdxElement"], ids)
            self.assertRegex(relation["relatedSpdxElement"], r"^SPDXRef-[A-Za-z0-9.-]+$")
        self.assertEqual(document["creationInfo"]["created"], "1970-01-01T00:16:40Z")

    def test_a_licence_that_is_not_known_is_an_error(self):
        table = "## In what a user runs\n\n|a|b|c|d|e|\n|---|---|---|---|---|\n| X | `x` | y | z | no such licence |\n"
        with self.assertRaises(install.InstallError):
            release.dependencies(table)
        with self.assertRaises(install.InstallError):
            release.dependencies("# Nothing\n")


class SourceDateTest(Folder):
    def test_the_environment_comes_first(self):
        with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="86400"):
            self.assertEqual(install.source_date(), 86400)
            self.assertEqual(install.date("%Y-%m-%d"), "1970-01-02")
            self.assertIn("Fri, 02 Jan 1970 00:00:00 -0000", install.changelog("1"))

    def test_all_files_get_the_time(self):
        write(self.path("a/b/c"), "")
        os.symlink("nowhere", self.path("a/link"))
        install.set_times(self.path("a"), 1000)
        for name in ("a", "a/b", "a/b/c", "a/link"):
            self.assertEqual(os.lstat(self.path(name)).st_mtime, 1000, name)


if __name__ == "__main__":
    unittest.main()
