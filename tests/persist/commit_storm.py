#!/usr/bin/env python3
"""Kills programs whose many threads commit transactions of their own, and checks the store afterwards:
every commit that was acknowledged is there, at its place in the one order of all commits; whatever an
acknowledged read-only transaction has seen is there; no commit is there in part, and none that was
reported as aborted.

  commit_storm.py --kills=100        at random moments
  commit_storm.py --every-write      instead of each write, sync, rename; also half written, and with
                                     unsynced writes taken back; and with writes and syncs that fail,
                                     and on a disk whose syncs have lied: then the store holds all
                                     commits up to one of them, or says that it is damaged
  commit_storm.py --served ...       the same of programs that share a served store; the victim is one
                                     of the programs, or the server
  commit_storm.py --barriers ...     the same of programs that are built with --barriers=software

The program in commit_storm/ says what a step is and what it prints. Prints the seed first. Exit
status 1, and the directory kept, when something is wrong.
"""

import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from typing import Dict, List, Optional, Set, Tuple

import crash_storm
import served_storm
from crash_storm import CRASH_STATUS, HERE, ROOT, TENURE, Ran, Wrong

THREADS = 64
PROGRAMS = 4             # of a served store
MOST_TICKETS = 20        # commit_storm/Main.m3
ENDED_EARLY_STATUS = 3   # commit_storm/Main.m3
STEPS_OF_A_STORE = 20000  # then a new store is begun, because a check repeats all steps
FLAGS = ["@M3nursery=128K", "@M3faults=mprotect", "@M3recovery=diff", "@M3recovery=whole",
         "@M3recovery=pd-esm", "@M3recovery=wpl", "@M3memory=24M", "@M3twins=64K", "@M3readahead=1",
         "@M3opentogether=1", "@M3stayopen=off",
         "@M3dbcache=4M", "@M3paranoidgc", "@M3paranoiddb", "@M3dbbase=random"]
# Of a program with software barriers.
FLAGS_OF_BARRIERS = ["@M3recovery=sd", "@M3recovery=sl", "@M3recovery=sd @M3block=8", "@M3recovery=sl @M3block=16",
                     "@M3paranoidbarriers"]


def fault_points() -> List[str]:
    with open(os.path.join(ROOT, "store", "faults", "fail_points.def"), encoding="utf-8") as file:
        return re.findall(r'^TN_FAIL_POINT\(\w+, "([\w-]+)"', file.read(), re.MULTILINE)


# Ends of the process at an operation on a file; the crashes at steps of a commit are others.
CRASHES = [point for point in fault_points()
           if point.startswith("crash") and point not in ("crash-before", "crash-after")
           and not point.endswith("lied")]
LIES = [point for point in fault_points() if point.endswith("lied")]
DAMAGE = re.compile(r"is damaged|has lost|damaged or incomplete|tenure db salvage")
FAILURES = ["io-error", "io-nospace"]


def build_program(directory: str, *options: str) -> str:
    program = os.path.join(directory, "commit_storm" + "".join(options))
    package = os.path.join(directory, "source")
    shutil.copytree(os.path.join(HERE, "commit_storm"), package, dirs_exist_ok=True)
    subprocess.run([TENURE, "build", package, "--faults", "-o", program, *options], check=True,
                   stdout=subprocess.DEVNULL)
    return program


