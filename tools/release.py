"""Makes the files of a release from what was built, each from the same sources with the same bytes.

  tenure-VERSION-linux-x86_64.tar.zst   runs on glibc 2.36 and later, unpacked anywhere
  tenure_VERSION+SYSTEM_amd64.deb       for the system that it was made on: deb12, deb13, ubuntu24.04, ...
  apt/                                  an apt repository of all packages: pool and dists, for any web server
  container/                            a Dockerfile, and the package that it installs
  tenure-VERSION-image.tar              with --image: a container image (OCI)
  tenure-VERSION.spdx.json              what is in the tar, with versions and licences (SPDX 2.3)
  SHA256SUMS                            of all files

SOURCE_DATE_EPOCH is the time of all files; without it, the time of the commit. `build.py release --cut VERSION` makes
the changelog's section *Unreleased* that of a version.
"""

import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence

import container_image
import install
from install import HOME, PROGRAMS_INSTALLED, ROOT, InstallError, Stage, run
from system_packages import LLVM_VERSIONS, installed_packages, llvm_version

# The oldest C library on which the tar runs is that of the system it is made on; Debian 12 has 2.36.
# Its libraries are the system's always: they fit the kernel and the machine's settings, and load parts of each other.
OF_THE_SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|BrokenLocale|mvec))\.so")
SHARED = f"{HOME}/shared"  # the other libraries, beside the programs
CODENAMES = {"deb12": "bookworm", "deb13": "trixie", "deb14": "forky", "ubuntu24.04": "noble"}


class System(NamedTuple):
    """What a package is for: `label` is part of its version, `suite` its place in the repository."""
    label: str
    suite: str


def system_of(os_release: str) -> System:
    """From the text of /etc/os-release."""
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', os_release, re.MULTILINE))
    codename, number = fields.get("VERSION_CODENAME", ""), fields.get("VERSION_ID", "")
    if fields.get("ID") == "debian":
        # The release that will be next has no number yet.
        number = number or next((label[len("deb"):] for label, name in CODENAMES.items() if name == codename), "")
        label = f"deb{number}"
    else:
        label = f"{fields.get('ID', 'linux')}{number}"
    return System(label, codename or CODENAMES.get(label, label))


def this_system() -> System:
    with open("/etc/os-release", encoding="utf-8") as file:
        return system_of(file.read())


# ---- the tar

def ldd(program: str) -> Dict[str, str]:
    """The shared libraries that a program loads, and what these load: files by name. InstallError if one is missing."""
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (not found|/\S+)", run(["ldd", program]), re.MULTILINE):
        if path == "not found":
            raise InstallError(f"{program} needs {name}, which is not found")
        found[name] = path
    return found


def linker() -> str:
    """The linker that goes with the compiler: the file itself, not a link to it."""
    for version in LLVM_VERSIONS:
        path = f"/usr/lib/llvm-{version}/bin/ld.lld"
        if os.path.exists(path):
            return os.path.realpath(path)
    raise InstallError("there is no ld.lld; install lld")


def find_beside(path: str, folder: str) -> None:
    """Has the program or library look for its libraries in a folder that is named from its own place."""
    run(["patchelf", "--set-rpath", folder, path])


def bundle_libraries(stage: Stage) -> Dict[str, str]:
    """Adds the linker, and the libraries of all programs. Returns the libraries: where each came from, by name."""
    programs = [stage.path(f"{HOME}/bin/{name}") for name in (*PROGRAMS_INSTALLED, "ld.lld")]
    shutil.copyfile(linker(), programs[-1])
    os.chmod(programs[-1], 0o755)
    libraries: Dict[str, str] = {}
    for program in programs:
        libraries.update({name: path for name, path in ldd(program).items() if not OF_THE_SYSTEM.match(name)})
    for name, path in sorted(libraries.items()):
        place = stage.path(f"{SHARED}/{name}")
        shutil.copyfile(path, place)
        os.chmod(place, 0o644)
        find_beside(place, "$ORIGIN")
    for program in programs:
        find_beside(program, "$ORIGIN/../shared")
    return libraries


TAR_README = """Tenure {version} for Linux on x86-64, with glibc {glibc} or later.

Unpack it anywhere; bin/tenure finds its parts from its own place. To compile programs it needs two packages of the
system (these are Debian's and Ubuntu's names):

    apt-get install g++ libdb5.3-dev

Nothing else: LLVM, the linker and the other libraries are in lib/tenure/shared, as Debian had them when this was made.
`tenure db` and `tenure serve` need no package. Begin with share/doc/tenure/docs/guide/first-hour.md.

The first program takes some seconds, in which parts of the library are compiled; they stay in ~/.cache/tenure.
"""


