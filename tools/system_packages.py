"""Which packages of Debian, or of a system made from it, each command needs, and how they are installed.

A *need* is one line of GROUPS: the name of a package, or several with `|` between them, of which one is
enough. One that is installed is preferred, then the first that the system's package lists have. So the
same lists serve several releases:

  {llvm}         the version of LLVM, the same in all needs: LLVM_VERSIONS says which
  postgresql-#   any number there, of a package that is installed
  NAME (>= N)    a package whose version is at least N
  ?NAME          wanted where the system has it; what uses it can do without

docs/dependencies.md says what each is for.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import IO, Callable, Dict, List, NamedTuple, Optional, Sequence

# In the order in which they are chosen, where none is installed. The sources compile with all of them; the first is
# what most tests have seen, then the newest.
LLVM_VERSIONS = ("19", "22", "21", "20")

# What interfaces of the library need that are over libraries of C (docs/dependencies.md, "In programs that use an
# interface").
LIBRARIES = ["libcurl4-openssl-dev", "libgmp-dev", "libpcre2-dev", "libssl-dev", "libutf8proc-dev", "libzstd-dev",
             "tzdata", "zlib1g-dev"]

GROUPS: Dict[str, List[str]] = {
    # To build Tenure, install it, and compile programs with it.
    "build": ["g++", "ninja-build", "llvm-{llvm}-dev", "lld-{llvm}", "libdb5.3-dev", "libgc-dev", "libcli11-dev",
              "libedit-dev", "libmicrohttpd-dev", "libpq-dev", "libssl-dev", "libtomlplusplus-dev", "node-d3",
              "nlohmann-json3-dev"],
    # For those who write programs: a faster compiler, packages from repositories, and all of the library.
    "programs": ["libjemalloc-dev", "git", *LIBRARIES],
    "test": ["git", *LIBRARIES, "libgtest-dev", "libgmock-dev", "gdb", "jq", "openssl", "spin", "?clang-format-19",
             "?chromium", "?chromium-driver", "fonts-dejavu-core", "?libtree-sitter-dev", "postgresql-# | postgresql"],
    "bench": ["liblmdb-dev", "libpmemobj-dev", "librocksdb-dev", "libsqlite3-dev", "?linux-perf",
              "postgresql-# | postgresql", "python3-matplotlib", "strace"],
    "lab": ["python3-matplotlib"],
    "tidy": ["clang-tidy-{llvm}"],
    "sanitizers": ["clang-{llvm}", "libclang-rt-{llvm}-dev"],
    "reports": ["lcov", "libxml2-utils"],
    "package": ["dpkg-dev"],
    "release": ["dpkg-dev", "patchelf", "zstd"],
    "roots": ["debootstrap", "dpkg-dev", "lintian"],
    "cluster": ["etcd-client", "etcd-server", "iproute2", "openssl", "postgresql-# | postgresql",
                "patroni (>= 4) | python3-pip", "python3-etcd"],
    "guide": ["python3-sphinx", "python3-myst-parser", "furo"],
}

# On a system without Debian's packages: the programs whose presence we can at least ask for.
PROGRAMS: Dict[str, List[str]] = {
    "build": ["g++", "ninja"], "test": ["gdb", "spin"], "sanitizers": ["clang++"], "tidy": ["clang-tidy"],
    "package": ["dpkg-deb", "dpkg-shlibdeps"], "roots": ["debootstrap", "lintian"],
    "cluster": ["etcd", "ip", "openssl", "postgres"], "guide": ["sphinx-build"],
}

# How often, and how long, a lock of the package manager is asked for that another process holds.
LOCK_PAUSE_S, LOCK_PATIENCE_S = 2.0, 3600.0
_LOCKED = re.compile(r"Could not get lock|Unable to lock|Unable to acquire the dpkg|lock was locked by another")
_HOLDER = re.compile(r"held by process (\d+(?: \([^)]*\))?)")


class PackagesError(Exception):
    """Why packages are missing, and what to do; the text is for the user."""


def is_debian() -> bool:
    return bool(shutil.which("dpkg-query") and shutil.which("apt-get"))


def _printed(*command: str) -> str:
    ran = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                         env=dict(os.environ, LC_ALL="C"))
    return ran.stdout


def installed_packages() -> Dict[str, str]:
    """Versions by name."""
    said = _printed("dpkg-query", "-W", "-f", "${Package}\t${Version}\t${db:Status-Status}\n")
    rows = [line.split("\t") for line in said.splitlines()]
    return {name: version for name, version, status in rows if status == "installed"}


def available_packages(names: Sequence[str]) -> Dict[str, str]:
    """Those of the names that the system's package lists have, with the version that would be installed."""
    found: Dict[str, str] = {}
    name = ""
    for line in _printed("apt-cache", "policy", *names).splitlines() if names else []:
        if line and not line[0].isspace():
            name = line.rstrip(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            found[name] = line.split()[-1]
    return found


class Alternative(NamedTuple):
    """One way to meet a need."""
    name: str  # with # for any number
    least: str = ""

    @staticmethod
    def read(text: str) -> "Alternative":
        parts = re.fullmatch(r"\s*([a-z0-9+.#{}-]+)\s*(?:\(>= ([^)]+)\))?\s*", text)
        if parts is None:
            raise ValueError(f"this is no need: {text}")
        return Alternative(parts.group(1), parts.group(2) or "")

    def suits(self, version: str) -> bool:
        return not self.least or subprocess.run(["dpkg", "--compare-versions", version, "ge", self.least],
                                                check=False).returncode == 0

    def among(self, packages: Dict[str, str]) -> Optional[str]:
        """The name of a package that is this one."""
        if "#" not in self.name:
            version = packages.get(self.name)
            return self.name if version is not None and self.suits(version) else None
        pattern = re.compile(re.escape(self.name).replace(r"\#", "[0-9]+"))
        return next((name for name in sorted(packages) if pattern.fullmatch(name) and self.suits(packages[name])), None)


class Need(NamedTuple):
    alternatives: List[Alternative]
    optional: bool

    @staticmethod
    def read(text: str, llvm: str) -> "Need":
        optional = text.startswith("?")
        text = text.lstrip("?").replace("{llvm}", llvm)
        return Need([Alternative.read(part) for part in text.split("|")], optional)

    def first(self, packages: Dict[str, str]) -> Optional[str]:
        found = (alternative.among(packages) for alternative in self.alternatives)
        return next((name for name in found if name), None)

    def names(self) -> List[str]:
        """What could be installed for it."""
        return [each.name for each in self.alternatives if "#" not in each.name]


class Wanted(NamedTuple):
    """What is to be installed for some groups."""
    missing: List[str]  # packages
    unknown: List[str]  # needs that the package lists have nothing for, as users are told of them


def _texts(groups: Sequence[str]) -> List[str]:
    return list(dict.fromkeys(text for group in groups for text in GROUPS[group]))


def llvm_version(installed: Dict[str, str], available: Dict[str, str]) -> str:
    """The version whose library and linker are installed; otherwise the first for which both can be had."""
    for known in (installed, {**available, **installed}):
        for version in LLVM_VERSIONS:
            if f"llvm-{version}-dev" in known and f"lld-{version}" in known:
                return version
    return LLVM_VERSIONS[0]


def wanted(groups: Sequence[str], installed: Dict[str, str],
           available_of: Callable[[Sequence[str]], Dict[str, str]]) -> Wanted:
    """`available_of` is available_packages, which is asked only if something is missing."""
    texts = _texts(groups)
    llvm = llvm_version(installed, {})
    if all(need.first(installed) for need in (Need.read(text, llvm) for text in texts)):
        return Wanted([], [])
    asked = sorted({name for text in texts for version in LLVM_VERSIONS for name in Need.read(text, version).names()})
    available = available_of(asked)
    llvm = llvm_version(installed, available)
    missing, unknown = [], []
    for text in texts:
        need = Need.read(text, llvm)
        if need.first(installed):
            continue
        name = need.first(available)
        if name:
            missing.append(name)
        elif not need.optional:
            unknown.append(need.names()[0])
    return Wanted(missing, unknown)


def llvm_program(name: str) -> str:
    """A program of LLVM, as it is called here."""
    return next((f"{name}-{version}" for version in LLVM_VERSIONS if shutil.which(f"{name}-{version}")), name)


def postgresql_programs() -> str:
    """The folder with the programs of PostgreSQL's server, of the newest version; empty if there is none."""
    return max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]), default="")


