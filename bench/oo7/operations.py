"""The operations of OO7 that Tenure and its peers have."""

from typing import Dict, List

from bench.support import peers
from bench.support.peers import Peer

OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T5", "T6", "T7", "T8", "T9",
              "CU", "Q1", "Q2", "Q3", "Q4", "Q5", "Q7", "Q8", "insert", "delete"]
RECORD_OPERATIONS = ["T1", "T2A", "T2B", "T2C", "T6", "T8"]


# The operations of peers that do not have all.
LESS = {"LMDB": RECORD_OPERATIONS, "PMDK": [name for name in RECORD_OPERATIONS if name != "T2C"],
        "BDB": RECORD_OPERATIONS, "SQLite": RECORD_OPERATIONS, "ZODB": RECORD_OPERATIONS,
        "EclipseStore": RECORD_OPERATIONS}
PEERS = [peer._replace(operations=LESS.get(peer.name, OPERATIONS)) for peer in peers.PEERS]

# Operations that would take many minutes, by configuration and peer. All of them are reported with
# the results.
LEFT_OUT: Dict[str, Dict[str, List[str]]] = {
    # With libpmemobj each change is written through to the disk, where there is no persistent
    # memory.
    "medium": {"PMDK": OPERATIONS},
}


def peers_for(configuration: str) -> List[Peer]:
    """The peers that take part in a configuration, with their operations."""
    left_out = LEFT_OUT.get(configuration, {})
    found = [peer._replace(operations=[operation for operation in peer.operations
                                       if operation not in left_out.get(peer.name, [])])
             for peer in PEERS]
    return [peer for peer in found if peer.operations]


def left_out_text(configuration: str) -> List[str]:
    """By peer."""
    texts = []
    for name, operations in LEFT_OUT.get(configuration, {}).items():
        does = next(peer.operations for peer in PEERS if peer.name == name)
        missing = [operation for operation in does if operation in operations]
        texts.append(f"{'all' if missing == does else ', '.join(missing)} of {name}")
    return texts
