#!/usr/bin/env python3
"""Finds names that two files of a folder both define for themselves, in unnamed namespaces, and those that one file
defines and another one has by a `using` declaration.

Files of a folder are compiled together (GROUP_FILES in configure.py), and which ones are neighbours changes when a file
comes or goes. So no two of them may have a local name in common, unless all but one of them are in FILES_APART.
"""

import os
import re
import sys
from typing import Dict, List, Set

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from configure import FILES_APART, LAYERS_APART, LAYERS, MAINS, NOT_OPTIMIZED, Tree, layer_of  # noqa: E402

# The format of the code (tools/check_format.py) puts what is at the top level of a namespace at the first column.
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
USED = re.compile(r"^using (?:\w+::)+(\w+);", re.MULTILINE)
MACRO = re.compile(r"^#define (\w+)", re.MULTILINE)
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum class|enum|union) (?:[A-Z][A-Z\d_]+(?:\(.*?\))? )?(\w+)")
FUNCTION = re.compile(r"[\w:<>,*&\s\[\]]+?[\s*&](\w+)\(")
VARIABLE = re.compile(r"[\w:<>,*&\s]+?[\s*&](\w+)(?:\[.*?\])*\s*(?:=|;|\{)")


def local_names(text: str) -> Set[str]:
    """What a source file defines for itself: names in unnamed namespaces, and macros."""
    found = set(MACRO.findall(text))
    for part in UNNAMED.findall(text):
        for line in part.split("\n"):
            if not line or line[0] in " }/#\t)" or line.startswith(("using ", "namespace ", "extern ", "template ")):
                continue
            constant = re.match(r"(inline |static )*(constexpr|const) ", line)
            patterns = (VARIABLE,) if constant and "=" in line.split("(")[0] else (TYPE, FUNCTION, VARIABLE)
            match = next(filter(None, (pattern.match(line) for pattern in patterns)), None)
            if match:
                found.add(match.group(1))
    return found


def check_files(texts: Dict[str, str]) -> List[str]:
    """The errors in the files of a folder that are compiled together."""
    owners: Dict[str, str] = {}
    problems = []
    for path, text in texts.items():
        for name in sorted(local_names(text)):
            users = [other for other, used in texts.items() if other != path and name in USED.findall(used)]
            problems += [f"{other}: {name} is a local name in {path}, which hides the one that `using` means: rename "
                         "one, or add a file to FILES_APART in configure.py" for other in users]
            first = owners.setdefault(name, path)
            if first != path:
                problems.append(f"{path}: {name} is a local name in {first}, too, and files of a folder are compiled "
                                "together: share it, rename one, or add a file to FILES_APART in configure.py")
    return problems


def check_tree() -> List[str]:
    folders: Dict[str, Dict[str, str]] = {}
    tree = Tree()
    for layer in LAYERS:
        for path in tree.files(layer, (".cc",), recursive=True):
            folder = os.path.dirname(path)
            alone = path in FILES_APART or path in MAINS or layer_of(path) in LAYERS_APART
            if layer_of(path) == layer and not alone:
                # Files that are not optimized are groups of their own.
                group = f"{folder} {path in NOT_OPTIMIZED}"
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    folders.setdefault(group, {})[path] = file.read()
    problems = [f"configure.py: FILES_APART: there is no {path}" for path in sorted(FILES_APART)
                if not os.path.exists(os.path.join(ROOT, path))]
    return problems + [problem for texts in folders.values() for problem in check_files(texts)]


def main() -> None:
    problems = check_tree()
    for problem in problems:
        print(problem)
    print(f"check_groups: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
