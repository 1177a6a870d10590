"""White & DeWitt, QuickStore: a high performance mapped object store (VLDB Journal 1995), section 6."""

import hashlib
import math
import os
import shutil
import tempfile
from typing import Dict, List, Optional, Tuple

from bench.support import measuring
from bench.support.lines import parts_of
from lab.report import claims, fits, oo1, quickstore_questions, tenure
from lab.report.claims import Claim
from lab.report.fits import Samples
from lab.report.page import Plot, Section, Table, Text, number
from lab.report.rows import Row, read, select
from lab.report.served import LAB, Served, times

NAME = "quickstore"
TITLE = "QuickStore and E (White & DeWitt 1995)"

QS, E, QSB, TENURE = "QS", "E", "QS-B", "Tenure trap"
SYSTEMS = {QS: "qs", E: "e", QSB: "qs-b"}
TRAVERSALS = ["T1", "T6", "T7", "T8", "T9"]
QUERIES = ["Q1", "Q2", "Q3", "Q4", "Q5"]
UPDATES = ["T2A", "T2B", "T2C", "T3A", "T3B", "T3C"]
COUNTS = {"T1": 43740, "T2A": 2187, "T2B": 43740, "T2C": 174960, "T3A": 2187, "T3B": 43740, "T3C": 174960,
          "T6": 2187}
MEDIUM_COUNTS = {**COUNTS, "T1": 437400, "T2B": 437400, "T2C": 1749600, "T3B": 437400, "T3C": 1749600}
QUICK_MEDIUM = ["T1", "T6", "T2A"]
RELOCATED = [0, 5, 20, 50, 100]
SMALL_POOL = 10
STYLES = {"marks": [], "set": ["--visited=set"], "iterators": ["--iterators=heap"],
          "set and iterators": ["--visited=set", "--iterators=heap"]}
COUNTERS = ("data_reads", "map_reads", "index_reads", "spilled", "spilled_reads", "evicted", "pages_written", "pages_changed",
            "read_faults", "access_faults", "write_faults", "map_entries", "bitmaps_read", "relocated",
            "pages_patched", "pointers_patched", "mappings_checked", "mappings_written", "commit_reads",
            "dereferences", "large_calls", "updates", "copied", "unswizzled", "log_records", "log_bytes")
NANOSECONDS = ("fault_ns", "data_io_ns", "map_io_ns", "swizzle_ns", "mmap_ns", "copy_ns", "diff_ns",
               "map_update_ns", "commit_ns")

# The paper's client I/Os: tables 3, 4, 8, 9.
IOS = {"small": {QS: dict(zip(TRAVERSALS + QUERIES, (474, 467, 26, 19, 9, 31, 109, 413, 62, 467))),
                 E: dict(zip(TRAVERSALS + QUERIES, (1018, 600, 25, 18, 7, 26, 104, 641, 59, 558))),
                 QSB: dict(zip(TRAVERSALS + QUERIES, (1047, 639, 31, 19, 9, 33, 121, 663, 74, 583)))},
       "medium": {QS: dict(zip(["T1", "T6", "T7", "T8"] + QUERIES,
                               (13216, 610, 27, 130, 34, 901, 5997, 68, 595))),
                  E: dict(zip(["T1", "T6", "T7", "T8"] + QUERIES,
                              (35622, 558, 25, 129, 26, 919, 8045, 58, 558))),
                  QSB: dict(zip(["T1", "T6", "T7", "T8"] + QUERIES,
                                (36963, 802, 32, 130, 35, 1095, 10951, 81, 751)))}}
SIZES = {"small": {QS: 6.6, E: 10.5, QSB: 11.5}, "medium": {QS: 54.2, E: 94.1, QSB: 98.5}}
FAULT_MS = {QS: (29.4, 33.1), E: (23.7, 26.5), QSB: (31.6, 34.5)}
PROFILE = {QS: {"malloc": 56.13, "part set": 35.18, "rest": 8.69},
           E: {"malloc": 24.99, "part set": 24.57, "rest": 51.14}}


# ---------------------------------------------------------------------------------------- measuring --

def _numbers(parts, what: str, at: int = -1) -> Dict[str, float]:
    found = [part.numbers for part in parts if part.what == what]
    return found[at] if found else {}


def _row(experiment: str, system: str, configuration: str, operation: str, turn: int, output: str,
         **more) -> Row:
    parts = parts_of(output)
    iterations = [part for part in parts if part.what == "iteration"]
    chains = [part for part in parts if part.what == "chain"]
    # Of the first iteration, with its commit if there is one.
    first = _numbers(parts, "first")
    counters = {name: first[name] for name in COUNTERS if name in first}
    if "read_faults" in iterations[0].numbers:  # Tenure
        counters = {"read_faults": iterations[0].numbers["read_faults"],
                    "data_reads": iterations[0].numbers["pages_read"]}
    return {"experiment": experiment, "system": system, "configuration": configuration,
            "operation": operation, "round": turn,
            "counts": sorted({part.numbers["count"] for part in iterations}),
            "cold_us": times(iterations[:1] + chains[:1]), "commit_us": times(chains[:1]),
            "hot_us": min(times([iteration]) for iteration in iterations[1:4]),
            "parts_us": {name: first[name] / 1000 for name in NANOSECONDS if name in first},
            **counters, **more}


