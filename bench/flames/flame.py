#!/usr/bin/env python3
"""Flame graphs of OO7 small: hot T1, cold T1, T2B hot, and the commit of T2B.

Needs perf and matplotlib. Writes docs/pictures/flame-*.svg and bench/results/flames.json, and
prints the procedures that take most of the time of each.
"""

import collections
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple, Tuple

import matplotlib

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.dont_write_bytecode = True

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from bench.support import measuring  # noqa: E402

PICTURES = os.path.join(measuring.ROOT, "docs", "pictures")
Stack = Tuple[str, ...]  # outermost first


class Flame(NamedTuple):
    name: str
    title: str
    words: List[str]  # arguments of `oo7 measure`, after the store
    processes: int
    roots: List[str]  # only functions called from one of these
    stack_bytes: int = 8192  # of each sample


# A fault is answered on a separate stack, which does not show the traversal.
TRAVERSAL = ["OO7.m3.TraverseComplex", "tenure::runtime::OnMemoryFault"]
FLAMES = [
    Flame("hot-t1", "T1 hot", ["T1", "one", "0", "1000"], 1, TRAVERSAL),
    Flame("cold-t1", "T1 cold, without the opening", ["T1", "one", "0", "1"], 20, TRAVERSAL, 40000),
    Flame("hot-t2b", "T2B in chained transactions", ["T2B", "many", "0", "60"], 1, TRAVERSAL, 40000),
    Flame("commit-t2b", "the commits of T2B", ["T2B", "many", "0", "60"], 1,
          ["Transaction.m3.Chain"]),
]
FREQUENCY = 4000  # samples a second
NARROWEST = 0.002  # least share of the whole for a frame to be shown


def stacks_of(program: str, store: str, flame: Flame, directory: str) -> Dict[Stack, int]:
    found: Dict[Stack, int] = collections.Counter()
    data = os.path.join(directory, "perf.data")
    for _ in range(flame.processes):
        copy = os.path.join(directory, "copy")
        measuring.copy_store(store, copy)
        measuring.make_cold(copy)
        measuring.run(["perf", "record", "-q", "-F", str(FREQUENCY), "--call-graph",
                       f"dwarf,{flame.stack_bytes}", "-o", data, program, "measure", copy, *flame.words])
        script = subprocess.run(
            ["perf", "script", "-i", data, "--no-inline", "-F", "comm,ip,sym"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
        for block in script.split("\n\n"):
            frames = [line.split(None, 1)[1].replace("(anonymous namespace)::", "").strip()
                      for line in block.splitlines()[1:] if len(line.split(None, 1)) == 2]
            stack = tuple(reversed(frames))
            places = [stack.index(root) for root in flame.roots if root in stack]
            if places:
                found[merged(stack[min(places):])] += 1
    return found


def merged(stack: Stack) -> Stack:
    """Recursion counts once."""
    short: List[str] = []
    for frame in stack:
        if frame in short:
            del short[short.index(frame) + 1:]
        else:
            short.append(frame)
    return tuple(short)


def draw(stacks: Dict[Stack, int], flame: Flame) -> None:
    total = sum(stacks.values())
    depth = max(len(stack) for stack in stacks)
    _, axis = plt.subplots(figsize=(10, 0.24 * depth + 0.8))

    def place(prefix: Stack, left: float, members: Dict[Stack, int]) -> None:
        below: Dict[str, Dict[Stack, int]] = {}
        for stack, count in members.items():
            if len(stack) > len(prefix):
                below.setdefault(stack[len(prefix)], {})[stack] = count
        for frame in sorted(below):
            width = sum(below[frame].values()) / total
            if width >= NARROWEST:
                level = len(prefix)
                shade = 0.25 + 0.5 * (hash_of(frame) % 100) / 100
                axis.barh(level, width, left=left, height=0.95, color=plt.cm.YlOrRd(shade))
                shown = frame[:int(width * 130)]
                if len(shown) > 2:
                    axis.text(left + 0.002, level, shown, fontsize=6, va="center", clip_on=True)
                place((*prefix, frame), left, below[frame])
            left += width

    place((), 0.0, stacks)
    axis.set_xlim(0, 1)
    axis.set_ylim(-0.6, depth - 0.4)
    axis.axis("off")
    axis.set_title(f"{flame.title}: {total} samples", fontsize=9)
    plt.tight_layout()
    plt.savefig(os.path.join(PICTURES, f"flame-{flame.name}.svg"), metadata={"Date": None})
    plt.close()


def hash_of(text: str) -> int:
    return sum(ord(c) * (i + 1) for i, c in enumerate(text))


def leaves_of(stacks: Dict[Stack, int]) -> Dict[str, float]:
    """The procedures with most samples, in percent."""
    total = sum(stacks.values())
    leaves: Dict[str, int] = collections.Counter()
    for stack, count in stacks.items():
        leaves[stack[-1]] += count
    return {name: round(100 * count / total, 1) for name, count in leaves.most_common(10)}


def main() -> None:
    if shutil.which("perf") is None:
        sys.exit("flame.py: needs perf (Debian: linux-perf)")
    matplotlib.rcParams["svg.hashsalt"] = "oo7"
    matplotlib.rcParams["svg.fonttype"] = "none"  # text can be searched, and the file is smaller
    with tempfile.TemporaryDirectory(prefix="tenure-flame-") as directory:
        program = measuring.build_program("oo7/tenure", os.path.join(directory, "oo7"))
        store = os.path.join(directory, "store")
        measuring.run([program, "create", store])
        found = []
        for flame in FLAMES:
            stacks = stacks_of(program, store, flame, directory)
            if not stacks:
                sys.exit(f"flame.py: {flame.title}: no sample is below {flame.roots}")
            draw(stacks, flame)
            leaves = leaves_of(stacks)
            print(f"{flame.title}, {sum(stacks.values())} samples")
            for name, percent in leaves.items():
                print(f"  {percent:5.1f} %  {name}")
            found.append({"name": flame.name, "title": flame.title, "leaves": leaves})
    measuring.write_results("flames", {"flames": found})


if __name__ == "__main__":
    main()
