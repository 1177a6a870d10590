"""Does a large store cost more than a small one: opening it, a cold fault, a commit of one object, a
look-up in a B+ tree over all, and `db gc`, `verify` and `backup` for each GB?

Stores of 1, 8 and 32 GB, made one after the other by checkpoints in bounded memory. If the disk has
no room for the largest and its backup, a smaller one takes its place, which is said. Each measuring
process begins with a store that has been dropped from the page cache, which mincore confirms. After
the collection the store must verify, and records that are looked up in the backup must be there;
otherwise the run fails.

A disk may take longer to read at random places of a large file than of a small one. So this program
reads 64 KB, as much as the store reads at once, at random places of the store's largest file; the
times of cold faults and look-ups are also told in such reads.
"""

import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from typing import Dict, List, Sequence

from bench.oo7.goals import Goal, at_most, not_measured, print_goals
from bench.support import measuring
from bench.support.lines import parts_of

SIZES_GB = [1, 8, 32]
QUICK_GB = [1, 2]
ROUNDS = 3
OPENINGS = 7  # more of them: a process opens a store once
READS, READ_BYTES = 300, 64 * 1024
# The tools run several times where that takes a moment: less often the larger the store is.
MOST_RUNS, RUNS_GB = 3, 8
# The store and its backup, with garbage, logs and the tree, for each GB of records.
DISK_FACTOR = 3.0
MEMORY = "256M"
# By figure: its unit, and how much the largest store's may be, times the smallest one's.
SINGLE = {"open": ("opening", "ms", 1.3), "fault": ("a cold fault", "us", 1.3),
          "commit": ("a commit of one object", "us", 1.3),
          "lookup": ("a look-up in the tree, cold", "us", 1.6),
          "hot_lookup": ("a look-up in the tree, hot", "us", 1.6)}
IN_READS = ("fault", "lookup")
TOOLS = {"gc": ("db gc", 1.3), "verify": ("db verify", 1.3), "backup": ("db backup", 1.3)}


def sizes_for(wanted: List[int], free_bytes: int) -> List[int]:
    """The sizes, in GB, that the disk has room for: the largest whole one takes the place of all
    that are larger."""
    most = int(free_bytes / (DISK_FACTOR * 2**30))
    return sorted({min(size, most) for size in wanted} - {0})


def room_words(wanted: List[int], sizes: List[int], free_bytes: int) -> str:
    """A sentence about the figures that were not measured; empty: all were."""
    if sizes == wanted:
        return ""
    return (f"stores of {', '.join(map(str, sizes)) or 'no'} GB instead of {', '.join(map(str, wanted))}: a store and"
            f" its backup need {max(wanted) * DISK_FACTOR:.0f} GB of disk for {max(wanted)} GB of records,"
            f" and {free_bytes / 2**30:.0f} GB are free (TMPDIR says where)")


def read_at_random(store: str, seed: int) -> float:
    """The median of some reads of the store's largest file, in microseconds."""
    chance, took = random.Random(seed), []
    largest = max((entry.stat().st_size, entry.path) for entry in os.scandir(store))[1]
    with open(largest, "rb", buffering=0) as file:
        blocks = os.fstat(file.fileno()).st_size // READ_BYTES
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        for _ in range(READS):
            at = chance.randrange(blocks) * READ_BYTES
            began = time.perf_counter()
            os.pread(file.fileno(), READ_BYTES, at)
            took.append((time.perf_counter() - began) * 1e6)
    return statistics.median(took)