class _Stores:
    """The stores of one configuration, and the programs that measure them."""

    def __init__(self, folder: str, configuration: str, programs: Dict[str, str]) -> None:
        self.configuration = configuration
        self.sizes: List[Row] = []
        self.commands: Dict[str, Tuple[str, List[str]]] = {}
        called_of = {**SYSTEMS, "QS-R": "qs-r"} if configuration == "small" else SYSTEMS
        for name, called in called_of.items():
            store = os.path.join(folder, f"{called}-{configuration}")
            output = measuring.run([LAB, "oo7", "create", called, store, configuration]).output
            made = _numbers(parts_of(output), "counters")
            self.sizes.append({"experiment": "size", "system": name, "configuration": configuration,
                               **{key: made[key] for key in ("pages_written", "objects", "object_bytes",
                                                             "map_bytes", "bitmap_bytes") if key in made}})
            self.commands[name] = (store, [LAB, "oo7", "measure", called, store])
        store = os.path.join(folder, f"tenure-{configuration}")
        for name, program in programs.items():
            if not os.path.exists(store):
                measuring.run([program, "create", store, configuration])
            self.commands[name] = (store, [program, "measure", store])
        self.programs = list(programs)

    def exports(self, stage: str, systems: List[str]) -> List[Row]:
        """The contents of each store, as a checksum of its text."""
        found = []
        for system in systems:
            store, command = self.commands[system]
            words = [word if word != "measure" else "export" for word in command]
            text = measuring.run(words).output
            found.append({"experiment": "export", "system": system, "stage": stage,
                          "sum": hashlib.sha256(text.encode()).hexdigest()})
        return found

    def run(self, system: str, operation: str, mode: str, *options: str, store: Optional[str] = None) -> str:
        original, command = self.commands[system]
        if store:
            command = [store if word == original else word for word in command]
        with Served(store or original):
            return measuring.run([*command, operation, mode, *options]).output


def _measure_operations(stores: _Stores, operations: List[str], rounds: int) -> List[Row]:
    """Those that only read come first: updates change what queries find, and programs of Tenure share a store."""
    found = []
    for mode, chosen in (("one", [o for o in operations if o not in UPDATES]),
                         ("many", [o for o in operations if o in UPDATES])):
        for turn in range(rounds):
            for operation in chosen:
                for system in [*SYSTEMS, *stores.programs]:
                    found.append(_row("operation", system, stores.configuration, operation, turn,
                                      stores.run(system, operation, mode)))
    return found


def _measure_relocation(stores: _Stores, rounds: int, folder: str) -> List[Row]:
    found = []
    copy = os.path.join(folder, "relocated")
    for turn in range(rounds):
        for percent in RELOCATED:
            for name, options in (("QS-CR", []), ("QS-OR", ["--relocate-once"])):
                # The one-time relocation changes the store; the second run uses the changed store.
                shutil.copytree(stores.commands[QS][0], copy)
                for again in (0, 1):
                    output = stores.run(QS, "T1", "many", f"--relocate={percent}", *options, store=copy)
                    found.append(_row("relocation", name, "small", "T1", turn, output, x=percent,
                                      again=again))
                shutil.rmtree(copy)
        for percent in (0, 100):
            output = stores.run("QS-R", "T1", "many", f"--relocate={percent}")
            found.append(_row("relocation", "QS-R", "small", "T1", turn, output, x=percent, again=0))
    return found


def _measure_styles(stores: _Stores, rounds: int) -> List[Row]:
    found = []
    for turn in range(rounds):
        for style, options in STYLES.items():
            for system in (QS, E):
                output = stores.run(system, "T1", "one", *options)
                found.append(_row("style", system, "small", "T1", turn, output, style=style))
            output = measuring.run([LAB, "oo7", "measure", "plain", "small", "T1", "one", *options]).output
            found.append(_row("style", "C++", "small", "T1", turn, output, style=style))
    return found


