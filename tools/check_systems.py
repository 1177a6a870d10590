#!/usr/bin/env python3
"""Builds and tests this tree on each supported release of Debian, in a root of its own for each, which debootstrap makes.

  python3 tools/check_systems.py [--build-dir DIR] [--keep] [--user] [RELEASE...]

In a root with nothing but python3 and certificates, a clone of the commit that this tree is at goes through what the
README's reader types: `build.py demo` and `build.py test`. The last lines tell for each release what was counted, how
long it took, and the load of the machine. --user: an ordinary user types it, who may use sudo. --keep: the roots stay in
DIR/systems, and another run goes on with what was installed and built in them. Part of `build.py check systems`; needs
the rights of the administrator, and takes as long as a first build for each release.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from typing import List, NamedTuple

from debian_root import Root, why_not

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Debian 12, 13 and the one that will be next.
RELEASES = ("bookworm", "trixie", "forky")
COMMANDS = ("demo", "test")
# What a person has before the first command.
BASE = ["ca-certificates", "python3"]
PLACE, USER = "/home/newcomer/tenure", "newcomer"


class Ran(NamedTuple):
    """One command on one release."""
    release: str
    command: str
    status: int
    seconds: float
    load: float  # of the machine, at the end, over 15 minutes
    counts: str  # the last line of a test, "N passed, N failed"; what the demo says at its end
    log: str

    @property
    def failed(self) -> bool:
        return self.status != 0

    def line(self) -> str:
        verdict = f"failed (status {self.status}); see {self.log}" if self.failed else self.counts
        return (f"{self.release}, {self.command}: {verdict}; {self.seconds / 60:.1f} min, {os.cpu_count()} processors, "
                f"load {self.load:.1f}")


def counts_of(command: str, text: str) -> str:
    """What the output of a command says that it did; empty if it does not say so."""
    if command == "test":
        found = re.findall(r"^(?:\w+: )?\d+ passed, \d+ failed(?:, \d+ skipped)?$", text, re.MULTILINE)
        return found[-1] if found else ""
    # The demonstration prints the time that each program took below what it printed.
    steps = re.findall(r"^  \(\d+\.\d+ s\)$", text, re.MULTILINE)
    return f"{len(steps)} programs ran" if len(steps) == 4 else ""


def clone(place: str) -> None:
    """The commit that this tree is at, as a repository. Files that are not committed are not in it."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    subprocess.run(["git", "-c", f"safe.directory={ROOT}", "clone", "-q", "--no-hardlinks", ROOT, place], check=True)
    commit = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "rev-parse", "HEAD"], cwd=ROOT, text=True, check=True,
                            stdout=subprocess.PIPE).stdout.strip()
    subprocess.run(["git", "checkout", "-q", "--detach", commit], cwd=place, check=True)


class System:
    def __init__(self, folder: str, release: str, user: bool):
        self.release, self._user = release, user
        self.root = Root(os.path.join(folder, release))
        self._folder = folder

    def prepare(self, keep: bool) -> None:
        if not keep and os.path.isdir(self.root.place):
            shutil.rmtree(self.root.place)
        self.root.make(self.release, [*BASE, *(["sudo"] if self._user else [])])
        self.root.use_network()
        if self.root.run("id", USER, check=False).returncode != 0:
            self.root.run("useradd", "--create-home", "--shell", "/bin/bash", USER)
        if self._user:
            with open(self.root.path("etc/sudoers.d/newcomer"), "w", encoding="utf-8") as file:
                file.write(f"{USER} ALL=(ALL) NOPASSWD: ALL\n")
        if not keep or not os.path.isdir(self.root.path(PLACE)):
            clone(self.root.path(PLACE))
        self.root.run("chown", "-R", f"{USER}:" if self._user else "root:", PLACE)

    def command(self, command: str) -> Ran:
        log = os.path.join(self._folder, f"{self.release}-{command}.log")
        if os.path.exists(log):
            os.remove(log)
        line = f"cd {PLACE} && exec python3 build.py {command}"
        words = ["su", "-", USER, "-c", line] if self._user else ["sh", "-c", line]
        start = time.monotonic()
        ran = self.root.run(*words, check=False, output=log)
        seconds = time.monotonic() - start
        with open(log, encoding="utf-8", errors="replace") as file:
            counts = counts_of(command, file.read())
        # A command that says nothing of what it did has not done it.
        status = ran.returncode if ran.returncode != 0 or counts else 1
        return Ran(self.release, command, status, seconds, os.getloadavg()[2], counts, log)


def run_all(releases: List[str], folder: str, keep: bool, user: bool) -> List[Ran]:
    """Prints a line when a command has ended; the second command of a release needs the first to succeed."""
    results = []
    for release in releases:
        system = System(folder, release, user)
        system.prepare(keep)
        for command in COMMANDS:
            ran = system.command(command)
            print(ran.line(), flush=True)
            results.append(ran)
            if ran.failed:
                break
        if not keep:
            shutil.rmtree(system.root.place)
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help=f"default: {' '.join(RELEASES)}")
    parser.add_argument("--build-dir", default=os.path.join(ROOT, "build"), metavar="DIR")
    parser.add_argument("--keep", action="store_true", help="leave the roots, and go on with those that are there")
    parser.add_argument("--user", action="store_true", help="as a user who may use sudo, not as root")
    arguments = parser.parse_args()
    problem = why_not()
    if problem:
        print(f"check_systems: {problem}", file=sys.stderr)
        return 3
    folder = os.path.join(os.path.abspath(arguments.build_dir), "systems")
    os.makedirs(folder, exist_ok=True)
    try:
        results = run_all(arguments.releases or list(RELEASES), folder, arguments.keep, arguments.user)
    except subprocess.CalledProcessError as error:
        print(f"check_systems: {' '.join(error.cmd)}: status {error.returncode}\n{error.output or ''}", file=sys.stderr)
        return 1
    except AssertionError as error:
        print(f"check_systems: {error}", file=sys.stderr)
        return 1
    return 1 if any(ran.failed for ran in results) else 0


if __name__ == "__main__":
    sys.exit(main())
