"""Hosking & Moss, Object fault handling for persistent programming languages (OOPSLA 1993)."""

import math
import os
import tempfile
from typing import Dict, List

from bench.support import measuring
from bench.support.lines import parts_of
from lab.report import claims, fits, tenure
from lab.report.claims import Claim
from lab.report.fits import Samples
from lab.report.page import Plot, Section, Table, Text, number
from lab.report.rows import Row, select

NAME = "object-faults"
TITLE = "Object fault handling (Hosking & Moss 1993)"

RESIDENT = ["non-persistent", "ID-resident", "FB-resident", "PF-resident"]
GRANULES = ["OBJ", "LSEG", "PSEG"]
FAULTING = [f"{scheme}-{granule}" for scheme in ("ID", "FB", "PF") for granule in GRANULES]
LAZY = [f"FB-lazy-{granule}" for granule in GRANULES]
CHECKED = [f"FC-{granule}" for granule in GRANULES]
TENURE = list(tenure.BARRIERS)

# Seconds of the paper: averages of the resident variants; cold and warm of the others.
LOOKUP = {"non-persistent": (.565,), "ID-resident": (.557,), "FB-resident": (.556,),
          "PF-resident": (.567,), "ID-OBJ": (6.75, 1.771), "ID-LSEG": (7.65, 1.448),
          "ID-PSEG": (7.56, 1.431), "FB-OBJ": (379.79, 40.647), "FB-LSEG": (26.21, .558),
          "FB-PSEG": (19.81, .569), "PF-OBJ": (390.93, 41.579), "PF-LSEG": (27.21, .573),
          "PF-PSEG": (20.27, .593)}
TRAVERSAL = {"non-persistent": (.0880,), "ID-resident": (.0880,), "FB-resident": (.0880,),
             "PF-resident": (.0886,), "ID-OBJ": (4.01, .184), "ID-LSEG": (5.17, .119),
             "ID-PSEG": (5.46, .110), "FB-OBJ": (19.64, 6.717), "FB-LSEG": (15.52, .0883),
             "FB-PSEG": (15.61, .0883), "PF-OBJ": (21.30, 8.090), "PF-LSEG": (16.08, .0877),
             "PF-PSEG": (15.88, .0884)}
HOT = {"non-persistent": .0865, "ID-resident": .0865, "FB-resident": .0865, "PF-resident": .0871,
       "ID-OBJ": .1486, "ID-LSEG": .1178, "ID-PSEG": .1086, "FB-OBJ": .0850, "FB-LSEG": .0867,
       "FB-PSEG": .0866, "PF-OBJ": .0872, "PF-LSEG": .0862, "PF-PSEG": .0870}


def measure_tenure(quick: bool, directory: str) -> List[Row]:
    """The same operations on the same parts by programs in Modula-3."""
    runs = 3 if quick else 9
    found: List[Row] = []
    with tempfile.TemporaryDirectory(prefix="tenure-lab-", dir=directory or None) as folder:
        programs = tenure.build("lab/object_faults/tenure", folder)
        store = os.path.join(folder, "parts")
        measuring.run([programs[TENURE[0]], "create", store])
        for run in range(runs):
            for experiment in ("lookup", "traversal"):
                for name, program in programs.items():
                    measuring.make_cold(store)
                    parts = parts_of(measuring.run([program, experiment, store]).output)
                    found += [{"experiment": experiment, "system": name, "run": run, "iteration": i,
                               "sum": int(part.numbers["count"]),
                               "faults": int(part.numbers.get("read_faults", 0)),
                               "segments": int(part.numbers.get("pages_read", 0)),
                               "us_processor": [tenure.processor_us(part)],
                               "us_elapsed": [part.numbers["elapsed_us"]]}
                              for i, part in enumerate(parts)]
        for name, program in programs.items():
            parts = parts_of(measuring.run([program, "hot", store, str(runs)]).output)
            for times in range(1, 6):
                # Times are those of one traversal.
                x, of = 50 * times, parts[runs * (times - 1):runs * times]
                found.append({"experiment": "hot", "system": name, "x": x,
                              "sum": sum(int(part.numbers["count"]) for part in of),
                              "us_processor": [x * tenure.processor_us(part) for part in of],
                              "us_elapsed": [x * part.numbers["elapsed_us"] for part in of]})
    return found