def measure(quick: bool, directory: str) -> List[Row]:
    """Each system through a page server of another process."""
    rounds = 2 if quick else 7
    found: List[Row] = []

    def told(what: str, rows: List[Row]) -> None:
        found.extend(rows)
        print(f"{what} ", end="", flush=True)

    with tempfile.TemporaryDirectory(prefix="tenure-lab-", dir=directory or None) as folder:
        programs = tenure.build("bench/oo7/tenure", folder, [TENURE] if quick else list(tenure.BARRIERS))
        small = _Stores(folder, "small", programs)
        told("stores", small.sizes)
        shore = os.path.join(folder, "shore")
        measuring.run([LAB, "oo7", "create", "shore", shore, "small"])
        small.commands["SHORE"] = (shore, [LAB, "oo7", "measure", "shore", shore])
        small.commands["C++"] = ("small", [LAB, "oo7", "measure", "plain", "small"])
        told("exports", small.exports("made", [*SYSTEMS, "QS-R", "SHORE", "C++", TENURE]))
        told("operations", _measure_operations(small, TRAVERSALS + QUERIES + UPDATES, rounds))
        found += small.exports("changed", list(SYSTEMS))
        told("small-pool", [_row("small-pool", system, "small", operation, 0,
                                 small.run(system, operation, "one", f"--pool={SMALL_POOL}"))
                            for system in SYSTEMS for operation in ("T1", "T2B")])
        told("relocation", _measure_relocation(small, rounds, folder))
        told("styles", _measure_styles(small, rounds))
        told("oo1", oo1.measure(folder, 1 if quick else 5))
        medium = _Stores(folder, "medium", {TENURE: programs[TENURE]})
        told("medium-stores", medium.sizes)
        operations = QUICK_MEDIUM if quick else ["T1", "T6", "T7", "T8"] + QUERIES + UPDATES
        told("medium", _measure_operations(medium, operations, 1 if quick else 3))
    for experiment in ("traps", "checks"):
        told(experiment, read(measuring.run([LAB, "costs", experiment, *(["--quick"] if quick else [])])
                              .output.splitlines()))
    return found


# --------------------------------------------------------------------------------------- invariants --

def invariants(rows: List[Row]) -> List[str]:
    """Checks conditions that must hold on every machine. Returns those that do not."""
    wrong = []
    seen: Dict[Tuple[str, str], set] = {}
    for row in rows:
        if "operation" not in row:
            continue
        name = f"{row['system']} {row['configuration']} {row['operation']}"
        counts = COUNTS if row["configuration"] == "small" else MEDIUM_COUNTS
        expected = counts.get(row["operation"])
        if expected is not None and row["counts"] != [expected]:
            wrong.append(f"{name}: counts {row['counts']}, not {expected}")
        if expected is None:
            seen.setdefault((row["configuration"], row["operation"]), set()).add(tuple(row["counts"]))
        if row["system"] in (QS, QSB, "QS-CR", "QS-OR"):
            # Each page of objects that comes into the pool is a trap, unless a commit brings it; other
            # pages are of mappings and indexes.
            brought = row["data_reads"] + row["spilled_reads"] - row["commit_reads"]
            if row["read_faults"] != brought:
                wrong.append(f"{name}: {row['read_faults']:.0f} traps bring {brought:.0f} pages")
    for (configuration, operation), counts in seen.items():
        if len(counts) != 1:
            wrong.append(f"{configuration} {operation}: the systems count differently")
    for stage in ("made", "changed"):
        if len({row["sum"] for row in select(rows, experiment="export", stage=stage)}) > 1:
            wrong.append(f"the stores, once {stage}, do not export the same graph")
    for configuration in ("small", "medium"):
        sizes = {row["system"]: row for row in select(rows, experiment="size", configuration=configuration)}
        if sizes and (sizes[QSB]["object_bytes"] != sizes[E]["object_bytes"] or
                      sizes[QSB]["objects"] != sizes[E]["objects"]):
            wrong.append(f"{configuration}: objects of QS-B are not as large as those of E")
    relocation = select(rows, experiment="relocation")
    for system in ("QS-CR", "QS-OR"):
        patched = {}
        for row in select(relocation, system=system, again=0):
            patched.setdefault(row["x"], set()).add(row["pointers_patched"])
        if any(len(values) != 1 for values in patched.values()):
            wrong.append(f"{system}: runs relocate differently")
        in_order = [max(patched[x]) for x in sorted(patched)]
        if in_order != sorted(in_order) or (in_order and in_order[0] != 0):
            wrong.append(f"{system}: pointers patched do not grow with the pages relocated")
    for row in select(relocation, again=1):
        first = select(relocation, system=row["system"], x=row["x"], round=row["round"], again=0)[0]
        if row["system"] == "QS-OR" and row["pointers_patched"] != 0:
            wrong.append("QS-OR: a second run relocates again")
        if row["system"] == "QS-CR" and row["pointers_patched"] != first["pointers_patched"]:
            wrong.append("QS-CR: a second run does not relocate the same")
    none = [{name: row[name] for name in COUNTERS if name in row}
            for row in select(relocation, x=0, again=0) if row["system"] != "QS-R"]
    plain = [{name: row[name] for name in COUNTERS if name in row}
             for row in select(rows, experiment="operation", system=QS, configuration="small",
                               operation="T1")]
    if any(counters != (none + plain)[0] for counters in none + plain):
        wrong.append("without relocation QS, QS-CR and QS-OR count differently")
    for row in select(relocation, system="QS-R"):
        if (row["pointers_patched"] == 0) != (row["x"] == 0) or row["map_entries"] != 0:
            wrong.append("QS-R: relative references use mapping objects, or are changed where they lie")
    return wrong + oo1.invariants(rows)


