#!/usr/bin/env python3
"""Compares the interfaces of stdlib/ with the tables of docs/library_api.md: headings, defaults,
RAISES, types and constants, token for token after the writing is normalised (grouping of names,
layout, RAISES {}, order of declarations). A row whose meaning begins with *Not here*, *Partly not
here* or *Differs* describes an intended difference; the reason is in the table `Differences` of
docs/library.md. A difference without mark or reason is a problem, and so is a mark without a
difference; a note names reasons that are not needed.

Examples: library_check.py               every difference; status 1 if one has no reason
          library_check.py Rd Wr         only these interfaces
          library_check.py --missing     also the interfaces that only the tables have
"""

import argparse
import fnmatch
import os
import re
import sys
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLES = os.path.join("docs", "library_api.md")
REASONS = os.path.join("docs", "library.md")
STDLIB = "stdlib"

TOKEN = re.compile(r"""[A-Za-z][A-Za-z0-9_]*          # names
                     | \d+_[0-9A-Fa-f]+L? | \d+\.\d+(?:[EeDdXx][+-]?\d+)? | \d+L?
                     | W?'(?:\\[0-7]{3}|\\.|[^'])' | W?"(?:\\.|[^"\\])*"
                     | := | <: | <= | >= | => | \.\. | \S""", re.X)
