#!/usr/bin/env python3
"""Histories of list-append transactions: each transaction appends unique values to lists, and reads
lists. A list shows the order of its appends, so the lists that were read tell which transaction came
before which. A cycle means that no order of the transactions explains what they have seen.

  histories.py FILE...                       checks recorded histories (histories/Main.m3 has the form)
  histories.py --threads=N                   records one: threads of one process
  histories.py --programs=N [--stores=2] [--stop=S] [--kill]
                                             programs that share served stores, with one of them stopped
                                             (SIGSTOP) for S seconds now and then, or killed

The edges are those of Adya, Liskov, O'Neil (Generalized Isolation Level Definitions), found as in
Kingsbury, Alvaro: Elle (VLDB 2020): ww from the appender of a value to that of the next one, wr from
the appender of the last value that was read to the reader, rw from the reader to the appender of the
next value; and time, from a transaction to each that has begun after its end. Prints what is wrong;
the exit status is then 1.
"""

import argparse
import bisect
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import commit_storm
import crash_storm
from crash_storm import HERE, TENURE, Wrong

LISTS = 400  # histories/Main.m3
ENDED_EARLY_STATUS = 3
KINDS = ("ok", "fail", "info", "final")
NEVER = float("inf")


class Operation(NamedTuple):
    append: bool
    list: int
    values: Tuple[int, ...]  # one if append


class Transaction:
    def __init__(self, kind: str, thread: int, begin: float, end: float,
                 operations: Sequence[Operation]):
        self.kind, self.thread, self.begin, self.end = kind, thread, begin, end
        self.operations = operations

    def __str__(self) -> str:
        words = [f"{'a' if o.append else 'r'}:{o.list}:{','.join(map(str, o.values[-6:]))}"
                 for o in self.operations[:8]]
        return f"{self.kind} of thread {self.thread} at {self.begin:.6f}: {' '.join(words)}"


def parse(line: str) -> Transaction:
    kind, thread, begin, end, *operations = line.split()
    parsed = []
    for text in operations:
        what, name, values = text.split(":")
        parsed.append(Operation(what == "a", int(name),
                                tuple(int(value) for value in values.split(",") if value)))
    return Transaction(kind, int(thread), float(begin), float(end), parsed)


def transaction_of(value: int) -> int:
    """The values of one transaction differ in the last digit only (histories/Main.m3)."""
    return value // 10