def glibc_version() -> str:
    return os.confstr("CS_GNU_LIBC_VERSION").split()[-1]


def write_tar(directory: str, path: str, when: int) -> None:
    """The same files make the same bytes: names in order, nobody's files, one time."""
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = when
        return entry

    unpacked = path.removesuffix(".zst")
    with tarfile.open(unpacked, "w", format=tarfile.GNU_FORMAT) as tar:
        tar.add(directory, os.path.basename(directory), recursive=False, filter=plain)
        for folder, folders, names in os.walk(directory):
            folders.sort()
            for name in sorted([*folders, *names]):
                whole = os.path.join(folder, name)
                tar.add(whole, os.path.join(os.path.basename(directory), os.path.relpath(whole, directory)),
                        recursive=False, filter=plain)
    # One thread: the number of threads would be seen in the bytes.
    run(["zstd", "-q", "-f", "-19", "--long=27", "-T1", "--rm", unpacked, "-o", path])


def make_tar(build_dir: str, output: str) -> Dict[str, str]:
    """Returns the libraries that are in it: where each came from, by name."""
    name = f"tenure-{install.version()}-linux-{os.uname().machine}"
    with tempfile.TemporaryDirectory(prefix="tenure-release-") as directory:
        top = os.path.join(directory, name)
        os.mkdir(top)
        # Object files of the library name the place where it is, so the user's own cache gets them.
        stage = Stage(os.path.abspath(build_dir), top, "/usr")
        stage.fill("none")
        libraries = bundle_libraries(stage)
        with open(os.path.join(top, "README"), "w", encoding="utf-8") as file:
            file.write(TAR_README.format(version=install.version(), glibc=glibc_version()))
        shutil.copyfile(os.path.join(ROOT, "LICENSE"), os.path.join(top, "LICENSE"))
        copy_licences(libraries, stage)
        stage.modes()
        stage.text(install.LIST, "".join(f"{file}\n" for file in [*stage.files(), install.LIST]))
        stage.modes()
        write_tar(top, os.path.join(output, name + ".tar.zst"), install.source_date())
    return libraries


def packages_of(files: Iterable[str]) -> Dict[str, str]:
    """The Debian package that brought each file."""
    found = {}
    for path in files:
        said = ""
        # A package may name the file by its place before /usr was merged.
        for name in (path, os.path.realpath(path), path.removeprefix("/usr"), "/usr" + path):
            said = said or subprocess.run(["dpkg-query", "-S", name], text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.DEVNULL, check=False).stdout
        if said:
            found[path] = said.split(":")[0]
    return found


def copy_licences(libraries: Dict[str, str], stage: Stage) -> None:
    for package in sorted(set(packages_of(libraries.values()).values())):
        text = f"/usr/share/doc/{package}/copyright"
        if os.path.exists(text):
            shutil.copyfile(text, stage.path(f"share/doc/tenure/libraries/{package}"))


# ---- the repository

def fields_of(package: str) -> str:
    return run(["dpkg-deb", "-f", package]).strip()


def suite_of(package: str) -> str:
    """From the version of a package that make_release made."""
    label = os.path.basename(package).split("_")[1].rpartition("+")[2]
    return CODENAMES.get(label, label)


def digest(path: str, kind: str = "sha256") -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind).hexdigest() if hasattr(hashlib, "file_digest") else \
            hashlib.new(kind, file.read()).hexdigest()


