#!/usr/bin/env python3
"""Kills a program whose threads change a database while another one commits, and checks the store
afterwards: it opens, the invariants of the threads' objects hold (the program asserts them), and
the last acknowledged commit is there, or the one in progress.

  thread_storm.py --kills=100 [--seed=N]

Most runs have flags of the run time: small nurseries and caches, other ways to record commits, to
remember and to fault. Prints the seed first. Exit status 1, and the directory kept, when something
is wrong.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
from typing import List, Optional, Tuple

from crash_storm import HERE, TENURE, Wrong, new_directory, run

FLAGS = ["@M3nursery=128K", "@M3faults=mprotect", "@M3recovery=diff", "@M3recovery=whole",
         "@M3recovery=pd-esm", "@M3recovery=wpl",
         "@M3dbcache=4M", "@M3paranoidgc", "@M3paranoiddb", "@M3gcremember=object", "@M3gcstress=3000",
         "@M3nogenerational", "@M3dbbase=random"]
VERIFY_EVERY = 10


def build_program(directory: str) -> str:
    program = os.path.join(directory, "thread_storm")
    package = os.path.join(directory, "source")
    shutil.copytree(os.path.join(HERE, "thread_storm"), package)
    subprocess.run([TENURE, "build", package, "-o", program], check=True, stdout=subprocess.DEVNULL)
    return program


def numbers(line: str) -> Tuple[int, int]:
    """The number of commits, and of changes that they have made durable."""
    _, commits, changes = line.split()
    return int(commits), int(changes)


class ThreadStorm:
    def __init__(self, directory: str, program: str):
        self.program = program
        self.store = os.path.join(directory, "store")
        self.acknowledged: Optional[Tuple[int, int]] = None

    def run(self, flags: List[str], seed: int, seconds: float, kill_after: Optional[float]) -> None:
        """Reads the output of the program, and compares the state that it found
        with the output of earlier runs."""
        command = [self.program, self.store, str(seed), str(seconds), *flags]
        ran = run(command, kill_after)
        if ran.status != (0 if kill_after is None else -9):
            raise Wrong(f"status {ran.status}: {' '.join(command)}\n{ran.output}")
        lines = ran.output[:ran.output.rfind("\n") + 1].splitlines()
        if not lines:
            return  # killed before it had opened the store
        if self.acknowledged is not None:
            found, last = numbers(lines[0]), self.acknowledged
            if found != last and found[0] != last[0] + 1:
                raise Wrong(f"commit {last[0]} of {last[1]} changes was acknowledged,"
                            f" {found[0]} of {found[1]} is found\n{' '.join(command)}")
        self.acknowledged = numbers(lines[-1])

    def verify(self) -> None:
        ran = run([TENURE, "db", "verify", self.store])
        if ran.status != 0:
            raise Wrong(f"tenure db verify: status {ran.status}\n{ran.output}")


def random_kills(storm: ThreadStorm, kills: int, rng: random.Random) -> None:
    for kill in range(kills):
        flags = rng.sample(FLAGS, rng.choice((0, 1, 1, 2)))
        storm.run(flags, rng.randrange(1000), 1000, 0.2 + rng.choice((0.3, 1, 3)) * rng.random())
        if kill % VERIFY_EVERY == VERIFY_EVERY - 1:
            storm.verify()
    storm.run([], 0, 0.2, None)
    storm.verify()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    directory = new_directory()
    storm = ThreadStorm(directory, build_program(directory))
    try:
        random_kills(storm, arguments.kills, random.Random(arguments.seed))
    except Wrong as wrong:
        print(f"{wrong}\nkept: {directory}")
        return 1
    shutil.rmtree(directory)
    print(f"{arguments.kills} kills survived; commits and changes: {storm.acknowledged}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
