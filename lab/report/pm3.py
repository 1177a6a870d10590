"""Hosking & Chen, PM3: an orthogonally persistent systems programming language (VLDB 1999), section 5."""

import math
import os
import tempfile
from typing import Dict, List, Tuple

from bench.support import measuring
from bench.support.lines import parts_of
from lab.report import claims, fits, tenure
from lab.report.fits import Samples
from lab.report.page import Plot, Section, Table, Text, number
from lab.report.rows import Row, select
from lab.report.served import LAB, Served, times

NAME = "pm3"
TITLE = "PM3 and SHORE/C++ (Hosking & Chen 1999)"

OPERATIONS = ["T1", "T6", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T9"]
COUNTS = {"T1": 43740, "T2A": 2187, "T2B": 43740, "T2C": 174960, "T3A": 2187, "T3B": 43740, "T3C": 174960,
          "T6": 2187, "T9": 0}
TENURE = list(tenure.BARRIERS)
SYSTEMS = [*TENURE, "SHORE"]
# Each update of an index is two requests to the server: the paper could not run these with SHORE, and
# here one run of T3C would take minutes.
NOT_WITH_SHORE = ["T3B", "T3C"]


def _systems(operation: str) -> List[str]:
    return TENURE if operation in NOT_WITH_SHORE else SYSTEMS


FIGURES = [("Figure 3", "raw traversal", ["T1"]), ("Figure 4", "sparse traversal", ["T6"]),
           ("Figure 5", "updates", ["T2A", "T2B", "T2C"]),
           ("Figure 6", "indexed updates", ["T3A", "T3B", "T3C"]),
           ("Figure 7", "operations on the manual", ["T9"])]
MODES = ["one", "many"]
ROUNDS, QUICK_ROUNDS = 7, 2


def _row(system: str, operation: str, mode: str, number_of_round: int, output: str) -> Row:
    parts = parts_of(output)
    iterations = [part for part in parts if part.what == "iteration"]
    chains = [part for part in parts if part.what == "chain"]
    # Cold is the first iteration; hot are the three in the middle; with many transactions each has
    # its commit (5.4).
    many = mode == "many"
    counters = [part.numbers for part in parts if part.what == "counters"]
    return {"experiment": "oo7", "system": system, "operation": operation, "mode": mode,
            "round": number_of_round, "counts": sorted({part.numbers["count"] for part in iterations}),
            "cold_us": times(iterations[:1] + (chains[:1] if many else [])),
            "hot_us": times(iterations[1:4] + (chains[1:4] if many else [])),
            "faults": iterations[0].numbers.get("read_faults"),
            "cold_pages": iterations[0].numbers.get("pages_read"),
            **{name: counters[0][name] for name in ("pins", "unpins", "fetched", "fetched_bytes",
                                                    "commit_visits", "requests") if counters}}


def measure(quick: bool, directory: str) -> List[Row]:
    """Both systems through a page server of another process, as the paper's."""
    found: List[Row] = []
    with tempfile.TemporaryDirectory(prefix="tenure-lab-", dir=directory or None) as folder:
        commands: Dict[str, Tuple[str, List[str]]] = {}
        stores = {"SHORE": os.path.join(folder, "shore"), "Tenure": os.path.join(folder, "tenure")}
        measuring.run([LAB, "oo7", "create", "shore", stores["SHORE"], "small"])
        commands["SHORE"] = (stores["SHORE"], [LAB, "oo7", "measure", "shore", stores["SHORE"]])
        programs = tenure.build("bench/oo7/tenure", folder)
        measuring.run([programs[TENURE[0]], "create", stores["Tenure"], "small"])
        for name, program in programs.items():
            commands[name] = (stores["Tenure"], [program, "measure", stores["Tenure"]])
        # One round of each after the other: what disturbs the machine for a while disturbs all.
        for turn in range(QUICK_ROUNDS if quick else ROUNDS):
            for operation in OPERATIONS:
                for mode in MODES:
                    for system in _systems(operation):
                        store, command = commands[system]
                        with Served(store):
                            output = measuring.run([*command, operation, mode]).output
                        found.append(_row(system, operation, mode, turn, output))
            print(f"round {turn + 1} ", end="", flush=True)
    return found


def invariants(rows: List[Row]) -> List[str]:
    """Checks conditions that must hold on every machine. Returns those that do not."""
    wrong = []
    for row in rows:
        name = f"{row['system']} {row['operation']} {row['mode']}"
        if row["counts"] != [COUNTS[row["operation"]]]:
            wrong.append(f"{name}: counts {row['counts']}, not {COUNTS[row['operation']]}")
        if row["system"] != "SHORE":
            continue
        if row["pins"] != row["unpins"]:
            wrong.append(f"{name}: pins are not unpins")
        commits = 5 if row["mode"] == "many" else 1
        if row["commit_visits"] != commits * row["fetched"]:
            wrong.append(f"{name}: a commit does not visit each cached object once")
    return wrong


def _of(rows: List[Row], system: str, operation: str, mode: str, which: str, part: int = 0) -> Samples:
    return Samples([row[which][part] for row in select(rows, system=system, operation=operation,
                                                       mode=mode)])


def _figure(rows: List[Row], title: str, operations: List[str]) -> Table:
    lines = []
    for operation in operations:
        for which, name in (("cold_us", "cold"), ("hot_us", "hot, three")):
            for mode in MODES:
                for system in _systems(operation):
                    elapsed, user, kernel = (_of(rows, system, operation, mode, which, part).median / 1000
                                             for part in range(3))
                    lines.append([operation, name, mode, system, number(user), number(kernel),
                                  number(max(0.0, elapsed - user - kernel)), number(elapsed)])
    return Table(title, ["", "", "", "", "user ms", "system", "server", "elapsed"], lines)


def _plot(rows: List[Row], figure: str, subject: str, operations: List[str]) -> Plot:
    lines = {}
    for system in SYSTEMS:
        with_it = [(i, o) for i, o in enumerate(operations) if system in _systems(o)]
        for which, name in (("cold_us", "cold"), ("hot_us", "hot")):
            lines[f"{system}, {name}"] = ([float(i) for i, _ in with_it],
                                          [_of(rows, system, o, "many", which).median / 1000
                                           for _, o in with_it])
    return Plot("pm3-" + "-".join(o.lower() for o in operations), f"{figure}: {subject}, with commits",
                ", ".join(operations), "ms", lines, logarithmic=True)


def _sections_of_figures(rows: List[Row]) -> List[Section]:
    trap = TENURE[0]

    def ratio(where: str, says: str, paper: str, operation: str, mode: str, which: str, low: float,
              high: float, part: int = 0):
        state = "cold" if which == "cold_us" else "hot"
        return claims.of_ratio(where, says, paper, f"{trap} : SHORE, {operation} {state}, {mode}",
                               _of(rows, trap, operation, mode, which, part),
                               _of(rows, "SHORE", operation, mode, which, part), low, high)

    shore_t1 = select(rows, system="SHORE", operation="T1")[0]
    shore_t6 = select(rows, system="SHORE", operation="T6")[0]
    tenure_t1 = select(rows, system=trap, operation="T1", mode="one")[0]
    found = {
        "Figure 3": [
            ratio("Figure 3", "cold, PM3 wins", "no figures", "T1", "one", "cold_us", 0, 1),
            ratio("Figure 3", "cold with commit, PM3 wins", "no figures", "T1", "many", "cold_us", 0, 1),
            ratio("Figure 3", "hot in one transaction, PM3 loses by its collector alone", "no figures",
                  "T1", "one", "hot_us", 1, math.inf),
            claims.of_ratio("Figure 3", "with commits SHORE nearly doubles", "nearly 2",
                            "SHORE hot, many : one", _of(rows, "SHORE", "T1", "many", "hot_us"),
                            _of(rows, "SHORE", "T1", "one", "hot_us"), 1.5, 2.5),
            claims.of_value("5.4.1", "PM3 fetches pages, SHORE as many objects as there are",
                            "296 pages, 41,594 objects", "objects of SHORE : pages of Tenure",
                            shore_t1["fetched"] / tenure_t1["cold_pages"], 50, math.inf)],
        "Figure 4": [
            ratio("Figure 4", "cold, PM3 wins by its clustering", "158 pages, 41,346 objects", "T6", "one",
                  "cold_us", 0, 1),
            claims.of_value("5.4.2", "SHORE fetches nearly as many objects for T6 as for T1",
                            number(41346 / 41594), "objects of T6 : T1",
                            shore_t6["fetched"] / shore_t1["fetched"], 0.9, 1),
            ratio("Figure 4", "hot, PM3 edges out SHORE", "no figures", "T6", "one", "hot_us", 0, 1)],
        "Figure 5": [ratio("Figure 5", f"cold with commit, PM3 wins {o}", "no figures", o, "many", "cold_us",
                           0, 1) for o in ("T2A", "T2B", "T2C")] +
                    [ratio("Figure 5", f"hot, PM3 wins {o} {how}", "no figures", o, "one", "hot_us", 0, 1)
                     for o, how in (("T2A", "barely"), ("T2B", "clearly"), ("T2C", "most"))],
        "Figure 6": [ratio("Figure 6", "an index at the server is staggeringly slower", "no figures", o,
                           "many", "hot_us", 0, 0.5) for o in ("T3A",)] +
                    [claims.untold("Figure 6", f"PM3 wins {o}", "SHORE could not run it",
                                   "not run with SHORE: each update is two requests to the server")
                     for o in NOT_WITH_SHORE],
        "Figure 7": [ratio("Figure 7", "cold, PM3 uses more processor time", "no figures", "T9", "one",
                           "cold_us", 1, math.inf, part=1)],
    }
    made = []
    for figure, subject, operations in FIGURES:
        made.append(Section(f"{figure}: {subject}", [
            _figure(rows, f"{figure}, medians", operations),
            _plot(rows, figure, subject, operations)], found[figure]))
    return made


def sections(rows: List[Row]) -> List[Section]:
    lines = []
    for operation in OPERATIONS:
        trap = select(rows, system=TENURE[0], operation=operation, mode="one")[0]
        if operation in NOT_WITH_SHORE:
            continue
        shore = select(rows, system="SHORE", operation=operation, mode="one")[0]
        lines.append([operation, f"{trap['faults'] or 0:.0f}", f"{trap['cold_pages'] or 0:.0f}",
                      f"{shore['fetched']:.0f}", number(shore["fetched_bytes"] / 2**20),
                      f"{shore['pins']:.0f}", f"{shore['requests']:.0f}"])
    lines_of_barriers = []
    for operation in OPERATIONS:
        base = _of(rows, TENURE[0], operation, "many", "hot_us")
        lines_of_barriers.append([operation, *[
            number(fits.ratio(_of(rows, system, operation, "many", "hot_us"), base)[0])
            for system in TENURE[1:]]])
    return [Section("What is fetched", [
        Text("The first iteration is cold, the three in the middle are hot; in *many* each is a transaction "
             "of its own. Both systems use the same page server, in another process."),
        Table("Cold: faults and pages of Tenure; objects of SHORE, and what all five iterations ask for",
              ["", "faults", "pages", "objects", "MB", "pins", "requests"], lines),
        Table("Tenure's barriers, hot with commits, to traps", ["", "hybrid", "software"],
              lines_of_barriers)], [])] + _sections_of_figures(rows)


DIFFERENCES = """
SHORE is the laboratory's (`lab/shore/`): references of 16 bytes are smart pointers over a cache of objects, which is
filled by all objects of a page, each by itself; each access pins its object; a commit looks at each cached object
and tells the server once of each; objects lie in the order of creation; the index is kept by the server, and
each call is a request. It does without SHORE's locks on objects, and its client pool holds all pages. Both programs
increment x and y in T2 and the date in T3, where the paper swaps and adds or subtracts. Tenure is compiled with all
checks; the paper's PM3 was compiled without.
"""