# ------------------------------------------------------------------------------------------- report --

def _of(rows: List[Row], system: str, operation: str, which: str = "cold_us",
        configuration: str = "small") -> Samples:
    return Samples([row[which][0] for row in select(rows, experiment="operation", system=system,
                                                    configuration=configuration, operation=operation)])


def _measured(rows: List[Row], configuration: str) -> Tuple[List[str], List[str]]:
    """Operations and systems that the rows have, in order."""
    of = select(rows, experiment="operation", configuration=configuration)
    operations = {row["operation"] for row in of}
    systems = {row["system"] for row in of}
    return ([o for o in TRAVERSALS + QUERIES + UPDATES if o in operations],
            [s for s in [*SYSTEMS, *tenure.BARRIERS] if s in systems])


def _ratio(rows: List[Row], where: str, says: str, paper: str, left: str, right: str, operation: str,
           low: float, high: float, which: str = "cold_us", configuration: str = "small") -> List[Claim]:
    """left : right. Nothing where a quick run has not measured the operation."""
    if operation not in _measured(rows, configuration)[0]:
        return []
    state = {"cold_us": "cold", "hot_us": "hot", "commit_us": "commit"}[which]
    return [claims.of_ratio(where, says, paper, f"{left} : {right}, {operation} {state}, {configuration}",
                            _of(rows, left, operation, which, configuration),
                            _of(rows, right, operation, which, configuration), low, high)]


def _ios(row: Row) -> float:
    return sum(row.get(name, 0) for name in ("data_reads", "map_reads", "index_reads"))


def _table_of_times(rows: List[Row], title: str, operations: List[str], which: str,
                    configuration: str) -> Optional[Table]:
    measured, systems = _measured(rows, configuration)
    operations = [o for o in operations if o in measured]
    if not operations:
        return None
    return Table(title, ["", *[f"{system} ms" for system in systems]],
                 [[o, *[number(_of(rows, s, o, which, configuration).median / 1000) for s in systems]]
                  for o in operations])


def _table_of_ios(rows: List[Row], title: str, operations: List[str], configuration: str) -> Optional[Table]:
    measured, systems = _measured(rows, configuration)
    operations = [o for o in operations if o in measured]
    if not operations:
        return None
    lines = []
    for system in systems:
        paper = IOS[configuration].get(system)
        if paper:
            lines.append([f"{system}, paper", *[str(paper.get(o, "-")) for o in operations]])
        line = []
        for operation in operations:
            row = select(rows, experiment="operation", system=system, configuration=configuration,
                         operation=operation)[0]
            extra = row.get("map_reads", 0) + row.get("index_reads", 0)
            line.append(f"{_ios(row):.0f}" + (f" ({extra:.0f})" if extra else ""))
        lines.append([f"{system}, here", *line])
    return Table(title, ["", *operations], lines)


def _plot(rows: List[Row], name: str, title: str, operations: List[str], which: str,
          configuration: str) -> Optional[Plot]:
    measured, systems = _measured(rows, configuration)
    operations = [o for o in operations if o in measured]
    if not operations:
        return None
    return Plot(f"quickstore-{name}", title, ", ".join(operations), "ms",
                {s: ([float(i) for i in range(len(operations))],
                     [_of(rows, s, o, which, configuration).median / 1000 for o in operations])
                 for s in systems}, logarithmic=True)


def _parts(*parts) -> List:
    return [part for part in parts if part is not None]


def _sizes(rows: List[Row]) -> Section:
    lines, found = [], []
    for configuration in ("small", "medium"):
        sizes = {row["system"]: row for row in select(rows, experiment="size", configuration=configuration)}
        if not sizes:
            continue
        for system in SYSTEMS:
            row = sizes[system]
            total = row["pages_written"] * 8192
            lines.append([configuration, system, number(SIZES[configuration][system]),
                          number(total / 2**20), number(row["object_bytes"] / 2**20),
                          number(100 * row.get("map_bytes", 0) / total),
                          number(100 * row.get("bitmap_bytes", 0) / total)])
        if len(sizes) >= len(SYSTEMS):
            qs, e, b = (sizes[s]["pages_written"] for s in (QS, E, QSB))
            paper = SIZES[configuration]
            found += [
                claims.of_value("Table 2", f"QS is about 60 % of E, {configuration}",
                                number(paper[QS] / paper[E]), "QS : E", qs / e, 0.5, 0.7),
                claims.of_value("Table 2", f"QS-B is a little larger than E, {configuration}",
                                number(paper[QSB] / paper[E]), "QS-B : E", b / e, 1, 1.15)]
    small = select(rows, experiment="size", configuration="small", system=QS)[0]
    found.append(claims.of_value("6.1", "mapping objects are 3 % of the database", "3 %", "share of map bytes",
                                 small["map_bytes"] / small["pages_written"] / 8192, 0.02, 0.04))
    found.append(claims.of_value("6.1", "bitmaps are 3 % of the database", "3 %", "share of bitmap bytes",
                                 small["bitmap_bytes"] / small["pages_written"] / 8192, 0.01, 0.04))
    return Section("Table 2: sizes", [
        Table("Table 2", ["", "", "paper MB", "here MB", "objects MB", "mappings %", "bitmaps %"], lines)],
                   found)


