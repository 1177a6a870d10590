"""Programs that use a store through a page server of another process, as clients in the papers do."""

import os
import subprocess
from typing import List

from bench.support import measuring

LAB = os.path.join(measuring.BUILD, "lab", "lab")


class Served:
    """A page server on a store whose files are in no cache."""

    def __init__(self, store: str) -> None:
        measuring.make_cold(store)
        self.server = subprocess.Popen([LAB, "serve", store], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.server.stdout.readline()

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_) -> None:
        self.server.terminate()
        self.server.communicate()


def times(parts) -> List[float]:
    """Elapsed, user and system time of all parts together, us."""
    return [sum(part.numbers[name] for part in parts)
            for name in ("elapsed_us", "user_us", "system_us")]
