"""OO1 in Tenure, stored and in memory, beside C++ with malloc: cold, warm and hot (Hosking & Moss 1993, 5).

Of eleven iterations the first is cold, the next nine, with other random parts each, are warm, and the last,
which does what the tenth did, is hot.
"""

import os
import statistics
import sys
import tempfile
from typing import Dict, List

import measuring
from measuring import run
from oo7_bench import Part, parts_of

OPERATIONS = ["lookup", "traversal", "insert"]
ROUNDS = 5
PHASES = {"cold": slice(0, 1), "warm": slice(1, 10), "hot": slice(10, 11)}


def bench() -> None:
    figures: Dict[str, Dict[str, Dict[str, List[float]]]] = {}
    with tempfile.TemporaryDirectory(prefix="tenure-oo1-") as directory:
        program = measuring.build_program("oo1", os.path.join(directory, "oo1"))
        twin = os.path.join(measuring.BUILD, "bench", "oo1_malloc")
        store = os.path.join(directory, "store")
        for operation in OPERATIONS:
            for turn in range(ROUNDS):
                # Insertion changes the database; the others find it as it was made.
                stored = f"{store}-{operation}-{turn}"
                run([program, "create", stored])
                measuring.make_cold(stored)
                found = {
                    "Tenure": parts_of(run([program, "measure", stored, operation]).output),
                    "Tenure in memory": parts_of(
                        run([program, "measure", "--memory", operation]).output),
                    "C++": parts_of(run([twin, operation]).output)}
                add(figures, operation, found)
    print(f"OO1, {ROUNDS} rounds: median milliseconds of an iteration, and times C++ with malloc")
    for operation, phases in figures.items():
        for phase, whose in phases.items():
            base = statistics.median(whose["C++"])
            beside = ", ".join(f"{who} {statistics.median(values):.4f}"
                               f" ({statistics.median(values) / base:.2f}x)"
                               for who, values in whose.items())
            print(f"  {operation:9} {phase:5} {beside}")
    measuring.write_results("oo1", {"rounds": ROUNDS, "operations": figures})


def add(figures: Dict, operation: str, found: Dict[str, List[Part]]) -> None:
    iterations = {who: [part for part in parts if part.what == "iteration"]
                  for who, parts in found.items()}
    counts = {who: [part.numbers["count"] for part in parts] for who, parts in iterations.items()}
    if any(count != counts["C++"] for count in counts.values()):
        sys.exit(f"oo1: {operation}: not all count the same: {counts}")
    for phase, which in PHASES.items():
        for who, parts in iterations.items():
            values = figures.setdefault(operation, {}).setdefault(phase, {}).setdefault(who, [])
            values.append(statistics.median(part.ms for part in parts[which]))