def _cold(rows: List[Row]) -> List[Section]:
    inf = math.inf
    t1 = {s: select(rows, experiment="operation", system=s, configuration="small", operation="T1")[0]
          for s in SYSTEMS}
    traversals = [
        *_ratio(rows, "Figure 9", "T1: QS is 37 % faster than E", "0.63", QS, E, "T1", 0, 0.9),
        *_ratio(rows, "Figure 9", "T1: QS-B is 15 % slower than E", "1.15", QSB, E, "T1", 1, 1.5),
        claims.of_value("Table 3", "T1: QS reads 53 % fewer pages than E", number(474 / 1018), "QS : E",
                        _ios(t1[QS]) / _ios(t1[E]), 0, 0.75),
        claims.of_value("Table 3", "T1: QS-B reads slightly more than E", number(1047 / 1018), "QS-B : E",
                        _ios(t1[QSB]) / _ios(t1[E]), 1, 1.1),
        *_ratio(rows, "Figure 9", "T6: QS is 4 % faster than E", "0.96", QS, E, "T6", 0, 1),
        *_ratio(rows, "Figure 9", "T6: QS-B is 27 % slower than E", "1.27", QSB, E, "T6", 1, inf),
        *_ratio(rows, "Figure 9", "T7: QS is 26 % slower than E", "1.26", QS, E, "T7", 1, inf),
        *_ratio(rows, "Figure 9", "T8: E is three times slower than QS", "3", E, QS, "T8", 2, inf),
        *_ratio(rows, "Figure 9", "T9: E is nearly twice as fast as QS", "2", QS, E, "T9", 1.3, inf)]
    queries = [
        *_ratio(rows, "Figure 10", "Q1: E is 24 % faster", "1.32", QS, E, "Q1", 1, inf),
        *_ratio(rows, "Figure 10", "Q2: E is best", "no figure", QS, E, "Q2", 1, inf),
        *_ratio(rows, "Figure 10", "Q3: QS is 27 % faster", "0.73", QS, E, "Q3", 0, 1),
        *_ratio(rows, "Figure 10", "Q4: QS is 11 % slower", "1.11", QS, E, "Q4", 1, inf),
        *_ratio(rows, "Figure 10", "Q5: QS and E are equal", "1", QS, E, "Q5", 0.8, 1.25),
        *[claim for q in QUERIES for claim in
          _ratio(rows, "Figure 10", f"{q}: QS-B is slower than E", "above 1", QSB, E, q, 1, inf)]]
    return [
        Section("Figure 9, table 3: cold traversals", _parts(
            _table_of_times(rows, "Figure 9, medians", TRAVERSALS, "cold_us", "small"),
            _plot(rows, "f9", "Figure 9: cold traversals", TRAVERSALS, "cold_us", "small"),
            _table_of_ios(rows, "Table 3: pages that the client asks for (of them for mappings and indexes)",
                          TRAVERSALS, "small")), traversals),
        Section("Figure 10, table 4: cold queries", _parts(
            _table_of_times(rows, "Figure 10, medians", QUERIES, "cold_us", "small"),
            _plot(rows, "f10", "Figure 10: cold queries", QUERIES, "cold_us", "small"),
            _table_of_ios(rows, "Table 4: pages that the client asks for", QUERIES, "small")), queries)]


def _fault_us(rows: List[Row], system: str, operation: str) -> Samples:
    """(cold - hot) : faults."""
    return Samples([(row["cold_us"][0] - row["hot_us"][0]) / row["data_reads"]
                    for row in select(rows, experiment="operation", system=system, configuration="small",
                                      operation=operation)])


