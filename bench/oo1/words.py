"""Describes the figures of OO1 in words. Each sentence uses measured values."""

from typing import Dict, List

from bench.oo1.measure import DURABLE, LOOKUPS, OPERATIONS, PARTS
from bench.oo7.goals import median, times
from bench.oo7.words import SAME, listed, number


def middle(results: Dict, operation: str, phase: str) -> Dict[str, float]:
    """Milliseconds by program."""
    return {who: median(ms) for who, ms in results["operations"][operation][phase].items()}


def others_words(ms: Dict[str, float]) -> str:
    """All other programs, the fastest first."""
    others = sorted((who for who in ms if not who.startswith("Tenure")), key=lambda who: ms[who])
    return ", ".join(f"{who} {ms[who] / ms['Tenure']:.2f}" for who in others)


def hot_words(results: Dict) -> List[str]:
    ratios, in_memory = {}, {}
    for operation in OPERATIONS:
        hot = results["operations"][operation]["hot"]
        ratios[operation] = times(hot["Tenure"], hot["C++"])
        in_memory[operation] = times(hot["Tenure in memory"], hot["C++"])
    words = [f"**Hot**, the commits apart, times C++ with malloc: {listed(ratios)}; of the same program"
             f" without a database: {listed(in_memory)}."]
    if ratios["lookup"] < 1:
        words.append("A lookup is a search of the index: a B+-tree of few levels here, std::map's binary tree"
                     " in C++.")
    persistent = [name for name in ratios if ratios[name] > in_memory[name] * SAME]
    if "insert" in persistent:
        faults = results["counters"]["insert"]["hot"].get("write_faults", 0)
        words.append(f"An insertion changes the parts that it leads to: {faults:.0f} pages, each copied at the"
                     " trap of its first write in the transaction.")
    return words


def cold_words(results: Dict) -> List[str]:
    words = []
    for operation in OPERATIONS:
        cold = middle(results, operation, "cold")
        whole = {who: median(ms) + cold[who] for who, ms in results["open_ms"].items()}
        words.append(f"{operation} {number(median(results['open_ms']['Tenure']))} +"
                     f" {number(cold['Tenure'])} ms (times ours: {others_words(whole)})")
    counters = results["counters"]["lookup"]["cold"]
    pages, ms = counters["pages_read"], counters["elapsed_us"] / 1000
    return ["**Cold**, the opening and the first iteration: " + "; ".join(words) + ".",
            f"A lookup of {LOOKUPS / PARTS:.0%} of the parts meets nearly every page of the index and of the parts: in"
            f" {counters['read_faults']:.0f} faults it reads {pages:.0f} pages, {counters['bytes_read'] / 1e6:.1f} MB, at"
            f" {ms / pages * 1000:.0f} us each, of which some are neighbours that nobody asks for. SQLite, whose whole"
            f" file has {results['bytes_on_disk']['SQLite'] / 1e6:.1f} MB, reads less, and translates nothing; LMDB and"
            " the mapped file read through the page cache."]


def durable_words(results: Dict) -> List[str]:
    hot = middle(results, DURABLE, "hot")
    work = middle(results, "insert", "hot")
    ours = hot["Tenure"]
    commit = results["counters"]["insert"]["commit"]
    return [f"**Durable.** An insertion with its commit takes {number(ours)} ms when hot, {1 - work['Tenure'] / ours:.0%}"
            f" of it the commit, of {commit.get('pages_written', 0):.0f} pages and"
            f" {commit.get('log_bytes', 0):.0f} bytes of log; times ours: {others_words(hot)}."]


def paragraphs(results: Dict) -> List[str]:
    """One sentence for each subject."""
    return [" ".join(words) for words in (hot_words(results), cold_words(results), durable_words(results))]
