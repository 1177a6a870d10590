#!/usr/bin/env python3
"""Disturbs a cluster of three machines (tools/cluster_rig.py) while programs work, and checks what
they were told: every commit that was acknowledged is there, nobody is left without an answer, the
histories of transactions over three stores have no cycle, and `tenure db verify` finds the stores
whole.

  cluster_storm.py [--faults=200] [--commits=100000] [--seed=N]

Faults: programs, nodes that lead, PostgreSQL's servers, Patroni and whole machines are killed or
stopped (SIGSTOP), and links are cut. Meanwhile the store is collected now and then. Ends when there
were so many faults and so many acknowledged commits; when only commits are missing, programs work
undisturbed until they are there. `build.py cluster --storm` runs this file. Prints the seed first
and the outages at the end: how long no commit was acknowledged. Exit
status 1, and logs and history kept, when something is wrong.
"""

import argparse
import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Callable, Dict, List, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "tools"))
import histories  # noqa: E402
from cluster_machines import Machine, enclosed  # noqa: E402
from cluster_rig import TENURE, Rig, await_that, install_patroni, say  # noqa: E402

COUNTING_PROGRAMS, COUNTING_THREADS = 3, 4
HISTORY_PROGRAMS, HISTORY_THREADS, HISTORY_TRANSACTIONS = 3, 2, 60
FAULTS_OF_A_HISTORY = 25
COMMITS_OF_A_PROGRAM = 400
LONGEST_WORK_S = 3600   # for the commits that are missing after the faults
SESSION_TIMEOUT_S = 20  # else programs that were killed would keep nearly each collection from beginning
ENDED_EARLY_STATUS = 3  # both programs
UNHANDLED_STATUS = 4    # an exception: a program that cannot open its store
LONGEST_S = 240         # that a program may take to end
# Outages that are asked for, in seconds, on a machine that does nothing else.
ASKED_S = {"leader killed": 8, "leader stopped": 8, "leader ended (SIGTERM)": 8, "primary's PostgreSQL killed": 30,
           "primary's machine killed": 30}


class Wrong(Exception):
    pass


class Seat:
    """Where one program after the other runs, at some machine, until `ending`."""

    def __init__(self, storm: "Storm", command: Callable[[], List[str]], line: Callable[[str], None]):
        self.storm, self.command, self.line = storm, command, line
        self.process: Optional[subprocess.Popen] = None
        self.ending = False
        self.keeper = threading.Thread(target=self.keep)
        self.keeper.start()

    def keep(self) -> None:
        while not self.ending:
            up = [machine for machine in self.storm.rig.machines if machine not in self.storm.down]
            machine = self.storm.rng.choice(up)
            with tempfile.TemporaryFile("w+", encoding="utf-8") as messages:
                self.process = machine.start(self.command(), stdout=subprocess.PIPE, stderr=messages, text=True)
                for text in self.process.stdout:
                    if text.endswith("\n"):
                        self.line(text.rstrip("\n"))
                status = self.process.wait()
                messages.seek(0)
                said = messages.read()
            if status == -signal.SIGKILL:
                self.storm.killed += 1
            elif status == ENDED_EARLY_STATUS or (status == UNHANDLED_STATUS and "Database.Failure" in said):
                self.storm.early.append(said.strip()[-300:])
            elif status != 0:
                self.storm.problems.append(f"a program at {machine.name} ended with status {status}: {said[-2000:]}")
            time.sleep(0.05)

    def send(self, number: int) -> None:
        process = self.process
        if process is not None and process.poll() is None:
            process.send_signal(number)

    def end(self) -> None:
        self.ending = True
        self.keeper.join(LONGEST_S)
        if self.keeper.is_alive():
            self.storm.problems.append(f"a program has not ended after {LONGEST_S} s: {self.command()[:3]}")
            self.send(signal.SIGKILL)
            self.keeper.join()


