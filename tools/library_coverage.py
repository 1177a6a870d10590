#!/usr/bin/env python3
"""Prints which of the library's procedures and methods the golden tests and tests/library use: a row for each
interface of docs/library_api.md that stdlib/ has; an instance of a generic counts for the generic.

A procedure counts as exercised when a test names it as `Interface.Procedure`, or imports it by
FROM; a method when a test that imports its interface calls `.method(`, or overrides it. This
counts uses, not results: a use whose result is not checked counts as well. The section `Not
exercised` of docs/library.md has the reasons for procedures that need no test.

Examples: library_coverage.py              the table
          library_coverage.py -v Sx Rd     these interfaces, with their unexercised procedures
          library_coverage.py --check      status 1 if a procedure is not exercised and has no reason
"""

import argparse
import fnmatch
import glob
import os
import re
import sys
from typing import Dict, List, NamedTuple, Set, Tuple

import library_check

ROOT = library_check.ROOT
TESTS = [os.path.join("tests", "golden"), os.path.join("tests", "library")]
REASONS = "\n## Not exercised\n"
INSTANCE = re.compile(r"\b(?:INTERFACE|MODULE)\s+(\w+)(?:\s+EXPORTS[\w\s,]+)?\s*=\s*(\w+)\s*\(")
ACTUALS = re.compile(r"=\s*(\w+)\s*\(([\w\s,]*)\)\s*END\b")
FORMALS = re.compile(r"\bGENERIC\s+\w+\s+(\w+)\s*\(([\w\s,]*)\)")
IMPORTS = re.compile(r"\b(?:FROM\s+(\w+)\s+)?IMPORT\s+([^;]*);")
OVERRIDES = re.compile(r"\bOVERRIDES\b(.*?)\bEND\b", re.S)


class Row(NamedTuple):
    name: str
    procedures: Set[str]
    methods: Set[str]  # "Type.method"
    used: Set[str]

    def unused(self) -> List[str]:
        return sorted((self.procedures | self.methods) - self.used)


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="latin-1") as file:
        return file.read()


def library() -> Tuple[Dict[str, Row], Dict[str, str]]:
    """The interfaces, and the generic of each instance."""
    public = library_check.read_tables(read(library_check.TABLES))
    rows: Dict[str, Row] = {}
    generics: Dict[str, str] = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "stdlib", "**", "*.i[3g]"), recursive=True)):
        name = os.path.basename(path)[:-3]
        text = library_check.strip_comments(read(path))
        instance = INSTANCE.search(text)
        if instance:
            generics[name] = instance.group(2)
        elif name in public:
            entries = library_check.read_interface(os.path.relpath(path, ROOT))
            rows[name] = Row(name, {n for n, e in entries.items() if e.kind == "PROCEDURE"},
                             {n for n, e in entries.items() if e.kind == "METHOD"}, set())
    return rows, generics


def note_uses(text: str, rows: Dict[str, Row], generics: Dict[str, str]) -> None:
    """Marks the procedures and methods that one test uses."""
    text = library_check.strip_comments(text)
    names: Set[Tuple[str, str]] = set()  # name in the test, interface
    for source, items in IMPORTS.findall(text):
        for item in items.split(","):
            words = item.split()
            if source:
                row = rows.get(generics.get(source, source))
                if row and words and words[0] in row.procedures:
                    row.used.add(words[0])
                names.add((source, source))
            elif words:
                names.add((words[-1], words[0]))
    # A formal of a generic in the test stands for the actuals of all its instances.
    for generic, formals in FORMALS.findall(text):
        for instance, actuals in ACTUALS.findall(text):
            if instance == generic:
                names.update(zip(re.findall(r"\w+", formals), re.findall(r"\w+", actuals)))
    called = set(re.findall(r"\.\s*(\w+)\s*\(", text))
    for overrides in OVERRIDES.findall(text):
        called.update(re.findall(r"(\w+)\s*:=", overrides))
    for name, interface in names:
        row = rows.get(generics.get(interface, interface))
        if row is None:
            continue
        for member in re.findall(r"\b" + name + r"\s*\.\s*(\w+)", text):
            if member in row.procedures:
                row.used.add(member)
        row.used.update(m for m in row.methods if m.split(".")[-1] in called)


def read_reasons(text: str) -> Dict[str, str]:
    reasons: Dict[str, str] = {}
    section = text.partition(REASONS)[2].partition("\n## ")[0]
    for line in section.split("\n"):
        row = re.match(r"\| (`.+`) \| (.*) \|$", line)
        if row:
            for name in re.findall(r"`([^`]+)`", row.group(1)):
                reasons[name] = row.group(2)
    return reasons


def excused(row: Row, name: str, reasons: Dict[str, str]) -> bool:
    return any(fnmatch.fnmatchcase(f"{row.name}.{name}", pattern) for pattern in reasons)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interface", nargs="*", help="only these")
    parser.add_argument("-v", "--verbose", action="store_true", help="also what is not exercised")
    parser.add_argument("--check", action="store_true",
                        help="only what is not exercised and has no reason; status 1 if any")
    arguments = parser.parse_args()
    rows, generics = library()
    for tests in TESTS:
        for path in glob.glob(os.path.join(ROOT, tests, "**", "*.[im]3"), recursive=True):
            note_uses(read(path), rows, generics)
    reasons = read_reasons(read(os.path.join("docs", "library.md")))

    declared = exercised = missing = 0
    for name in sorted(arguments.interface or rows):
        if name not in rows:
            print(f"{name}: is not in stdlib/", file=sys.stderr)
            return 2
        row = rows[name]
        total = len(row.procedures) + len(row.methods)
        unused = row.unused()
        declared += total
        exercised += total - len(unused)
        without = [n for n in unused if not excused(row, n, reasons)]
        missing += len(without)
        if arguments.check:
            for item in without:
                print(f"{name}.{item} is not exercised")
            continue
        if total == 0:
            continue
        procedures = len(row.procedures) - sum(n in row.procedures for n in unused)
        methods = len(row.methods) - sum(n in row.methods for n in unused)
        percent = 100 * (total - len(unused)) // total
        print(f"{name:20} procedures {procedures:3}/{len(row.procedures):<3} "
              f"methods {methods:3}/{len(row.methods):<3} {percent:3} %"
              + ("" if not unused else " *" if without else " (with reason)"))
        if arguments.verbose:
            for item in unused:
                print(f"    {item}")
    print(f"{exercised} of {declared} procedures and methods exercised, "
          f"{missing} of the others without a reason")
    return 1 if arguments.check and missing else 0


if __name__ == "__main__":
    sys.exit(main())
