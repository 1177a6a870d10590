"""Tenure's goals in OO7 and their results, from the files that oo7/measure.py and
oo7/served.py write."""

import statistics
from typing import Dict, List, NamedTuple, Optional

HOT = {"T1": 1.10, "T6": 1.10, "T7": 1.10, "T8": 1.10, "Q1": 1.10, "Q5": 1.10, "T2A": 1.15,
       "T2B": 1.15, "T2C": 1.15, "T3A": 1.3, "T3B": 1.3, "T3C": 1.3}
HOT_T1_MEDIUM = 1.0
CHAINED_T1 = 1.15
READERS_T1 = 1.8
COLD_FLOOR = 1.5
SPARSE_PAGES = 0.1
CREATING = 3.0
PER_OBJECT = 1.3
SIZE = 1.3
SOFTWARE_BARRIERS = 1.03
# By figures and operation: the greatest allowed ratio to the mapped file, and the programs that
# must be slower.
DURABLE = {("Tenure", "T2A"): (1.5, {"LMDB": 10, "SQLite": 10}),
           ("Tenure", "T2B"): (1.5, {"LMDB": 10, "SQLite": 10}),
           ("Tenure diff", "T2A"): (3, {"LMDB": 3}),
           ("Tenure diff", "T2B"): (5, {"LMDB": 3})}


class Goal(NamedTuple):
    about: str
    goal: str  # empty: reported only
    found: str
    met: Optional[bool]  # None: there is no limit

    def verdict(self) -> str:
        return "" if self.met is None else "met" if self.met else "missed"


def at_most(about: str, found: float, limit: float) -> Goal:
    return Goal(about, f"at most {limit:g}", f"{found:.2f}", found <= limit)


def at_least(about: str, found: float, limit: float) -> Goal:
    return Goal(about, f"at least {limit:g}", f"{found:.2f}", found >= limit)


def not_measured(about: str, goal: str) -> Goal:
    return Goal(about, goal, "not measured", None)


def median(values: List[float]) -> float:
    return statistics.median(values)


def times(ours: List[float], theirs: List[float]) -> float:
    """The ratio of neighbouring measurements, because the host's speed differs from second to
    second."""
    return median([a / b for a, b in zip(ours, theirs)])


def policy_of(who: str) -> str:
    return "diff" if who.endswith("diff") else "redo"


def hot_goals(results: Dict) -> List[Goal]:
    operations = results["operations"]

    def ratio(name: str, key: str) -> float:
        return times(operations[name][key]["Tenure"], operations[name]["hot_ms"]["C++"])

    goals = [at_most(f"{name} hot, times C++", ratio(name, "hot_ms"), limit)
             for name, limit in HOT.items()]
    if results["configuration"] == "medium":
        goals.insert(1, at_most("T1 hot, times C++", ratio("T1", "hot_ms"), HOT_T1_MEDIUM))
    goals.append(at_most("T1 in chained transactions, times C++", ratio("T1", "chained_ms"),
                         CHAINED_T1))
    if "readers" in results:
        goals.append(at_least("T1 in read-only transactions of two threads, times one thread",
                              times(results["readers"]["one_ms"], results["readers"]["all_ms"]),
                              READERS_T1))
    for name in ("T2A", "T2B", "T2C"):
        traps = operations[name]["counters"]["many"]["hot"].get("write_faults", 0)
        goals.append(Goal(f"{name} in chained transactions, times C++; its traps", "",
                          f"{ratio(name, 'chained_ms'):.2f}; {traps:.0f}", None))
    return goals


def barrier_goals(results: Dict) -> List[Goal]:
    """Nothing where software barriers were not measured."""
    return [at_most(f"{name} hot, software barriers, times traps",
                    times(ms["Tenure software"], ms["Tenure"]), SOFTWARE_BARRIERS)
            for name, ms in results.get("barriers", {}).items()]


def durable_goals(results: Dict) -> List[Goal]:
    goals = []
    for (who, operation), (times_mapped, faster_than) in DURABLE.items():
        durable = results["operations"][operation]["durable_ms"]
        about = f"{operation} with its commit by {policy_of(who)}"
        goals.append(at_most(f"{about}, times mapped C++ with msync",
                             times(durable[who], durable["mapped"]), times_mapped))
        for peer, limit in faster_than.items():
            faster = f"{about}, times faster than {peer}"
            goals.append(at_least(faster, times(durable[peer], durable[who]), limit) if peer in durable
                         else not_measured(faster, at_least(faster, limit, limit).goal))
    # If the traversal itself is long, no commit may be able to reach the limit.
    for name in ("T2A", "T2B"):
        entry = results["operations"][name]
        if "LMDB" in entry["durable_ms"]:
            faster = median(entry["durable_ms"]["LMDB"]) / median(entry["hot_ms"]["C++"])
            goals.append(Goal(f"{name} in C++ without any commit, times faster than LMDB", "",
                              f"{faster:.2f}", None))
    return goals


