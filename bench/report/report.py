#!/usr/bin/env python3
"""Makes docs/performance.md and its pictures from bench/results/*.json. Needs matplotlib."""

import json
import os
import statistics
import sys
from typing import Dict, List, Tuple

import matplotlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from bench.cluster.goals import goals as cluster_goals  # noqa: E402
from bench.commit import measure as commit_bench  # noqa: E402
from bench.gc import measure as gc_bench  # noqa: E402
from bench.growth import measure as growth_bench  # noqa: E402
from bench.kernels import measure as kernels_bench  # noqa: E402
from bench.support import measuring  # noqa: E402
from bench.oo1 import measure as oo1_bench  # noqa: E402
from bench.oo1 import words as oo1_words  # noqa: E402
from bench.oo7 import measure as oo7_bench  # noqa: E402
from bench.oo7 import words as oo7_words  # noqa: E402
from bench.oo7.goals import HOT, goals_table, oo7_goals, served_goals, times  # noqa: E402
from bench.oo7.words import number  # noqa: E402
from bench.transfers import measure as transfers_bench  # noqa: E402
from bench.transfers.goals import goals as transfers_goals  # noqa: E402

RESULTS = os.path.join(ROOT, "bench", "results")
PICTURES = os.path.join(ROOT, "docs", "pictures")
PAGE = os.path.join(ROOT, "docs", "performance.md")

# The figures of the paper, and their subjects (Hosking & Chen 1999, 5.4).
FIGURES: List[Tuple[int, str, List[str]]] = [
    (3, "raw traversal", ["T1"]), (4, "sparse traversal", ["T6"]),
    (5, "updates", oo7_bench.DURABLE), (6, "indexed updates", ["T3A", "T3B", "T3C"]),
    (7, "the manual", ["T8", "T9"])]

matplotlib.rcParams["svg.hashsalt"] = "oo7"  # the same picture for the same figures


def median(values: List[float]) -> float:
    return statistics.median(values)


def medians(figures: Dict[str, List[float]]) -> Dict[str, float]:
    return {who: median(values) for who, values in figures.items()}


def time_shares(counters: Dict[str, float]) -> Tuple[float, float, float]:
    """User time, system time and the rest of the elapsed time, which is the store's; in
    milliseconds."""
    elapsed, user, system = (counters[name] / 1000
                             for name in ("elapsed_us", "user_us", "system_us"))
    return user, system, max(0.0, elapsed - user - system)


def draw_figure(results: Dict, figure: int, about: str, operations: List[str]) -> str:
    """Cold and hot, in one transaction and in many, as in the paper's pictures."""
    _, axes = plt.subplots(1, 2, figsize=(8, 3.2))
    for axis, phase in zip(axes, ("cold", "hot")):
        labels, stacks = [], []
        for operation in operations:
            for mode in ("one", "many"):
                counters = results["operations"][operation]["counters"][mode]
                parts = list(time_shares(counters[phase]))
                if mode == "many":
                    parts = [a + b for a, b in zip(parts, time_shares(counters["commit"]))]
                labels.append(f"{operation}\n{mode}")
                stacks.append(parts)
        bottom = [0.0] * len(stacks)
        for index, name in enumerate(("user", "system", "store")):
            heights = [stack[index] for stack in stacks]
            axis.bar(labels, heights, bottom=bottom, label=name, width=0.6)
            bottom = [a + b for a, b in zip(bottom, heights)]
        axis.set_title(f"{phase}, milliseconds", fontsize=9)
        axis.tick_params(labelsize=7)
    axes[0].legend(fontsize=7)
    plt.tight_layout()
    name = f"oo7-{results['configuration']}-figure{figure}.svg"
    plt.savefig(os.path.join(PICTURES, name), metadata={"Date": None})
    plt.close()
    return f"![{', '.join(operations)}: {about}](pictures/{name})"


