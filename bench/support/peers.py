"""The programs to which Tenure is compared: other heaps and stores, each used in its usual
style, and the way to start their programs."""

import os
import subprocess
import sys
from typing import Dict, List, NamedTuple

from bench.support import measuring


class Peer(NamedTuple):
    name: str
    program: str  # its programs are oo7_PROGRAM and oo1_PROGRAM
    what: str
    stored: bool  # False: in memory only
    slow: bool = False  # takes a hundred times as long as others
    crash_safe: bool = False
    operations: List[str] = []


PEERS = [
    Peer("C++", "malloc", "C++ objects with malloc, no store", False),
    Peer("libgc", "libgc", "C++ objects with libgc, no store", False),
    Peer("mapped", "mapped", "C++ in a mapped file, msync; not crash-safe", True),
    Peer("LMDB", "lmdb", "a record per object", True, crash_safe=True),
    # Without persistent memory each of its T2B takes more than a second.
    Peer("PMDK", "pmdk", "libpmemobj, objects with persistent pointers", True, True,
         crash_safe=True),
    Peer("BDB", "bdb", "Berkeley DB, a record per object", True, True, crash_safe=True),
    Peer("SQLite", "sqlite", "a table per class", True, True, crash_safe=True),
    Peer("ZODB", "zodb", "Python objects", True, True, crash_safe=True),
    # With its default settings it never calls fsync.
    Peer("EclipseStore", "eclipsestore", "Java objects; commits are written, not synced", True, True),
]


def made(commands: List[List[str]], who: str) -> bool:
    """Runs the commands; reports the reason if one of them fails."""
    for command in commands:
        try:
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, timeout=600)
        except (OSError, subprocess.TimeoutExpired) as e:
            print(f"without {who}: {e}", file=sys.stderr)
            return False
        if ran.returncode != 0:
            print(f"without {who}: {' '.join(ran.stdout.split()[-40:])}", file=sys.stderr)
            return False
    return True


def zodb_command(benchmark: str) -> List[str]:
    """A Python of its own with ZODB from PyPI; empty if it cannot be installed."""
    folder = os.path.join(measuring.BUILD, "zodb")
    python = os.path.join(folder, "bin", "python")
    venv = [] if os.path.exists(python) else [[sys.executable, "-m", "venv", folder]]
    if not made([*venv, [python, "-m", "pip", "install", "-q", "ZODB"]], "ZODB"):
        return []
    return [python, os.path.join(measuring.ROOT, "bench", benchmark, "peers", "zodb.py")]


def eclipse_store_command(benchmark: str) -> List[str]:
    """The command with archives from Maven; empty if there is no JDK or the archives cannot be
    downloaded."""
    program = benchmark.upper()
    folder = os.path.join(measuring.BUILD, "eclipsestore")
    shared = os.path.join(measuring.ROOT, "bench", "support", "eclipsestore")
    source = os.path.join(measuring.ROOT, "bench", benchmark, "peers")
    jars = os.path.join(folder, "jars")
    fetch = [] if os.path.isdir(jars) else [
        ["mvn", "-q", "-B", "-f", os.path.join(shared, "pom.xml"),
         "dependency:copy-dependencies", "-DoutputDirectory=" + jars]]
    if not made([*fetch, ["javac", "-d", folder, "-cp", jars + "/*", "-sourcepath", shared,
                          os.path.join(source, program + ".java")]], "EclipseStore"):
        return []
    return ["java", "-cp", f"{folder}:{jars}/*", program]


# The peers that are not our programs, and the way to start them.
FOREIGN = {"ZODB": zodb_command, "EclipseStore": eclipse_store_command}


def commands_of(peers: List[Peer], benchmark: str) -> Dict[str, List[str]]:
    """The peers by name, of oo7 or oo1, without those that cannot be installed, which has been
    reported."""
    commands = {}
    for peer in peers:
        command = (FOREIGN[peer.name](benchmark) if peer.name in FOREIGN else
                   [os.path.join(measuring.BUILD, "bench", f"{benchmark}_{peer.program}")])
        if command:
            commands[peer.name] = command
    return commands
