#!/usr/bin/env python3
"""Holds every #include to the LAYERS table of configure.py, the table itself to having no cycle, and what the README
of a layer of store/, stabilize/ or dbtool/ says that it may use to the table.

Inside a layer, modules (a header with its .cc file) may include each other in a circle only if the
layer is in LAYERS_WITH_CIRCLES.
"""

import os
import re
import sys
from typing import Dict, Iterator, List, Optional, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from configure import LAYERS, LLVM_LAYERS, layer_of  # noqa: E402

SUFFIXES = (".h", ".cc", ".c", ".S", ".def")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')

# System headers that only the files with this prefix may include.
RESERVED_HEADERS = {"db.h": "store/bdb/", "gc/gc.h": "runtime/boehm/",
                    "gc/gc_mark.h": "runtime/boehm/"}

# docs/decisions/0025-the-run-time-is-one-circle.md
LAYERS_WITH_CIRCLES = ("runtime",)


def find_cycle(layers: Dict[str, List[str]]) -> Optional[str]:
    """A layer from which the table leads back to itself, or None."""
    for start in layers:
        seen, work = set(), list(layers[start])
        while work:
            layer = work.pop()
            if layer == start:
                return start
            if layer not in seen:
                seen.add(layer)
                work += layers.get(layer, [])
    return None


def check_include(path: str, bracket: str, included: str) -> Optional[str]:
    """The error if the file at path includes this file, or None."""
    layer = layer_of(path)
    if included.startswith(("llvm/", "llvm-c/")):
        return None if layer in LLVM_LAYERS else f"{layer} may not include LLVM"
    if bracket == "<":
        prefix = RESERVED_HEADERS.get(included)
        if prefix and not path.startswith(prefix):
            return f"only {prefix}* may include <{included}>"
        return None
    target = layer_of(included)
    if target is None:
        return f'"{included}" is not a path of a layer from the repository root'
    if target != layer and target not in LAYERS[layer]:
        return f"{layer} may not include {target}"
    return None


def source_files(root: str) -> Iterator[str]:
    tops = sorted({layer.split("/")[0] for layer in LAYERS})
    for top in tops:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith(SUFFIXES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def module_of(path: str) -> str:
    """A header and its source file are one module: the path without its suffix."""
    return os.path.splitext(path)[0]


def find_circles(includes: Dict[str, Set[str]]) -> List[List[str]]:
    """The groups of modules that reach each other, each group sorted."""
    reached: Dict[str, Set[str]] = {}
    for start in includes:
        seen: Set[str] = set()
        work = list(includes[start])
        while work:
            module = work.pop()
            if module not in seen:
                seen.add(module)
                work += includes.get(module, ())
        reached[start] = seen
    groups = {tuple(sorted(m for m in reached[start] if start in reached.get(m, ())))
              for start in includes if start in reached[start]}
    return [list(group) for group in sorted(groups)]


def said_layers(layer: str, text: str) -> Optional[Set[str]]:
    """What the README with this text says that its layer may use; None if it says nothing."""
    found = re.search(r"May use:(.*?)(?:\. |\.\n|$)", text, re.S)
    if not found:
        return None
    if "every room" in found.group(1):  # "every room of `X/` but `a`, `b` and `c`"
        top = layer.split("/")[0]
        left_out = {f"{top}/{name}" for name in re.findall(r"`(\w+)`", found.group(1).split("but")[1])}
        return {other for other in LAYERS if other.startswith(top + "/") and other != layer} - left_out | {"abi", "base"}
    said = {name.rstrip("/") for name in re.findall(r"`([\w/]+)`", found.group(1).replace("store/open.h", "store"))}
    for whole in ("store", "stabilize"):  # `store/` is all of its rooms that the table has
        if f"`{whole}/`" in found.group(1):
            said |= {other for other in LAYERS[layer] if other.startswith(whole + "/")}
    return said


def check_readme(layer: str, text: str) -> Optional[str]:
    """How the README of a layer differs from the table, or None."""
    said = said_layers(layer, text)
    if said is None:
        return None
    may = set(LAYERS[layer])
    unsaid, wrong = sorted(may - said - {"store"}), sorted(said - may - {"store"})
    if not unsaid and not wrong:
        return None
    return f"{layer}/README.md: may use and does not say: {unsaid}; says and may not: {wrong}"


def check_tree(root: str) -> Tuple[int, List[str]]:
    """Returns the number of checked files and the errors, one line each."""
    problems, count = [], 0
    modules: Dict[str, Set[str]] = {}
    cycle = find_cycle(LAYERS)
    if cycle:
        problems.append(f"configure.py: LAYERS: {cycle} reaches itself")
    for path in source_files(root):
        count += 1
        if layer_of(path) is None:
            problems.append(f"{path}: its folder is not in LAYERS")
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = INCLUDE.match(line)
                problem = match and check_include(path, match.group(1), match.group(2))
                if problem:
                    problems.append(f"{path}:{number}: {problem}")
                if match and layer_of(path) not in LAYERS_WITH_CIRCLES:
                    included = module_of(match.group(2))
                    if included != module_of(path) and layer_of(match.group(2)) == layer_of(path):
                        modules.setdefault(module_of(path), set()).add(included)
    for layer in LAYERS:
        readme = os.path.join(root, layer, "README.md")
        if layer.startswith(("store/", "stabilize/", "dbtool/")) and os.path.exists(readme):
            with open(readme, encoding="utf-8") as file:
                problem = check_readme(layer, file.read())
            if problem:
                problems.append(problem)
    for circle in find_circles(modules):
        problems.append("these modules include each other in a circle: " + ", ".join(circle))
    return count, problems


def main() -> None:
    count, problems = check_tree(ROOT)
    for problem in problems:
        print(problem)
    print(f"check_layers: {count} files, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
