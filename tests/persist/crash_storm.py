#!/usr/bin/env python3
"""Kills a persistent program, and `tenure db gc|compact|upgrade`, again and again, at random
moments and at every write, and checks the stores afterwards:

  - the stores open, and `tenure db verify` finds nothing wrong;
  - every step that the program acknowledged is there, and the one in progress is there as a whole
    or not at all (the program in crash_storm/ makes the same steps in ordinary memory and
    compares).

  crash_storm.py --kills=2000                    at random moments, on small stores
  crash_storm.py --kills=50 --megabytes=1024     on a large one
                                                 (where all is read after every kill of a tool, which
                                                 may have written any page, and every fifth of a
                                                 program; else only what programs write, and of the
                                                 rest a page of each 128 KB)
  crash_storm.py --every-write                   instead of each write, sync, rename; also half
                                                 written, and with unsynced writes taken back

A step commits, chains or makes a checkpoint, in one database or in three of two stores, with aborted
transactions, children and collections between; see the program. Prints the seed first, and how long
the recoveries took last. Exit status 1, and the directory kept, when something is wrong.
"""

import argparse
import collections
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import Callable, List, NamedTuple, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(BUILD, "bin", "tenure")
TOOL_WITH_FAULTS = os.path.join(BUILD, "bin", "tenure-db-faults")

CRASH_STATUS = 77        # store/files/store_io.h
MISMATCH_STATUS = 5      # crash_storm/Main.m3; 4 is that of an unhandled exception
STEPS_OF_A_STORE = 400   # then a new store is begun, because comparing repeats all steps
WHOLE_EVERY = 5          # kills of a program between walks through the whole of a large store
LONGEST_S = 300          # time limit for each command, including the recovery of a large store
POLICIES = ["pd-redo", "pd-esm", "wpl", "diff", "whole"]
KINDS = ["crash", "crash-torn", "crash-unsynced", "crash-half-synced", "crash-some-synced"]

# The same cells in another order and with an additional field.
SECOND_LAYOUT = {
    "Layout.i3": """INTERFACE Layout;
TYPE Cell = REF RECORD next: Cell; extra := 7; text: TEXT; number: INTEGER; other: Cell END;
PROCEDURE Good(cell: Cell): BOOLEAN;
END Layout.
""",
    "Layout.m3": """MODULE Layout;
PROCEDURE Good(cell: Cell): BOOLEAN = BEGIN RETURN cell.extra = 7 END Good;
BEGIN END Layout.
""",
}


class Wrong(Exception):
    """A crash left a wrong state."""


class Ran(NamedTuple):
    status: int
    seconds: float
    output: str


def run(command: List[str], kill_after: Optional[float] = None) -> Ran:
    """Kills the process with SIGKILL after this many seconds."""
    start = time.monotonic()
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        killer = threading.Timer(LONGEST_S if kill_after is None else kill_after, process.kill)
        killer.start()
        output = process.stdout.read()
        status = process.wait()
        killer.cancel()
    seconds = time.monotonic() - start
    if kill_after is None and status == -9:
        raise Wrong(f"it does not end: {' '.join(command)}\n{output}")
    return Ran(status, seconds, output)


def build_programs(directory: str) -> List[str]:
    programs = []
    for name, files in (("first", {}), ("second", SECOND_LAYOUT)):
        package = os.path.join(directory, name)
        shutil.copytree(os.path.join(HERE, "crash_storm"), package)
        for file, text in files.items():
            with open(os.path.join(package, file), "w", encoding="utf-8") as out:
                out.write(text)
        program = os.path.join(directory, "storm-" + name)
        subprocess.run([TENURE, "build", package, "--faults", "-o", program], check=True,
                       stdout=subprocess.DEVNULL)
        programs.append(program)
    return programs