def _faults(rows: List[Row]) -> Section:
    lines = [[system, *[f"{ms:g}" for ms in FAULT_MS[system]],
              *[number(_fault_us(rows, system, o).median) for o in ("T1", "T6")]] for system in SYSTEMS]
    signal = select(rows, experiment="traps", system="signal and mmap")
    minor = select(rows, experiment="traps", system="page fault of the kernel")
    columns = []
    for operation in ("T1", "T6"):
        of = select(rows, experiment="operation", system=QS, configuration="small", operation=operation)
        faults = of[0]["read_faults"]

        def part(name: str) -> float:
            return Samples([row["parts_us"][name] for row in of]).median / faults

        found = {"data I/O": part("data_io_ns"), "map I/O": part("map_io_ns"),
                 "swizzling": part("swizzle_ns"), "mmap": part("mmap_ns")}
        found["misc. cpu overhead"] = max(0.0, part("fault_ns") - sum(found.values()))
        # The cost of the trap itself: that of a bare one without its call of mmap.
        found["page fault"] = max(0.0, Samples(signal[0]["us_processor"]).median - found["mmap"]) if signal else 0
        found["min faults"] = 2 * Samples(minor[0]["us_processor"]).median if minor else 0
        columns.append(found)
    paper = {"min faults": (1.8, 1.6), "page fault": (.8, .7), "misc. cpu overhead": (.5, .2),
             "data I/O": (24.8, 28.5), "map I/O": (1.1, 1.1), "swizzling": (.4, .4), "mmap": (.8, .8)}
    totals = [sum(column.values()) for column in columns]
    parts = [[name, f"{ms[0]:g}", f"{ms[1]:g}", number(columns[0][name]), number(columns[1][name]),
              number(100 * ms[0] / 30.2), number(100 * columns[0][name] / totals[0])]
             for name, ms in paper.items()]
    parts.append(["total", "30.2", "33.3", number(totals[0]), number(totals[1]), "100", "100"])

    def share(name: str) -> float:
        return 100 * columns[0][name] / totals[0]

    return Section("Tables 5 and 6: what a fault costs", [
        Table("Table 5: (cold - hot) : faults", ["", "paper, T1 ms", "T6", "here, T1 us", "T6"], lines),
        Table("Table 6: parts of a fault of QS",
              ["", "paper, T1 ms", "T6", "here, T1 us", "T6", "paper, T1 %", "here %"], parts)],
                   [claims.of_ratio("Table 5", "a fault of QS is about 20 % dearer than one of E", "1.24",
                                    "QS : E, T1", _fault_us(rows, QS, "T1"), _fault_us(rows, E, "T1"), 1, 1.5),
                    claims.of_ratio("Table 5", "a fault of QS-B is 26 % dearer than one of E", "1.33",
                                    "QS-B : E, T1", _fault_us(rows, QSB, "T1"), _fault_us(rows, E, "T1"),
                                    1, 1.6),
                    claims.of_value("Table 6", "reading data is 82 % of a fault", "82 %", "share", share("data I/O"),
                                    70, 95),
                    claims.of_value("Table 6", "reading mappings is 3.5 %", "3.5 %", "share", share("map I/O"),
                                    1, 7),
                    claims.of_value("Table 6", "swizzling is 1 to 2 %", "1.3 %", "share", share("swizzling"),
                                    0, 3),
                    claims.of_value("Table 6", "mmap is 3 %", "2.6 %", "share", share("mmap"), 1, 6)])


def _updates(rows: List[Row]) -> Section:
    inf = math.inf
    lines = []
    for operation in UPDATES:
        for system in SYSTEMS:
            of = select(rows, experiment="operation", system=system, configuration="small",
                        operation=operation)
            parts = {name: Samples([row["parts_us"].get(name, 0) for row in of]).median / 1000
                     for name in ("copy_ns", "diff_ns", "map_update_ns", "commit_ns")}
            lines.append([operation, system, f"{of[0].get('write_faults', of[0].get('updates', 0)):.0f}",
                          f"{of[0]['log_records']:.0f}", number(of[0]["log_bytes"] / 2**20),
                          f"{of[0]['pages_changed'] + of[0]['pages_written']:.0f}",
                          *[number(parts[name]) for name in parts]])
    found = [
        *_ratio(rows, "Figure 11", "T2A: QS is 4 % faster than E", "0.96", QS, E, "T2A", 0, 1),
        *_ratio(rows, "Figure 11", "T2B: QS is 17 % faster than E", "0.83", QS, E, "T2B", 0, 0.95),
        *_ratio(rows, "Figure 11", "T2C: QS is 20 % faster than E", "0.80", QS, E, "T2C", 0, 0.95),
        *[c for o in ("T3A", "T3B", "T3C") for c in
          _ratio(rows, "Figure 11", f"{o}: QS is better, by less", "below 1", QS, E, o, 0, 1)],
        *[c for o in UPDATES for c in
          _ratio(rows, "Figure 11", f"{o}: QS-B is much slower than E", "above 1", QSB, E, o, 1.1, inf)],
        *_ratio(rows, "Figure 12", "T2A: the commit of QS is dearer", "above 1", QS, E, "T2A", 1, inf,
                "commit_us")]
    return Section("Figures 11 and 12: updates", _parts(
        _table_of_times(rows, "Figure 11: with the commit, medians", UPDATES, "cold_us", "small"),
        _plot(rows, "f11", "Figure 11: updates with their commit", UPDATES, "cold_us", "small"),
        _table_of_times(rows, "Figure 12: the commit, medians", UPDATES, "commit_us", "small"),
        _plot(rows, "f12", "Figure 12: commits", UPDATES, "commit_us", "small"),
        Table("What updates make: write traps of QS, calls of E; parts of their time",
              ["", "", "traps or calls", "log records", "log MB", "pages written", "copy ms", "diff",
               "mapping update", "commit at the server"], lines)), found)


