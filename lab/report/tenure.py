"""Tenure's own programs beside the systems of the papers, with each kind of write barrier."""

import os
from typing import Dict, Iterable

from bench.support import measuring
from bench.support.lines import Part

BARRIERS = {"Tenure trap": "trap", "Tenure hybrid": "hybrid", "Tenure software": "software"}


def build(package: str, folder: str, rows: Iterable[str] = tuple(BARRIERS)) -> Dict[str, str]:
    """The program of a package, a folder of the project, by the name of its row: one for each kind of barrier."""
    return {row: measuring.build_program(os.path.join(measuring.ROOT, package),
                                         os.path.join(folder, f"{package.replace('/', '-')}-{BARRIERS[row]}"),
                                         f"--barriers={BARRIERS[row]}")
            for row in rows}


def processor_us(part: Part) -> float:
    return part.numbers["user_us"] + part.numbers["system_us"]