class Storm:
    """Two stores, the program that fits them, and the acknowledged steps."""

    def __init__(self, directory: str, programs: List[str], megabytes: int = 0):
        self.directory, self.programs, self.megabytes = directory, programs, megabytes
        self.place = os.path.join(directory, "stores")
        self.layout = 0
        self.acknowledged = 0
        self.crashed = False
        self.openings: List[int] = []  # milliseconds, after crashes
        self.policy = ""  # policy of the programs' commit records; none: the policies in turn
        self.runs = 0     # of programs

    def fresh(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        os.mkdir(self.place)
        self.acknowledged, self.layout, self.crashed = 0, 0, False

    def keep_as(self, name: str) -> None:
        shutil.rmtree(os.path.join(self.directory, name), ignore_errors=True)
        shutil.copytree(self.place, os.path.join(self.directory, name))

    def go_back_to(self, name: str) -> None:
        shutil.rmtree(self.place)
        shutil.copytree(os.path.join(self.directory, name), self.place)

    def end(self) -> None:
        """In any case, no process of the command continues."""

    def stores(self) -> List[str]:
        return [os.path.join(self.place, name) for name in ("a", "b")]

    def run(self, command: List[str], kill_after: Optional[float]) -> Ran:
        return run(command, kill_after)

    def was_crash(self, ran: Ran) -> bool:
        return ran.status in (-9, CRASH_STATUS)

    def run_program(self, steps: int, *flags: str, kill_after: Optional[float] = None) -> Ran:
        """Reads the program's acknowledgements; the state that it finds must agree
        with the earlier ones."""
        # Each run finds the state that the other one's crash has left.
        policy = self.policy or POLICIES[self.runs % len(POLICIES)]
        flags = (*flags, "@M3recovery=" + policy)
        self.runs += 1
        command = [self.programs[self.layout], self.place, str(steps)]
        if self.megabytes:
            command.append(str(self.megabytes))
        ran = self.run([*command, *flags], kill_after)
        said = ""  # changed by the program that did not fit
        if ran.status == MISMATCH_STATUS and not self.acknowledged_in(ran.output):
            # An upgrade was complete.
            said = ran.output
            self.layout = 1 - self.layout
            command[0] = self.programs[self.layout]
            ran = self.run([*command, *flags], kill_after)
        for line in ran.output.splitlines():
            words = line.split()
            if words[:1] == ["at"]:
                found = int(words[1])
                if not self.acknowledged <= found <= self.acknowledged + 1:
                    raise Wrong(f"step {self.acknowledged} was acknowledged, {found} is found")
                if self.crashed:
                    self.openings.append(int(words[2]))
                self.acknowledged = found
            elif words and words[0].isdigit():
                self.acknowledged = int(words[0])
        self.crashed = self.was_crash(ran)
        if ran.status != 0 and not self.crashed:
            raise Wrong(f"the program ended with status {ran.status}:\n{said[-2000:]}{ran.output[-2000:]}")
        return ran

    @staticmethod
    def acknowledged_in(output: str) -> bool:
        return any(line.startswith("at ") for line in output.splitlines())

    def tool(self, *words: str, kill_after: Optional[float] = None) -> Ran:
        ran = self.run([TOOL_WITH_FAULTS, *words], kill_after)
        if self.was_crash(ran):
            self.crashed = True
        elif ran.status != 0:
            raise Wrong(f"tenure db {' '.join(words)}: status {ran.status}\n{ran.output[-2000:]}")
        return ran

    def upgrade_words(self, store: str) -> List[str]:
        return ["upgrade", store, self.programs[1 - self.layout], "--drop"]

    def verify(self, whole: bool = True) -> None:
        """All databases, or all but the large one. An opening is part of either."""
        for store in self.stores():
            if os.path.exists(os.path.join(store, "FORMAT")):
                small = os.path.join(store, "other.db")
                self.tool("verify", store if whole or not os.path.exists(small)
                          else store + ":other")

    def check(self, verify_first: bool, whole: bool = True) -> None:
        """After a crash. The program compares all objects of its steps with their expected
        state, and reads one page of each block of the rest."""
        if verify_first:
            self.verify(whole)
        self.run_program(0)
        if not verify_first:
            self.verify(whole)


def random_kills(storm: Storm, kills: int, rng: random.Random) -> None:
    storm.fresh()
    if storm.megabytes:
        storm.run_program(0)
    # The duration of a whole run, so that a kill can come at any time in it; for a tool, by its
    # database.
    usual = collections.defaultdict(lambda: 0.5, {"program": 1.0})
    # Otherwise runs that are long, or become longer, would always be killed too early.
    longer = 1.5 if storm.megabytes else 1.1
    killed = 0
    while killed < kills:
        what = rng.choices(["program", "gc", "compact", "upgrade"], [10, 2, 1, 1])[0]
        if storm.acknowledged == 0:
            what = "program"
        store = rng.choice(storm.stores())
        run_of = what + " " + store if what in ("gc", "compact") else what
        moment = rng.uniform(0, 1.1 * usual[run_of])
        if what == "program":
            ran = storm.run_program(1 + rng.randrange(20), kill_after=moment)
        elif what == "upgrade":
            # Types belong to a store: a program fits only when both stores have been converted.
            words = [storm.upgrade_words(store) for store in storm.stores()]
            ran = storm.tool(*words[0], kill_after=moment)
            while ran.status == -9:
                killed += 1
                usual[run_of] *= longer
                storm.verify()
                ran = storm.tool(*words[0], kill_after=rng.uniform(0.5, 3) * usual[run_of])
            storm.tool(*words[1])
            storm.layout = 1 - storm.layout
        else:
            ran = storm.tool(what, store, kill_after=moment)
        if ran.status == -9:
            killed += 1
            usual[run_of] *= longer
            whole = not storm.megabytes or what != "program" or killed % WHOLE_EVERY == 0
            storm.check(rng.random() < 0.5, whole)
            if killed % (10 if storm.megabytes else 100) == 0:
                print(f"{killed} kills, {storm.acknowledged} steps", flush=True)
        else:
            usual[run_of] = ran.seconds
        if storm.acknowledged > STEPS_OF_A_STORE and not storm.megabytes:
            storm.fresh()
    if storm.megabytes:
        storm.check(False)
    print(f"{killed} kills at random moments survived", flush=True)


def every_write(storm: Storm, stride: int, rng: random.Random) -> None:
    """Starts from one state in which the stores need recovery, so the writes of recovery
    are tried as well."""
    storm.fresh()
    storm.run_program(25)
    storm.run_program(5, "@M3dbfail=crash:60")
    storm.check(False)
    storm.keep_as("start")
    start = storm.acknowledged
    for place in range(20, 60):
        storm.run_program(3, f"@M3dbfail=crash:{place}")
        storm.keep_as("before")
        if not is_in_doubt(storm):
            break
        storm.go_back_to("start")
        storm.acknowledged, storm.crashed = start, False
    acknowledged = storm.acknowledged
    for kind in KINDS:
        for what, policy in (("program", "diff"), ("program", "redo"), ("gc", "redo"),
                             ("compact", "diff"), ("upgrade", "redo")):
            crashes = 0
            storm.policy = policy
            at = rng.randrange(1, stride + 1)
            while True:
                storm.go_back_to("before")
                storm.acknowledged, storm.layout, storm.crashed = acknowledged, 0, True
                flag = f"@M3dbfail={kind}:{at}"
                try:
                    ran = crash_once(storm, what, flag)
                    if ran.status != CRASH_STATUS:
                        break
                    crashes += 1
                    if what == "upgrade":
                        storm.verify()
                        for store in storm.stores():
                            storm.tool(*storm.upgrade_words(store))
                        storm.layout = 1
                    storm.check(rng.random() < 0.5)
                except Wrong as wrong:
                    raise Wrong(f"{what} {flag}: {wrong}") from wrong
                at += stride
            print(f"{kind} in {what} ({policy}): {crashes} places", flush=True)
    storm.policy = ""


def tells_of_doubt(wrong: Wrong) -> bool:
    return "waits for its outcome" in str(wrong)


def is_in_doubt(storm: Storm) -> bool:
    """Whether a commit of both stores waits for its outcome, for which only a program can ask."""
    try:
        for store in storm.stores():
            storm.tool("gc", store)
    except Wrong as wrong:
        if not tells_of_doubt(wrong):
            raise
        return True
    return False


def crash_once(storm: Storm, what: str, flag: str) -> Ran:
    if what == "program":
        return storm.run_program(3, flag)
    if what == "upgrade":
        return storm.tool(*storm.upgrade_words(storm.stores()[0]), flag)
    return storm.tool(what, storm.stores()[0], flag)


def print_recoveries(storm: Storm) -> None:
    if storm.openings:
        print(f"{len(storm.openings)} recoveries of two stores: median "
              f"{statistics.median(storm.openings):.0f} ms, longest {max(storm.openings)} ms",
              flush=True)


def new_directory(place: Optional[str] = None) -> str:
    """In a file system in memory, if there is one and no place is given: a kill does not lose
    pages of files."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.mkdtemp(prefix="crash-storm-", dir=place or memory)


def parser_of(description: Optional[str]) -> argparse.ArgumentParser:
    """Takes the arguments of survive()."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--every-write", action="store_true")
    parser.add_argument("--stride", type=int, default=1, help="only each Nth write")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    return parser


def survive(storm: Storm, arguments: argparse.Namespace,
            at_every_write: Callable, at_random: Callable) -> int:
    """The exit status."""
    print(f"seed {arguments.seed}", flush=True)
    rng = random.Random(arguments.seed)
    try:
        if arguments.every_write:
            at_every_write(storm, arguments.stride, rng)
        if arguments.kills:
            at_random(storm, arguments.kills, rng)
    except Wrong as wrong:
        print(f"WRONG: {wrong}\nseed {arguments.seed}; left in {storm.directory}")
        return 1
    finally:
        storm.end()
    print_recoveries(storm)
    shutil.rmtree(storm.directory)
    return 0


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--megabytes", type=int, default=0, help="of other objects in a store")
    parser.add_argument("--dir", help="where the stores are (default: memory, if there is some)")
    arguments = parser.parse_args()
    directory = new_directory(arguments.dir)
    storm = Storm(directory, build_programs(directory), arguments.megabytes)
    return survive(storm, arguments, every_write, random_kills)


if __name__ == "__main__":
    sys.exit(main())