def _hot(rows: List[Row]) -> Section:
    inf = math.inf
    found = [
        *_ratio(rows, "Figure 13", "T1: E is 23 % slower", "1.23", E, QS, "T1", 1.1, 1.5, "hot_us"),
        *_ratio(rows, "Figure 13", "T6: E is 3.6 times slower", "3.6", E, QS, "T6", 2, 6, "hot_us"),
        *_ratio(rows, "Figure 13", "T7: equal", "1", E, QS, "T7", 0.8, 1.25, "hot_us"),
        *_ratio(rows, "Figure 13", "T8: E is 32 times slower", "32", E, QS, "T8", 10, inf, "hot_us"),
        *_ratio(rows, "Figure 13", "T9: equal", "1", E, QS, "T9", 0.8, 1.25, "hot_us"),
        *[c for q in ("Q1", "Q2", "Q3", "Q4") for c in
          _ratio(rows, "Figure 14", f"{q}: nearly equal", "1", E, QS, q, 0.8, 1.25, "hot_us")],
        *_ratio(rows, "Figure 14", "Q5: E is 3.6 times slower", "3.6", E, QS, "Q5", 2, 6, "hot_us")]
    return Section("Figures 13 and 14: hot", _parts(
        _table_of_times(rows, "Figures 13 and 14, medians", TRAVERSALS + QUERIES, "hot_us", "small"),
        _plot(rows, "f13", "Figure 13: hot traversals", TRAVERSALS, "hot_us", "small"),
        _plot(rows, "f14", "Figure 14: hot queries", QUERIES, "hot_us", "small")), found)


def _medium(rows: List[Row]) -> Section:
    inf = math.inf

    def ratio(*arguments) -> List[Claim]:
        return _ratio(rows, *arguments, "cold_us", "medium")

    found = [
        *ratio("Figure 15", "T1: QS is 41 % faster than E", "0.59", QS, E, "T1", 0, 0.9),
        *ratio("Figure 15", "T1: E is 36 % faster than QS-B", "1.56", QSB, E, "T1", 1, inf),
        *ratio("Figure 15", "T6: QS is slower than E", "above 1", QS, E, "T6", 1, inf),
        *ratio("Figure 15", "T7: QS is slower than E", "above 1", QS, E, "T7", 1, inf),
        *ratio("Figure 15", "T8: E is slower than QS", "above 1", E, QS, "T8", 1, inf),
        *[c for q in QUERIES for c in ratio("Figure 16", f"{q}: E is best", "above 1", QS, E, q, 1, inf)],
        *ratio("Figure 17", "T2A: QS is faster", "below 1", QS, E, "T2A", 0, 1),
        *ratio("Figure 17", "T3A: QS is faster", "below 1", QS, E, "T3A", 0, 1),
        *[c for o in ("T2B", "T2C") for c in
          ratio("Figure 17", f"{o}: QS and E are similar", "1", QS, E, o, 0.8, 1.25)],
        *[c for o in UPDATES for c in
          ratio("Figure 17", f"{o}: QS-B is worst", "above 1", QSB, E, o, 1, inf)]]
    return Section("Figures 15 to 17, tables 8 and 9: medium", _parts(
        _table_of_times(rows, "Figure 15, medians", ["T1", "T6", "T7", "T8"], "cold_us", "medium"),
        _plot(rows, "f15", "Figure 15: cold traversals, medium", ["T1", "T6", "T7", "T8"], "cold_us",
              "medium"),
        _table_of_ios(rows, "Table 8: pages that the client asks for", ["T1", "T6", "T7", "T8"], "medium"),
        _table_of_times(rows, "Figure 16, medians", QUERIES, "cold_us", "medium"),
        _plot(rows, "f16", "Figure 16: cold queries, medium", QUERIES, "cold_us", "medium"),
        _table_of_ios(rows, "Table 9: pages that the client asks for", QUERIES, "medium"),
        _table_of_times(rows, "Figure 17: with the commit, medians", UPDATES, "cold_us", "medium"),
        _plot(rows, "f17", "Figure 17: updates, medium", UPDATES, "cold_us", "medium")), found)


def relocated(rows: List[Row], system: str, percent: int, which: str = "cold_us") -> Samples:
    return Samples([row[which][0] for row in select(rows, experiment="relocation", system=system, x=percent,
                                                    again=0)])


