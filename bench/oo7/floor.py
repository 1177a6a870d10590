"""The lower bound of a cold T1 of Tenure: `pread` of the same data, in the same order and from a
cold cache; 6 us for each page; and the hot traversal.

strace lists the reads from the database's file after the opening, in a run whose times do not
count. These reads are of pages of Berkeley DB's tree, each of which holds several of our pages.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, List, NamedTuple, Optional

from bench.support import measuring

PAGE_US = 6
PREAD = re.compile(r"^(\d+) +pread64\(\d+<([^>]*)>, (.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. pread64 resumed>(.*)$")
ARGUMENTS = re.compile(r", (\d+), (\d+)\) += (\d+)$")


class Read(NamedTuple):
    offset: int
    bytes: int


def reads_in(trace: str, path: str) -> List[Read]:
    """The reads of the file, in the order in which they begin."""
    found: List[Optional[Read]] = []
    begun: Dict[str, int] = {}  # by thread: the index in `found` of its current read
    for line in trace.splitlines():
        pread, resumed = PREAD.match(line), RESUMED.match(line)
        if pread and pread.group(2) == path:
            begun[pread.group(1)] = len(found)
            found.append(None)
        thread = (pread or resumed).group(1) if pread or resumed else None
        arguments = ARGUMENTS.search(line)
        if thread in begun and arguments:
            found[begun.pop(thread)] = Read(int(arguments.group(2)), int(arguments.group(3)))
    return [read for read in found if read and read.bytes > 0]


class Floor:
    """The reads of the store at `store`; None and a message if strace cannot be used."""

    def __init__(self, program: str, store: str) -> None:
        self.file = os.path.join(store, "main.db")
        self.cold_us: List[float] = []
        self.cached_us: List[float] = []
        self.reads: List[Read] = []
        if shutil.which("strace") is None:
            print("oo7: the floor of cold T1 is not measured: there is no strace", file=sys.stderr)
            return
        opening = self.traced([program, "measure", store, "T1", "one", "0", "0"])
        everything = self.traced([program, "measure", store, "T1", "one", "0", "1"])
        self.reads = [read for read in everything if read not in opening]

    def traced(self, command: List[str]) -> List[Read]:
        with tempfile.NamedTemporaryFile("r") as trace:
            ran = subprocess.run(["strace", "-f", "-y", "-s", "0", "-e", "trace=pread64", "-o",
                                  trace.name, *command], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
            if ran.returncode != 0:
                print(f"oo7: the floor of cold T1 is not measured: {ran.stderr}", file=sys.stderr)
                return []
            return reads_in(trace.read(), os.path.realpath(self.file))

    def measure(self) -> None:
        """Once cold, and once with the whole file in the page cache."""
        if self.reads:
            measuring.make_cold(self.file)
            self.cold_us.append(self.pread_us())
            self.cached_us.append(self.pread_us())

    def pread_us(self) -> float:
        ran = subprocess.run([os.path.join(measuring.BUILD, "bench", "pread_times"), self.file],
                             input="".join(f"{at} {size}\n" for at, size in self.reads), text=True,
                             stdout=subprocess.PIPE, check=True)
        words = ran.stdout.split()
        return float(words[words.index("elapsed_us") + 1])

    def results(self, pages: float) -> Dict[str, object]:
        """The bound for a T1 that needs `pages` of our pages."""
        if not self.reads:
            return {}
        return {"reads": len(self.reads), "bytes": sum(read.bytes for read in self.reads),
                "pages": int(pages), "pages_ms": pages * PAGE_US / 1000,
                "pread_ms": [us / 1000 for us in self.cold_us],
                "cached_pread_ms": [us / 1000 for us in self.cached_us]}
