#!/usr/bin/env python3
"""Finds comments of C++ files that name what is not there: a file, a member (name_), a function or class (OfSeveralWords,
Class::Function) that no code has. Status 1 if there is such a comment.

  python3 tools/check_names.py [FILE ...]     these files, or all
"""

import os
import re
import subprocess
import sys
from typing import Iterator, List, Sequence, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import check_format  # noqa: E402

CODE = (".h", ".cc", ".c", ".S", ".def", ".py", ".m3", ".i3", ".mg", ".ig", ".js", ".pml", ".sql", ".ninja")

# A string, a character, or a comment: what comes first wins.
_TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
_WORD = re.compile(r"[A-Za-z_]\w*")
# What a comment names: a file, a qualified name, a member, a name of several words.
_FILE = re.compile(r"(?<![\w./*-])((?:\w[\w-]*/)*[\w-]+\.(?:h|cc|py|def|md|pml))\b(?![\w-])")
_QUALIFIED = re.compile(r"\b([A-Za-z_]\w*)::(~?[A-Za-z_]\w*)")
_MEMBER = re.compile(r"(?<![\w:*`-])([a-z]\w*_)(?![\w*])")
_HUMPS = re.compile(r"(?<![\w:./-])([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)(?![\w:])")
# /*name=*/ in front of an argument; the name may be a library's.
_ARGUMENT = re.compile(r"/\*\w+=\*/")
# Names that others gave, which no code of ours has: papers, systems, programs, functions of libraries.
FOREIGN = {
    # The grammar of Modula-3 (docs/language.md names its rules as the report does).
    "ArrayCons", "AssignSt", "CallSt", "ConstExpr", "FromImport", "GenActls", "ImportItem", "ProcedureHead", "RecordCons",
    "RecordElt", "SetCons", "SetElt",
    # Other languages and systems, an algorithm.
    "HotSpot", "JavaScript", "SplitMix64", "WriteLn",
    # A header of Berkeley DB.
    "db.h",
}


def split(text: str) -> Tuple[str, List[Tuple[int, str]]]:
    """The code without comments, and the comments with their lines."""
    comments: List[Tuple[int, str]] = []

    def take(match: "re.Match[str]") -> str:
        if match.group().startswith(("//", "/*")):
            comments.append((text.count("\n", 0, match.start()) + 1, match.group()))
            return " "
        return match.group()

    return _TOKEN.sub(take, text), comments


def files() -> List[str]:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, check=True).stdout.splitlines()
    return [path for path in listed if os.path.isfile(os.path.join(ROOT, path))]


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


class Known:
    """What can be named: every word of code, and every file."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.words: Set[str] = set()
        self.paths = set(paths)
        self.names = {os.path.basename(path) for path in paths}
        for path in paths:
            self.words.update(_WORD.findall(os.path.basename(path)))
            if not path.endswith(CODE):
                continue
            text = read(path)
            self.words.update(_WORD.findall(split(text)[0] if path.endswith((".h", ".cc", ".c")) else text))

    def has_file(self, name: str, where: str) -> bool:
        if "/" not in name:
            return name in self.names
        return name in self.paths or os.path.join(os.path.dirname(where), name) in self.paths or any(
            path.endswith("/" + name) for path in self.paths)


def wrong_names(path: str, known: Known) -> Iterator[str]:
    for line, comment in split(read(path))[1]:
        if _ARGUMENT.fullmatch(comment):
            continue
        found = {name for name in _FILE.findall(comment) if not known.has_file(name, path)} - FOREIGN
        rest = _FILE.sub(" ", comment)
        for first, last in _QUALIFIED.findall(rest):
            if first != "std" and not {first, last.lstrip("~")} <= known.words:
                found.add(f"{first}::{last}")
        for name in [*_MEMBER.findall(rest), *_HUMPS.findall(rest)]:
            if name not in known.words and name not in FOREIGN:
                found.add(name)
        for name in sorted(found):
            yield f"{path}:{line}: nothing is called {name}"


def main() -> int:
    paths = files()
    known = Known(paths)
    asked = [os.path.relpath(os.path.abspath(file), ROOT) for file in sys.argv[1:]]
    wrong = [text for path in asked or paths
             if check_format.is_formatted(path)
             for text in wrong_names(path, known)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