def draw_stores(name: str, groups: Dict[str, Dict[str, float]], title: str) -> str:
    """Milliseconds of all stores beside each other, a group for each operation, on a logarithmic
    scale."""
    stores = list(dict.fromkeys(store for group in groups.values() for store in group))
    _, axis = plt.subplots(figsize=(8, 3.2))
    width = 0.8 / len(stores)
    for index, store in enumerate(stores):
        heights = [group.get(store, 0) for group in groups.values()]
        axis.bar([place + index * width for place in range(len(groups))], heights, width,
                 label=store)
    axis.set_xticks([place + 0.4 - width / 2 for place in range(len(groups))], list(groups))
    axis.set_yscale("log")
    axis.set_ylabel("milliseconds", fontsize=8)
    axis.legend(fontsize=7)
    plt.tight_layout()
    plt.savefig(os.path.join(PICTURES, name + ".svg"), metadata={"Date": None})
    plt.close()
    return f"![{title}](pictures/{name}.svg)"


def hot_table(results: Dict) -> List[str]:
    lines = ["| | Tenure, ms | C++, ms | ratio | goal | no database | libgc | mapped file | chained |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name, entry in results["operations"].items():
        hot = entry["hot_ms"]
        base = hot["C++"]
        ratios = [f"{times(hot[who], base):.2f}" for who in ("Tenure in memory", "libgc", "mapped")]
        goal = HOT.get(name)
        ratio = times(hot["Tenure"], base)
        said = "" if goal is None else f"{goal:.2f}" + ("" if ratio <= goal else ", missed")
        lines.append(f"| {name} | {number(median(hot['Tenure']))} | {number(median(base))} |"
                     f" {ratio:.2f} |"
                     f" {said} | {' | '.join(ratios)} |"
                     f" {times(entry['chained_ms']['Tenure'], base):.2f} |")
    return lines


def stores_table(results: Dict, key: str, operations: List[str]) -> List[str]:
    stores = list(results["operations"][operations[0]][key])
    lines = ["| | " + " | ".join(stores) + " |", "|---" * (len(stores) + 1) + "|"]
    for operation in operations:
        entry = results["operations"][operation]
        cells = []
        for store in stores:
            if store not in entry[key]:
                cells.append("")  # left out
                continue
            cell = number(median(entry[key][store]))
            if key == "cold_ms":
                cell = f"{number(median(entry['open_ms'][store]))} + {cell}"
            cells.append(cell)
        lines.append(f"| {operation} | " + " | ".join(cells) + " |")
    return lines


def counters_table(results: Dict) -> List[str]:
    columns = [("cold", "read_faults"), ("cold", "pages_read"), ("cold", "bytes_read"),
               ("hot", "write_faults"), ("commit", "pages_written"), ("commit", "bytes_written"),
               ("commit", "log_bytes"), ("commit", "objects_persisted")]
    lines = ["| | " + " | ".join(f"{phase}: {name.replace('_', ' ')}" for phase, name in columns)
             + " |", "|---" * (len(columns) + 1) + "|"]
    for name, entry in results["operations"].items():
        counters = entry["counters"]["many"]
        cells = [f"{int(counters[phase].get(counter, 0)):,}" for phase, counter in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def circumstances(results: Dict, rounds: str) -> List[str]:
    """The machine and the compared programs of the measurement."""
    machine = results["machine"]
    return [f"{machine['processor']}, {machine['memory']}, {machine['system']}; load when written"
            f" {machine['load']}; {machine['date']}. Medians; {rounds}.", "",
            "Beside it: " + ", ".join(
                f"*{who}* ({what})" for who, what in results["peers"].items()) + ".", ""]


def oo7_section(results: Dict) -> List[str]:
    lines = [f"## OO7, {results['configuration']}", "",
             *circumstances(results, oo7_bench.rounds_text(results))]
    for paragraph in oo7_words.paragraphs(results):
        lines += [paragraph, ""]
    lines += ["### Hot, in one transaction, beside C++ with malloc", ""]
    lines += hot_table(results)
    lines += ["", "*chained*: iterations of read-only and update transactions, without the commits;"
              " their first accesses of a page in each transaction are in the figure.", "",
              "### Cold: opening + first traversal, milliseconds", ""]
    lines += stores_table(results, "cold_ms", ["T1", "T6", "T8"])
    lines += ["", "### Durable: a hot iteration and its commit, milliseconds", ""]
    lines += stores_table(results, "durable_ms", oo7_bench.DURABLE)
    if "t2a_commit" in results:
        lines += ["", oo7_bench.commit_text(results["t2a_commit"])]
    durable = {name: medians(results["operations"][name]["durable_ms"]) for name in oo7_bench.DURABLE}
    lines += ["", draw_stores(f"oo7-{results['configuration']}-durable_ms", durable,
                              "durable updates in all stores"), "",
              "### Making the database, and its size", "",
              "| | created, ms | on disk, MB | peak memory in T1, MB |", "|---|---|---|---|"]
    for who, ms in results["create_ms"].items():
        cells = [f"{ms:.0f}"]
        if who in results["bytes_on_disk"]:
            cells += [f"{results['bytes_on_disk'][who] / 1e6:.1f}",
                      f"{results['peak_mb_t1'][who]:.0f}"]
        lines.append(f"| {who} | {' | '.join(cells)} |" + " |" * (3 - len(cells)))
    if results.get("growth"):
        lines += [""] + [f"- {line}" for line in oo7_bench.growth_text(results["growth"])]
    lines += ["", "### Where the time goes", ""]
    for figure, about, operations in FIGURES:
        lines += [draw_figure(results, figure, about, operations), "",
                  f"As the paper's figure {figure}: {about}.", ""]
    lines += ["What Tenure did in the first iteration (cold), the third (hot) and the third commit, in"
              " chained transactions:", ""]
    return lines + counters_table(results) + [""]


def served_section(results: Dict) -> List[str]:
    reading, updating = results["reading"], results["updating"]
    base = median(reading["malloc_hot_ms"])
    lines = [f"## OO7 through the page server, {results['configuration']}", "",
             f"{results['rounds']} rounds, medians; load when written"
             f" {results['machine']['load']}. T1 of one module in chained read-only transactions"
             f" (goal: 1.15 times C++ with malloc, {number(base)} ms); the cold iteration has the"
             " opening with it, and the server has just been started.", "",
             "| T1 | cold, ms | hot, ms | times C++ | traps when hot |", "|---|---|---|---|---|"]
    for name, values in reading["hot_ms"].items():
        lines.append(f"| {name} | {number(median(reading['cold_ms'][name]))} |"
                     f" {number(median(values))} | {median(values) / base:.2f} |"
                     f" {reading['hot_traps'][name]} |")
    lines += ["", "T2A with a durable commit, each program on a module of its own; *busy*: how many"
              " processors the server and the programs kept busy.", "",
              "| programs | a second | times one | work, ms | commit, ms | server busy | programs"
              " busy |", "|---|---|---|---|---|---|---|"]
    for entry in updating:
        lines.append(f"| {entry['programs']} | {entry['per_s']:.0f} |"
                     f" {entry['per_s'] / updating[0]['per_s']:.2f} | {number(entry['work_ms'])} |"
                     f" {number(entry['commit_ms'])} | {entry['server_busy']:.2f} |"
                     f" {entry['programs_busy']:.2f} |")
    return lines + ["", f"The limit with {updating[-1]['programs']} programs: {results['limit']}.",
                    ""]


def flames_section(results: Dict) -> List[str]:
    lines = ["## Flame graphs", "", "`bench/flames/flame.py`, OO7 small. Width is time; what is called stands"
             " above its caller; recursion counts once.", ""]
    for flame in results["flames"]:
        lines += [f"![{flame['title']}](pictures/flame-{flame['name']}.svg)", "",
                  f"{flame['title']}: " + ", ".join(
                      f"`{name}` {percent} %" for name, percent in flame["leaves"].items()) + ".", ""]
    return lines


def oo1_table(results: Dict) -> List[str]:
    """A row for each operation and phase."""
    whose = list(dict.fromkeys(who for phases in results["operations"].values() for who in phases["cold"]))
    lines = ["| | " + " | ".join(whose) + " |", "|---" * (len(whose) + 1) + "|"]
    for operation, phases in results["operations"].items():
        base = results["operations"]["insert" if operation == oo1_bench.DURABLE else operation]
        for phase, figures in phases.items():
            cells = [f"{number(median(figures[who]))} ({times(figures[who], base[phase]['C++']):.2f})"
                     if who in figures else "" for who in whose]
            lines.append(f"| {operation}, {phase} | " + " | ".join(cells) + " |")
    return lines


def oo1_section(results: Dict) -> List[str]:
    lines = ["## OO1", "", "20,000 parts with three connections each (Hosking & Moss 1993, 5). An iteration looks up"
             " 1,000 parts, visits 3,280 along connections, or inserts 100; the first of a process is cold, the"
             " next nine, of other random parts each, are warm, and one that does the same again is hot.", "",
             *circumstances(results, f"{results['rounds']} rounds")]
    for paragraph in oo1_words.paragraphs(results):
        lines += [paragraph, ""]
    if results.get("processor_ms"):
        lines += goals_table({"found": oo1_bench.goals(results)}) + [""]
    lines += ["Milliseconds of an iteration without the opening and the commit, and how many times C++ with malloc;"
              " insertions with their commit stand beside C++'s without one.", ""]
    lines += oo1_table(results) + [""]
    for phase in ("cold", "hot"):
        groups = {operation: medians(phases[phase]) for operation, phases in results["operations"].items()}
        lines += [draw_stores(f"oo1-{phase}", groups, f"OO1, {phase}"), ""]
    lines += ["| | opening, ms | created, ms | on disk, MB | peak memory, MB |", "|---|---|---|---|---|"]
    for who, peak in results["peak_mb"].items():
        cells = [""] * 3
        if who in results["open_ms"]:
            cells = [number(median(results["open_ms"][who])), f"{results['create_ms'][who]:.0f}",
                     f"{results['bytes_on_disk'][who] / 1e6:.1f}"]
        lines.append(f"| {who} | {' | '.join(cells)} | {peak:.0f} |")
    lines += ["", "Where Tenure's time went, in milliseconds, and what it did:", "",
              "| | user | system | store | traps | pages read | pages written | bytes of log |", "|---" * 8 + "|"]
    for operation, phases in results["counters"].items():
        for phase, counters in phases.items():
            cells = [number(ms) for ms in time_shares(counters)]
            traps = counters.get("read_faults", 0) + counters.get("write_faults", 0)
            cells += [f"{int(count):,}" for count in (traps, *(counters.get(name, 0) for name in (
                "pages_read", "pages_written", "log_bytes")))]
            lines.append(f"| {operation}, {phase} | " + " | ".join(cells) + " |")
    return lines + [""]


def gc_section(results: Dict) -> List[str]:
    lines = ["## The collector", "", "The same program in each; medians, processor seconds and how many"
             " times C++ with malloc and free; pauses as each says of itself (docs/collector.md)."]
    for title, costs in results["programs"].items():
        lines += ["", f"### {title}", "", "| | processor, s | ratio | wall, s | ratio | peak, MB |"
                  " pause p99, ms | longest, ms |", "|---|---|---|---|---|---|---|---|"]
        for who, cost in costs.items():
            pauses = ["" if cost[key] is None else f"{cost[key]:.2f}"
                      for key in ("pause_p99_ms", "pause_most_ms")]
            lines.append(f"| {who} | {median(cost['processor_s']):.2f} |"
                         f" {gc_bench.ratio(costs, who, 'processor_s'):.2f} |"
                         f" {median(cost['wall_s']):.2f} | {gc_bench.ratio(costs, who, 'wall_s'):.2f} |"
                         f" {cost['peak_mb']:.0f} | {' | '.join(pauses)} |")
    lines += ["", "### Pauses", "", "| beside | p50, ms | p99, ms | longest, ms |", "|---|---|---|---|"]
    for about, us in results["pauses"].items():
        cells = [f"{us[key] / 1000:.2f}" for key in ("p50", "p99", "max")]
        lines.append(f"| {about} | {' | '.join(cells)} |")
    lines += ["", "A full collection of 1 GB that lives: " + ", ".join(
        f"{ms:.0f} ms with {threads} thread{'s' if threads != '1' else ''}"
        for threads, ms in results["full_collection_ms"].items()) + "."]
    return lines + [""]


def commit_section(results: Dict) -> List[str]:
    """A row for each kind of commit, as commit_bench.measure has it."""
    lines = ["## Commits", "",
             "Medians; the programs that are compared commit in turns. *beside*: so many MB of live"
             " transient objects and as many of persistent ones that are resident, times the commit"
             " beside 1 MB; in parentheses the same of processor time. By redo, the default.", "",
             "| | beside 1 MB, ms | processor, ms | bytes of log | "
             + " | ".join(f"beside {about}" for about in commit_bench.BESIDE) + " |",
             "|---|---|---|---|" + "---|" * len(commit_bench.BESIDE)]
    for kind, (ms, processor_ms, log_bytes) in results["sizes"]["1 MB"].items():
        times = [f"{commit_bench.times_small(results, about, kind, 0):.2f}"
                 f" ({commit_bench.times_small(results, about, kind, 1):.2f})"
                 for about in commit_bench.BESIDE]
        lines.append(f"| {kind} | {ms:.3f} | {processor_ms:.3f} | {log_bytes} | {' | '.join(times)} |")
    lines += ["", "One changed object, times a transaction of Berkeley DB that changes one page: "
              + ", ".join(f"by {policy} {commit_bench.times_page(results, policy, 0):.2f}"
                          f" (of a processor {commit_bench.times_page(results, policy, 1):.2f})"
                          for policy in commit_bench.ALL_POLICIES) + ".", "",
              "| by policy, ms and bytes of all logs, pages put later included | "
              + " | ".join(commit_bench.ALL_POLICIES) + " |",
              "|---|" + "---|" * len(commit_bench.ALL_POLICIES)]
    for kind in results["sizes"]["1 MB"]:
        cells = [f"{ms:.3f}, {log_bytes}" for policy in commit_bench.ALL_POLICIES
                 for ms, _, log_bytes in [results["policies"][policy][kind]]]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return lines + [""]


def transfers_section(results: Dict) -> List[str]:
    lines = ["## Transfers", "",
             f"Transfers between two of {results['accounts']:,} accounts of 60 bytes, each durable before it"
             f" counts; {results['rounds']} rounds of {results['seconds']:g} seconds, medians; load when written"
             f" {results['machine']['load']}. *syncs*, *traps* and *undone* (attempts that a conflict undid) are"
             " counted for a transfer; *processor* is the time of all processes, servers included. The sum of all"
             " accounts was checked by a fresh process after each measurement.", "",
             "; ".join(f"*{system}*: {what}" for system, what in results["systems"].items()) + ".", ""]
    for system, reason in results["left_out"].items():
        lines += [f"Without {system}: {reason}.", ""]
    lines += goals_table({"found": transfers_goals(results)}) + [""]
    for distribution in transfers_bench.DISTRIBUTIONS:
        about = ("uniformly" if distribution == "uniform" else
                 f"by Zipf's law with exponent {results['zipf']:g}")
        lines += [f"Accounts drawn {about}:", "",
                  "| | a second | p50, us | p99, us | processor, us | syncs | traps | undone |",
                  "|---" * 8 + "|"]
        apart = []
        for row, of in results["rows"].items():
            if distribution not in of:
                continue
            middle = medians(of[distribution])
            if not transfers_bench.is_durable(row):
                apart.append(f"{row} {middle['per_s']:.0f} a second, p50 {middle['p50_us']:.1f} us, p99"
                             f" {middle['p99_us']:.1f} us")
                continue
            lines.append(f"| {row} | {middle['per_s']:.0f} | {middle['p50_us']:.1f} |"
                         f" {middle['p99_us']:.1f} | {middle['processor_us']:.1f} |"
                         f" {middle['syncs']:.3f} | {middle['traps']:.2f} | {middle['aborted']:.3f} |")
        if apart:
            lines += ["", transfers_bench.APART.capitalize() + "; ".join(apart) + "."]
        lines.append("")
    return lines


def growth_section(results: Dict) -> List[str]:
    sizes = list(results["sizes"])
    lines = ["## Growth", "",
             "Stores of records of 1,000 bytes under a B+ tree, made by checkpoints with"
             f" `{results['memory']}`; medians of {results['rounds']} processes, each of which begins with a cold"
             f" store; load when written {results['machine']['load']}; {results['machine']['date']}.", ""]
    if results["room"]:
        lines += [results["room"][0].upper() + results["room"][1:] + ".", ""]
    lines += goals_table({"found": growth_bench.goals(results)}) + [
        "", "| | " + " | ".join(f"{size} GB" for size in sizes) + " |", "|---" * (len(sizes) + 1) + "|"]

    def add(about: str, text) -> None:
        lines.append(f"| {about} | " + " | ".join(text(results["sizes"][size]) for size in sizes) + " |")

    add("the store, GB", lambda found: f"{found['store_gb']:.2f}")
    add("making it, s a GB; peak memory, MB", lambda found:
        f"{found['create']['s'] / found['store_gb']:.1f}; {found['create']['peak_mb']:.0f}")
    for what, (about, _, _) in growth_bench.SINGLE.items():
        add(about, lambda found, what=what: growth_bench.single_text(what, found["singles_us"][what]))
    add("reading 64 KB at a random place of the store's file", lambda found:
        f"{statistics.median(found['reads_us']):.2f} us")
    for tool, (about, _) in growth_bench.TOOLS.items():
        add(f"{about}, s a GB; peak memory, MB", lambda found, tool=tool:
            f"{growth_bench.per_gb(found, tool):.2f}; {found['tools'][tool]['peak_mb']:.0f}")
    return lines + [""]


def cluster_section(results: Dict) -> List[str]:
    lines = ["## A cluster on one machine", "",
             "A store of a cluster of three machines in network namespaces of one, `tenure serve`, and a program alone;"
             f" load when written {results['machine']['load']}. *processors* is the time of all processes, PostgreSQL,"
             " Patroni and etcd included, for a commit.", ""]
    lines += goals_table({"found": cluster_goals(results)}) + [""]
    for what in ("one object", "T2A"):
        lines += [f"Commits of {what}:", "", "| | programs | p50, ms | p95, ms | a second | processors, ms |",
                  "|---" * 6 + "|"]
        lines += [f"| {row['what']} | {row['programs']} | {row['p50_ms']:.3f} | {row['p95_ms']:.3f} |"
                  f" {row['per_s']:.0f} | {row['cpu_ms']:.3f} |" for row in results[what]] + [""]
    cold = "; ".join(f"{statistics.median(rounds):.1f} ms with {ms} ms more for a round trip"
                     for ms, rounds in results["cold T1"].items())
    return lines + [f"Cold T1: {cold}.", ""]


def kernels_section(results: Dict) -> List[str]:
    programs = {name: {who: kernels_bench.Figures(**one) for who, one in of.items()}
                for name, of in results["programs"].items()}
    who = list(dict.fromkeys(one for of in programs.values() for one in of))
    lines = ["## Small programs of many kinds", "",
             f"The same program in each language; the least processor time of {results['rounds']} interleaved rounds,"
             f" in seconds; load when written {results['machine']['load']}.", "",
             "| | " + " | ".join(who) + " | times C++ | times Go | peak, MB: Tenure, C++ |",
             "|---" * (len(who) + 4) + "|"]

    def text(value, form: str) -> str:
        return "" if value is None else f"{value:{form}}"

    for name, of in programs.items():
        beside = kernels_bench.best_cpp(of)
        cells = [text(of[one].least if one in of else None, ".2f") for one in who]
        cells += [text(kernels_bench.ratio(of, to), ".2f") for to in ("C++", "Go")]
        peaks = ", ".join(text(one.peak_mb, ".0f") for one in (of["Tenure"], beside) if one is not None)
        lines.append(f"| {name} | {' | '.join(cells)} | {peaks} |")
    return lines + ["", *[line[0].upper() + line[1:] + "." for line in kernels_bench.summary(programs).split("\n")], ""]


def library_section(results: Dict) -> List[str]:
    lines = ["## The library beside that of C++", "",
             f"{results['rounds']} rounds: the least processor time.", "",
             "| | Tenure, ms | C++, ms | ratio |", "|---|---|---|---|"]
    for kind, values in results["Tenure"].items():
        least, beside = min(values), min(results["C++"][kind])
        lines.append(f"| {kind} | {least:.3f} | {beside:.3f} | {least / beside:.2f} |")
    return lines + [""]


def mutator_section(results: Dict) -> List[str]:
    lines = ["## Allocation, barrier and checks beside C++ with an arena", "",
             f"{results['rounds']} rounds: the least processor time, of all and of what is left without the"
             " collector's pauses, which the arena does not have: it forgets what lives. The ratio without them"
             " is what allocation, the barrier and checks cost the program.", "",
             "| | Tenure, ms | of that pauses | without, ms | C++, ms | ratio without | ratio of all |",
             "|---|---|---|---|---|---|---|"]
    for kind, values in results["Tenure"].items():
        least, beside = min(values), min(results["C++"][kind])
        alone, pauses = measuring.without_pauses(results, kind)
        lines.append(f"| {kind} | {least:.3f} | {pauses:.3f} | {alone:.3f} | {beside:.3f} |"
                     f" {alone / beside:.2f} | {least / beside:.2f} |")
    return lines + [""]


# The parts written after the sections of OO7, by the name of their results.
SECTIONS = {"oo7-served": served_section, "oo1": oo1_section, "commit": commit_section,
            "transfers": transfers_section, "growth": growth_section, "cluster": cluster_section, "gc": gc_section,
            "kernels": kernels_section, "library": library_section, "mutator": mutator_section,
            "flames": flames_section}


def read_results(name: str) -> Dict:
    with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
        return json.load(file)


def main() -> None:
    os.makedirs(PICTURES, exist_ok=True)
    lines = ["# Performance", "",
             "Made by `bench/report/report.py` from `bench/results`; `python3 build.py bench NAME` measures"
             " again. Ratios are to C++ with malloc in the same run, unless said; both are"
             " compiled by `-O2`, Tenure with its run-time checks, and Tenure commits by `redo`.", "",
             "## Goals of OO7", ""]
    oo7 = [read_results(name) for name in sorted(os.listdir(RESULTS), reverse=True)
           if name.startswith("oo7-") and name != "oo7-served.json"]  # small before medium
    columns = {results["configuration"]: oo7_goals(results) for results in oo7}
    if os.path.exists(os.path.join(RESULTS, "oo7-served.json")):
        served = read_results("oo7-served.json")
        columns.setdefault(served["configuration"], []).extend(served_goals(served))
    lines += goals_table(columns) + [""]
    for results in oo7:
        lines += oo7_section(results)
    for name, section in SECTIONS.items():
        if os.path.exists(os.path.join(RESULTS, name + ".json")):
            lines += section(read_results(name + ".json"))
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(f"written: {os.path.relpath(PAGE, ROOT)}")


if __name__ == "__main__":
    main()