class Bench:
    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.program = measuring.build_program("growth/tenure", os.path.join(directory, "growth"))
        self.memory = "@M3memory=" + MEMORY
        self.store = os.path.join(directory, "store")
        self.backup = os.path.join(directory, "backup")

    def tool(self, size: int, *words: str) -> Dict[str, float]:
        """The medians of some runs."""
        found = []
        for _ in range(min(MOST_RUNS, max(1, RUNS_GB // size))):
            measuring.remove(self.backup)
            measuring.make_cold(self.store, copies=False)
            ran = measuring.run([measuring.TENURE, "db", *words])
            found.append({"s": ran.wall_s, "processor_s": ran.cpu_s, "peak_mb": ran.peak_mb})
        return {name: statistics.median(of[name] for of in found) for name in found[0]}

    def create(self, size: int) -> Dict[str, float]:
        made = measuring.run([self.program, "create", self.store, str(size * 1024), self.memory])
        os.sync()
        return {"s": made.wall_s, "processor_s": made.cpu_s, "peak_mb": made.peak_mb}

    def run_cold(self, *words: str) -> Dict[str, List[float]]:
        """The microseconds that the program prints, by figure."""
        measuring.make_cold(self.store, copies=False)
        took: Dict[str, List[float]] = {}
        for what, numbers in parts_of(measuring.run([self.program, *words]).output):
            if what in SINGLE:
                took.setdefault(what, []).append(numbers["elapsed_us"])
        return took

    def singles(self) -> Dict[str, List[float]]:
        """The median of each process, in microseconds."""
        medians: Dict[str, List[float]] = {}
        commands = [("measure", str(number + 1)) for number in range(ROUNDS)] + [("open", "0")] * OPENINGS
        for command, number in commands:
            for what, us in self.run_cold(command, self.store, number).items():
                medians.setdefault(what, []).append(statistics.median(us))
        return medians

    def reads(self) -> List[float]:
        """The median of each round, in microseconds."""
        medians = []
        for number in range(ROUNDS):
            measuring.make_cold(self.store, copies=False)
            medians.append(read_at_random(self.store, number))
        return medians

    def measure(self, size: int) -> Dict[str, object]:
        create = self.create(size)
        gigabytes = measuring.bytes_on_disk(self.store) / 2**30
        found: Dict[str, object] = {"store_gb": gigabytes, "create": create,
                                    "singles_us": self.singles(), "reads_us": self.reads(),
                                    "tools": {}}
        tools = found["tools"]
        tools["verify"] = self.tool(size, "verify", self.store)
        tools["gc"] = self.tool(size, "gc", self.store)
        tools["backup"] = self.tool(size, "backup", self.store, self.backup)
        measuring.run([self.program, "check", self.backup, "7"])
        measuring.remove(self.backup)
        # Of the collected store; its cost has been measured above.
        measuring.run([measuring.TENURE, "db", "verify", self.store])
        measuring.remove(self.store)
        return found


def per_gb(found: Dict, tool: str) -> float:
    """Seconds for each GB of the store."""
    return found["tools"][tool]["s"] / found["store_gb"]


def reads_of(found: Dict, what: str) -> float:
    """How many reads of the disk take as long."""
    return statistics.median(found["singles_us"][what]) / statistics.median(found["reads_us"])


def goals(results: Dict) -> List[Goal]:
    sizes = sorted(results["sizes"], key=int)
    wanted = f"{SIZES_GB[-1]} GB, times {SIZES_GB[0]} GB"
    if len(sizes) < 2:
        return [not_measured(f"{about}: {wanted}", f"at most {limit:g}")
                for about, limit in [(about, limit) for about, _, limit in SINGLE.values()]
                + list(TOOLS.values())]
    least, most = (results["sizes"][size] for size in (sizes[0], sizes[-1]))
    words = f"{sizes[-1]} GB, times {sizes[0]} GB"
    found = [at_most(f"{about}: {words}",
                     statistics.median(most["singles_us"][what])
                     / statistics.median(least["singles_us"][what]), limit)
             for what, (about, _, limit) in SINGLE.items()]
    in_reads = [Goal(f"{SINGLE[what][0]}, in reads of the disk: {words}", "",
                     f"{reads_of(most, what) / reads_of(least, what):.2f}", None) for what in IN_READS]
    tools = [at_most(f"{about} for each GB: {words}", per_gb(most, tool) / per_gb(least, tool), limit)
             for tool, (about, limit) in TOOLS.items()]
    return found + in_reads + tools


def single_text(what: str, values: List[float]) -> str:
    unit = SINGLE[what][1]
    middle = statistics.median(values)
    return f"{middle / 1000:.2f} ms" if unit == "ms" else f"{middle:.2f} us"


def print_sizes(results: Dict) -> None:
    for size, found in results["sizes"].items():
        create = found["create"]
        print(f"{size} GB of records, a store of {found['store_gb']:.2f} GB, made in {create['s']:.1f} s with at most"
              f" {create['peak_mb']:.0f} MB of memory")
        for what, (about, _, _) in SINGLE.items():
            print(f"  {about:32} {single_text(what, found['singles_us'][what]):>12}")
        print(f"  {'64 KB at a random place':32} {statistics.median(found['reads_us']):9.2f} us")
        for tool, (about, _) in TOOLS.items():
            cost = found["tools"][tool]
            print(f"  {about:32} {per_gb(found, tool):8.2f} s a GB, {cost['s']:.1f} s,"
                  f" {cost['processor_s']:.1f} s of a processor, {cost['peak_mb']:.0f} MB of memory")


def bench(quick: bool = False, chosen: Sequence[int] = ()) -> None:
    """With chosen sizes, in GB, no results are written."""
    wanted = sorted(set(chosen)) or (QUICK_GB if quick else SIZES_GB)
    with tempfile.TemporaryDirectory(prefix="tenure-growth-") as directory:
        free = shutil.disk_usage(directory).free
        sizes = sizes_for(wanted, free)
        words = room_words(wanted, sizes, free)
        if words:
            print(f"growth: {words}", file=sys.stderr)
        if not sizes:
            sys.exit("growth: no store was made")
        work = Bench(directory)
        results: Dict = {"rounds": ROUNDS, "memory": work.memory, "room": words, "sizes": {}}
        for size in sizes:
            results["sizes"][str(size)] = work.measure(size)
            print(f"  {size} GB done", file=sys.stderr)
    print_sizes(results)
    print_goals(goals(results))
    if not quick and not chosen:
        print("written to " + os.path.relpath(measuring.write_results("growth", results),
                                              measuring.ROOT))
