"""The measurements that the laboratory's program prints, a JSON object a line."""

import json
from typing import Any, Dict, Iterable, List

from lab.report.fits import Samples

Row = Dict[str, Any]

# Times differ from run to run. All else must not.
TIMES = ("swizzling", "reading")  # _varies knows all other times by the ends of their names


def read(lines: Iterable[str]) -> List[Row]:
    return [json.loads(line) for line in lines if line.strip()]


def select(rows: Iterable[Row], **wanted: Any) -> List[Row]:
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def counters(rows: Iterable[Row]) -> List[Row]:
    """The parts of the output that a second run must print again."""
    return [{name: value for name, value in row.items() if not _varies(name)} for row in rows]


def _varies(name: str) -> bool:
    return (name in TIMES or name.startswith("varying_") or
            name.endswith(("_elapsed", "_processor", "_us")))


def samples(row: Row, clock: str = "us_processor", divisor: float = 1.0) -> Samples:
    return Samples([value / divisor for value in row[clock]])