def invariants(rows: List[Row]) -> List[str]:
    """Checks conditions that must hold on every machine. Returns those that do not."""
    wrong = []

    def total(experiment: str, system: str, counter: str) -> int:
        return sum(row[counter] for row in select(rows, experiment=experiment, system=system))

    for experiment in ("lookup", "traversal", "hot"):
        sums: Dict[tuple, set] = {}
        for row in select(rows, experiment=experiment):
            sums.setdefault((row.get("iteration"), row.get("x")), set()).add(row["sum"])
        if any(len(values) != 1 for values in sums.values()):
            wrong.append(f"{experiment}: not all systems met the same parts")
        for system in RESIDENT + ["FC-resident"]:
            if total(experiment, system, "faults") != 0:
                wrong.append(f"{experiment}: {system} has object faults")
    for experiment in ("lookup", "traversal"):
        for scheme in ("ID", "FB", "PF", "FC"):
            faults = [total(experiment, f"{scheme}-{granule}", "faults") for granule in GRANULES]
            if faults != sorted(faults, reverse=True):
                wrong.append(f"{experiment}: {scheme} has more faults with larger granules")
        for granule in GRANULES:
            blocks, pages = f"FB-{granule}", f"PF-{granule}"
            needed = (total(experiment, blocks, "faults"), total(experiment, blocks, "indirections"))
            if needed != (total(experiment, pages, "faults"),
                          total(experiment, pages, "indirections")):
                wrong.append(f"{experiment}: {pages} does not fault where {blocks} does")
            checked = f"FC-{granule}"
            if needed != (total(experiment, checked, "faults"),
                          total(experiment, checked, "indirections")):
                wrong.append(f"{experiment}: {checked} does not fault where {blocks} does")
            if total(experiment, pages, "traps") != sum(needed):
                wrong.append(f"{experiment}: {pages} has traps that are not faults")
    for granule in GRANULES:
        for scheme in ("FB", "PF"):
            if total("hot", f"{scheme}-{granule}", "indirections") != 0:
                wrong.append(f"hot: {scheme}-{granule} still meets indirect blocks")
        for row in select(rows, experiment="hot", system=f"ID-{granule}"):
            runs = row["x"] * len(row["us_processor"])
            first = select(rows, experiment="hot", system=f"ID-{granule}")[0]
            each = first["translations"] // (first["x"] * len(first["us_processor"]))
            if row["translations"] != each * runs:
                wrong.append(f"hot: ID-{granule} does not translate as much in each traversal")
    return wrong


def _tenure_in(rows: List[Row]) -> List[str]:
    """Tenure's rows, which the laboratory's program does not make."""
    return [system for system in TENURE if select(rows, system=system)]


def _iterations(rows: List[Row], experiment: str, system: str, iterations: List[int]) -> Samples:
    """Elapsed microseconds of an iteration; of several their median, once for each run."""
    runs: Dict[int, List[float]] = {}
    for row in select(rows, experiment=experiment, system=system):
        if row["iteration"] in iterations:
            runs.setdefault(row["run"], []).extend(row["us_elapsed"])
    return Samples([Samples(values).median for values in runs.values()])


WARM = [7, 8, 9]


def _cold(rows: List[Row], experiment: str, system: str) -> Samples:
    return _iterations(rows, experiment, system, [0])


def _warm(rows: List[Row], experiment: str, system: str) -> Samples:
    return _iterations(rows, experiment, system,
                       list(range(1, 10)) if system in RESIDENT else WARM)


def _table(rows: List[Row], experiment: str, paper: Dict[str, tuple], title: str) -> Table:
    lines = []
    for system in RESIDENT + FAULTING + LAZY + _tenure_in(rows):
        theirs = paper.get(system)
        cold, warm = _cold(rows, experiment, system), _warm(rows, experiment, system)
        first = [row for row in select(rows, experiment=experiment, system=system)
                 if row["iteration"] == 0 and row["run"] == 0][0]
        resident = system in RESIDENT
        lines.append([system,
                      "-" if resident or not theirs else number(theirs[0]),
                      "-" if not theirs else number(theirs[-1]),
                      "-" if resident else number(cold.median / 1000),
                      number(warm.median / 1000, 3),
                      str(first["faults"]),
                      *[number(first[part] / 1000) if part in first else "-"
                        for part in ("reading", "swizzling")], str(first.get("blocks", "-"))])
    return Table(title, ["", "paper: cold s", "warm s", "here: cold ms", "warm ms", "cold faults",
                         "of that reading ms", "swizzling ms", "blocks made"], lines)


