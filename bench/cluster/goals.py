"""The goals of stores in a cluster, from the file that cluster/measure.py writes."""

from typing import Dict, List

from bench.oo7.goals import Goal, at_least, at_most, not_measured

HOT_T1 = 1.15       # times C++ with malloc
OF_LINEAR = 0.9     # commits of 8 stores with 2 ms more, times 8 times those of one
# Processor time of a commit, times that with one store: flat but for what neighbouring measurements differ by.
FLAT = 1.1


def goals(results: Dict) -> List[Goal]:
    hot, near, far = results["hot T1"], results["stores, 0 ms"], results["stores, 2 ms"]
    about = "hot T1 over the cluster, times C++ with malloc"
    found = [at_most(about, min(hot["cluster_ms"]) / hot["malloc_ms"], HOT_T1) if hot["malloc_ms"] else
             not_measured(about, f"at most {HOT_T1:g}"),
             at_most("messages of a hot T1", hot["messages"] / hot["transactions"], 0),
             at_most("pages that hot T1 asks for", hot["faults"], 0)]
    most = max(row["programs"] for row in near)
    found += [at_most(f"processor time of a commit with {row['programs']} stores, times that with one",
                      row["cpu_ms"] / near[0]["cpu_ms"], FLAT) for row in near if row["programs"] == most]
    found += [at_least(f"commits of {row['programs']} stores with 2 ms more, of linear", row["of_linear"], OF_LINEAR)
              for row in far if row["programs"] == most]
    return found
