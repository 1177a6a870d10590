#!/usr/bin/env python3
"""The crash storm (crash_storm.py) of stores that are served: kills the program, `tenure db gc`, or
a server, and checks the stores afterwards.

  served_storm.py --kills=100        at random moments
  served_storm.py --every-write      a server, instead of each write, sync, rename of its; the
                                     program and the collector, before and after each of their steps

A server that has ended is started again at once. A program that was in a transaction then ends with
Aborted; there must be no other effect. Prints the seed first. Exit status 1, and the directory
kept, when something is wrong.
"""

import random
import subprocess
import sys
import threading
import time
from typing import List, Optional

import crash_storm
from crash_storm import CRASH_STATUS, KINDS, LONGEST_S, TENURE, TOOL_WITH_FAULTS, Ran, Storm, Wrong

# A process has found no server and uses the store itself; it may not have written its number yet.
HELD = ("is held by process", "is in use")
# The messages of a program or tool that has lost a server: the transaction had no effect.
EXCUSES = ("aborted", "was lost", "does not answer", "cannot reach the page server", *HELD)


class Server:
    """`tenure serve` of one store; started again when it ends, until stop()."""

    crashes = (-9, CRASH_STATUS)  # statuses with which it may end before stop()

    def __init__(self, store: str, *flags: str):
        self.store = store
        self.deaths = 0
        self.wrong: Optional[str] = None
        self.lock = threading.Lock()
        self.ready = threading.Event()
        self.stopping = False
        self.process = self.start(flags)
        self.keeper = threading.Thread(target=self.keep)
        self.keeper.start()

    def start(self, flags=()) -> Optional[subprocess.Popen]:
        process = subprocess.Popen([TOOL_WITH_FAULTS, "serve", *flags, self.store], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = process.stdout.readline()
        if said.startswith("serving"):
            self.ready.set()
            return process
        said += process.stdout.read()
        process.stdout.close()
        status = process.wait()
        if status in self.crashes:  # while it recovered
            self.deaths += 1
            return self.start()
        if any(text in said for text in HELD):
            time.sleep(0.05)
            return self.start()
        self.wrong = f"tenure serve {self.store}: status {status}\n{said}"
        return None

    def keep(self) -> None:
        while self.process is not None:
            status = self.process.wait()
            self.ready.clear()
            said = self.process.stdout.read()
            self.process.stdout.close()
            with self.lock:
                if self.stopping and status == 0:
                    return
                if status not in self.crashes:
                    self.wrong = f"tenure serve {self.store}: status {status}\n{said}"
                    return
                self.deaths += 1
                if self.stopping:
                    return
                self.process = self.start()

    def kill(self) -> None:
        with self.lock:
            if self.process is not None:
                self.process.kill()

    def stop(self) -> None:
        with self.lock:
            self.stopping = True
            if self.process is not None:
                self.process.terminate()
        self.keeper.join(LONGEST_S)
        if self.wrong is not None:
            raise Wrong(self.wrong)
        if self.keeper.is_alive():
            self.process.kill()
            raise Wrong(f"tenure serve {self.store} does not end")


class ServedStorm(Storm):
    """Both stores are served while anything runs."""

    def __init__(self, directory: str, programs: List[str]):
        super().__init__(directory, programs)
        self.servers: List[Server] = []
        self.victim: Optional[int] = None  # the server to kill; None: the program
        self.deaths = 0                    # of servers, when the command began
        self.beside = False                # a collection goes on, and may win a page

    def serve(self, *flags: str) -> None:
        """Starts the servers, the first one with flags."""
        self.servers = [Server(store, *(flags if i == 0 else ()))
                        for i, store in enumerate(self.stores())]

    def stop(self) -> None:
        servers, self.servers = self.servers, []
        for server in servers:
            server.stop()

    def end(self) -> None:
        for server in self.servers:
            server.stopping = True
            server.kill()
            server.keeper.join(LONGEST_S)
        self.servers = []

    def deaths_now(self) -> int:
        return sum(server.deaths for server in self.servers)

    def run(self, command: List[str], kill_after: Optional[float]) -> Ran:
        for server in self.servers:
            while not server.ready.wait(1) and server.wrong is None:
                pass
            if server.wrong is not None:
                raise Wrong(server.wrong)
        self.deaths = self.deaths_now()
        if kill_after is None or self.victim is None:
            return crash_storm.run(command, kill_after)
        killer = threading.Timer(kill_after, self.servers[self.victim].kill)
        killer.start()
        ran = crash_storm.run(command)
        killer.cancel()
        killer.join()
        return ran

    def was_crash(self, ran: Ran) -> bool:
        if super().was_crash(ran):
            return True
        if ran.status == 0:
            return False
        last = (ran.output.splitlines() or [""])[-1]
        if self.beside and last == "aborted":
            return True
        # It ended soon after; the server may still be ending.
        end = time.monotonic() + 10
        while self.deaths_now() == self.deaths and time.monotonic() < end:
            time.sleep(0.01)
        return self.deaths_now() != self.deaths and any(excuse in last for excuse in EXCUSES)

    def look(self, rng: random.Random) -> None:
        """After a crash: checks the stores, served or not, and their
        contents."""
        alone = rng.random() < 0.5
        if alone:
            self.stop()
        self.check(rng.random() < 0.5)
        if alone:
            self.serve()


def random_kills(storm: ServedStorm, kills: int, rng: random.Random) -> None:
    storm.fresh()
    storm.serve()
    usual = {"program": 1.0, "gc": 0.5}
    kinds = {"program": 0, "gc": 0, "server": 0}
    while sum(kinds.values()) < kills:
        what = rng.choices(["program", "gc"], [4, 1])[0] if storm.acknowledged else "program"
        storm.victim = rng.choice([None, 0, 1])
        moment = rng.uniform(0, 1.1 * usual[what])
        deaths = storm.deaths_now()
        # A collection may run beside the program, which may need the pages that are being freed.
        beside = None
        if what == "program" and storm.acknowledged and rng.random() < 0.3:
            beside = subprocess.Popen([TENURE, "db", "gc", rng.choice(storm.stores())], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        storm.beside = beside is not None
        if beside is not None and rng.random() < 0.3:
            killer = threading.Timer(rng.uniform(0, usual["gc"]), beside.kill)
            killer.start()
        if what == "program":
            ran = storm.run_program(1 + rng.randrange(20), kill_after=moment)
        else:
            try:
                ran = storm.tool(what, rng.choice(storm.stores()), kill_after=moment)
            except Wrong as wrong:
                # Only a program can ask for the outcome of a commit of both stores.
                if not crash_storm.tells_of_doubt(wrong):
                    raise
                ran = storm.run_program(1, kill_after=moment)
        storm.beside = False
        if beside is not None:
            said = beside.communicate(timeout=LONGEST_S)[0]
            if beside.returncode not in (0, 3, -9):
                raise Wrong(f"tenure db gc: status {beside.returncode}\n{said}")
        killed = ran.status == -9 if storm.victim is None else storm.deaths_now() > deaths
        if killed:
            kinds[what if storm.victim is None else "server"] += 1
            usual[what] *= 1.1
            storm.victim = None
            storm.look(rng)
        else:
            usual[what] = ran.seconds
        if storm.acknowledged > crash_storm.STEPS_OF_A_STORE:
            storm.stop()
            storm.fresh()
            storm.serve()
    storm.stop()
    print(f"{kinds} kills survived", flush=True)


def every_write(storm: ServedStorm, stride: int, rng: random.Random) -> None:
    """Starts from one state in which there is garbage."""
    storm.fresh()
    storm.serve()
    storm.run_program(25)
    storm.stop()
    storm.keep_as("before")
    acknowledged = storm.acknowledged
    storm.victim = None
    for kind in ["crash-before", "crash-after", *KINDS]:
        at_server = kind in KINDS
        for what in ("program", "gc", "both"):
            crashes = 0
            at = rng.randrange(1, stride + 1) if at_server else 1
            while True:
                storm.go_back_to("before")
                storm.acknowledged, storm.crashed = acknowledged, False
                storm.serve(*(["--fail", f"{kind}:{at}"] if at_server else []))
                flags = [] if at_server else [f"@M3dbfail={kind}:{at}"]
                try:
                    if crash_once(storm, what, flags) != CRASH_STATUS and storm.deaths_now() == 0:
                        storm.stop()
                        break
                    crashes += 1
                    storm.look(rng)
                    storm.stop()
                except Wrong as wrong:
                    raise Wrong(f"{what} {kind}:{at}: {wrong}") from wrong
                at += stride if at_server else 1
            print(f"{kind} in {'a server of ' * at_server}{what}: {crashes} places", flush=True)


def crash_once(storm: ServedStorm, what: str, flags: List[str]) -> int:
    """The exit status of the process with the flags."""
    if what == "program":
        return storm.run_program(3, *flags).status
    if what == "gc":
        return storm.tool("gc", storm.stores()[0], *flags).status
    # Kills the collector while a program works, which may see a half-finished collection.
    with subprocess.Popen([TOOL_WITH_FAULTS, "gc", storm.stores()[0], *flags], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as beside:
        storm.beside = True
        storm.run_program(8)
        storm.beside = False
        said = beside.communicate(timeout=LONGEST_S)[0]
    if beside.returncode not in (0, 3, CRASH_STATUS):
        raise Wrong(f"tenure db gc: status {beside.returncode}\n{said}")
    if beside.returncode == 3:  # the collection did nothing because of the program
        return storm.tool("gc", storm.stores()[0], *flags).status
    return beside.returncode


def main() -> int:
    arguments = crash_storm.parser_of(__doc__).parse_args()
    directory = crash_storm.new_directory()
    storm = ServedStorm(directory, crash_storm.build_programs(directory))
    return crash_storm.survive(storm, arguments, every_write, random_kills)


if __name__ == "__main__":
    sys.exit(main())