class History:
    """`problems`: what is wrong, each with a word for its kind in front."""

    def __init__(self, lines: Iterable[str], strict: bool = True):
        """`strict`: a transaction must not come before one that ended before it began."""
        self.problems: List[str] = []
        self.transactions = [parse(line) for line in lines]
        self.orders: Dict[int, Tuple[int, ...]] = {}   # of each list: its longest read
        self.appender: Dict[int, Transaction] = {}     # of each value
        self.failed: Dict[int, Transaction] = {}
        self.edges: Dict[Transaction, Dict[Transaction, str]] = {}
        self.find_appenders()
        self.find_orders()
        self.check_reads()
        self.check_presence()
        if not self.problems:
            self.find_edges()
            self.find_cycles(dict(self.edges), "cycle")
            if strict and not self.problems:
                self.find_cycles(self.with_time(), "cycle in time")

    def wrong(self, text: str) -> None:
        self.problems.append(text)

    def took_place(self) -> List[Transaction]:
        return [t for t in self.transactions if t.kind in ("ok", "final")]

    def find_appenders(self) -> None:
        for t in self.transactions:
            for o in t.operations:
                if o.append:
                    value = o.values[0]
                    if value in self.appender or value in self.failed:
                        raise ValueError(f"{value} is appended twice")
                    (self.failed if t.kind == "fail" else self.appender)[value] = t

    def find_orders(self) -> None:
        for t in self.took_place():
            for o in t.operations:
                if not o.append and len(o.values) >= len(self.orders.get(o.list, ())):
                    self.orders[o.list] = o.values

    def unknown(self, value: int) -> Transaction:
        """The transaction of a program that was killed before it could say anything."""
        key = -1 - transaction_of(value)
        if key not in self.failed:
            self.failed[key] = Transaction("info", -1, -NEVER, NEVER, [])
        return self.failed[key]

    def check_reads(self) -> None:
        """Each read is a part of its list's order, from the beginning, and of values that
        somebody has committed."""
        for name, order in self.orders.items():
            if len(set(order)) != len(order):
                self.wrong(f"duplicate: list {name} is {order}")
            for value in order:
                if value in self.failed:
                    self.wrong(f"aborted read: {value} in list {name}, of {self.failed[value]}")
        for t in self.took_place():
            own: Dict[int, List[int]] = {}
            for o in t.operations:
                mine = own.setdefault(o.list, [])
                if o.append:
                    mine.append(o.values[0])
                    continue
                before = o.values[:len(o.values) - len(mine)]
                if list(o.values[len(before):]) != mine:
                    self.wrong(f"internal: {t} has appended {mine} to list {o.list} before it read")
                order = self.orders[o.list]
                if before != order[:len(before)] or (not mine and o.values != order[:len(o.values)]):
                    self.wrong(f"incompatible: {t} reads list {o.list}, which was also read as "
                               f"{order[-6:]}")
                if before:
                    self.check_last(t, o.list, before)

    def check_last(self, t: Transaction, name: int, values: Tuple[int, ...]) -> None:
        """Of another transaction's values in one list, a transaction reads all or none."""
        other = self.appender.get(values[-1])
        if other is None or other is t:
            return
        all_of_it = [o.values[0] for o in other.operations if o.append and o.list == name]
        if all_of_it[-1] != values[-1]:
            self.wrong(f"intermediate read: {t} reads list {name} without the end of {all_of_it}")

    def check_presence(self) -> None:
        """The last read of all lists has what was acknowledged, and nothing in part."""
        finals = [t for t in self.transactions if t.kind == "final"]
        if not finals:
            return
        present = {value for o in finals[-1].operations for value in o.values}
        for t in self.transactions:
            appended = [o.values[0] for o in t.operations if o.append]
            missing = [value for value in appended if value not in present]
            if t.kind == "ok" and missing and t.end < finals[-1].begin:
                self.wrong(f"lost: {missing} of {t}")
            if t.kind == "info" and missing and len(missing) < len(appended):
                self.wrong(f"in part: {missing} of {t} are missing")

    # ---- the order of transactions

    def edge(self, before: Optional[Transaction], after: Optional[Transaction], kind: str) -> None:
        if before is not None and after is not None and before is not after:
            self.edges.setdefault(before, {}).setdefault(after, kind)

    def appender_of(self, value: int) -> Transaction:
        return self.appender.get(value) or self.unknown(value)

    def find_edges(self) -> None:
        for order in self.orders.values():
            for first, second in zip(order, order[1:]):
                self.edge(self.appender_of(first), self.appender_of(second), "ww")
        for t in self.took_place():
            for o in t.operations:
                if o.append:
                    continue
                order = self.orders[o.list]
                seen = sum(1 for value in o.values if self.appender_of(value) is not t)
                if seen > 0:
                    self.edge(self.appender_of(order[seen - 1]), t, "wr")
                following = next((value for value in order[seen:]
                                  if self.appender_of(value) is not t), None)
                if following is not None:
                    self.edge(t, self.appender_of(following), "rw")

    def with_time(self) -> Dict:
        """The edges, and those of time, by way of one node for each end: a node comes before the
        next one, and before what begins later."""
        edges: Dict = {t: dict(to) for t, to in self.edges.items()}
        ended = sorted((t for t in self.took_place() if t.end < NEVER), key=lambda t: t.end)
        ends = [t.end for t in ended]
        for i, t in enumerate(ended):
            edges.setdefault(t, {})[i] = "time"
            if i + 1 < len(ended):
                edges.setdefault(i, {})[i + 1] = "time"
        for t in self.transactions:
            last = bisect.bisect_left(ends, t.begin) - 1
            if last >= 0 and t.kind != "fail":
                edges.setdefault(last, {})[t] = "time"
        return edges

    def find_cycles(self, edges: Dict, what: str) -> None:
        for component in components(edges):
            cycle = shortest_cycle(edges, component)
            steps = [f"  {transaction}\n    {kind}" for transaction, kind in cycle[:20]]
            self.wrong(f"{what}, {name_of([kind for _, kind in cycle])}:\n" + "\n".join(steps))


