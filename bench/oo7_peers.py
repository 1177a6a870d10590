"""What OO7 in Tenure is measured beside: other heaps and stores, each written as its user would."""

import os
import subprocess
import sys
from typing import Dict, List, NamedTuple

import measuring

OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T5", "T6", "T7", "T8", "T9",
              "CU", "Q1", "Q2", "Q3", "Q4", "Q5", "Q7", "Q8", "insert", "delete"]
RECORD_OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T6", "T8"]


class Peer(NamedTuple):
    name: str
    program: str  # in the build folder; empty: see FOREIGN
    what: str
    operations: List[str]
    stored: bool  # or else in memory only
    slow: bool = False
    file: bool = False  # the store is one file, not a directory
    crash_safe: bool = False


PEERS = [
    Peer("C++", "oo7_malloc", "C++ objects with malloc, no store", OPERATIONS, False),
    Peer("libgc", "oo7_libgc", "C++ objects with libgc, no store", OPERATIONS, False),
    Peer("mapped", "oo7_mapped", "C++ in a mapped file, msync; not crash-safe", OPERATIONS, True,
         file=True),
    Peer("LMDB", "oo7_lmdb", "a record per object", RECORD_OPERATIONS, True, crash_safe=True),
    # Where there is no persistent memory each of its T2B takes more than a second.
    Peer("PMDK", "oo7_pmdk", "libpmemobj, objects with persistent pointers",
         ["T1", "T2A", "T2B", "T6", "T8"], True, True, True, crash_safe=True),
    Peer("BDB", "oo7_bdb", "Berkeley DB, a record per object", RECORD_OPERATIONS, True, True,
         crash_safe=True),
    Peer("SQLite", "oo7_sqlite", "a table per class", RECORD_OPERATIONS, True, True, True,
         crash_safe=True),
    Peer("ZODB", "", "Python objects", RECORD_OPERATIONS, True, True, True, crash_safe=True),
    # As it comes it never calls fsync.
    Peer("EclipseStore", "", "Java objects; commits are written, not synced", RECORD_OPERATIONS,
         True, True),
]

# What would take many minutes, by configuration and peer. All of it is told with the results.
LEFT_OUT: Dict[str, Dict[str, List[str]]] = {
    # With libpmemobj each change is written through to the disk, where there is no persistent
    # memory.
    "medium": {"PMDK": OPERATIONS},
}


def peers_for(configuration: str) -> List[Peer]:
    """Those that have anything to do in it, with what they do."""
    left_out = LEFT_OUT.get(configuration, {})
    found = [peer._replace(operations=[operation for operation in peer.operations
                                       if operation not in left_out.get(peer.name, [])])
             for peer in PEERS]
    return [peer for peer in found if peer.operations]


def left_out_text(configuration: str) -> List[str]:
    """By peer."""
    texts = []
    for name, operations in LEFT_OUT.get(configuration, {}).items():
        does = next(peer.operations for peer in PEERS if peer.name == name)
        missing = [operation for operation in does if operation in operations]
        texts.append(f"{'all' if missing == does else ', '.join(missing)} of {name}")
    return texts


def made(commands: List[List[str]], who: str) -> bool:
    """Runs them; says what was in the way when one of them fails."""
    for command in commands:
        try:
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, timeout=600)
        except (OSError, subprocess.TimeoutExpired) as e:
            print(f"oo7: without {who}: {e}", file=sys.stderr)
            return False
        if ran.returncode != 0:
            print(f"oo7: without {who}: {' '.join(ran.stdout.split()[-40:])}", file=sys.stderr)
            return False
    return True


def zodb_command() -> List[str]:
    """With a Python of its own with ZODB from PyPI; empty if it cannot be had."""
    folder = os.path.join(measuring.BUILD, "zodb")
    python = os.path.join(folder, "bin", "python")
    venv = [] if os.path.exists(python) else [[sys.executable, "-m", "venv", folder]]
    if not made([*venv, [python, "-m", "pip", "install", "-q", "ZODB"]], "ZODB"):
        return []
    return [python, os.path.join(measuring.ROOT, "bench", "oo7_zodb.py")]


def eclipse_store_command() -> List[str]:
    """With its archives from Maven; empty if there is no JDK, or they cannot be had."""
    folder = os.path.join(measuring.BUILD, "eclipsestore")
    source = os.path.join(measuring.ROOT, "bench", "oo7_eclipsestore")
    jars = os.path.join(folder, "jars")
    fetch = [] if os.path.isdir(jars) else [
        ["mvn", "-q", "-B", "-f", os.path.join(source, "pom.xml"),
         "dependency:copy-dependencies", "-DoutputDirectory=" + jars]]
    if not made([*fetch, ["javac", "-d", folder, "-cp", jars + "/*",
                          os.path.join(source, "OO7.java")]], "EclipseStore"):
        return []
    return ["java", "-cp", f"{folder}:{jars}/*", "OO7"]


# Those that are no program of ours, and how they are started.
FOREIGN = {"ZODB": zodb_command, "EclipseStore": eclipse_store_command}


def command_of(peer: Peer) -> List[str]:
    """Empty if it cannot be had; that has been said then."""
    if peer.name in FOREIGN:
        return FOREIGN[peer.name]()
    return [os.path.join(measuring.BUILD, "bench", peer.program)]