class CommitStorm:
    """A store, or two, and what programs have said about them since the last check."""

    def __init__(self, directory: str, program: str, stores: int = 1, barriers: bool = False):
        self.directory, self.program = directory, program
        self.flags = FLAGS + FLAGS_OF_BARRIERS if barriers else FLAGS
        self.stores = [os.path.join(directory, name) for name in ("store", "second")[:stores]]
        self.count = 0     # steps in the store, at the last check
        self.total = 0     # of all stores
        self.acknowledged: Dict[int, Tuple[int, int]] = {}  # thread and number, by position
        self.seen = 0      # the highest position that somebody relies on
        self.aborted: Set[Tuple[int, int]] = set()  # and not done again: threads and numbers

    def fresh(self) -> None:
        for store in self.stores:
            shutil.rmtree(store, ignore_errors=True)
        self.total += self.count
        self.count = 0
        self.forget()

    def forget(self) -> None:
        self.acknowledged, self.seen, self.aborted = {}, 0, set()

    def end(self) -> None:
        """In any case, no process of the storm continues."""

    def command(self, since: int, first: int, threads: int, steps: int, seed: int,
                flags: List[str]) -> List[str]:
        return [self.program, self.stores[0], *map(str, (since, first, threads, steps, seed)),
                *self.stores[1:], *flags]

    def note(self, ran: Ran, may_end_early: bool) -> None:
        """Reads the output of a program that has worked."""
        if ran.status not in (0, -9, CRASH_STATUS) and not (
                may_end_early and ran.status == ENDED_EARLY_STATUS):
            raise Wrong(f"the program ended with status {ran.status}:\n{ran.output[-3000:]}")
        for line in ran.output[:ran.output.rfind("\n") + 1].splitlines():
            words = line.split()
            step = tuple(map(int, words[1:3])) if words[0] in ("ack", "aborted", "again") else None
            if words[0] == "ack":
                position = int(words[3])
                if position in self.acknowledged:
                    raise Wrong(f"two commits at {position}: {self.acknowledged[position]} and {step}")
                self.acknowledged[position] = step
                self.seen = max(self.seen, position)
            elif words[0] == "saw":
                self.seen = max(self.seen, int(words[2]))
            elif words[0] == "aborted":
                self.aborted.add(step)
            elif words[0] == "again":
                self.aborted.discard(step)

    def found(self, ran: Ran) -> Tuple[int, Dict[int, Tuple[int, int]]]:
        """The number of steps that a check has found, and those that it lists, by position."""
        lines = [line.split() for line in ran.output.splitlines()]
        if ran.status != 0 or not lines or lines[0][0] != "found":
            raise Wrong(f"a check ended with status {ran.status}:\n{ran.output[-3000:]}")
        return int(lines[0][1]), {int(words[1]): (int(words[2]), int(words[3]))
                                  for words in lines[1:] if words[0] == "entry"}

    def check(self, *flags: str) -> bool:
        """Compares the store with what programs have said. False: it ended at a planned crash."""
        ran = crash_storm.run(self.command(self.count, 0, 0, 0, 0, list(flags)))
        if flags and ran.status == CRASH_STATUS:
            return False
        count, entries = self.found(ran)
        if count < max(self.seen, self.count):
            raise Wrong(f"{max(self.seen, self.count)} steps were acknowledged or seen, "
                        f"{count} are found")
        for position, step in self.acknowledged.items():
            if entries.get(position) != step:
                raise Wrong(f"step {step} was acknowledged at {position}, where the store has "
                            f"{entries.get(position)}")
        unknown: Dict[int, int] = {}
        for position, (thread, number) in entries.items():
            if (thread, number) in self.aborted:
                raise Wrong(f"step {(thread, number)} was aborted, and is found at {position}")
            if position not in self.acknowledged:
                unknown[thread] = unknown.get(thread, 0) + 1
                if unknown[thread] > MOST_TICKETS:
                    raise Wrong(f"{unknown[thread]} steps of thread {thread} were not acknowledged")
        self.count = count
        self.forget()
        if count > STEPS_OF_A_STORE:
            self.fresh()
        return True

    def check_after_lies(self) -> str:
        """After a crash on a disk whose syncs have lied: "all" is there, or an "older" state, all
        steps up to one of them, or the store is "damaged" and says so. A new store is begun."""
        ran = crash_storm.run(self.command(0, 0, 0, 0, 0, []))
        if ran.status > 0 and "wrong" not in ran.output and DAMAGE.search(ran.output):
            outcome = "damaged"
            self.salvage()
        else:
            count, entries = self.found(ran)
            outcome = "all" if count >= self.seen else "older"
            for position, step in entries.items():
                if step in self.aborted or self.acknowledged.get(position, step) != step:
                    raise Wrong(f"step {step} is at {position}, and should not be")
            self.verify()
        self.fresh()
        return outcome

    def salvage(self) -> None:
        """What is damaged can be salvaged, or the command says that nothing can."""
        for store in self.stores:
            to = store + "-salvaged"
            ran = crash_storm.run([TENURE, "db", "salvage", store, to])
            if ran.status < 0 or (ran.status != 0 and not ran.output):
                raise Wrong(f"tenure db salvage: status {ran.status}\n{ran.output}")
            if ran.status == 0 and os.path.exists(to):
                ran = crash_storm.run([TENURE, "db", "verify", to])
                if ran.status != 0:
                    raise Wrong(f"tenure db verify after salvage: {ran.status}\n{ran.output}")
            shutil.rmtree(to, ignore_errors=True)

    def check_after_crash(self, rng: random.Random) -> None:
        """Sometimes another crash comes while the store recovers."""
        while rng.random() < 0.3 and not self.check(f"@M3dbfail={rng.choice(CRASHES)}:"
                                                    f"{rng.randrange(1, 40)}"):
            pass
        self.check()

    def verify(self) -> None:
        for store in self.stores:
            # On a busy machine all programs may have been killed before they made it.
            if self.count == 0 and not os.path.exists(store):
                continue
            ran = crash_storm.run([TENURE, "db", "verify", store])
            if ran.status != 0:
                raise Wrong(f"tenure db verify: status {ran.status}\n{ran.output}")

    def work(self, rng: random.Random, steps: int, flags: List[str],
             kill_after: Optional[float] = None) -> Ran:
        fails = any("dbfail" in flag for flag in flags)
        ran = crash_storm.run(self.command(-1 if self.count else 0, 0, THREADS, steps,
                                           rng.randrange(1 << 30), flags), kill_after)
        self.note(ran, fails)
        return ran

    def crash_at(self, rng: random.Random, fault: str) -> bool:
        """Works until the fault. False: the fault's place was not reached."""
        return self.work(rng, 1, [f"@M3dbfail={fault}", *self.random_flags(rng)]).status == CRASH_STATUS

    def random_flags(self, rng: random.Random) -> List[str]:
        chosen = rng.sample(self.flags, rng.choice((0, 0, 1, 2)))
        return [flag for flags in chosen for flag in flags.split()]


