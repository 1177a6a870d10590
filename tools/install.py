"""Installs what was built below a prefix, removes it again, and makes a Debian package of it.

  PREFIX/bin/tenure                     a link to the compiler
  PREFIX/lib/tenure/bin, lib            the programs; the run time, the library's sources and object files
  PREFIX/share/man, .../doc/tenure      man pages; the documents and examples
  PREFIX/share/bash-completion, ...     completion for bash, zsh and fish

PREFIX/lib/tenure/lib/installed-files lists all of it. The compiler finds its parts from its own place,
and writes none of them where it sees the list.
"""

import email.utils
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Optional, Sequence, Set

import command_pages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = "lib/tenure"
PROGRAMS_INSTALLED = ("tenure", "tenure-db", "tenure-node")
LIST = f"{HOME}/lib/installed-files"

# Programs are compiled with these options; the library's object files for each are installed.
VARIANTS: List[List[str]] = [[level, *debug, f"--barriers={barriers}"]
                             for barriers in ("trap", "hybrid", "software")
                             for level in ("-O2", "-O0") for debug in ([], ["-g"])]
OBJECTS: Dict[str, List[List[str]]] = {"all": VARIANTS, "usual": VARIANTS[:1], "none": []}

# The libraries with which compiled programs are linked, and the programs that link them.
DEPENDS = ["g++ (>= 4:12)", "lld-19 | lld-22 | lld-21 | lld-20", "libdb5.3-dev"]
RECOMMENDS = ["git", "libgc-dev"]
SUGGESTS = ["gdb"]


# As Debian does: the text that tells the compiler of each file.
STRIPPED = ["--remove-section=.comment"]

# What lintian warns of and what stays so, each with its reason.
LINTIAN_OVERRIDES = """\
# The header of an object has the address of its type in 32 bits, so all code is linked below 4 GB.
tenure: hardening-no-pie [usr/lib/tenure/bin/*]
"""


class InstallError(Exception):
    """Why nothing was installed, removed or made; the text is for the user."""