UNSAFE = "UNSAFE"  # name of the entry that says that the interface is UNSAFE
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\[0-7]{3}|\\.|[^'\n])'")
SECTIONS = {"CONST", "TYPE", "EXCEPTION", "VAR", "PROCEDURE", "REVEAL"}


class Entry(NamedTuple):
    """One declared name: `Rd.T` for a type of interface Rd, `Rd.T.seek` for a method of it."""
    kind: str
    text: str  # normalised tokens, one blank between two


def strip_comments(text: str) -> str:
    """Removes pragmas and (nested) comments; literals keep text that looks like one."""
    result, closers, i = [], [], 0
    while i < len(text):
        pair = text[i:i + 2]
        if pair == "(*" or (pair == "<*" and "*)" not in closers):
            closers.append("*)" if pair == "(*" else "*>")
            i += 2
        elif closers and pair == closers[-1]:
            closers.pop()
            result.append(" ")
            i += 2
        elif closers:
            i += 1
        elif text[i] in "\"'":
            literal = LITERAL.match(text, i)
            end = literal.end() if literal else i + 1
            result.append(text[i:end])
            i = end
        else:
            result.append(text[i])
            i += 1
    return "".join(result)


def tokens_of(text: str) -> List[str]:
    return TOKEN.findall(text)


class Declarations:
    """Reads declarations from tokens. Understands only the declarations that a library's
    interfaces contain."""

    def __init__(self, tokens: List[str]):
        self.tokens = tokens
        self.at = 0
        self.entries: Dict[str, Entry] = {}

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def add(self, kind: str, name: str, tokens: List[str]) -> None:
        if name not in self.entries:  # a partial revelation may follow the declaration of a type
            self.entries[name] = Entry(kind, " ".join(tokens))

    def until(self, ends: Set[str]) -> List[str]:
        """Tokens up to one of `ends` that is not inside brackets, RECORD, OBJECT or METHODS."""
        taken, depth = [], 0
        while self.at < len(self.tokens):
            token = self.peek()
            if depth == 0 and token in ends:
                break
            if token in ("(", "[", "{", "RECORD", "OBJECT"):
                depth += 1
            elif token in (")", "]", "}", "END"):
                depth -= 1
            taken.append(self.next())
        return taken

    def names(self) -> List[str]:
        names = [self.next()]
        while self.peek() == ",":
            self.next()
            names.append(self.next())
        return names

    def read(self) -> Dict[str, Entry]:
        section = ""
        while self.at < len(self.tokens) and self.peek() != "END":
            token = self.peek()
            if token in SECTIONS:
                section = self.next()
            elif token == ";":
                self.next()
            elif section == "PROCEDURE":
                name = self.next()
                self.add("PROCEDURE", name, signature(self.until({";"})))
                section = ""
            elif section in ("TYPE", "REVEAL"):
                self.read_type(section)
            elif section in ("CONST", "VAR"):
                names = self.names()
                value = normal(self.until({";"}))
                for name in names:
                    self.add(section, name, value)
            elif section == "EXCEPTION":
                names = self.names()
                argument = self.until({";", ","})
                for name in names:
                    self.add("EXCEPTION", name, normal(argument))
                if self.peek() == ",":
                    self.next()
            else:
                self.next()
        return self.entries

    def read_type(self, section: str) -> None:
        name = self.next()
        while self.peek() == ".":
            self.next()
            name += "." + self.next()
        body = self.until({";"})
        if "OBJECT" in body and is_object(body):
            body = self.read_methods(name, body)
        self.add(section, name, normal(body))

    def read_methods(self, name: str, body: List[str]) -> List[str]:
        """Adds the methods as entries of their own; returns the body without them."""
        depth, start = 0, None
        for i, token in enumerate(body):
            if token in ("RECORD", "OBJECT", "(", "[", "{"):
                depth += 1
            elif token in ("END", ")", "]", "}"):
                depth -= 1
            elif depth == 1 and token in ("METHODS", "OVERRIDES") and start is None:
                start = i
        if start is None:
            return body
        inner = Declarations(body[start + 1:-1])
        overrides = body[start] == "OVERRIDES"
        while inner.at < len(inner.tokens):
            if inner.peek() == ";":
                inner.next()
            elif inner.peek() == "OVERRIDES":
                inner.next()
                overrides = True
            else:
                method = inner.next()
                rest = inner.until({";"})
                if not overrides:
                    self.add("METHOD", name + "." + method, signature(rest))
        return body[:start] + body[-1:]


def is_object(body: List[str]) -> bool:
    """Whether the type itself is an object type: `= Super BRANDED "B" OBJECT ... END`."""
    before = body[:body.index("OBJECT")]
    return not any(t in ("RECORD", "ARRAY", "REF", "PROCEDURE", "SET", "(", "{") for t in before)


def normal(tokens: List[str]) -> List[str]:
    """Types, constants and variables: fields ungrouped, last semicolons off, numbers in one form."""
    result: List[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token == "BRANDED":
            if i + 1 < len(tokens) and tokens[i + 1].startswith('"'):
                i += 1  # the brand's text is up to the implementation
        elif token == "ROOT" and i + 1 < len(tokens) and tokens[i + 1] == "OBJECT":
            pass
        elif token == ";" and i + 1 < len(tokens) and tokens[i + 1] in ("END", ")"):
            pass
        elif token == "RAISES" and tokens[i + 1:i + 3] == ["{", "}"]:
            i += 2
        elif re.match(r"\d+\.\d", token):
            result.append(token.lower())
        elif token in ("RECORD", "OBJECT"):
            end = matching(tokens, i)
            result += [token] + ungrouped(normal(tokens[i + 1:end])) + ["END"]
            i = end
        else:
            result.append(token)
        i += 1
    while result and result[-1] == ";":
        result.pop()
    return result


def matching(tokens: List[str], start: int) -> int:
    depth = 0
    for i in range(start, len(tokens)):
        if tokens[i] in ("RECORD", "OBJECT"):
            depth += 1
        elif tokens[i] == "END":
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def split(tokens: List[str], separator: str) -> List[List[str]]:
    """Splits at separators that are not inside brackets or records."""
    parts, depth = [[]], 0
    for token in tokens:
        if token in ("(", "[", "{", "RECORD", "OBJECT"):
            depth += 1
        elif token in (")", "]", "}", "END"):
            depth -= 1
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def ungrouped(tokens: List[str]) -> List[str]:
    """`a, b: T; c: U` as `a : T ; b : T ; c : U`."""
    result: List[str] = []
    for part in split(tokens, ";"):
        head = 0
        names = [part[0]]
        while head + 2 < len(part) and part[head + 1] == ",":
            head += 2
            names.append(part[head])
        for name in names:
            result += ([";"] if result else []) + [name] + part[head + 1:]
    return result


def signature(tokens: List[str]) -> List[str]:
    """A heading after its name: modes stay with each formal, names in RAISES are sorted."""
    tokens = normal(tokens)
    if not tokens or tokens[0] != "(":
        return tokens
    depth = 0
    for end, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            break
    formals: List[str] = []
    for part in split(tokens[1:end], ";"):
        mode = []
        if part[0] in ("VAR", "READONLY", "VALUE"):
            mode = [] if part[0] == "VALUE" else [part[0]]
            part = part[1:]
        for formal in split(ungrouped(part), ";"):
            formals += ([";"] if formals else []) + mode + formal
    rest = tokens[end + 1:]
    if "RAISES" in rest and "{" in rest:
        at = rest.index("RAISES")
        close = rest.index("}", at)
        names = sorted("".join(name) for name in split(rest[at + 2:close], ","))
        rest = rest[:at] + ["RAISES", "{", ", ".join(names), "}"] + rest[close + 1:]
    return ["("] + formals + [")"] + rest


def read_interface(path: str) -> Dict[str, Entry]:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        tokens = tokens_of(strip_comments(file.read()))
    at = tokens.index("INTERFACE")
    entries = Declarations(skip_imports(tokens[at + 2:])).read()
    if at > 0 and tokens[at - 1] == "UNSAFE":
        entries[UNSAFE] = Entry(UNSAFE, "")
    return entries


def skip_imports(tokens: List[str]) -> List[str]:
    at = 0
    while at < len(tokens) and tokens[at] != ";":
        at += 1
    at += 1
    while at < len(tokens) and tokens[at] in ("IMPORT", "FROM"):
        while tokens[at] != ";":
            at += 1
        at += 1
    return tokens[at:]


class Table(NamedTuple):
    name: str
    entries: Dict[str, Entry]
    marked: List[List[str]]  # rows, by their entries, with a mark that one or more of them differ here


def read_reasons(text: str) -> Dict[str, str]:
    """The reasons for differences, by name, from the table of the section `Differences`."""
    reasons: Dict[str, str] = {}
    for line in text.partition("\n## Differences\n")[2].partition("\n## ")[0].split("\n"):
        row = re.match(r"\| (`.+`) \| (.*) \|$", line)
        if row:
            for name in re.findall(r"`([^`]+)`", row.group(1)):
                reasons[name] = row.group(2)
    return reasons


def read_tables(text: str) -> Dict[str, Table]:
    """The tables by interface. If an interface has two tables, the last one counts, which is the
    classic form."""
    tables: Dict[str, Table] = {}
    current: Optional[Table] = None
    for line in text.split("\n"):
        heading = re.match(r"### (\w+)(?: \(PM3\))?$", line)
        if line.startswith("## "):
            current = None
        elif heading:
            current = Table(heading.group(1), {}, [])
            tables[current.name] = current
        elif current and line.startswith("`UNSAFE INTERFACE"):
            current.entries[UNSAFE] = Entry(UNSAFE, "")
        elif current:
            row = re.match(r"\| `(.*?)` \|(?P<mark> \*(?:Not here|Partly not here|Differs)\*)?", line)
            if row:
                names = add_row(current, row.group(1).replace("\\|", "|"))
                if row.group("mark"):
                    current.marked.append(names)
    return tables


def add_row(table: Table, declaration: str) -> List[str]:
    """The names that the row declares."""
    tokens = tokens_of(strip_comments(declaration))
    if not tokens:
        return []
    if tokens[0] in SECTIONS:
        entries = Declarations(drop_ellipsis(tokens)).read()
        for name, entry in entries.items():
            table.entries.setdefault(name, entry)
        return list(entries)
    name, at = tokens[0], 1
    while at + 1 < len(tokens) and tokens[at] == ".":
        name += "." + tokens[at + 1]
        at += 2
    kind = "METHOD" if "." in name else "PROCEDURE"
    table.entries.setdefault(name, Entry(kind, " ".join(signature(tokens[at:]))))
    return [name]


def drop_ellipsis(tokens: List[str]) -> List[str]:
    """`OBJECT ... END`: the rows that follow have the methods."""
    result: List[str] = []
    i = 0
    while i < len(tokens):
        if tokens[i:i + 2] == ["..", "."]:
            i += 2
            continue
        result.append(tokens[i])
        i += 1
    return result


def find_interfaces() -> Dict[str, str]:
    paths: Dict[str, str] = {}
    for folder, _, files in sorted(os.walk(os.path.join(ROOT, STDLIB))):
        for file in sorted(files):
            base, extension = os.path.splitext(file)
            if extension in (".i3", ".ig"):
                paths[base] = os.path.relpath(os.path.join(folder, file), ROOT)
    return paths


def compare(table: Table, declared: Dict[str, Entry]) -> List[Tuple[str, str]]:
    """(name, error) for each difference."""
    found = []
    if UNSAFE in declared and UNSAFE not in table.entries:
        found.append((f"{table.name}.{UNSAFE}", "is unsafe here, so that no safe module can use it"))
    for name, wanted in table.entries.items():
        full = f"{table.name}.{name}"
        have = declared.get(name)
        if name == UNSAFE:
            continue  # a safe interface here can be used by more programs
        if have is None:
            found.append((full, f"is missing: {wanted.kind} {wanted.text}"))
        elif wanted.kind == "CONST" and not wanted.text:
            continue  # the table leaves the value to the platform
        elif have.text != wanted.text:
            if wanted.text == ": const_int" and have.kind == "CONST":
                continue  # a value that C's headers define is a constant here, with the same uses
            if wanted.kind == "CONST" and have.kind == "CONST":
                if have.text.split("=")[-1].strip() == wanted.text.split("=")[-1].strip():
                    continue  # a type given to a constant changes nothing for its users
            found.append((full, f"\n    table  {wanted.kind} {wanted.text}"
                                f"\n    stdlib {have.kind} {have.text}"))
        elif {have.kind, wanted.kind} not in ({have.kind}, {"CONST", "VAR"}, {"TYPE", "REVEAL"}):
            found.append((full, f"is {have.kind}, not {wanted.kind}"))
    return found


def wrong_marks(table: Table, differences: List[Tuple[str, str]]) -> List[str]:
    """Rows with a mark and no difference, or with a difference and no mark."""
    differing = {full.split(".", 1)[1] for full, _ in differences} - {UNSAFE}
    marked = {name for row in table.marked for name in row}
    return ([f"{table.name}.{row[0]} is marked in {TABLES} and does not differ"
             for row in table.marked if not differing.intersection(row)]
            + [f"{table.name}.{name} differs and is not marked in {TABLES}"
               for name in sorted(differing - marked)])


def check(names: List[str], missing: bool) -> List[str]:
    """The errors in these interfaces, or in all."""
    with open(os.path.join(ROOT, TABLES), encoding="utf-8") as file:
        tables = read_tables(file.read())
    with open(os.path.join(ROOT, REASONS), encoding="utf-8") as file:
        reasons = read_reasons(file.read())
    paths = find_interfaces()
    used: Set[str] = set()

    def has_reason(full: str) -> bool:
        found = [pattern for pattern in reasons if fnmatch.fnmatchcase(full, pattern)]
        used.update(found)
        return bool(found)

    problems = []
    for name in names or tables:
        if name not in tables:
            problems.append(f"{name}: no such table")
        elif name not in paths:
            if not has_reason(name) and (missing or names):
                problems.append(f"{name}: is not in {STDLIB}/")
        else:
            differences = compare(tables[name], read_interface(paths[name]))
            problems += wrong_marks(tables[name], differences)
            problems += [f"{full} {what}" for full, what in differences if not has_reason(full)]
    if not names:
        for unneeded in sorted(set(reasons) - used):
            print(f"note: {unneeded}: a reason that nothing needs", file=sys.stderr)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interfaces", nargs="*")
    parser.add_argument("--missing", action="store_true",
                        help="also interfaces of the tables that stdlib/ does not have")
    arguments = parser.parse_args()
    problems = check(arguments.interfaces, arguments.missing)
    print("\n".join(problems + [f"{len(problems)} differences"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
