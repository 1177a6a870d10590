#!/usr/bin/env python3
"""Disturbs a cluster of three machines (tools/cluster_rig.py) while programs work, and checks what
they were told: every commit that was acknowledged is there, nobody is left without an answer, the
histories of transactions over three stores have no cycle, and `tenure db verify` finds the stores
whole.

  cluster_storm.py [--faults=200] [--commits=100000] [--each=N] [--seed=N]

Faults: programs, nodes that lead, PostgreSQL's servers, Patroni and whole machines are killed or
frozen (SIGSTOP), links are cut, disks become full, connections come that say nothing or garbage, and
nodes with the name of one that serves; a program sleeps while another node becomes the leader and
commits more than a leader remembers. Meanwhile the store is collected now and then. Ends when there
were so many faults and so many acknowledged commits; when only commits are missing, programs work
undisturbed until they are there. --each: instead, each kind of fault so many times.
`build.py cluster --storm` runs this file. Prints the seed first and at the end a table: for each kind
of fault, how long no commit was acknowledged. Exit status 1, and logs and history kept, when something
is wrong; 3 when the machine lacks something.
"""

import argparse
import collections
import os
import random
import re
import shutil
import signal
import socket
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
from cluster_machines import Machine  # noqa: E402
from cluster_rig import TENURE, Rig, await_that, run_enclosed, say  # noqa: E402

COUNTING_PROGRAMS, COUNTING_THREADS = 3, 4
HISTORY_PROGRAMS, HISTORY_THREADS, HISTORY_TRANSACTIONS = 3, 2, 60
FAULTS_OF_A_HISTORY = 25
COMMITS_OF_A_PROGRAM = 400
LONGEST_WORK_S = 3600   # for the commits that are missing after the faults
SESSION_TIMEOUT_S = 20  # else programs that were killed would keep nearly each collection from beginning
ENDED_EARLY_STATUS = 3  # both programs
UNHANDLED_STATUS = 4    # an exception: a program that cannot open its store
LONGEST_S = 240         # that a program may take to end
LONGEST_SLEEP_S = 90
# Outages that are asked for, in seconds, on a machine that does nothing else. A machine that says nothing any more is
# given up after Patroni's ttl; whoever says that it has ended is replaced at once.
KILLED_S, SILENT_S, UNDISTURBED_S = 10, 30, 2
ASKED_S = {**dict.fromkeys(("leader killed", "leader ended (SIGTERM)", "leader frozen", "primary's PostgreSQL killed",
                            "standby's PostgreSQL killed", "primary's Patroni away for 2 s",
                            "disk full, primary killed"), KILLED_S),
           **dict.fromkeys(("primary's Patroni away for 25 s", "primary's machine killed", "primary's machine frozen",
                            "primary cut off"), SILENT_S),
           **dict.fromkeys(("strangers", "name of a node taken twice"), UNDISTURBED_S)}
DISK_MB = 900            # of each PostgreSQL server
DISK_FULL_S = 12         # until somebody makes room
STRANGERS = 300          # more than a node lets in before they have said who they are
REMEMBERED = 4096        # commits, by a leader


class Wrong(Exception):
    pass


