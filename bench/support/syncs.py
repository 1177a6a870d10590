"""Counts the calls with which programs make their files durable, by a library that is loaded before
theirs (bench/support/preload/count_syncs.cc)."""

import mmap
import os
import shutil
import struct
from typing import Dict

from bench.support import measuring


LIBRARY = os.path.join(measuring.BUILD, "bench", "count_syncs.so")


class Syncs:
    """`environment` makes a program and all that it starts count; the folder must be one that they
    all reach."""

    def __init__(self, folder: str, built: str = LIBRARY) -> None:
        # Where a server that runs as another user reaches the library, too.
        library = os.path.join(folder, "loaded.so")
        shutil.copy(built, library)
        os.chmod(library, 0o755)
        path = os.path.join(folder, "syncs")
        with open(path, "wb") as file:
            file.write(bytes(8))
        os.chmod(path, 0o666)
        with open(path, "r+b") as file:
            self.counter = mmap.mmap(file.fileno(), 8)
        self.environment: Dict[str, str] = {"LD_PRELOAD": library, "BENCH_SYNCS": path}

    def count(self) -> int:
        return struct.unpack("<Q", self.counter[:])[0]
