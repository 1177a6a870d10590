"""OO1 in all systems that have a store of pages, over both layouts of parts (Hosking & Moss 1993, 5)."""

import os
from typing import List

from bench.support import measuring
from bench.support.lines import parts_of
from lab.report import fits, tenure
from lab.report.fits import Samples
from lab.report.page import Section, Table, Text, number
from lab.report.rows import Row, select
from lab.report.served import LAB, Served, times

OPERATIONS = ["lookup", "traversal", "insert"]
LAYOUTS = {"objects": "a connection is an object", "parts": "connections are in their part"}
SYSTEMS = {"QS": "qs", "QS-B": "qs-b", "E": "e", "SHORE": "shore"}
PLAIN, TENURE = "C++", "Tenure trap"


def _row(system: str, layout: str, operation: str, turn: int, output: str) -> Row:
    parts = parts_of(output)
    iterations = [part for part in parts if part.what == "iteration"]
    chains = [part for part in parts if part.what == "chain"]
    return {"experiment": "oo1", "system": system, "layout": layout, "oo1": operation, "round": turn,
            "sums": [part.numbers["count"] for part in iterations],
            "cold_us": times(iterations[:1] + chains[:1]), "hot_us": times(iterations[-1:])}


def measure(folder: str, rounds: int) -> List[Row]:
    """Served stores, as all of the paper's. Insertions change a store: each round has one of its own."""
    program = tenure.build("bench/oo1/tenure", folder, (TENURE,))[TENURE]
    found = []
    for turn in range(rounds):
        for layout in LAYOUTS:
            commands = {name: ([LAB, "oo1", "create", called, layout], [LAB, "oo1", "measure", called, layout])
                        for name, called in SYSTEMS.items()}
            if layout == "objects":
                commands[TENURE] = ([program, "create"], [program, "measure"])
            for name, (create, run) in commands.items():
                store = os.path.join(folder, f"oo1-{turn}-{layout}-{name.replace(' ', '-')}")
                measuring.run([*create, store])
                for operation in OPERATIONS:
                    with Served(store):
                        output = measuring.run([*run, store, operation]).output
                    found.append(_row(name, layout, operation, turn, output))
            for operation in OPERATIONS:
                output = measuring.run([LAB, "oo1", "measure", "plain", layout, operation]).output
                found.append(_row(PLAIN, layout, operation, turn, output))
    return found


def invariants(rows: List[Row]) -> List[str]:
    wrong = []
    for operation in OPERATIONS:
        sums = {tuple(row["sums"]) for row in select(rows, experiment="oo1", oo1=operation)}
        if len(sums) > 1:
            wrong.append(f"OO1 {operation}: the systems meet different parts")
    return wrong


def sections(rows: List[Row]) -> List[Section]:
    def of(system: str, layout: str, operation: str, which: str) -> Samples:
        return Samples([row[which][0] for row in select(rows, experiment="oo1", system=system, layout=layout,
                                                        oo1=operation)])

    tables = []
    for layout, means in LAYOUTS.items():
        systems = [s for s in [PLAIN, *SYSTEMS, TENURE]
                   if select(rows, experiment="oo1", system=s, layout=layout)]
        if not systems:
            return []
        lines = []
        for which, says in (("cold_us", "cold, with its commit"), ("hot_us", "hot")):
            for operation in OPERATIONS:
                lines.append([operation, says,
                              *[number(of(s, layout, operation, which).median / 1000) for s in systems]])
        for operation in OPERATIONS:
            plain = of(PLAIN, layout, operation, "hot_us")
            lines.append([operation, "hot, to C++",
                          *[number(fits.ratio(of(s, layout, operation, "hot_us"), plain)[0]) for s in systems]])
        tables.append(Table(f"OO1, {means}, ms", ["", "", *systems], lines))
    return [Section("Today: OO1 in these systems", [
        Text("20,000 parts with three connections, nine of ten to near parts; 1,000 look-ups by an index, a traversal of "
             "3,280 visits, 100 insertions. Sums over what an operation meets are equal in all systems and layouts. "
             "QuickStore and E ask an index on pages of their pool, SHORE one at the server; Tenure has a B+ tree of "
             "objects, the C++ program a map."), *tables], [])]
