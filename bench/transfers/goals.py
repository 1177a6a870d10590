"""The goals of transfers, from the file that transfers/measure.py writes."""

from typing import Dict, List

from bench.oo7.goals import Goal, at_least, at_most, median, not_measured
from bench.transfers.measure import (ROCKSDB, SERVED, SOFTWARE, SOFTWARE_SERVED, SOFTWARE_TICKETS, TICKETS,
                                     TRAP, row)

# One thread made this many before commits were made in groups, on the machine of the results.
ONE_THREAD_PER_S = 6700
# As many by Zipf's law as uniformly: neighbouring measurements differ by this much.
AS_MANY = 0.95
LIMITS = {  # times RocksDB with 64 threads
    (TRAP, 64): 2, (SOFTWARE, 64): 3.7, (TICKETS, 4): None, (SOFTWARE_TICKETS, 4): 6}


def goals(results: Dict) -> List[Goal]:
    rows = results["rows"]

    def rates(system: str, threads: int, programs: int = 1, distribution: str = "uniform"):
        return rows.get(row(system, threads, programs).name, {}).get(distribution, {}).get("per_s")

    def ratio(about: str, ours, theirs, limit) -> Goal:
        goal = "" if limit is None else at_least(about, limit, limit).goal
        if not ours or not theirs:
            return not_measured(about, goal)
        found = median(ours) / median(theirs)
        return Goal(about, "", f"{found:.2f}", None) if limit is None else at_least(about, found, limit)

    found = []
    best = rates(ROCKSDB, 64)
    limits = dict(LIMITS)
    if not rates(SOFTWARE_TICKETS, 4):
        limits[(TICKETS, 4)] = limits.pop((SOFTWARE_TICKETS, 4))
    for (system, threads), limit in limits.items():
        found.append(ratio(f"{row(system, threads).name}, times RocksDB with 64 threads",
                           rates(system, threads), best, limit))
    for (system, threads), limit in LIMITS.items():
        ours = rates(system, threads)
        if ours:
            found.append(ratio(f"{row(system, threads).name}, by Zipf's law, times uniformly",
                               rates(system, threads, distribution="zipf"), ours, AS_MANY))
    found.append(ratio("RocksDB, 64 threads, by Zipf's law, times uniformly",
                       rates(ROCKSDB, 64, distribution="zipf"), best, None))
    for system in (SERVED, SOFTWARE_SERVED):
        if system == SERVED or rates(system, 1, 16):
            found.append(ratio(f"{row(system, 1, 16).name}, times one", rates(system, 1, 16),
                               rates(system, 1), 5))
    about = "Tenure, 1 thread, transfers a second"
    one = rates(TRAP, 1)
    found.append(at_least(about, median(one), ONE_THREAD_PER_S)._replace(found=f"{median(one):.0f}")
                 if one else not_measured(about, f"at least {ONE_THREAD_PER_S}"))
    for threads in (1, 64):
        about = f"software barriers, {threads} thread{'s' if threads > 1 else ''}: processor time, times traps"
        ours, theirs = (rows.get(row(system, threads).name, {}).get("uniform", {}).get("processor_us")
                        for system in (SOFTWARE, TRAP))
        found.append(at_most(about, median(ours) / median(theirs), 0.5) if ours and theirs
                     else not_measured(about, "at most 0.5"))
    return found