def _relocation(rows: List[Row]) -> Section:
    systems = ("QS-CR", "QS-OR")
    paper = {"QS-CR": {5: 1.0, 20: 1.0, 50: 1.07, 100: 1.38}, "QS-OR": {5: 1.0, 20: 1.25, 50: 1.67, 100: 2.16}}
    lines, found = [], []
    for system in systems:
        base = relocated(rows, system, 0)
        for percent in RELOCATED:
            row = select(rows, experiment="relocation", system=system, x=percent, again=0)[0]
            lines.append([system, str(percent), number(relocated(rows, system, percent).median / 1000),
                          number(fits.ratio(relocated(rows, system, percent), base)[0]),
                          f"{row['relocated']:.0f}", f"{row['pages_patched']:.0f}",
                          f"{row['pointers_patched']:.0f}", f"{row['map_reads']:.0f}",
                          f"{row['pages_written']:.0f}"])
        for percent, times_slower in paper[system].items():
            low = 0.0 if times_slower == 1.0 else 1.0
            high = 1.1 if times_slower == 1.0 else 2 * times_slower
            found.append(claims.of_ratio(
                "Figure 18", f"{system}: {percent} % relocated is {100 * (times_slower - 1):.0f} % slower",
                number(times_slower), f"{percent} % : 0 %", relocated(rows, system, percent), base, low, high))
    found.append(claims.of_ratio("6.5", "all relocated: QS-OR is much slower than QS-CR", number(2.16 / 1.38),
                                 "QS-OR : QS-CR, 100 %", relocated(rows, "QS-OR", 100),
                                 relocated(rows, "QS-CR", 100), 1.1, math.inf))
    return Section("Figure 18: relocation", [
        Table("Figure 18: T1 with its commit", ["", "%", "ms", "to 0 %", "pages relocated", "pages patched",
                                                "pointers", "mapping pages read", "pages written"], lines),
        Plot("quickstore-f18", "Figure 18: T1 by pages relocated", "% relocated", "ms",
             {s: ([float(x) for x in RELOCATED], [relocated(rows, s, x).median / 1000 for x in RELOCATED])
              for s in systems})], found)


def _profile(rows: List[Row]) -> Section:
    def hot(system: str, style: str) -> float:
        return Samples([row["hot_us"][0] for row in
                        select(rows, experiment="style", system=system, style=style)]).median

    lines, shares = [], {}
    for system in (QS, E):
        whole, bare = hot(system, "set and iterators"), hot(system, "marks")
        malloc = max(0.0, whole - hot(system, "set"))
        part_set = max(0.0, whole - hot(system, "iterators"))
        shares[system] = {"malloc": 100 * malloc / whole, "part set": 100 * part_set / whole,
                          "rest": 100 * bare / whole}
    for name in ("malloc", "part set", "rest"):
        lines.append([name, *[f"{PROFILE[s][name]:g}" for s in (QS, E)],
                      *[number(shares[s][name]) for s in (QS, E)]])
    return Section("Table 7: where the time of a hot T1 goes", [
        Text("No profiler: each share is what T1 takes more with the paper's iterators in the heap, or its set "
             "of visited parts, than without; the rest is T1 with neither."),
        Table("Table 7, %", ["", "QS, paper", "E", "QS, here", "E"], lines)],
                   [claims.of_value("Table 7", "iterators in the heap are most of QS's time", "56 %", "share",
                                    shares[QS]["malloc"], 40, 100),
                    claims.of_value("Table 7", "the set is a third of QS's time", "35 %", "share",
                                    shares[QS]["part set"], 25, 60)])


def sections(rows: List[Row]) -> List[Section]:
    return [_sizes(rows), *_cold(rows), _faults(rows), _updates(rows), _hot(rows), _profile(rows),
            _medium(rows), _relocation(rows), *quickstore_questions.sections(rows, relocated),
            *oo1.sections(rows)]


DIFFERENCES = """
QuickStore, E and what they have in common of ESM are the laboratory's (`lab/quickstore/`, `lab/epvm/`, `lab/esm/`).
Addresses have 8 bytes, not 4, and identifiers 16 as in the paper: so objects of E are 1.5 times those of QS, not
twice. Composite parts lie one after the other; in the paper each seems to begin a page. A mapping object
has 8 bytes for each page, so that a page of them serves many. Commits send the changed regions that were logged,
not the pages besides; what leaves the pool changed goes to a file of the client. There are no locks
below the page. T7 begins at a part that is drawn from the composite parts, not from an index. Hot is the fastest of the
three iterations after the first; short operations are repeated in it up to 100 times. Server and client are processes of one machine.
Tenure has its own clustering, read ahead and small objects of 8 bytes a reference; its rows of
hot short operations repeat as often as bench's.
"""
