"""What White & DeWitt 1995 could not ask: the break-even of trap and check, relocation when references are
relative, and what is left of E's 23 % without iterators and set."""

import math
from typing import Callable, List

from lab.report import claims, fits
from lab.report.fits import Samples
from lab.report.page import Plot, Section, Table, Text, number
from lab.report.rows import Row, select

NODES = {512: "first cache", 16384: "later caches", 1 << 20: "memory"}


def _check(rows: List[Row], shape: str, checks: str, nodes: int) -> Samples:
    """ns that an access takes longer with the checks."""
    none = Samples(select(rows, experiment="checks", shape=shape, system="none", nodes=nodes)[0]["ns_processor"])
    base = none.median
    with_them = select(rows, experiment="checks", shape=shape, system=checks, nodes=nodes)[0]["ns_processor"]
    return Samples([max(0.001, value - base) for value in with_them])


def _break_even(rows: List[Row]) -> Section:
    # Where another thread answers, its time counts too.
    traps = [(row["system"], Samples(row["us_elapsed" if "thread" in row["system"] else "us_processor"]))
             for row in select(rows, experiment="traps")]
    nodes = sorted({row["nodes"] for row in select(rows, experiment="checks")})
    costs, lines = [], []
    for shape in ("chase", "loop"):
        for checks in ("each access", "each object"):
            costs.append([f"{shape}, {'a page' if shape == 'loop' and checks == 'each object' else checks}",
                          *[number(_check(rows, shape, checks, n).median) for n in nodes]])
    for name, trap in traps:
        line = [name, number(trap.median)]
        for shape in ("chase", "loop"):
            for checks in ("each access", "each object"):
                check = _check(rows, shape, checks, nodes[0]).median
                line.append("never" if check < 0.005 else f"{1000 * trap.median / check:.0f}")
        lines.append(line)
    # One access is one pin of SHORE; E has as many dereferences as local variables are followed.
    qs = select(rows, experiment="operation", system="QS", configuration="small", operation="T1")[0]
    e = select(rows, experiment="operation", system="E", configuration="small", operation="T1")[0]
    made = e["dereferences"] / qs["read_faults"]
    signal = dict(traps)["signal and mmap"]
    check = _check(rows, "chase", "each access", nodes[0])
    return Section("Today: how many accesses make a trap cheaper than checks", [
        Text("A trap is paid once for a page, a check at each access. Checks look a page's residency up in a table "
             "of bytes, as Tenure's software barriers do. *each object*: one check for the four accesses to an object, "
             "as when the others are eliminated; *a page*: one for the accesses of a loop to a page. The times are "
             "of an access, beyond the same program without checks."),
        Table("ns of a check, by where the objects are", ["", *[NODES.get(n, str(n)) for n in nodes]], costs),
        Table("Accesses to a page at which a trap and checks cost the same, objects in the first cache",
              ["", "trap us", "chase, each access", "chase, each object", "loop, each access", "loop, a page"],
              lines),
        Text(f"A cold T1 of QS has {qs['read_faults']:.0f} traps; E follows {made:.0f} variables for each, "
             "each of which is a check.")],
                   [claims.of_ratio("question 1", "a cold T1 makes fewer accesses for each trap than the "
                                    "break-even: checks would be cheaper", "estimated 5,000 to 37,000 accesses",
                                    f"break-even : {made:.0f} accesses of T1",
                                    Samples([1000 * value for value in signal.values]),
                                    Samples([value * made for value in check.values]), 1, math.inf)])


def _relative(rows: List[Row], relocated: Callable) -> Section:
    lines = []
    cells = [("QS", "QS-CR", 0, "absolute, nothing moved"), ("QS", "QS-CR", 100, "absolute, all moved, each time"),
             ("QS", "QS-OR", 100, "absolute, all moved, once"), ("QS-R", "QS-R", 0, "relative, nothing moved"),
             ("QS-R", "QS-R", 100, "relative, all moved")]
    sizes = {row["system"]: row for row in select(rows, experiment="size", configuration="small")}
    for store, system, percent, name in cells:
        of = select(rows, experiment="relocation", system=system, x=percent, again=0)
        row = of[0]
        extra = (sizes[store].get("map_bytes", 0) + sizes[store].get("bitmap_bytes", 0)) / (
            sizes[store]["pages_written"] * 8192)
        swizzling = Samples([r["parts_us"]["swizzle_ns"] for r in of]).median / max(1, row["read_faults"])
        lines.append([name, f"{row['data_reads']:.0f}", f"{row['map_reads'] + row['index_reads']:.0f}",
                      f"{row['pages_written']:.0f}", f"{row['pointers_patched']:.0f}", number(swizzling),
                      number(100 * extra), number(relocated(rows, system, percent).median / 1000)])
    return Section("Today: relocation when references are relative", [
        Text("With addresses of 64 bits each page can have the frame of its number, relative to where the database "
             "lies: no mapping objects, no collisions, and all pointers change by one addition or none (QS-R; "
             "Tenure's page codec does the same without bitmaps, by the types of objects)."),
        Table("T1 cold with its commit", ["", "data pages", "map and index pages", "pages written", "pointers changed",
                                          "swizzling us a page", "maps and bitmaps % of the store", "ms"], lines)],
                   [claims.of_ratio("question 4", "relative references make relocation of all pages free",
                                    "QS-CR 1.38, QS-OR 2.16", "QS-R, all : none moved",
                                    relocated(rows, "QS-R", 100), relocated(rows, "QS-R", 0), 0, 1.1),
                    claims.of_ratio("question 4", "without movement mapping objects cost little",
                                    "4 % of a fault", "QS : QS-R, nothing moved", relocated(rows, "QS-CR", 0),
                                    relocated(rows, "QS-R", 0), 0, 1.1)])


def _styles(rows: List[Row]) -> Section:
    def hot(system: str, style: str) -> Samples:
        return Samples([row["hot_us"][0] for row in select(rows, experiment="style", system=system, style=style)])

    styles = []
    for row in select(rows, experiment="style"):
        if row["style"] not in styles:
            styles.append(row["style"])
    lines = [[style, *[number(hot(s, style).median / 1000) for s in ("C++", "QS", "E")],
              number(fits.ratio(hot("E", style), hot("QS", style))[0]),
              number(fits.ratio(hot("QS", style), hot("C++", style))[0])] for style in styles]
    return Section("Today: what is left of E's 23 %", [
        Text("A hot T1 does little; the paper's programs keep a set of the parts visited, and allocate an iterator "
             "for each node. Both do the same in both systems, and so hide what the systems differ in."),
        Table("T1 hot, ms", ["", "C++", "QS", "E", "E : QS", "QS : C++"], lines)],
                   [claims.of_ratio("question 6", "with set and iterators E is 23 % slower", "1.23", "E : QS",
                                    hot("E", "set and iterators"), hot("QS", "set and iterators"), 1.1, 1.5),
                    claims.of_ratio("question 6", "without them E is several times slower", "T6: 3.6", "E : QS",
                                    hot("E", "marks"), hot("QS", "marks"), 2, math.inf)])


def sections(rows: List[Row], relocated: Callable) -> List[Section]:
    return [_break_even(rows), _relative(rows, relocated), _styles(rows)]