def run(command: Sequence[str], directory: Optional[str] = None, environment: Optional[Dict[str, str]] = None) -> str:
    """What the command prints."""
    ran = subprocess.run(command, cwd=directory, env=environment, text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ran.returncode != 0:
        raise InstallError(f"failed (status {ran.returncode}): {' '.join(command)}\n{ran.stderr.strip()}")
    return ran.stdout


# ---- which commit

def git(*arguments: str) -> str:
    ran = subprocess.run(["git", "-c", f"safe.directory={ROOT}", *arguments], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def commit_in_files(root: str) -> str:
    """The commit that a repository is at, for a machine to which a clone came without Git; empty if it is not found."""
    def content(*parts: str) -> str:
        try:
            with open(os.path.join(*parts), encoding="utf-8") as file:
                return file.read().strip()
        except (OSError, UnicodeDecodeError):
            return ""

    home = os.path.join(root, ".git")
    if os.path.isfile(home):  # a work tree beside its repository
        home = os.path.join(root, content(home).removeprefix("gitdir:").strip())
    head = content(home, "HEAD")
    if head.startswith("ref: "):
        name = head[len("ref: "):]
        common = os.path.join(home, content(home, "commondir"))
        packed = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", content(common, "packed-refs"), re.MULTILINE)
        head = content(common, name) or (packed.group(1) if packed else "")
    return head[:12] if re.fullmatch(r"[0-9a-f]{40,64}", head) else ""


def commit() -> str:
    """Names the sources: the commit, with -modified if files differ from it, which only Git can tell; empty outside of
    a repository."""
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return ""
    if not shutil.which("git"):
        return commit_in_files(ROOT)
    name = git("rev-parse", "--short=12", "HEAD")
    return name + ("-modified" if name and git("status", "--porcelain", "--untracked-files=no") else "")


def build_id(program: str) -> str:
    found = re.search(r"Build ID: ([0-9a-f]+)", run(["readelf", "-n", program]))
    return found.group(1) if found else ""


def write_commit(build_dir: str) -> None:
    """Notes for `tenure --version` which commit the compiler in the build folder was made from."""
    path = os.path.join(build_dir, "lib", "commit.txt")
    text = f"{build_id(os.path.join(build_dir, 'bin', 'tenure'))} {commit()}\n"
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def version() -> str:
    with open(os.path.join(ROOT, "compiler", "driver", "version.cc"), encoding="utf-8") as file:
        return re.search(r'kVersion = "([^"]+)"', file.read()).group(1)


def date(form: str) -> str:
    """The date of source_date(), in UTC."""
    return time.strftime(form, time.gmtime(source_date()))


def source_date() -> int:
    """When what is packed was made, in seconds since 1970: SOURCE_DATE_EPOCH, or the time of the commit, so that the same
    sources make the same bytes; outside of a repository, now."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or time.time())


def set_times(directory: str, when: int) -> None:
    """Gives all files below the directory this time, and the directory itself."""
    for folder, folders, names in os.walk(directory):
        for name in [*folders, *names]:
            os.utime(os.path.join(folder, name), (when, when), follow_symlinks=False)
    os.utime(directory, (when, when))


# ---- the files

class Stage:
    """A folder with all installed files, laid out as below the prefix."""

    def __init__(self, build_dir: str, directory: str, prefix: str, debian: bool = False):
        self.build_dir, self.directory, self.prefix, self.debian = build_dir, directory, prefix, debian

    def path(self, name: str) -> str:
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def text(self, name: str, text: str) -> None:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def compressed(self, name: str, text: str) -> None:
        """The same text always makes the same bytes."""
        with open(self.path(name), "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            packed.write(text.encode("utf-8"))

    def fill(self, objects: str) -> None:
        self.programs()
        self.library()
        self.pages()
        self.documents()
        self.objects(objects)
        link = self.path("bin/tenure")
        os.symlink(f"../{HOME}/bin/tenure", link)
        self.modes()

    def programs(self) -> None:
        for name in PROGRAMS_INSTALLED:
            run(["strip", *STRIPPED, "-o", self.path(f"{HOME}/bin/{name}"), os.path.join(self.build_dir, "bin", name)])

    def library(self) -> None:
        libraries = os.path.join(self.build_dir, "lib")
        for name in ("libtenure_runtime.a", "libruntime_boehm.a"):
            archive = self.path(f"{HOME}/lib/{name}")
            run(["strip", "-g", *STRIPPED, "-o", archive, os.path.join(libraries, name)])
        for name in ("explanations.txt", "commit.txt"):
            shutil.copyfile(os.path.join(libraries, name), self.path(f"{HOME}/lib/{name}"))
        shutil.copytree(os.path.join(ROOT, "stdlib"), self.path(f"{HOME}/lib/stdlib"),
                        ignore=shutil.ignore_patterns(".*", "__pycache__"))

    def pages(self) -> None:
        programs = [os.path.join(self.build_dir, "bin", name) for name in PROGRAMS_INSTALLED]
        table = command_pages.read_table(*programs)
        for name, page in command_pages.man_pages(table, date("%Y-%m-%d"), version()).items():
            self.compressed(f"share/man/man1/{name}.gz", page)
        with open(os.path.join(self.build_dir, "lib", "explanations.txt"), encoding="utf-8") as file:
            codes = re.findall(r"^@([A-Z]\w+)$", file.read(), re.MULTILINE)
        self.text("share/bash-completion/completions/tenure", command_pages.bash_completion(table, codes))
        zsh = "vendor-completions" if self.debian else "site-functions"
        self.text(f"share/zsh/{zsh}/_tenure", command_pages.zsh_completion(table, codes))
        self.text("share/fish/vendor_completions.d/tenure.fish", command_pages.fish_completion(table, codes))

    def documents(self) -> None:
        # Without the documents that are only for contributors.
        shutil.copytree(os.path.join(ROOT, "docs"), self.path("share/doc/tenure/docs"),
                        ignore=shutil.ignore_patterns(".*", "__pycache__", "decisions", "models", "pictures"))
        for name in ("README.md", "SECURITY.md"):
            shutil.copyfile(os.path.join(ROOT, name), self.path(f"share/doc/tenure/{name}"))
        shutil.copytree(os.path.join(ROOT, "examples"), self.path("share/doc/tenure/examples"),
                        ignore=shutil.ignore_patterns(".*", "__pycache__"))

    def objects(self, chosen: str) -> None:
        """Compiles the library with the compiler that is installed, for the place where it will be."""
        with tempfile.TemporaryDirectory(prefix="tenure-library-") as package:
            interfaces = sorted(name[:-len(".i3")] for _, _, names in os.walk(os.path.join(ROOT, "stdlib"))
                                for name in names if name.endswith(".i3"))
            # A library is not linked, so that no package is needed that only some interfaces use.
            with open(os.path.join(package, "m3makefile"), "w", encoding="utf-8") as file:
                file.write('interface("Everything")\nlibrary("everything")\n')
            with open(os.path.join(package, "Everything.i3"), "w", encoding="utf-8") as file:
                imports = "".join(f"IMPORT {name} AS I{number};\n" for number, name in enumerate(interfaces))
                file.write(f"UNSAFE INTERFACE Everything;\n{imports}END Everything.\n")
            environment = {key: value for key, value in os.environ.items() if not key.startswith("TENURE_")}
            environment["TENURE_STDLIB_NAME"] = f"{self.prefix}/{HOME}/lib/stdlib"
            for options in OBJECTS[chosen]:
                run([self.path(f"{HOME}/bin/tenure"), "build", package, "-w", *options], environment=environment)

    def modes(self) -> None:
        """Everybody may read; the programs may be executed. The umask does not matter."""
        programs = os.path.join(self.directory, HOME, "bin")
        for folder, _, names in os.walk(self.directory):
            os.chmod(folder, 0o755)
            for name in names:
                path = os.path.join(folder, name)
                if not os.path.islink(path):
                    os.chmod(path, 0o755 if folder == programs else 0o644)

    def files(self) -> List[str]:
        """All but the list, relative to the prefix."""
        return sorted(os.path.relpath(os.path.join(folder, name), self.directory)
                      for folder, _, names in os.walk(self.directory) for name in names)


# ---- install and uninstall

def place_of(prefix: str, destdir: str) -> str:
    """Where the files of the prefix are written."""
    if not os.path.isabs(prefix):
        raise InstallError(f"the prefix '{prefix}' is not absolute")
    if "\n" in prefix:
        raise InstallError("the prefix has a line break")
    return os.path.join(destdir, prefix.lstrip("/")) if destdir else prefix


class Listed(NamedTuple):
    """The list of what is installed: files, and folders that were made for them (`.` is the prefix, `..` the
    folder around it)."""
    files: List[str]
    folders: List[str]

    @staticmethod
    def read(place: str) -> Optional["Listed"]:
        try:
            with open(os.path.join(place, LIST), encoding="utf-8") as file:
                names = file.read().splitlines()
        except FileNotFoundError:
            return None
        for name in names:
            # The prefix and folders around it, which are removed only if they are empty.
            if name.endswith("/") and not name.strip("./"):
                continue
            if os.path.isabs(name) or ".." in name.split("/"):
                raise InstallError(f"{os.path.join(place, LIST)} names a file outside of the prefix: {name}")
        return Listed([name for name in names if not name.endswith("/")],
                      [name[:-1] for name in names if name.endswith("/")])

    def write(self, place: str) -> None:
        path = os.path.join(place, LIST)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("".join(f"{name}\n" for name in [*self.files, *(f"{name}/" for name in self.folders)]))
        os.chmod(path + ".new", 0o644)
        os.replace(path + ".new", path)


def folders_of(files: Sequence[str]) -> List[str]:
    """All folders that the files are in, outer ones first."""
    found: Set[str] = set()
    for name in files:
        while os.path.dirname(name):
            name = os.path.dirname(name)
            found.add(name)
    return sorted(found)


def make_folders(place: str, folders: Sequence[str]) -> List[str]:
    """Returns those that were made."""
    made = []
    for folder in folders:
        path = os.path.join(place, folder)
        if not os.path.isdir(path):
            os.mkdir(path)
            os.chmod(path, 0o755)
            made.append(folder)
    return made


def make_place(place: str) -> List[str]:
    """Makes the prefix's folder. Returns what was made, as it is listed."""
    missing, folder = [], "."
    while not os.path.isdir(os.path.normpath(os.path.join(place, folder))):
        missing.append(folder)
        folder = ".." if folder == "." else f"../{folder}"
    os.makedirs(place, exist_ok=True)
    return missing


def copy(source: str, target: str) -> None:
    """The target is replaced as a whole, since it may be a program that runs."""
    new = target + ".new"
    if os.path.lexists(new):
        os.remove(new)
    if os.path.islink(source):
        os.symlink(os.readlink(source), new)
    else:
        shutil.copy2(source, new)
    os.replace(new, target)


def install(build_dir: str, prefix: str, destdir: str, objects: str) -> str:
    """Returns the directory that the compiler was installed in."""
    # The compiler finds its own place with links resolved, and the object files name that place.
    prefix = os.path.normpath(prefix) if destdir else os.path.realpath(prefix)
    place = place_of(prefix, destdir)
    try:
        # Before the long work.
        around = make_place(place)
        if not os.access(place, os.W_OK):
            raise InstallError(f"cannot write to {place}; choose another place with --prefix, or run this as the "
                               "administrator")
        with tempfile.TemporaryDirectory(prefix="tenure-install-") as directory:
            stage = Stage(os.path.abspath(build_dir), directory, prefix)
            stage.fill(objects)
            files = [*stage.files(), LIST]
            old = Listed.read(place) or Listed([], [])
            made = around + make_folders(place, folders_of(files))
            # First, so that `uninstall` can remove what an interrupted installation wrote.
            Listed(sorted({*files, *old.files}), sorted({*made, *old.folders})).write(place)
            for name in stage.files():
                copy(os.path.join(directory, name), os.path.join(place, name))
            remove_files(place, sorted(set(old.files) - set(files)))
            folders = [folder for folder in {*made, *old.folders} if os.path.isdir(os.path.join(place, folder))]
            Listed(files, sorted(folders)).write(place)
    except OSError as error:
        raise InstallError(f"cannot install to {place}: {error}") from error
    return os.path.join(prefix, "bin")


def remove_files(place: str, names: Sequence[str]) -> None:
    for name in names:
        try:
            os.remove(os.path.join(place, name))
        except FileNotFoundError:
            pass
    # Folders are left to their makers, except those that only these files were in.
    for folder in reversed(folders_of(names)):
        if folder.startswith(HOME + "/"):
            remove_folder(os.path.join(place, folder))


def remove_folder(path: str) -> None:
    try:
        os.rmdir(path)
    except OSError:
        pass  # somebody put a file there, or it is gone


def uninstall(prefix: str, destdir: str) -> int:
    """Returns how many files were removed."""
    place = place_of(os.path.normpath(prefix) if destdir else os.path.realpath(prefix), destdir)
    listed = Listed.read(place)
    if listed is None:
        raise InstallError(f"nothing is installed there: {os.path.join(place, LIST)} does not exist")
    try:
        # The list last: if this is interrupted, another try goes on.
        remove_files(place, [name for name in listed.files if name != LIST])
        remove_files(place, [LIST])
    except OSError as error:
        raise InstallError(f"cannot remove {error.filename}: {error.strerror}") from error
    # Inner folders first: those below the prefix, the prefix, the ones around it.
    around = sorted((folder for folder in listed.folders if not folder.strip("./")), key=len)
    inside = sorted(set(listed.folders) - set(around), reverse=True)
    for folder in [*inside, *around]:
        remove_folder(os.path.normpath(os.path.join(place, folder)))
    return len(listed.files)


# ---- the Debian package

def shared_library_dependencies(programs: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory(prefix="tenure-deb-") as directory:
        os.mkdir(os.path.join(directory, "debian"))
        with open(os.path.join(directory, "debian", "control"), "w", encoding="utf-8") as file:
            file.write("Source: tenure\n\nPackage: tenure\nArchitecture: any\n")
        said = run(["dpkg-shlibdeps", "-O", *(f"-e{program}" for program in programs)], directory)
    return said.strip()[len("shlibs:Depends="):]


def maintainer() -> str:
    """The maker of the package, found as Debian's tools find it."""
    name = os.environ.get("DEBFULLNAME") or "The Tenure authors"
    return f"{name} <{os.environ.get('DEBEMAIL') or 'authors@tenure.invalid'}>"


def control(debian_version: str, dependencies: str, kilobytes: int) -> str:
    architecture = run(["dpkg", "--print-architecture"]).strip()
    return f"""Package: tenure
Version: {debian_version}
Architecture: {architecture}
Maintainer: {maintainer()}
Installed-Size: {kilobytes}
Depends: {", ".join([dependencies, *DEPENDS])}
Recommends: {", ".join(RECOMMENDS)}
Suggests: {", ".join(SUGGESTS)}
Section: devel
Priority: optional
Description: Modula-3 with a persistent heap
 Tenure compiles Modula-3 to native programs whose objects can live in a
 database: what a program can reach from a database's root stays there, in
 transactions, without code that stores or loads it.
 .
 The package has the compiler with its commands for packages, tests and
 documents, the standard library, the garbage-collected run time, and tools
 and a server for databases.
"""


def changelog(debian_version: str) -> str:
    when = email.utils.formatdate(source_date())
    return (f"tenure ({debian_version}) unstable; urgency=medium\n\n  * Built from commit {commit() or 'unknown'}.\n\n"
            f" -- {maintainer()}  {when}\n")


def copyright_text() -> str:
    with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
        licence = file.read().rstrip()
    licence_text = licence.split("\n", 1)[1] if licence.startswith("BSD") else licence
    body = "\n".join(" " + (line.rstrip() or ".") for line in licence_text.strip().splitlines())
    holder = re.search(r"^Copyright .*$", licence, re.MULTILINE)
    owner = re.sub(r"^Copyright (\(c\) )?", "", holder.group(0)) if holder else "The Tenure authors"
    return ("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: tenure\n\n"
            f"Files: *\nCopyright: {owner}\nLicense: BSD-2-Clause\n\nLicense: BSD-2-Clause\n{body}\n")


def snapshot_version() -> str:
    """Debian's version of a package between releases: it names the commit, and follows the release before it."""
    return f"{version()}+{date('%Y%m%d')}.{(commit() or 'unknown').replace('-', '.')}"


def make_package(build_dir: str, output: str, objects: str, debian_version: str = "") -> str:
    """Returns the path of the package. The same sources and tools make the same bytes."""
    debian_version = debian_version or snapshot_version()
    with tempfile.TemporaryDirectory(prefix="tenure-deb-") as directory:
        os.chmod(directory, 0o755)
        stage = Stage(os.path.abspath(build_dir), os.path.join(directory, "usr"), "/usr", debian=True)
        stage.fill(objects)
        stage.text("share/doc/tenure/copyright", copyright_text())
        stage.compressed("share/doc/tenure/changelog.gz", changelog(debian_version))
        stage.text("share/lintian/overrides/tenure", LINTIAN_OVERRIDES)
        stage.text(LIST, "".join(f"{name}\n" for name in [*stage.files(), LIST]))
        stage.modes()
        paths = [os.path.join("usr", name) for name in stage.files()]
        programs = [os.path.join(directory, "usr", HOME, "bin", name) for name in PROGRAMS_INSTALLED]
        sizes = [os.lstat(os.path.join(directory, path)).st_size for path in paths]
        os.mkdir(os.path.join(directory, "DEBIAN"), 0o755)
        sums = run(["md5sum", *(path for path in paths if not os.path.islink(os.path.join(directory, path)))],
                   directory)
        dependencies = shared_library_dependencies(programs)
        for name, text in (("md5sums", sums),
                           ("control", control(debian_version, dependencies, sum(sizes) // 1024 + 1))):
            path = os.path.join(directory, "DEBIAN", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o644)
        os.makedirs(output, exist_ok=True)
        set_times(directory, source_date())
        package = os.path.join(output, f"tenure_{debian_version}_{run(['dpkg', '--print-architecture']).strip()}.deb")
        run(["dpkg-deb", "--root-owner-group", "--build", directory, package],
            environment=dict(os.environ, SOURCE_DATE_EPOCH=str(source_date())))
    return package