# ---- installing

def administrator_prefix() -> Optional[List[str]]:
    """What to put before a command that only the administrator may run; None if nothing helps."""
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    if sys.stdin.isatty():
        return ["sudo"]
    # Nobody is there to type a password.
    allowed = subprocess.run(["sudo", "-n", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             check=False).returncode == 0
    return ["sudo", "-n"] if allowed else None


# A package that brings a service starts it, and has it started at each start of the system. What needs a server here
# runs its own. So no service is started that did not run before, and the servers are not started with the system;
# what other packages bring for the system itself (dbus) is. Debian asks policy-rc.d before it starts a service; where
# the system has that file already (containers), it is left as it is. Should this script be killed, the file that it
# leaves behind has no effect.
_WITHOUT_SERVICES = r"""
policy=/usr/sbin/policy-rc.d
services="/etc/init.d /lib/systemd/system /etc/systemd/system"
denied=$(mktemp)
finish() { rm -f "$denied"; if [ -n "$made" ]; then rm -f "$policy"; fi; }
made=
known=" $(ls $services 2>/dev/null | sed 's/\.service$//' | tr '\n' ' ') "
trap finish EXIT
trap 'exit 130' INT TERM HUP
if [ ! -e "$policy" ]; then
  running=$(service --status-all 2>/dev/null | sed -n 's/^ \[ + \]  *//p')
  if [ -d /run/systemd/system ]; then
    running="$running $(systemctl list-units --type=service --state=active --plain --no-legend --no-pager |
                        sed -n 's/^\([^ ]*\)\.service .*/\1/p')"
  fi
  made=1
  cat > "$policy" <<END
#!/bin/sh
# Made by Tenure's build.py while process $$ installs packages: services that did not run stay so.
[ -d /proc/$$ ] || exit 0
while [ "\${1#--}" != "\$1" ]; do shift; done
name=\${1%.service}
case " $(echo $running) " in *" \$name "*) exit 0 ;; esac
case \$2 in *start*) echo "\$name" >> "$denied"; exit 101 ;; esac
exit 0
END
  chmod 755 "$policy"
fi
"$@"
status=$?
for name in $(sort -u "$denied"); do
  case "$known" in *" $name "*) continue ;; esac
  case "$name" in postgresql*|etcd*|patroni*) ;; *) continue ;; esac
  update-rc.d "$name" disable > /dev/null 2>&1
  echo "tenure: not started: $name"
done
exit $status
"""


def _run_showing(words: Sequence[str], output: IO[bytes]) -> int:
    """Runs a command whose output goes to a file; on a terminal one line shows the latest of it, and is gone at the end.
    Returns its status."""
    shown = sys.stdout.isatty()
    process = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT)
    try:
        while process.poll() is None:
            if shown:
                size = os.fstat(output.fileno()).st_size
                latest = os.pread(output.fileno(), 4096, max(0, size - 4096)).decode("utf-8", errors="replace")
                lines = [line for line in latest.splitlines() if line.strip()]
                width = shutil.get_terminal_size().columns - 1
                sys.stdout.write("\r\x1b[K" + (lines[-1].strip()[:width] if lines else ""))
                sys.stdout.flush()
            time.sleep(0.2 if shown else 0.05)
    finally:
        if shown:
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()
        process.wait()  # after an interruption, which it has got, too
    return process.returncode