def name_of(kinds: List[str]) -> str:
    """Adya's name of a cycle."""
    if kinds.count("rw") > 1:
        return "G2"
    if kinds.count("rw") == 1:
        return "G-single"
    return "G1c" if "wr" in kinds else "G0"


def components(edges: Dict) -> List[set]:
    """The strongly connected components with more than one node (Tarjan, without recursion)."""
    found: List[set] = []
    number: Dict = {}
    low: Dict = {}
    stack: List = []
    on_stack = set()
    for root in list(edges):
        if root in number:
            continue
        work = [(root, iter(edges.get(root, ())))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for following in successors:
                if following not in number:
                    number[following] = low[following] = len(number)
                    stack.append(following)
                    on_stack.add(following)
                    work.append((following, iter(edges.get(following, ()))))
                    break
                if following in on_stack:
                    low[node] = min(low[node], number[following])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.add(member)
                        if member is node or member == node:
                            break
                    if len(component) > 1:
                        found.append(component)
    return found


def shortest_cycle(edges: Dict, component: set) -> List[Tuple[Transaction, str]]:
    """One with as few transactions as possible, each with the kind of the edge behind it."""
    best: List[Transaction] = []
    for start in component:
        if not isinstance(start, Transaction):
            continue
        before = {start: None}
        level, length = [start], 1
        while level and (not best or length < len(best)):
            following: List = []
            for node in level:  # which grows: the nodes of time are free
                if start in edges.get(node, ()):
                    path = [node]
                    while before[path[-1]] is not None:
                        path.append(before[path[-1]])
                    best = [other for other in path[::-1] if isinstance(other, Transaction)]
                    following = []
                    break
                for other in edges.get(node, ()):
                    if other in component and other not in before:
                        before[other] = node
                        (following if isinstance(other, Transaction) else level).append(other)
            level, length = following, length + 1
    return [(a, edges[a].get(b, "time")) for a, b in zip(best, best[1:] + best[:1])]


# ---- recording

def build_program(directory: str, *options: str) -> str:
    package = os.path.join(directory, "histories-source")
    shutil.copytree(os.path.join(HERE, "histories"), package)
    program = os.path.join(directory, "histories")
    subprocess.run([TENURE, "build", package, "--faults", "-o", program, *options], check=True,
                   stdout=subprocess.DEVNULL)
    return program


class Recorder:
    def __init__(self, directory: str, program: str, stores: int, rng: random.Random):
        self.program, self.rng = program, rng
        self.stores = [os.path.join(directory, f"history-{i}") for i in range(stores)]
        for store in self.stores:
            shutil.rmtree(store, ignore_errors=True)
        self.lines: List[str] = []
        self.servers: List[commit_storm.FailingServer] = []

    def command(self, number: int, threads: int, transactions: int, *flags: str) -> List[str]:
        return [self.program, *map(str, (number, threads, transactions, self.rng.randrange(1 << 30))),
                *self.stores, *flags]

    def note(self, ran: crash_storm.Ran, statuses: Tuple[int, ...]) -> None:
        if ran.status not in statuses:
            raise Wrong(f"the program ended with status {ran.status}:\n{ran.output[-3000:]}")
        complete = ran.output[:ran.output.rfind("\n") + 1].splitlines()
        self.lines += [line for line in complete if line.split()[0] in KINDS]

    def make(self) -> None:
        """The lists; and their state before the history."""
        self.note(crash_storm.run(self.command(0, 0, 0)), (0,))
        self.lines.clear()

    def serve(self) -> None:
        self.servers = [commit_storm.FailingServer(store) for store in self.stores]
        for server in self.servers:
            while not server.ready.wait(1) and server.wrong is None:
                pass

    def stop(self) -> None:
        servers, self.servers = self.servers, []
        for server in servers:
            server.stop()

    def end(self) -> None:
        for server in self.servers:
            server.stopping = True
            server.kill()
            server.keeper.join(crash_storm.LONGEST_S)
        self.servers = []

    def finish(self) -> List[str]:
        self.note(crash_storm.run(self.command(99, 0, 0)), (0,))
        return self.lines


def record_threads(recorder: Recorder, threads: int, transactions: int, *flags: str) -> List[str]:
    recorder.make()
    recorder.note(crash_storm.run(recorder.command(1, threads, transactions, *flags)), (0,))
    return recorder.finish()


def record_programs(recorder: Recorder, programs: int, threads: int, transactions: int,
                    stops: Sequence[float] = (), kills: int = 0,
                    flags: Sequence[str] = ()) -> List[str]:
    """Programs that share served stores. One after the other, some program is stopped for each of
    `stops` seconds; then programs or servers are killed."""
    recorder.make()
    recorder.serve()
    rng = recorder.rng
    # Lines are longer than what a pipe takes at once: messages would break them.
    messages = tempfile.TemporaryFile("w+", encoding="utf-8")
    processes = [subprocess.Popen(recorder.command(1 + i, threads, transactions, *flags), text=True,
                                  stdout=subprocess.PIPE, stderr=messages)
                 for i in range(programs)]
    ended = threading.Event()

    def disturb() -> None:
        for seconds in stops:
            victim = rng.choice(processes)
            if ended.wait(rng.random() * 0.5):
                return
            victim.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            victim.send_signal(signal.SIGCONT)
        for _ in range(kills):
            if ended.wait(rng.random()):
                return
            rng.choice([*processes, *recorder.servers]).kill()

    disturber = threading.Thread(target=disturb)
    disturber.start()
    limit = threading.Timer(crash_storm.LONGEST_S, lambda: [p.kill() for p in processes])
    limit.start()
    with concurrent.futures.ThreadPoolExecutor(programs) as pool:
        outputs = list(pool.map(lambda process: process.communicate()[0], processes))
    ended.set()
    disturber.join()
    limit.cancel()
    died = sum(server.deaths for server in recorder.servers)
    recorder.stop()
    for process, output in zip(processes, outputs):
        statuses = (0, -9, ENDED_EARLY_STATUS) if kills else (0,)
        if process.returncode not in statuses:
            messages.seek(0)
            output += messages.read()
        recorder.note(crash_storm.Ran(process.returncode, 0.0, output), statuses)
    messages.close()
    if died and not kills:
        raise Wrong("a server has ended")
    return recorder.finish()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--programs", type=int, default=0)
    parser.add_argument("--stores", type=int, default=1)
    parser.add_argument("--transactions", type=int, default=200, help="of each thread")
    parser.add_argument("--stop", type=float, action="append", default=[], metavar="SECONDS")
    parser.add_argument("--kill", type=int, default=0, metavar="TIMES")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    lines: List[str] = []
    for name in arguments.files:
        with open(name, encoding="utf-8") as file:
            lines += file.read().splitlines()
    if not arguments.files:
        print(f"seed {arguments.seed}", flush=True)
        directory = crash_storm.new_directory()
        recorder = Recorder(directory, build_program(directory), arguments.stores,
                            random.Random(arguments.seed))
        try:
            if arguments.programs:
                lines = record_programs(recorder, arguments.programs, max(arguments.threads, 1),
                                        arguments.transactions, arguments.stop, arguments.kill)
            else:
                lines = record_threads(recorder, arguments.threads, arguments.transactions)
        except Wrong as wrong:
            print(wrong)
            return 1
        finally:
            recorder.end()
            shutil.rmtree(directory)
    history = History(lines)
    kinds = collections.Counter(t.kind for t in history.transactions)
    print(f"{dict(kinds)}, {sum(map(len, history.edges.values()))} edges")
    for problem in history.problems[:10]:
        print(problem)
    return 1 if history.problems else 0


if __name__ == "__main__":
    sys.exit(main())