class FailingServer(served_storm.Server):
    """A server whose store may fail: it says so, ends, and is started again."""

    crashes = (-9, CRASH_STATUS, 3)


class ServedCommitStorm(CommitStorm):
    """The first store is served, and several programs with a part of the threads each work at the same
    time."""

    def __init__(self, directory: str, program: str, barriers: bool = False):
        super().__init__(directory, program, barriers=barriers)
        self.server: Optional[served_storm.Server] = None

    def serve(self, *flags: str) -> None:
        self.server = FailingServer(self.stores[0], *flags)

    def stop(self) -> None:
        server, self.server = self.server, None
        if server is not None:
            server.stop()

    def end(self) -> None:
        if self.server is not None:
            self.server.stopping = True
            self.server.kill()
            self.server.keeper.join(crash_storm.LONGEST_S)
            self.server = None

    def work_together(self, rng: random.Random, steps: int, victim: Optional[int] = None,
                      kill_after: float = 0, server_flags: Tuple[str, ...] = ()) -> int:
        """`victim`: the number of a program, or PROGRAMS for the server. Returns how often the
        server has ended."""
        each = THREADS // PROGRAMS
        self.serve(*server_flags)
        server = self.server
        assert server is not None
        while not server.ready.wait(1) and server.wrong is None:
            pass
        commands = [self.command(-1 if self.count else 0, i * each, each, steps,
                                 rng.randrange(1 << 30), self.random_flags(rng))
                    for i in range(PROGRAMS)]
        killer = threading.Timer(kill_after, server.kill)
        if victim == PROGRAMS:
            killer.start()
        with concurrent.futures.ThreadPoolExecutor(PROGRAMS) as pool:
            results = list(pool.map(
                lambda i: crash_storm.run(commands[i], kill_after if victim == i else None),
                range(PROGRAMS)))
        killer.cancel()
        self.stop()
        for ran in results:
            self.note(ran, server.deaths > 0 or server_flags != ())
        return server.deaths

    def crash_at(self, rng: random.Random, fault: str) -> bool:
        """One program with all threads works with a server that ends at the fault and is not started
        again, or does not come to the fault."""
        server = subprocess.Popen([served_storm.TOOL_WITH_FAULTS, "serve", "--fail", fault,
                                   self.stores[0]], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        assert server.stdout is not None
        said = server.stdout.readline()
        if said.startswith("serving"):
            ran = crash_storm.run(self.command(-1, 0, THREADS, 1, rng.randrange(1 << 30),
                                               self.random_flags(rng)))
            # The program opens the store itself when it comes after the server's end.
            if ran.status in (0, ENDED_EARLY_STATUS) or not DAMAGE.search(ran.output):
                self.note(ran, True)
            server.terminate()
        said += server.stdout.read()
        server.stdout.close()
        if server.wait() not in (0, CRASH_STATUS):
            raise Wrong(f"tenure serve --fail {fault}: status {server.returncode}\n{said}")
        return True

    def check_after_crash(self, rng: random.Random) -> None:
        if rng.random() < 0.5:
            super().check_after_crash(rng)
        else:
            self.serve()
            self.check()
            self.stop()


def random_kills(storm: CommitStorm, kills: int, rng: random.Random) -> None:
    storm.fresh()
    longest = 0.4
    for kill in range(kills):
        storm.work(rng, 1 << 30, storm.random_flags(rng), 0.05 + longest * rng.random())
        storm.check_after_crash(rng)
        if kill % 10 == 9:
            storm.verify()
            longest = rng.choice((0.2, 0.5, 2))
    storm.verify()
    print(f"{kills} kills at random moments survived, {storm.total + storm.count} steps", flush=True)


def every_write(storm: CommitStorm, stride: int, rng: random.Random) -> None:
    for kind in CRASHES:
        storm.fresh()
        storm.work(rng, 1, [])
        storm.check()
        at, crashes = rng.randrange(1, stride + 1), 0
        while True:
            flag = f"@M3dbfail={kind}:{at}"
            try:
                ran = storm.work(rng, 1, [flag, *storm.random_flags(rng)])
                storm.check_after_crash(rng)
            except Wrong as wrong:
                raise Wrong(f"{flag}: {wrong}") from wrong
            if ran.status != CRASH_STATUS:
                break
            crashes += 1
            at += stride
        storm.verify()
        print(f"{kind}: {crashes} places", flush=True)
    for kind in FAILURES:
        storm.fresh()
        early = 0
        for at in range(rng.randrange(1, stride + 1), 300, stride):
            flag = f"@M3dbfail={kind}:{at}"
            try:
                ran = storm.work(rng, 1, [flag, *storm.random_flags(rng)])
                early += ran.status != 0
                storm.check_after_crash(rng)
            except Wrong as wrong:
                raise Wrong(f"{flag}: {wrong}") from wrong
        storm.verify()
        print(f"{kind}: {early} programs ended early", flush=True)


def lying_syncs(storm: CommitStorm, stride: int, rng: random.Random) -> None:
    for kind in LIES:
        storm.fresh()
        outcomes = {"all": 0, "older": 0, "damaged": 0}
        at = rng.randrange(1, stride + 1)
        while at < 500:
            fault = f"{kind}:{at}"
            try:
                storm.work(rng, 1, [])
                storm.check()
                if not storm.crash_at(rng, fault):
                    break
                outcomes[storm.check_after_lies()] += 1
            except Wrong as wrong:
                raise Wrong(f"{fault}: {wrong}") from wrong
            at += stride
        print(f"{kind}: {outcomes}", flush=True)


def served_random_kills(storm: ServedCommitStorm, kills: int, rng: random.Random) -> None:
    storm.fresh()
    killed = {"server": 0, "program": 0}
    storm.work(rng, 1, [])
    storm.check()
    usual = 1.0
    while sum(killed.values()) < kills:
        victim = rng.choice([PROGRAMS, rng.randrange(PROGRAMS)])
        start = time.monotonic()
        deaths = storm.work_together(rng, rng.choice((2, 5)), victim, usual * rng.random())
        usual = max(time.monotonic() - start, 0.2)
        killed["server" if victim == PROGRAMS else "program"] += (
            deaths > 0 if victim == PROGRAMS else 1)
        storm.check_after_crash(rng)
    storm.verify()
    print(f"{killed} kills survived, {storm.total + storm.count} steps", flush=True)


def served_every_write(storm: ServedCommitStorm, stride: int, rng: random.Random) -> None:
    for kind in [*CRASHES, *FAILURES]:
        storm.fresh()
        storm.work(rng, 1, [])
        storm.check()
        at, crashes = rng.randrange(1, stride + 1), 0
        while at < 500:
            flags = ("--fail", f"{kind}:{at}")
            try:
                crashes += storm.work_together(rng, 3, server_flags=flags)
                storm.check_after_crash(rng)
            except Wrong as wrong:
                raise Wrong(f"{flags}: {wrong}") from wrong
            at += stride
        storm.verify()
        print(f"{kind} in the server: {crashes} times", flush=True)


def with_lying_syncs(function):
    """The function, and then lying syncs, for crash_storm.survive."""
    def both(storm, stride, rng):
        function(storm, stride, rng)
        if len(storm.stores) == 1:
            lying_syncs(storm, stride, rng)
    return both


def main() -> int:
    parser = crash_storm.parser_of(__doc__)
    parser.add_argument("--served", action="store_true")
    parser.add_argument("--barriers", action="store_true")
    parser.add_argument("--stores", type=int, default=1, choices=(1, 2), help="of a program alone")
    arguments = parser.parse_args()
    directory = crash_storm.new_directory()
    program = build_program(directory, *(["--barriers=software"] if arguments.barriers else []))
    storm: CommitStorm
    if arguments.served:
        storm = ServedCommitStorm(directory, program, arguments.barriers)
        functions = (with_lying_syncs(served_every_write), served_random_kills)
    else:
        storm = CommitStorm(directory, program, arguments.stores, arguments.barriers)
        functions = (with_lying_syncs(every_write), random_kills)
    return survive(storm, arguments, *functions)


def survive(storm, arguments, at_every_write, at_random) -> int:
    storm.openings = []  # for crash_storm
    return crash_storm.survive(storm, arguments, at_every_write, at_random)


if __name__ == "__main__":
    sys.exit(main())