class Seat:
    """Where one program after the other runs, at some machine, until `ending`."""

    def __init__(self, storm: "Storm", command: Callable[[], List[str]], line: Callable[["Seat", str], None]):
        self.storm, self.command, self.line = storm, command, line
        self.process: Optional[subprocess.Popen] = None
        self.ending = False
        self.last: Dict[int, int] = {}  # of the program that runs: what each of its counters must be
        self.slept = False              # for so long that its last commits may be forgotten
        self.keeper = threading.Thread(target=self.keep, daemon=True)
        self.keeper.start()

    def keep(self) -> None:
        while not self.ending:
            up = [machine for machine in self.storm.rig.machines if machine not in self.storm.down]
            machine = self.storm.rng.choice(up)
            with tempfile.TemporaryFile("w+", encoding="utf-8") as messages:
                self.last, self.slept = {}, False
                self.process = machine.start(self.command(), stdout=subprocess.PIPE, stderr=messages, text=True)
                for text in self.process.stdout:
                    if text.endswith("\n"):
                        self.line(self, text.rstrip("\n"))
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
        self.seats: List[Seat] = []
        self.planned: List[Callable[[], None]] = []
        self.problems: List[str] = []
        self.early: List[str] = []
        self.killed = 0
        self.faults: Dict[str, int] = collections.Counter()
        self.collections: Dict[str, int] = collections.Counter()
        self.outages: Dict[str, List[float]] = collections.defaultdict(list)
        self.acks: List[float] = []  # when: of the counters
        self.counted: Dict[int, List[int]] = collections.defaultdict(list)
        self.unknown = self.forgotten = 0
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

    def note_count(self, seat: Seat, line: str) -> None:
        words = line.split()
        if words[0] == "ack":
            counter, value = int(words[1]), int(words[2])
            # Nobody else counts here, so a commit that the program was told has not taken place, and has, shows.
            if value != seat.last.get(counter, value - 1) + 1:
                self.problems.append(f"counter {counter}: {value} was acknowledged after {seat.last[counter]}: a "
                                     "commit that took place was told not to have")
            seat.last[counter] = value
            self.counted[counter].append(value)
            self.acks.append(time.monotonic())
        elif words[0] == "unknown":
            seat.last.pop(int(words[1]), None)
            self.note_unknown(seat)
        elif words[0] == "reason":
            self.reasons.append(line)
        else:
            self.early.append(line)

    def counting_command(self, seat: int) -> List[str]:
        return [self.counting, self.counters, str(seat * COUNTING_THREADS), str(COUNTING_THREADS),
                str(COMMITS_OF_A_PROGRAM)]

    def note_unknown(self, seat: Seat) -> None:
        if seat.slept:
            self.forgotten += 1
        else:
            self.unknown += 1

    def note_history(self, seat: Seat, line: str) -> None:
        if line.split(" ", 1)[0] in histories.KINDS:
            self.history.append(line)
        if line.startswith("unknown "):
            self.note_unknown(seat)
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
        if more > (self.killed + len(self.early) + self.unknown + self.forgotten) * COUNTING_THREADS:
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
        since = self.fault("leader frozen")
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.rng.choice([2, 7, 10]))
        process.send_signal(signal.SIGCONT)
        self.note_outage("leader frozen", since, 120)

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
        postmaster = machine.postmaster()
        since = self.fault(kind)
        os.kill(postmaster, signal.SIGKILL)
        self.note_outage(kind, since, 120)

    def kill_patroni(self) -> None:
        self.await_quorum()
        machine = self.rig.primary()
        away = self.rng.choice([2, 25])
        kind = f"primary's Patroni away for {away} s"
        since = self.fault(kind)
        self.rig.services[machine.name]["patroni"].kill()
        self.rig.services[machine.name]["patroni"].wait()
        time.sleep(away)
        self.rig.start_patroni(machine)
        self.note_outage(kind, since, 120)

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
        kind = "primary's machine frozen" if machine is self.rig.primary() else "standby's machine frozen"
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

    def fill_disk(self) -> None:
        """PostgreSQL's disk at the primary is full until somebody makes room. Then commits go on, at the latest."""
        self.await_quorum()
        machine = self.rig.primary()
        kind = f"disk full for {DISK_FULL_S} s"
        since = self.fault(kind)
        machine.fill_disk(self.rng.choice([0, 4 << 20]))
        time.sleep(DISK_FULL_S)
        machine.empty_disk()
        self.note_outage(kind, since, 120)

    def fill_disk_and_kill(self) -> None:
        """Patroni starts a server that cannot write: another machine takes over while the disk is full."""
        self.await_quorum()
        machine = self.rig.primary()
        kind = "disk full, primary killed"
        machine.fill_disk(4 << 20)
        postmaster = machine.postmaster()
        since = self.fault(kind)
        patroni = self.rig.services[machine.name]["patroni"]
        patroni.kill()
        os.kill(postmaster, signal.SIGKILL)
        patroni.wait()
        self.rig.start_patroni(machine)
        self.note_outage(kind, since, 120)
        machine.empty_disk()

    def let_strangers_in(self) -> None:
        """Connections that say nothing, or garbage, as many as a node bears and more. Meanwhile a program comes."""
        machine, _ = self.leader_node()
        since = self.fault("strangers")
        strangers = []
        try:
            for number in range(STRANGERS):
                stranger = socket.create_connection((machine.address, 7300), timeout=20)
                strangers.append(stranger)
                # A server that has heard enough of this closes the connection.
                try:
                    if number % 3 == 1:
                        stranger.sendall(self.rng.randbytes(self.rng.choice([1, 5, 1000])))
                    elif number % 3 == 2:
                        stranger.sendall(b"\x16\x03\x01\x02\x00\x01" + self.rng.randbytes(300))
                except OSError:
                    pass
            self.rng.choice(self.seats).send(signal.SIGKILL)
            self.note_outage("strangers", since, 120)
        except OSError as error:
            self.problems.append(f"the node at {machine.name} takes no connection: {error}")
        finally:
            for stranger in strangers:
                stranger.close()

    def double_name(self) -> None:
        """A node with the name of the one that leads, at another machine: it is refused."""
        machine, _ = self.leader_node()
        other = self.rng.choice([each for each in self.rig.machines if each is not machine])
        since = self.fault("name of a node taken twice")
        words = ["timeout", "-k", "1", "60", *self.rig.node_words(machine.name, other.address + ":7301")]
        ran = other.run(words)
        if ran.returncode != 3 or "serves with this node's name" not in ran.stderr:
            self.problems.append(f"a second node {machine.name} ended with status {ran.returncode}: "
                                 f"{ran.stderr[-500:]}")
        self.note_outage("name of a node taken twice", since, 120)

    def let_sleep(self) -> None:
        """A program is stopped in its commits, the leader is lost, and more commits follow than its successor keeps in
        mind. The program then asks for its own."""
        _, leader = self.leader_node()
        sleeper = self.rng.choice(self.seats[:COUNTING_PROGRAMS])
        kind = "leader lost while a program sleeps"
        since = self.fault(kind)
        sleeper.send(signal.SIGSTOP)
        leader.kill()
        leader.wait()
        before = len(self.acks)
        self.note_outage(kind, since, 120)
        end = time.monotonic() + LONGEST_SLEEP_S
        while len(self.acks) + self.working() < before + 1.1 * REMEMBERED and time.monotonic() < end:
            time.sleep(0.5)
        sleeper.slept = time.monotonic() - since > SESSION_TIMEOUT_S
        sleeper.send(signal.SIGCONT)

    def kinds(self) -> Dict[Callable[[], None], int]:
        weights = {self.kill_program: 24, self.stop_program: 8, self.kill_leader: 14, self.stop_leader: 8,
                   self.hand_over: 6, self.kill_postgres: 9, self.kill_patroni: 3, self.kill_machine: 8,
                   self.stop_machine: 5, self.let_strangers_in: 4, self.double_name: 4, self.let_sleep: 3}
        if self.links:
            weights.update({self.cut_link: 6, self.cut_pair: 6, self.fill_disk: 3, self.fill_disk_and_kill: 4})
        return weights

    def plan(self, each: int, faults: int) -> None:
        """Which faults are to come: each kind so many times; or as many as are asked for, at random."""
        weights = self.kinds()
        self.planned = [kind for kind in weights for _ in range(each)] if each else \
            self.rng.choices(list(weights), list(weights.values()), k=faults)
        self.rng.shuffle(self.planned)

    def rage(self, commits: int) -> None:
        self.run([self.counting, self.counters, "0", "0", "0"])
        while not self.problems and (self.planned or len(self.acks) + self.history_oks < commits):
            self.begin_history()
            self.seats = [Seat(self, lambda seat=i: self.counting_command(seat), self.note_count)
                          for i in range(COUNTING_PROGRAMS)]
            self.seats += [Seat(self, self.history_command, self.note_history) for _ in range(HISTORY_PROGRAMS)]
            try:
                now, self.planned = self.planned[:FAULTS_OF_A_HISTORY], self.planned[FAULTS_OF_A_HISTORY:]
                time.sleep(2)
                for fault in now:
                    if self.problems:
                        break
                    fault()
                    if self.rng.random() < 0.2:
                        self.collect()
                self.await_quorum()
                if not self.planned:
                    await_that(lambda: self.problems or len(self.acks) + self.history_oks + self.working() >= commits,
                               f"{commits} commits are acknowledged", LONGEST_WORK_S, every=1)
            except BaseException as error:
                if not isinstance(error, (Exception, SystemExit)):
                    for seat in self.seats:  # the user ends the storm
                        seat.ending = True
                        seat.send(signal.SIGKILL)
                raise
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
        if self.forgotten:
            say(f"  {self.forgotten} unknown after {SESSION_TIMEOUT_S} s away, when a session may end")
        say("  seconds without an acknowledged commit, after each kind of fault:")
        say(f"  {'fault':<40} {'times':>5} {'median':>7} {'longest':>7} {'asked for':>9}")
        for kind, number in sorted(self.faults.items()):
            times = sorted(self.outages.get(kind, []))
            shown = f"{times[len(times) // 2]:7.1f} {times[-1]:7.1f}" if times else f"{'-':>7} {'-':>7}"
            say(f"  {kind:<40} {number:>5} {shown} {ASKED_S.get(kind, '-'):>9}")
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
    parser.add_argument("--each", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    say(f"seed {arguments.seed}" + ("" if links else "; links cannot be cut by this user"))
    rig = Rig(directory, links, durable=False, session_timeout=SESSION_TIMEOUT_S, disk=DISK_MB if links else 0)
    rig.start()
    storm = Storm(rig, directory, random.Random(arguments.seed), links)
    storm.plan(arguments.each, arguments.faults)
    try:
        storm.rage(0 if arguments.each else arguments.commits)
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
    sys.exit(main("", False) if {"--help", "-h"} & set(sys.argv) else run_enclosed(main))