def write_bytes(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def make_repository(packages: Sequence[str], place: str, when: int) -> None:
    """An apt repository whose suites are the releases that the packages are for."""
    suites: Dict[str, List[str]] = {}
    for package in packages:
        suites.setdefault(suite_of(package), []).append(package)
        name = f"pool/{os.path.basename(package)}"
        write_bytes(os.path.join(place, name), b"")
        shutil.copyfile(package, os.path.join(place, name))
    architecture = run(["dpkg", "--print-architecture"]).strip()
    for suite, members in sorted(suites.items()):
        folder = os.path.join(place, "dists", suite)
        listed = "".join(
            f"{fields_of(package)}\nFilename: pool/{os.path.basename(package)}\nSize: {os.path.getsize(package)}\n"
            f"MD5sum: {digest(package, 'md5')}\nSHA256: {digest(package)}\n\n" for package in sorted(members))
        binary = f"main/binary-{architecture}"
        files = {f"{binary}/Packages": listed.encode(),
                 f"{binary}/Packages.gz": gzip.compress(listed.encode(), 9, mtime=0)}
        for name, content in files.items():
            write_bytes(os.path.join(folder, name), content)
        sums = "".join(f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}\n" for name, content in files.items())
        write_bytes(os.path.join(folder, "Release"), (
            f"Origin: Tenure\nLabel: Tenure\nSuite: {suite}\nCodename: {suite}\n"
            f"Date: {time.strftime('%a, %d %b %Y %H:%M:%S UTC', time.gmtime(when))}\nArchitectures: {architecture}\n"
            f"Components: main\nDescription: Modula-3 with a persistent heap\nSHA256:\n{sums}").encode())


def sign_repository(place: str, key: str) -> None:
    """As apt wants it: the text itself signed, and a signature beside it."""
    for release in sorted(glob.glob(os.path.join(place, "dists", "*", "Release"))):
        folder = os.path.dirname(release)
        for options, name in ((["--clear-sign"], "InRelease"), (["--armor", "--detach-sign"], "Release.gpg")):
            run(["gpg", "--batch", "--yes", "--local-user", key, *options, "--output", os.path.join(folder, name), release])
    run(["gpg", "--batch", "--yes", "--armor", "--output", os.path.join(place, "key.asc"), "--export", key])


# ---- the list of parts

# The licences of docs/dependencies.md, as SPDX names them. A row with another licence is an error, so that the two
# agree.
LICENCES = {
    "Apache 2.0": "Apache-2.0", "Apache 2.0 with LLVM exceptions": "Apache-2.0 WITH LLVM-exception",
    "BSD 2-clause": "BSD-2-Clause", "BSD 3-clause": "BSD-3-Clause", "GPL 2": "GPL-2.0-only",
    "GPL 3 with the GCC runtime library exception": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "LGPL 2.1": "LGPL-2.1-or-later", "LGPL 2.1 or later": "LGPL-2.1-or-later", "MIT": "MIT", "MIT-style": "Boehm-GC",
    "PostgreSQL licence": "PostgreSQL", "Sleepycat and BSD 3-clause": "Sleepycat AND BSD-3-Clause",
}


class Dependency(NamedTuple):
    name: str
    package: str  # of Debian; empty: of no package of its own
    use: str
    licence: str  # as SPDX names it


def dependencies(text: str) -> List[Dependency]:
    """The rows of docs/dependencies.md, "In what a user runs"."""
    section = re.search(r"^## In what a user runs\n(.*?)(?=^\*\*|^## )", text, re.MULTILINE | re.DOTALL)
    rows = [line.strip().strip("|").split("|") for line in (section.group(1) or "" if section else "").splitlines()
            if line.startswith("|")][2:]
    found = []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if len(cells) != 5 or cells[4] not in LICENCES:
            raise InstallError(f"docs/dependencies.md: no licence that is known here in the row of {cells[0]}: {cells[-1]}")
        package = re.match(r"`([^`]+)`", cells[1])
        found.append(Dependency(cells[0], package.group(1) if package else "", cells[2], LICENCES[cells[4]]))
    if not found:
        raise InstallError('docs/dependencies.md: no table below "In what a user runs"')
    return found


def spdx_id(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")


def make_spdx(libraries: Dict[str, str], when: int) -> Dict:
    """The document: Tenure, what it is built on, and the libraries that are in the tar."""
    installed = installed_packages()
    version, commit = install.version(), install.commit() or "unknown"
    with open(os.path.join(ROOT, "docs", "dependencies.md"), encoding="utf-8") as file:
        parts = dependencies(file.read())

    def package(name: str, of_version: str, licence: str, comment: str) -> Dict:
        entry = {"SPDXID": spdx_id(name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                 "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION",
                 "comment": comment}
        return {**entry, "versionInfo": of_version} if of_version else entry

    listed = [package("tenure", version, "BSD-2-Clause", f"commit {commit}")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tenure")]
    llvm = llvm_version(installed, {})
    for part in parts:
        name = re.sub(r"-19\b", f"-{llvm}", part.package)
        listed.append(package(part.name, installed.get(name, ""), part.licence, part.use))
        relations.append(("SPDXRef-tenure", "DEPENDS_ON", spdx_id(part.name)))
    for path, name in sorted(packages_of(sorted(libraries.values())).items()):
        library = os.path.basename(path)
        listed.append(package(library, installed.get(name, ""), "NOASSERTION",
                              f"{name} of Debian, in the tar; its licence is share/doc/tenure/libraries/{name}"))
        relations.append(("SPDXRef-tenure", "CONTAINS", spdx_id(library)))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tenure-{version}",
            "documentNamespace": f"urn:tenure:{version}:{commit}",
            "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
                             "creators": ["Tool: tenure build.py release"]},
            "packages": listed,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                              for a, kind, b in relations]}


# ---- the container

def make_container(package: str, place: str) -> None:
    """The folder from which `docker build` or `podman build` makes an image."""
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(ROOT, "tools", "release", "Dockerfile"), encoding="utf-8") as file:
        text = file.read()
    write_bytes(os.path.join(place, "Dockerfile"), text.replace("@SUITE@", suite_of(package)).encode())
    shutil.copyfile(package, os.path.join(place, "tenure.deb"))