def _plot(rows: List[Row], experiment: str, name: str, title: str) -> Plot:
    lines = {}
    for system in ["non-persistent", *[s for s in FAULTING if s not in ("FB-OBJ", "PF-OBJ")],
                   *_tenure_in(rows)[:1]]:
        y = [_iterations(rows, experiment, system, [i]).median / 1000 for i in range(10)]
        lines[system] = (list(range(1, 11)), y)
    return Plot(name, title, "iteration", "ms", lines, logarithmic=True)


def _slopes(rows: List[Row], system: str) -> Samples:
    """Microseconds a hot traversal: the slope of each run."""
    points = select(rows, experiment="hot", system=system)
    runs = range(len(points[0]["us_processor"]))
    return Samples([fits.line([row["x"] for row in points],
                              [row["us_processor"][run] for row in points]).constants[1]
                    for run in runs])


def _cold_claims(rows: List[Row], experiment: str, where: str, paper: Dict[str, tuple]) -> List[Claim]:
    def cold(system: str) -> Samples:
        return _cold(rows, experiment, system)

    def warm(system: str) -> Samples:
        return _warm(rows, experiment, system)

    def shown(left: str, right: str, which: int) -> str:
        return number(paper[left][which] / paper[right][-1 if right in RESIDENT else which])

    found = [
        claims.of_ratio(where, "residency checks cost next to nothing when all is resident",
                        number(paper["FB-resident"][0] / paper["non-persistent"][0]),
                        "FB-resident : non-persistent", warm("FB-resident"),
                        warm("non-persistent"), 0.9, 1.1),
        claims.of_ratio(where, "tagged identifiers cost a warm program much",
                        shown("ID-PSEG", "non-persistent", 1), "ID-PSEG : non-persistent, warm",
                        warm("ID-PSEG"), warm("non-persistent"), 1.1, math.inf),
        claims.of_ratio(where, "fault blocks cost a warm program nothing, once whole segments come",
                        shown("FB-PSEG", "non-persistent", 1), "FB-PSEG : non-persistent, warm",
                        warm("FB-PSEG"), warm("non-persistent"), 0.9, 1.1),
        claims.of_ratio(where, "object at a time with elimination of indirections is a clear loss",
                        shown("FB-OBJ", "FB-LSEG", 1), "FB-OBJ : FB-LSEG, warm",
                        warm("FB-OBJ"), warm("FB-LSEG"), 10, math.inf),
        claims.of_ratio(where, "protected pages are a little worse than blocks that are checked",
                        shown("PF-PSEG", "FB-PSEG", 0), "PF-PSEG : FB-PSEG, cold",
                        cold("PF-PSEG"), cold("FB-PSEG"), 1.0, 1.1),
        claims.of_ratio(where, "cold, tagged identifiers win: nothing is eliminated",
                        shown("ID-PSEG", "FB-PSEG", 0), "ID-PSEG : FB-PSEG, cold",
                        cold("ID-PSEG"), cold("FB-PSEG"), 0, 1),
        claims.of_ratio("6.1", "without elimination FB-OBJ behaves much less poorly", "no figures",
                        "FB-lazy-OBJ : FB-OBJ, cold", cold("FB-lazy-OBJ"), cold("FB-OBJ"), 0, 0.5),
        claims.of_ratio("6.1", "without elimination FB outperforms ID, cold", "no figures",
                        "FB-lazy-PSEG : ID-PSEG, cold", cold("FB-lazy-PSEG"), cold("ID-PSEG"), 0, 1),
    ]
    return found


