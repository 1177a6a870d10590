"""Tenure's own programs beside the systems of the papers, with each kind of write barrier."""

import os
from typing import Dict

from bench.support import measuring
from bench.support.lines import Part

BARRIERS = {"Tenure trap": "trap", "Tenure hybrid": "hybrid", "Tenure software": "software"}


def build(package: str, folder: str) -> Dict[str, str]:
    """The program of a package of lab/, by the name of its row, for each kind of barrier."""
    return {name: measuring.build_program(os.path.join(measuring.ROOT, "lab", package),
                                          os.path.join(folder, f"{package.replace(os.sep, '-')}-{barriers}"),
                                          f"--barriers={barriers}")
            for name, barriers in BARRIERS.items()}


def processor_us(part: Part) -> float:
    return part.numbers["user_us"] + part.numbers["system_us"]
