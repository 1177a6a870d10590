#!/usr/bin/env python3
"""Finds functions in C++ of more than 100 lines that are not in the list below, and entries of the list that are not
needed any more. A function that does one thing after another is cut; one that is a list of cases may stay, with the
reason.
"""

import os
import re
import sys
from typing import Dict, Iterator, List, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import check_format  # noqa: E402

MOST_LINES = 100

# File and function: why it is one function.
LONG: Dict[Tuple[str, str], str] = {
    ("compiler/ast/print.cc", "PrintStmt"): "a case for each kind of statement",
    ("compiler/check/suggest.cc", "SuggestFor"): "one suggestion is tried after the other, the best first",
    ("compiler/check/value_flow.cc", "Statement"): "a case for each kind of statement",
    ("compiler/lower/lower_new.cc", "EmitNew"): "a case for each kind of type",
    ("compiler/quake/standard.cc", "DefineStandardProcedures"): "a definition for each procedure of build files",
    ("compiler/types/fingerprint.cc", "Describe"): "a case for each kind of type",
    ("dbtool/browse/api_objects.cc", "Entries"): "the ways to page through a container, which share their bounds",
    ("dbtool/move/exchange.cc", "Export"): "the parts of a file in their order, which share what is left out",
    ("dbtool/query/prepare.cc", "PrepareSource"): "the ways to find the rows of a source, the cheapest first",
    ("dbtool/query/run.cc", "Run"): "the steps from a row to an answer, which share the state of one run",
    ("dbtool/values/object_json.cc", "TakeObject"): "the phases of one object, which share what the type says",
    ("store/postgres/postgres_engine.cc", "ApplyIn"): "one transaction of PostgreSQL, statement after statement",
    ("tests/compiler/types/fingerprint_test.cc", "Samples"): "a sample for each kind of type",
    ("tests/store/postgres/postgres_engine_test.cc", "LeadersThatForgetDenyNoCommit"): "one history of several leaders",
}

# What opens a block at the first column and is no function.
NO_FUNCTION = re.compile(r"(namespace|struct|class|enum|union|extern \"C\")\b")
NAME = re.compile(r"([\w~]+|operator\S+)\(")
TEST = re.compile(r"(?:TYPED_)?TEST(?:_F|_P)?\(\s*\w+,\s*(\w+)\)")


def functions(text: str) -> Iterator[Tuple[str, int, int]]:
    """The name, the first line and the number of lines of each function. The format of the code (tools/check_format.py)
    puts the first and the last line of a function at the first column."""
    lines = text.split("\n")
    head, begin = 0, -1
    for number, line in enumerate(lines):
        if begin >= 0:
            if line.startswith("}"):
                declaration = " ".join(lines[head:begin + 1])
                name = TEST.match(declaration) or NAME.search(declaration)
                if name:
                    yield name.group(1), begin + 1, number - begin + 1
                begin = -1
        elif line and line[0] not in " }#/\t)":
            head = number
            if line.endswith("{") and not NO_FUNCTION.match(line) and "=" not in line.split("(")[0]:
                begin = number
        elif line.endswith(") {") or line.endswith("const {"):
            declaration = " ".join(lines[head:number + 1])
            if not NO_FUNCTION.search(declaration.split("(")[0]) and "{" not in declaration[:-1]:
                begin = number  # the declaration has several lines


def check_tree(root: str) -> List[str]:
    problems, needed = [], set()
    for path in check_format.formatted_files(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        for function, line, count in functions(text):
            if count <= MOST_LINES:
                continue
            needed.add((path, function))
            if (path, function) not in LONG:
                problems.append(f"{path}:{line}: {function} has {count} lines, more than {MOST_LINES}")
    problems += [f"tools/check_functions.py: {path}: {function} is not long any more"
                 for path, function in LONG if (path, function) not in needed]
    return problems


def main() -> None:
    problems = check_tree(ROOT)
    for problem in problems:
        print(problem)
    print(f"check_functions: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
