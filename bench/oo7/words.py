"""Describes the figures of OO7 in words: what is fast, what is slow and why. Each sentence uses
measured values, and is left out if they are missing."""

from typing import Dict, List

from bench.oo7.goals import median, times

SLOW = 1.10        # times C++
SAME = 1.15        # figures that differ by less than this count as equal
PAGE_BYTES = 8192


def number(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def listed(ratios: Dict[str, float]) -> str:
    return ", ".join(f"{name} ({ratio:.2f})" for name, ratio in ratios.items())


def hot_words(results: Dict) -> List[str]:
    ratios, in_memory = {}, {}
    for name, entry in results["operations"].items():
        hot = entry["hot_ms"]
        ratios[name] = times(hot["Tenure"], hot["C++"])
        in_memory[name] = times(hot["Tenure in memory"], hot["C++"])
    order = dict(sorted(ratios.items(), key=lambda item: item[1]))
    fast = {name: ratio for name, ratio in order.items() if ratio * SLOW < 1}
    slow = {name: ratio for name, ratio in order.items() if ratio > SLOW}
    as_fast = len(ratios) - len(fast) - len(slow)
    words = [f"**In memory.** Hot and in one transaction, {as_fast} of {len(ratios)} operations"
             f" take what they take in C++ with malloc, to a tenth; {len(fast)} take less,"
             f" {len(slow)} more."]
    if fast:
        words.append(f"Least, times C++: {listed(dict(list(fast.items())[:5]))}.")
    # The same program without a database tells a slow database from slow code.
    code = {name: ratio for name, ratio in slow.items() if ratio <= in_memory[name] * SAME}
    database = {name: ratio for name, ratio in slow.items() if name not in code}
    if code:
        words.append(f"Slow without a database as well, so by the code of compiler and library:"
                     f" {listed(code)}.")
    if database:
        words.append("Slow because the objects are persistent: " + ", ".join(
            f"{name} ({ratio:.2f}, in memory {in_memory[name]:.2f})"
            for name, ratio in database.items()) + ".")
    return words


def trap_words(results: Dict) -> List[str]:
    words = []
    for name in ("T2A", "T2B"):
        entry = results["operations"][name]
        traps = entry["counters"]["many"]["hot"].get("write_faults", 0)
        more = median(entry["chained_ms"]["Tenure"]) - median(entry["hot_ms"]["Tenure"])
        if traps and more > 0:
            words.append(f"{name} in a new transaction takes {number(more)} ms more than in an old"
                         f" one, {more / traps * 1000:.1f} us for each of the {traps:.0f} pages whose"
                         " first write is a trap and a copy of the page.")
    return words


def cold_words(results: Dict) -> List[str]:
    t1 = results["operations"]["T1"]
    cold, hot = median(t1["cold_ms"]["Tenure"]), median(t1["hot_ms"]["Tenure"])
    counters = t1["counters"]["one"]["cold"]
    pages = counters["pages_read"]
    words = [f"**Cold.** T1 after the opening takes {number(cold)} ms for {pages:.0f} pages with"
             f" {counters.get('read_faults', 0):.0f} traps."]
    floor = results.get("floor")
    if floor:
        pread, cached = median(floor["pread_ms"]), median(floor["cached_pread_ms"])
        rest = max(0.0, cold - cached - hot)
        words.append(
            f"Reading the same from the disk, in {floor['reads']} preads, takes {number(pread)} ms"
            f" ({number(cached)} from the page cache); the hot traversal"
            f" {number(hot)}. Since the opening a thread has been reading the file's first megabytes,"
            " so a part of the reading is over and T1 may take less than its preads from the"
            f" disk. Beside preads from the page cache, {rest / pages * 1000:.1f} us a page are"
            " left for what of the disk was still to wait for, the trap, the search of Berkeley DB,"
            " the check, and the translation of references.")
    whole = {who: median(t1["open_ms"][who]) + median(ms) for who, ms in t1["cold_ms"].items()}
    order = sorted(whole, key=lambda who: whole[who])
    place = order.index("Tenure")
    opening = median(t1["open_ms"]["Tenure"])
    words.append(f"Opening, {number(opening)} ms, and T1 together: faster is "
                 + (", ".join(f"{who} ({number(whole[who])} ms)" for who in order[:place])
                    or "nobody")
                 + "; slower, times ours: "
                 + (", ".join(f"{who} {whole[who] / whole['Tenure']:.1f}"
                              for who in order[place + 1:]) or "nobody") + ".")
    if opening > cold:
        words.append("More than half of that is the opening.")
    return words


def durable_words(results: Dict) -> List[str]:
    words = []
    for name in ("T2A", "T2B"):
        entry = results["operations"][name]
        durable = {who: median(ms) for who, ms in entry["durable_ms"].items()}
        ours, work = durable["Tenure"], median(entry["chained_ms"]["Tenure"])
        commit = entry["counters"]["many"]["commit"]
        others = sorted((who for who in durable if who != "Tenure"), key=lambda who: durable[who])
        words.append(
            f"{'**Durable.** ' if name == 'T2A' else ''}{name} with its commit takes"
            f" {number(ours)} ms, {max(0.0, ours - work) / ours:.0%} of it the commit, of"
            f" {commit.get('pages_written', 0):.0f} pages and"
            f" {commit.get('log_bytes', 0):.0f} bytes of log; times ours: "
            + ", ".join(f"{who} {durable[who] / ours:.1f}" for who in others) + ".")
        slow = {who: median(entry["chained_ms"][who]) / durable[who] for who in others
                if not who.startswith("Tenure") and durable[who] > 2 * ours}
        at_work = {who: share for who, share in slow.items() if share > 0.5}
        at_commit = {who: share for who, share in slow.items() if share <= 0.5}
        if at_work:
            words.append("Mostly at finding and changing objects, not at the commit: " + ", ".join(
                f"{who} ({share:.0%})" for who, share in at_work.items()) + ".")
        if at_commit:
            words.append("Mostly at the commit: " + ", ".join(
                f"{who} ({1 - share:.0%})" for who, share in at_commit.items()) + ".")
    return words


def creating_words(results: Dict) -> List[str]:
    growth = results.get("growth")
    if not growth:
        return []
    least = growth["small"]
    each = {name: of["create_ms"] / of["objects"] * 1000 for name, of in growth.items()}
    most = max(each, key=lambda name: each[name])
    size = max(of["pages"] * PAGE_BYTES / of["cpp_bytes"] for of in growth.values())
    dearest = "" if most == "small" else f", {each[most]:.2f} in {most}"
    return [f"**Making and size.** Small is made durable in {number(least['create_ms'])} ms,"
            f" {least['times_cpp']:.1f} times what C++ takes without a store; an"
            f" object costs {each['small']:.2f} us{dearest}. Pages take at most {size:.2f} times"
            " the bytes of the objects of C++."]


def paragraphs(results: Dict) -> List[str]:
    """One sentence for each subject."""
    found = [hot_words(results) + trap_words(results), cold_words(results), durable_words(results),
             creating_words(results)]
    return [" ".join(words) for words in found if words]