def floor_ms(results: Dict, preads: str = "pread_ms") -> float:
    """The lower bound of a cold T1; `cached_pread_ms`: with the whole file in the page cache."""
    hot = median(results["operations"]["T1"]["hot_ms"]["Tenure"])
    return median(results["floor"][preads]) + results["floor"]["pages_ms"] + hot


def cold_goals(results: Dict) -> List[Goal]:
    operations = results["operations"]
    t1, t6 = operations["T1"], operations["T6"]
    goals = []
    about = "T1 cold without the opening, times its floor"
    if not results.get("floor"):
        goals.append(not_measured(about, at_most(about, 0, COLD_FLOOR).goal))
    else:
        cold, opening = median(t1["cold_ms"]["Tenure"]), median(t1["open_ms"]["Tenure"])
        goals.append(at_most(about, cold / floor_ms(results), COLD_FLOOR))
        # The opening already fetches a part of the file, which the floor does not count: the true
        # bound lies between the two.
        goals.append(Goal("the same, if the opening had fetched all of it", "",
                          f"{cold / floor_ms(results, 'cached_pread_ms'):.2f}", None))
        goals.append(Goal("opening and T1 cold, times the floor of T1", "",
                          f"{(opening + cold) / floor_ms(results):.2f}", None))
    whole = {who: median(t1["open_ms"][who]) + median(ms) for who, ms in t1["cold_ms"].items()}
    safe = {who: whole[who] for who in results.get("crash_safe", []) if who in whole}
    if safe:
        fastest = min(safe, key=lambda who: safe[who])
        faster = safe[fastest] / whole["Tenure"]
        goals.append(Goal("opening and T1 cold, times faster than the fastest crash-safe peer",
                          "more than 1", f"{faster:.2f} ({fastest})", faster > 1))
    pages = [entry["counters"]["one"]["cold"].get("pages_read", 0) for entry in (t6, t1)]
    found = at_most("pages that T6 cold reads, times those of T1", pages[0] / pages[1],
                    SPARSE_PAGES)._replace(
                        found=f"{pages[0] / pages[1]:.3f} ({pages[0]:.0f} of {pages[1]:.0f})")
    # Several small composite parts share a page, so for them the figure is only reported.
    goals.append(found if results["configuration"] == "medium" else
                 found._replace(goal="", met=None))
    return goals


def growth_goals(results: Dict) -> List[Goal]:
    growth = results.get("growth")
    if not growth:
        return []
    least = growth["small"]
    goals = [at_most("small made durable, times C++ without a store",
                     least["times_cpp"], CREATING)]
    for name, of in growth.items():
        if name != "small":
            goals.append(at_most(f"{name} made durable, an object's time, times that of small",
                                 of["create_ms"] / of["objects"] * least["objects"]
                                 / least["create_ms"], PER_OBJECT))
    for name, of in growth.items():
        goals.append(Goal(f"{name}: the first collection after that, ms", "",
                          f"{of['collect_ms']:.0f}", None))
        goals.append(at_most(f"{name}: pages, times the bytes of C++ objects",
                             of["pages"] * 8192 / of["cpp_bytes"], SIZE))
        goals.append(Goal(f"{name}: file, log and the rest of the store, MB", "", ", ".join(
            f"{of[part] / 1e6:.1f}" for part in ("file", "log", "other_files")), None))
    return goals


def oo7_goals(results: Dict) -> List[Goal]:
    return (hot_goals(results) + barrier_goals(results) + durable_goals(results) + cold_goals(results)
            + growth_goals(results))


def served_goals(results: Dict) -> List[Goal]:
    reading, updating = results["reading"], results["updating"]
    base = median(reading["malloc_hot_ms"])
    goals = [at_most(f"T1 in chained transactions, {name}, times C++", median(values) / base,
                     CHAINED_T1) for name, values in reading["hot_ms"].items()]
    last = updating[-1]
    goals.append(Goal(f"T2A with its commit by {last['programs']} programs, times one", "",
                      f"{last['per_s'] / updating[0]['per_s']:.2f}; the limit: {results['limit']}",
                      None))
    return goals


def print_goals(goals: List[Goal]) -> None:
    limited = [goal for goal in goals if goal.met is not None]
    met = sum(goal.met for goal in limited)
    print(f"\nGoals: {met} of {len(limited)} met")
    for goal in goals:
        print(f"  {goal.about:<75} {goal.found:>22}  {goal.goal:<14} {goal.verdict()}")


def goals_table(columns: Dict[str, List[Goal]]) -> List[str]:
    """The table in Markdown: a row for each goal, a column for each configuration."""
    rows: Dict[tuple, Dict[str, Goal]] = {}
    for column, goals in columns.items():
        for goal in goals:
            rows.setdefault((goal.about, goal.goal), {})[column] = goal
    lines = ["| | goal | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    for (about, limit), found in rows.items():
        cells = []
        for column in columns:
            goal = found.get(column)
            verdict = "" if goal is None or goal.met is None else (
                ", met" if goal.met else ", **missed**")
            cells.append("" if goal is None else goal.found + verdict)
        lines.append(f"| {about} | {limit} | {' | '.join(cells)} |")
    return lines