class Storm:
    def __init__(self, rig: Rig, directory: str, rng: random.Random, links: bool):
        self.rig, self.directory, self.rng, self.links = rig, directory, rng, links
        self.begin = time.monotonic()
        self.down: List[Machine] = []
        self.problems: List[str] = []
        self.early: List[str] = []
        self.killed = 0
        self.faults: Dict[str, int] = collections.Counter()
        self.collections: Dict[str, int] = collections.Counter()
        self.outages: Dict[str, List[float]] = collections.defaultdict(list)
        self.acks: List[float] = []  # when: of the counters
        self.counted: Dict[int, List[int]] = collections.defaultdict(list)
        self.unknown = 0
        self.reasons: List[str] = []  # of outcomes that are unknown
        self.history: List[str] = []
        self.history_oks = self.edges = 0
        self.number = 100
        self.epoch = 0
        self.history_places: List[str] = []
        self.files = rig.certificates.issue("alice")
        self.counters = self.make_store("counters")
        self.counting = self.build(os.path.join(HERE, "cluster_storm"), "counters-program")
        self.history_program = self.build(os.path.join(HERE, "histories"), "histories-program")

    def build(self, source: str, name: str) -> str:
        package, program = os.path.join(self.directory, name + "-source"), os.path.join(self.directory, name)
        shutil.copytree(source, package)
        subprocess.run([TENURE, "build", package, "--faults", "-o", program], check=True, stdout=subprocess.DEVNULL)
        return program

    def make_store(self, name: str) -> str:
        self.rig.make_store(name, "alice")
        place = os.path.join(self.directory, "of-" + name)
        self.rig.name_store(place, name, self.files, patience=120)
        return place

    def run(self, command: List[str]) -> str:
        """The output of a program that runs at some machine when nothing is disturbed."""
        ran = self.rig.machines[0].run(command, timeout=LONGEST_S)
        if ran.returncode != 0:
            raise Wrong(f"{' '.join(command)} ended with status {ran.returncode}: {ran.stdout[-500:]}"
                        f"{ran.stderr[-2000:]}")
        return ran.stdout

    # ---- Programs

    def note_count(self, line: str) -> None:
        words = line.split()
        if words[0] == "ack":
            self.counted[int(words[1])].append(int(words[2]))
            self.acks.append(time.monotonic())
        elif words[0] == "unknown":
            self.unknown += 1
        elif words[0] == "reason":
            self.reasons.append(line)
        else:
            self.early.append(line)

    def counting_command(self, seat: int) -> List[str]:
        return [self.counting, self.counters, str(seat * COUNTING_THREADS), str(COUNTING_THREADS),
                str(COMMITS_OF_A_PROGRAM)]

    def note_history(self, line: str) -> None:
        if line.split(" ", 1)[0] in histories.KINDS:
            self.history.append(line)
        if line.startswith("unknown "):
            self.unknown += 1
            self.reasons.append(line)

    def history_command(self) -> List[str]:
        self.number += 1
        return self.history_words(self.number, HISTORY_THREADS, HISTORY_TRANSACTIONS)

    def history_words(self, number: int, threads: int, transactions: int) -> List[str]:
        return [self.history_program, *map(str, (number, threads, transactions, self.rng.randrange(1 << 30))),
                *self.history_places]

    def begin_history(self) -> None:
        self.epoch += 1
        self.history_places = [self.make_store(f"h{self.epoch}-{i}") for i in range(3)]
        self.run(self.history_words(0, 0, 0))
        self.history = []

    def working(self) -> int:
        """Commits of the history that is being made."""
        return sum(line.startswith("ok ") and " a:" in line for line in list(self.history))

    def check_history(self) -> None:
        final = [line for line in self.run(self.history_words(99, 0, 0)).splitlines() if line.startswith("final ")]
        lines = self.history + final
        checked = histories.History(lines)
        self.history_oks += sum(line.startswith("ok ") and " a:" in line for line in lines)
        self.edges += sum(len(to) for to in checked.edges.values())
        for problem in checked.problems[:3]:
            self.problems.append(problem)
        if checked.problems:
            with open(os.path.join(self.directory, "history"), "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")

    def check_counters(self) -> None:
        shown = dict(tuple(map(int, line.split()[1:])) for line in
                     self.run([self.counting, self.counters, "0", "0", "0"]).splitlines())
        for counter, values in self.counted.items():
            if len(set(values)) != len(values) or sorted(values) != values:
                self.problems.append(f"counter {counter}: two commits have made the same value")
            if shown[counter] < values[-1]:
                self.problems.append(f"lost: counter {counter} is {shown[counter]}, {values[-1]} was acknowledged")
        more = sum(shown.values()) - sum(map(len, self.counted.values()))
        # One that was killed may have committed without saying so.
        if more > (self.killed + len(self.early) + self.unknown) * COUNTING_THREADS:
            self.problems.append(f"{more} commits are there that nobody was told of; {self.killed} were killed")

    def verify(self) -> None:
        for place in [self.counters, *self.history_places]:
            self.run([TENURE, "db", "verify", place])

    # ---- Faults

    def note_outage(self, kind: str, since: float, longest: float) -> None:
        """Waits until commits are acknowledged again after the fault."""
        while True:
            times = [since, *(at for at in self.acks[-200000:] if at > since)]
            now = time.monotonic()
            gap = max((b - a for a, b in zip(times, times[1:])), default=0.0)
            settled = len(times) > 1 and now - times[-1] < 0.5
            if settled and (gap > 1.5 or now - since > 6):
                self.outages[kind].append(gap)
                if gap > ASKED_S.get(kind, gap):
                    say(f"   nothing acknowledged for {gap:.1f} s; asked for: {ASKED_S[kind]} s")
                return
            if now - since > longest:
                self.problems.append(f"{kind}: no commit was acknowledged for {longest:.0f} s")
                return
            time.sleep(0.1)

    def revive(self) -> None:
        """Starts the nodes that have ended, as a machine's service manager does."""
        for machine in self.rig.machines:
            if machine not in self.down and self.rig.services[machine.name]["node"].poll() is not None:
                self.rig.start_node(machine)

    def fault(self, kind: str) -> float:
        self.revive()
        self.faults[kind] += 1
        now = time.monotonic()
        say(f"{sum(self.faults.values())}: {kind}; {len(self.acks)} acknowledged after {now - self.begin:.1f} s")
        return now

    def await_quorum(self) -> None:
        self.revive()
        await_that(self.rig.both_count, "both standbys count", 240)

    def collect(self) -> None:
        """A collection beside everything else: it frees what nobody holds, or says who keeps it from that."""
        up = [machine for machine in self.rig.machines if machine not in self.down]
        ran = self.rng.choice(up).run([TENURE, "db", "gc", self.counters], timeout=LONGEST_S)
        self.collections["done" if ran.returncode == 0 else re.sub(r"\d+", "N", ran.stderr.strip()[-200:])] += 1
        if ran.returncode < 0 or "damaged" in ran.stderr:
            self.problems.append(f"tenure db gc ended with status {ran.returncode}: {ran.stderr[-2000:]}")

    def kill_program(self) -> None:
        self.fault("program killed")
        self.rng.choice(self.seats).send(signal.SIGKILL)
        time.sleep(self.rng.random() * 2)

    def stop_program(self) -> None:
        self.fault("program stopped")
        seat = self.rng.choice(self.seats)
        seat.send(signal.SIGSTOP)
        time.sleep(self.rng.choice([0.5, 2, 10]))
        seat.send(signal.SIGCONT)

    def leader_node(self) -> Tuple[Machine, subprocess.Popen]:
        await_that(lambda: self.rig.primary() is not None and self.rig.leader("counters") is not None,
                   "the store has a leader")
        machine = self.rig.leader("counters")
        return machine, self.rig.services[machine.name]["node"]

    def kill_leader(self) -> None:
        machine, process = self.leader_node()
        since = self.fault("leader killed")
        process.kill()
        process.wait()
        self.note_outage("leader killed", since, 120)
        self.revive()
        time.sleep(1)

    def stop_leader(self) -> None:
        _, process = self.leader_node()
        since = self.fault("leader stopped")
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.rng.choice([2, 7, 10]))
        process.send_signal(signal.SIGCONT)
        self.note_outage("leader stopped", since, 120)

    def hand_over(self) -> None:
        machine, process = self.leader_node()
        since = self.fault("leader ended (SIGTERM)")
        process.terminate()
        self.note_outage("leader ended (SIGTERM)", since, 120)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            self.problems.append(f"node {machine.name} does not end 60 s after SIGTERM")
            process.kill()
            process.wait()
        self.revive()
        time.sleep(1)

    def kill_postgres(self) -> None:
        self.await_quorum()
        machine = self.rng.choice([self.rig.primary(), self.rng.choice(self.rig.machines)])
        kind = "primary's PostgreSQL killed" if machine is self.rig.primary() else "standby's PostgreSQL killed"
        with open(os.path.join(machine.directory, "data", "postmaster.pid"), encoding="utf-8") as file:
            postmaster = int(file.readline())
        since = self.fault(kind)
        os.kill(postmaster, signal.SIGKILL)
        self.note_outage(kind, since, 120)

    def kill_patroni(self) -> None:
        self.await_quorum()
        machine = self.rig.primary()
        since = self.fault("primary's Patroni killed")
        self.rig.services[machine.name]["patroni"].kill()
        self.rig.services[machine.name]["patroni"].wait()
        time.sleep(self.rng.choice([2, 25]))
        self.rig.start_patroni(machine)
        self.note_outage("primary's Patroni killed", since, 120)

    def kill_machine(self) -> None:
        self.await_quorum()
        primary = self.rig.primary()
        machine = primary if self.rng.random() < 0.7 else self.rng.choice(self.rig.machines)
        kind = "primary's machine killed" if machine is primary else "standby's machine killed"
        self.down.append(machine)
        since = self.fault(kind)
        self.rig.kill_machine(machine)
        self.note_outage(kind, since, 120)
        if self.rng.random() < 0.25:
            self.faults["a machine replaced by an empty one"] += 1
            self.rig.replace_machine(machine)
        else:
            self.rig.start_machine(machine)
        self.down.remove(machine)

    def stop_machine(self) -> None:
        self.await_quorum()
        machine = self.rng.choice([self.rig.primary(), *self.rig.machines])
        kind = "primary's machine stopped" if machine is self.rig.primary() else "standby's machine stopped"
        since = self.fault(kind)
        machine.send(signal.SIGSTOP)
        time.sleep(self.rng.choice([3, 8, 28]))
        machine.send(signal.SIGCONT)
        self.note_outage(kind, since, 120)

    def cut_link(self) -> None:
        self.await_quorum()
        machine = self.rng.choice([self.rig.primary(), *self.rig.machines])
        kind = "primary cut off" if machine is self.rig.primary() else "standby cut off"
        since = self.fault(kind)
        machine.set_link(False)
        time.sleep(self.rng.choice([2, 6, 28]))
        machine.set_link(True)
        self.note_outage(kind, since, 120)

    def cut_pair(self) -> None:
        self.await_quorum()
        one, other = self.rng.sample(self.rig.machines, 2)
        since = self.fault("two machines cut off from each other")
        both = self.rng.random() < 0.5
        one.cut(other)
        if both:
            other.cut(one)
        time.sleep(self.rng.choice([2, 8, 15]))
        one.cut(other, off=False)
        if both:
            other.cut(one, off=False)
        self.note_outage("two machines cut off from each other", since, 120)

    def choose(self) -> Callable[[], None]:
        weights = {self.kill_program: 30, self.stop_program: 10, self.kill_leader: 18, self.stop_leader: 8,
                   self.hand_over: 6, self.kill_postgres: 9, self.kill_patroni: 3, self.kill_machine: 8,
                   self.stop_machine: 4}
        if self.links:
            weights.update({self.cut_link: 6, self.cut_pair: 6})
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def rage(self, faults: int, commits: int) -> None:
        self.run([self.counting, self.counters, "0", "0", "0"])
        while not self.problems and (sum(self.faults.values()) < faults or len(self.acks) + self.history_oks < commits):
            self.begin_history()
            self.seats = [Seat(self, lambda seat=i: self.counting_command(seat), self.note_count)
                          for i in range(COUNTING_PROGRAMS)]
            self.seats += [Seat(self, self.history_command, self.note_history) for _ in range(HISTORY_PROGRAMS)]
            try:
                last = sum(self.faults.values()) + min(FAULTS_OF_A_HISTORY, max(1, faults - sum(self.faults.values())))
                time.sleep(2)
                while sum(self.faults.values()) < last and not self.problems:
                    self.choose()()
                    if self.rng.random() < 0.2:
                        self.collect()
                self.await_quorum()
                if sum(self.faults.values()) >= faults:
                    await_that(lambda: self.problems or len(self.acks) + self.history_oks + self.working() >= commits,
                               f"{commits} commits are acknowledged", LONGEST_WORK_S, every=1)
            finally:
                enders = [threading.Thread(target=seat.end) for seat in self.seats]
                for ender in enders:
                    ender.start()
                for ender in enders:
                    ender.join()
            self.check_counters()
            self.check_history()
            self.verify()
            say(f"checked: {len(self.acks)} commits of counters, {self.history_oks} of histories, {self.edges} edges")

    def report(self) -> None:
        say(f"{sum(self.faults.values())} faults, {len(self.acks) + self.history_oks} acknowledged commits, "
            f"{self.unknown} unknown, {self.killed} programs killed, {len(self.early)} ended early")
        for kind, number in sorted(self.faults.items()):
            times = sorted(self.outages.get(kind, []))
            asked = f"; asked for: {ASKED_S[kind]} s" if kind in ASKED_S else ""
            say(f"  {number:4} {kind}" + (f": nothing acknowledged for {times[len(times) // 2]:.1f} s (median), "
                                          f"{times[-1]:.1f} s (longest{asked})" if times else ""))
        for text, number in sorted(self.collections.items()):
            say(f"  {number:4} collections: {text}")
        for text, number in collections.Counter(re.sub(r"\d+", "N", text) for text in self.early).most_common(10):
            say(f"  {number} programs ended early: {text}")
        for reason in self.reasons:
            say(f"  {reason}")


def main(directory: str, links: bool) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--commits", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    say(f"seed {arguments.seed}" + ("" if links else "; links cannot be cut by this user"))
    rig = Rig(directory, links, durable=False, session_timeout=SESSION_TIMEOUT_S)
    rig.start()
    storm = Storm(rig, directory, random.Random(arguments.seed), links)
    try:
        storm.rage(arguments.faults, arguments.commits)
    except (Wrong, SystemExit) as wrong:
        storm.problems.append(str(wrong))
    storm.report()
    if not storm.problems and not storm.unknown:
        return 0
    kept = tempfile.mkdtemp(prefix="cluster-storm-", dir="/tmp")
    for machine in rig.machines:
        for log in ("node.log", "patroni.log"):
            shutil.copy(os.path.join(machine.directory, log), os.path.join(kept, f"{machine.name}-{log}"))
    if os.path.exists(os.path.join(directory, "history")):
        shutil.copy(os.path.join(directory, "history"), kept)
    say(f"seed {arguments.seed}; logs are kept in {kept}")
    for problem in storm.problems:
        say("WRONG: " + problem)
    return 1


if __name__ == "__main__":
    if "--help" not in sys.argv and "-h" not in sys.argv:
        install_patroni()
    sys.exit(enclosed(main))