# ---- all of it

def make_release(build_dir: str, output: str, packages: Sequence[str], key: str, only_package: bool,
                 image: bool = False) -> List[str]:
    """`packages`: those made on other systems. Returns the names of the files."""
    when = install.source_date()
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    own = install.make_package(build_dir, output, "all", f"{install.version()}+{this_system().label}")
    if not only_package:
        libraries = make_tar(build_dir, output)
        for package in packages:
            shutil.copyfile(package, os.path.join(output, os.path.basename(package)))
        everything = sorted(glob.glob(os.path.join(output, "*.deb")))
        make_repository(everything, os.path.join(output, "apt"), when)
        if key:
            sign_repository(os.path.join(output, "apt"), key)
        make_container(own, os.path.join(output, "container"))
        if image:
            with tempfile.TemporaryDirectory(prefix="tenure-image-") as folder:
                container_image.make_image(own, suite_of(own), os.path.join(output, f"tenure-{install.version()}-image.tar"),
                                           (install.version(), install.commit() or "unknown"), when, folder)
        with open(os.path.join(output, f"tenure-{install.version()}.spdx.json"), "w", encoding="utf-8") as file:
            json.dump(make_spdx(libraries, when), file, indent=1, ensure_ascii=False)
            file.write("\n")
    names = sorted(os.path.relpath(os.path.join(folder, name), output)
                   for folder, _, files in os.walk(output) for name in files)
    with open(os.path.join(output, "SHA256SUMS"), "w", encoding="utf-8") as file:
        file.write("".join(f"{digest(os.path.join(output, name))}  {name}\n" for name in names))
    install.set_times(output, when)
    return [*names, "SHA256SUMS"]


# ---- a new version

VERSION_FILE = os.path.join("compiler", "driver", "version.cc")


def cut(version: str, root: str = ROOT, today: Optional[str] = None) -> None:
    """Makes the changelog's section Unreleased that of the version, with an empty one above it, and has the compiler
    name the version."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise InstallError(f"{version} is no version; it is three numbers, such as 0.2.0")
    changelog = os.path.join(root, "CHANGELOG.md")
    with open(changelog, encoding="utf-8") as file:
        text = file.read()
    found = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None or not found.group(1).strip():
        raise InstallError("CHANGELOG.md has nothing below Unreleased")
    if re.search(rf"^## {re.escape(version)}\b", text, re.MULTILINE):
        raise InstallError(f"CHANGELOG.md has the version {version} already")
    source = os.path.join(root, VERSION_FILE)
    with open(source, encoding="utf-8") as file:
        code = file.read()
    old = re.search(r'kVersion = "([^"]+)"', code).group(1)
    if tuple(map(int, version.split("."))) < tuple(map(int, old.split("."))):
        raise InstallError(f"{version} is before {old}")
    day = today or time.strftime("%Y-%m-%d", time.gmtime(install.source_date()))
    text = text[:found.start()] + f"## Unreleased\n\n## {version} ({day})\n" + found.group(1) + text[found.end():]
    with open(changelog, "w", encoding="utf-8") as file:
        file.write(text)
    with open(source, "w", encoding="utf-8") as file:
        file.write(code.replace(f'kVersion = "{old}"', f'kVersion = "{version}"'))


def notes(version: str, root: str = ROOT) -> str:
    """The changelog's text about a version, for the page of the release."""
    with open(os.path.join(root, "CHANGELOG.md"), encoding="utf-8") as file:
        found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", file.read(), re.MULTILINE | re.DOTALL)
    if found is None:
        raise InstallError(f"CHANGELOG.md has no version {version}")
    return found.group(1).strip() + "\n"


def main() -> int:
    """Prints the changelog's text about the version that the release workflow was asked for."""
    if len(sys.argv) != 2:
        print("usage: release.py VERSION", file=sys.stderr)
        return 2
    try:
        if sys.argv[1] != install.version():
            raise InstallError(f"the compiler names version {install.version()}, not {sys.argv[1]}; "
                               f"run: python3 build.py release --cut {sys.argv[1]}")
        print(notes(sys.argv[1]), end="")
    except InstallError as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