def sections(rows: List[Row]) -> List[Section]:
    hot_lines = []
    base = _slopes(rows, "non-persistent")
    for system in RESIDENT + FAULTING + LAZY + _tenure_in(rows):
        slope = _slopes(rows, system)
        paper = HOT.get(system)
        last = select(rows, experiment="hot", system=system)[-1]
        traversals = last["x"] * len(last["us_processor"])
        hot_lines.append([system, "-" if paper is None else number(paper),
                          "-" if paper is None else number(paper / HOT["non-persistent"]),
                          number(slope.median), number(fits.ratio(slope, base)[0]),
                          *[str(last[what] // traversals) if what in last else "-"
                            for what in ("translations", "indirections")]])
    hot_plot = {}
    for system in ["non-persistent", *FAULTING, *_tenure_in(rows)[:1]]:
        points = select(rows, experiment="hot", system=system)
        hot_plot[system] = ([row["x"] for row in points],
                            [Samples(row["us_processor"]).median / 1000 for row in points])
    hot_claims = [
        claims.of_ratio("Table 4", f"a hot traversal with identifiers by {granule} takes longer",
                        number(HOT[f"ID-{granule}"] / HOT["non-persistent"]),
                        f"ID-{granule} : non-persistent", _slopes(rows, f"ID-{granule}"), base,
                        1.1, math.inf) for granule in GRANULES]
    hot_claims += [
        claims.of_ratio("Table 4", "the more is swizzled at once, the fewer identifiers stay",
                        number(HOT["ID-OBJ"] / HOT["ID-PSEG"]), "ID-OBJ : ID-PSEG",
                        _slopes(rows, "ID-OBJ"), _slopes(rows, "ID-PSEG"), 1.1, math.inf)]
    hot_claims += [
        claims.of_ratio("Table 4", "hot, fault blocks and protected pages cost nothing",
                        number(HOT[system] / HOT["non-persistent"]), f"{system} : non-persistent",
                        _slopes(rows, system), base, 0.95, 1.05)
        for system in ("FB-LSEG", "FB-PSEG", "PF-LSEG", "PF-PSEG")]
    folded_lines = []
    for granule in ["resident"] + GRANULES:
        folded, checked = _slopes(rows, f"FB-{granule}"), _slopes(rows, f"FC-{granule}")
        folded_lines.append([granule, number(fits.ratio(folded, base)[0]),
                             number(fits.ratio(checked, base)[0]),
                             number(fits.ratio(checked, folded)[0])])
    folded_claims = [
        claims.of_ratio("7.1", "a check that is folded into dispatch is free in compiled code too",
                        "expected", "FB-resident : non-persistent, hot", _slopes(rows, "FB-resident"),
                        base, 0, 1.05),
        claims.of_ratio("7.1", "checks in line, which languages without pure dispatch need, cost more",
                        "expected", "FC-resident : FB-resident, hot", _slopes(rows, "FC-resident"),
                        _slopes(rows, "FB-resident"), 1.05, math.inf)]
    return [
        Section("Lookup", [
            Text("1,000 parts by their numbers, ten times with other numbers; the first time nothing "
                 "is cached. Warm is the median of the last three."),
            _table(rows, "lookup", LOOKUP, "Table 2"),
            _plot(rows, "lookup", "of-lookup", "Figure 3: lookup")],
            _cold_claims(rows, "lookup", "Table 2", LOOKUP)),
        Section("Traversal", [
            Text("All parts within seven connections of a part, 3,280 with repetitions."),
            _table(rows, "traversal", TRAVERSAL, "Table 3"),
            _plot(rows, "traversal", "of-traversal", "Figure 4: traversal")],
            _cold_claims(rows, "traversal", "Table 3", TRAVERSAL)),
        Section("Hot traversals", [
            Table("Table 4: the time of a hot traversal, by the slope over the number of traversals",
                  ["", "paper s", "to non-persistent", "here us", "to non-persistent",
                   "translations each", "indirect blocks each"], hot_lines),
            Plot("of-hot", "Figure 5: hot traversals", "hot traversals", "ms", hot_plot)],
            hot_claims),
        Section("Today: dispatch-folded checks and checks in line", [
            Text("The paper folds the check into the interpreter's message sends and expects as much of "
                 "compiled code (7.1). FB folds it into a call through the class; FC has the same blocks "
                 "and compares the class in line before each call, as code must that does not only send "
                 "messages. The comparison and its branch are predicted."),
            Table("Hot traversals, to non-persistent", ["", "FB: folded", "FC: in line", "FC : FB"],
                  folded_lines)], folded_claims)]


DIFFERENCES = """
The paper's programs are Smalltalk in an interpreter; here they are compiled: a class is a table of
procedures, and a message is a call through it. So a check is dearer beside the rest of a program.
What holds instead of the interpreter's residency constraints: classes are never absent; frames refer to
receivers, which are resident. A fault block has 8 bytes, a pointer to its class and an identifier,
where the paper's has 4. The transient heap that each fault scans has one reference. A message to an
indirect block counts as an occasion to bypass indirections as a fault does: with granules larger than an
object one fault makes indirect blocks on many pages, and only that of the block at which it
happened is looked at. Tenure's rows are programs in Modula-3 (`lab/object_faults/tenure/`) on the same parts, with
methods for messages and the library's B+ tree for the index; their faults are those of pages, which the page server reads
ahead of, their objects have addresses of 8 bytes, and their processor time is the process's.
"""