class Installer:
    """Runs apt-get. `say` gets lines for the user."""

    def __init__(self, prefix: Sequence[str], say: Callable[[str], None]):
        self._prefix, self._say = list(prefix), say

    def _run(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        """Waits while another process holds the lock."""
        words = [*self._prefix, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", *command]
        waits_until, told = time.monotonic() + LOCK_PATIENCE_S, False
        while True:
            # A file, since a service that is started in spite of all would keep a pipe open.
            with tempfile.TemporaryFile("w+b") as output:
                status = _run_showing(words, output)
                output.seek(0)
                said = output.read().decode("utf-8", errors="replace")
            if status == 0 or not _LOCKED.search(said):
                return subprocess.CompletedProcess(words, status, said)
            if not told:
                holder = _HOLDER.search(said)
                self._say("another process" + (f", {holder.group(1)}," if holder else "") +
                          " is using the package manager; waiting until it has ended")
                told = True
            if time.monotonic() > waits_until:
                raise PackagesError(f"another process has used the package manager for {LOCK_PATIENCE_S / 60:.0f} "
                                    f"minutes; end it, or try later:\n{_last_lines(said)}")
            time.sleep(LOCK_PAUSE_S)

    def update(self) -> None:
        self._say("fetching the package lists")
        ran = self._run(["apt-get", "update", "-q"])
        if ran.returncode != 0:
            raise PackagesError(f"apt-get update failed; is the network there?\n{_last_lines(ran.stdout)}")

    def install(self, packages: Sequence[str]) -> bool:
        """False: apt-get failed, perhaps since the package lists are old."""
        self._say(f"installing {' '.join(packages)}{_size(packages)}")
        ran = self._run(["sh", "-c", _WITHOUT_SERVICES, "sh", "apt-get", "install", "-y", "-q",
                         "--no-install-recommends", "-o", "Dpkg::Use-Pty=0", *packages])
        services = re.findall(r"^tenure: not started: (\S+)$", ran.stdout, re.MULTILINE)
        if services:
            self._say(f"not started, now or with the system: {', '.join(services)}")
        self.output = ran.stdout
        return ran.returncode == 0


def _last_lines(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.strip().splitlines()[-15:])


def _size(packages: Sequence[str]) -> str:
    """How much will be installed, as far as it can be known."""
    said = _printed("apt-get", "install", "-o", "Debug::NoLocking=1", "--assume-no", "-q", "--no-install-recommends",
                    *packages)
    count = re.search(r"(\d+) newly installed", said)
    fetched = re.search(r"Need to get ([\d.,]+ [kMG]?B)", said)
    used = re.search(r"operation, ([\d.,]+ [kMG]?B)", said)
    parts = [f"{count.group(1)} packages"] if count else []
    parts += [f"{fetched.group(1)} to fetch"] if fetched else []
    parts += [f"{used.group(1)} on disk"] if used else []
    return f" ({', '.join(parts)})" if parts else ""


def _lists_lack(unknown: Sequence[str]) -> str:
    return (f"this system's package lists do not have: {', '.join(unknown)}\n"
            f"Debian 12 and later have all that is needed (LLVM {min(LLVM_VERSIONS)} to {max(LLVM_VERSIONS)}); see "
            "docs/dependencies.md")


def command_line(packages: Sequence[str]) -> str:
    """What an administrator types."""
    return f"  apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"


def set_up(groups: Sequence[str], may_install: bool, say: Callable[[str], None]) -> None:
    """Sees to it that what these groups need is there. Installs it only if it may; else PackagesError says how to."""
    if not is_debian():
        lacking = [name for group in groups for name in PROGRAMS.get(group, []) if not shutil.which(name)]
        if lacking:
            raise PackagesError("this is not a Debian system, and these programs are not found: "
                                f"{', '.join(lacking)} (see docs/dependencies.md)")
        return
    want = wanted(groups, installed_packages(), available_packages)
    if not want.missing and not want.unknown:
        return
    if not may_install:
        raise PackagesError("packages are missing; to install them, run as the administrator:\n" +
                            command_line([*want.missing, *want.unknown]))
    prefix = administrator_prefix()
    if prefix is None:
        raise PackagesError("packages are missing; run this as the administrator:\n" +
                            command_line([*want.missing, *want.unknown]))
    installer = Installer(prefix, say)
    if not want.unknown and installer.install(want.missing):
        return
    # The lists of a new system are empty, and old ones name files that are no longer there.
    installer.update()
    want = wanted(groups, installed_packages(), available_packages)
    if want.unknown:
        raise PackagesError(_lists_lack(want.unknown))
    if want.missing and not installer.install(want.missing):
        raise PackagesError(f"apt-get could not install the packages:\n{_last_lines(installer.output)}")
