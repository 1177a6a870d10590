#!/usr/bin/env python3
"""What do a store of a cluster (tools/cluster_rig.py) and a store in a directory cost, in one run?

  hot T1 of OO7 beside C++ with malloc; what it asks the leader for, and how many messages it sends
  commits of one object, and T2A with its commit, by 1 to 8 programs: a program alone, through `tenure serve`,
  and over the cluster: median, 95th percentile, commits per second, processor time of all processes for one
  cold T1 with 0, 0.5 and 2 ms more for each round trip between program and leader
  commits of one object by as many programs as stores, 1 to 8, without and with 2 ms more

All machines of the cluster share this machine's processors and disk. --quick: few commits, to see that it works.
"""

import os
import queue
import socket
import statistics
import subprocess
import sys
import threading
import time
from typing import Dict, List, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

from bench.support import measuring  # noqa: E402
from bench.support.lines import parts_of, process_of  # noqa: E402
from bench.support.servers import TenureServer, tree_cpu_s  # noqa: E402
from cluster_rig import Rig, await_that, run_enclosed, say  # noqa: E402

PROGRAMS = (1, 2, 4, 8)
STORES = (1, 2, 4, 8)
DELAYS_MS = (0, 0.5, 2)
COLD_ROUNDS, HOT_ROUNDS = 3, 5
HOT_TRANSACTIONS = 200  # of which the messages are counted


class Delay:
    """Forwards connections of a port of this machine to a node; each way takes half of `ms` longer."""

    def __init__(self, to: Tuple[str, int], ms: float):
        self.to, self.half = to, ms / 2000
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            far = socket.create_connection(self.to)
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink in ((near, far), (far, near)):
                waiting: queue.SimpleQueue = queue.SimpleQueue()
                threading.Thread(target=self._receive, args=(source, waiting), daemon=True).start()
                threading.Thread(target=self._send, args=(sink, waiting), daemon=True).start()

    def _receive(self, source: socket.socket, waiting: queue.SimpleQueue) -> None:
        while True:
            try:
                data = source.recv(1 << 18)
            except OSError:
                data = b""
            waiting.put((time.monotonic() + self.half, data))
            if not data:
                return

    @staticmethod
    def _send(sink: socket.socket, waiting: queue.SimpleQueue) -> None:
        while True:
            due, data = waiting.get()
            left = due - time.monotonic()
            if left > 0:
                time.sleep(left)
            try:
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(data)
            except OSError:
                return

    def end(self) -> None:
        self.listener.close()


class Bench:
    def __init__(self, directory: str, links: bool, quick: bool):
        self.directory, self.quick = directory, quick
        self.commits = 40 if quick else 400
        self.updates = 10 if quick else 60
        self.program = measuring.build_program("cluster/tenure", os.path.join(directory, "commits"))
        self.oo7 = measuring.build_program("oo7/tenure", os.path.join(directory, "oo7"))
        self.rig = Rig(directory, links)
        self.rig.start()
        self.files = self.rig.certificates.issue("bench", addresses=["127.0.0.1"])
        self.results: Dict[str, object] = {}

    def path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def cluster_store(self, name: str) -> str:
        """The directory that stands for a new store."""
        self.rig.make_store(name, "bench")
        self.rig.name_store(self.path(name), name, self.files)
        await_that(lambda: self.rig.leader(name) is not None, f"store {name} has a leader")
        return self.path(name)

    def delayed(self, store: str, ms: float) -> Tuple[str, Delay]:
        """Another directory for the store, whose leader is reached with delay."""
        delay = Delay((self.rig.leader(store).address, 7300), ms)
        place = self.path(f"{store}-{ms}-{delay.port}")
        os.makedirs(place)
        with open(os.path.join(place, "CLUSTER"), "w", encoding="utf-8") as file:
            file.write(f"servers = localhost:{delay.port}\nstore = {store}\n")
            file.writelines(f"{name} = {path}\n" for name, path in self.files.items())
        return place, delay

    # ---- Programs that work at the same time

    def together(self, commands: List[List[str]]) -> Tuple[List[List[float]], float, float]:
        """Of programs that say ready, begin at a line, and print microseconds: these, the seconds, and the processor
        time of everything."""
        programs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                    for command in commands]
        for program in programs:
            if program.stdout.readline() != "ready\n":
                raise SystemExit(f"cluster: {' '.join(commands[0])} does not begin")
        cpu, begin = tree_cpu_s(1), time.monotonic()
        for program in programs:
            program.stdin.write("\n")
            program.stdin.flush()
        times = [[float(word) for word in program.stdout.readline().split()] for program in programs]
        elapsed, used = time.monotonic() - begin, tree_cpu_s(1) - cpu
        for program in programs:
            program.communicate("\n")
        return times, elapsed, used

    def row(self, what: str, programs: int, times: List[List[float]], elapsed: float, cpu: float) -> Dict:
        all_ms = sorted(us / 1000 for of in times for us in of)
        row = {"what": what, "programs": programs, "p50_ms": statistics.median(all_ms),
               "p95_ms": all_ms[int(len(all_ms) * 0.95)], "per_s": len(all_ms) / elapsed,
               "cpu_ms": cpu * 1000 / len(all_ms)}
        print(f"  {what:<28} {programs} programs: median {row['p50_ms']:8.3f} ms, 95 % {row['p95_ms']:8.3f} ms, "
              f"{row['per_s']:7.0f}/s, {row['cpu_ms']:6.3f} ms of processors each", flush=True)
        return row

    def one_object(self) -> None:
        print("commits of one object:")
        rows = []
        cluster, served = self.cluster_store("one"), self.path("one-served")
        alone = self.path("one-alone")
        for programs in PROGRAMS:
            def commands(place: str) -> List[List[str]]:
                return [[self.program, place, str(i), str(self.commits)] for i in range(programs)]
            if programs == 1:
                rows.append(self.row("a program alone", 1, *self.together(commands(alone))))
                self.together([[self.program, served, "0", "1"]])
            with TenureServer(served):
                rows.append(self.row("tenure serve", programs, *self.together(commands(served))))
            rows.append(self.row("cluster", programs, *self.together(commands(cluster))))
        self.results["one object"] = rows

    def t2a(self) -> None:
        print("T2A and its commit:")
        rows = []
        cluster, served, alone = self.cluster_store("t2a"), self.path("t2a-served"), self.path("t2a-alone")
        for place in (cluster, served):
            for module in range(max(PROGRAMS)):
                measuring.run([self.oo7, "create", f"{place}:module{module}", "small"])
        measuring.run([self.oo7, "create", f"{alone}:module0", "small"])

        def run(what: str, place: str, programs: int) -> Dict:
            cpu = tree_cpu_s(1)
            started = [subprocess.Popen([self.oo7, "measure", f"{place}:module{i}", "T2A", "many", "0",
                                         str(self.updates)], stdout=subprocess.PIPE, text=True)
                       for i in range(programs)]
            outputs = [program.communicate()[0] for program in started]
            used = tree_cpu_s(1) - cpu  # with that of opening and of the first ones
            times = []
            for output in outputs:
                parts = parts_of(output)
                changes = [part.ms for part in parts if part.what == "iteration"]
                chains = [part.ms for part in parts if part.what == "chain"]
                # The first ones read the objects and put them in order.
                times.append([(a + b) * 1000 for a, b in zip(changes, chains)][5:])
            return self.row(what, programs, times, max(map(sum, times)) / 1e6, used)

        for programs in PROGRAMS:
            if programs == 1:
                rows.append(run("a program alone", alone, 1))
            with TenureServer(served):
                rows.append(run("tenure serve", served, programs))
            rows.append(run("cluster", cluster, programs))
        self.results["T2A"] = rows

    # ---- T1

    def t1(self) -> None:
        place = self.path("t2a")
        malloc = [os.path.join(measuring.BUILD, "bench", "oo7_malloc")]
        hot, theirs, faults = [], [], 0.0
        for _ in range(2 if self.quick else HOT_ROUNDS):
            iterations = process_of([self.oo7, "measure", place + ":module0", "T1", "many", "0", "8"]).of("iteration")
            hot.append(min(part.ms for part in iterations[2:]))
            faults = max(faults, *(part.numbers.get("read_faults", 0) + part.numbers.get("pages_read", 0)
                                   for part in iterations[3:]))
            theirs.append(min(part.ms for part in process_of(
                [self.oo7, "measure", "--memory=small", "T1"]).of("iteration")))
        malloc_ms = self.malloc_t1(malloc[0])
        beside = f", C++ with malloc {malloc_ms:.3f} ms: {min(hot) / malloc_ms:.2f}" if malloc_ms else ""
        messages = self.hot_messages(place + ":module0")
        print(f"hot T1 over the cluster: {min(hot):.3f} ms; {faults:.0f} pages asked for; "
              f"{messages} messages in {HOT_TRANSACTIONS} transactions; without a database "
              f"{min(theirs):.3f} ms{beside}", flush=True)
        self.results["hot T1"] = {"cluster_ms": hot, "memory_ms": theirs, "malloc_ms": malloc_ms, "faults": faults,
                                  "messages": messages, "transactions": HOT_TRANSACTIONS}
        cold = {}
        for ms in DELAYS_MS:
            slow, delay = self.delayed("t2a", ms)
            rounds = []
            for _ in range(1 if self.quick else COLD_ROUNDS):
                first = process_of([self.oo7, "measure", slow + ":module1", "T1", "many", "0", "1"]).of("iteration")[0]
                rounds.append(first.ms)
            delay.end()
            cold[str(ms)] = rounds
            print(f"cold T1 with {ms} ms: {statistics.median(rounds):.1f} ms", flush=True)
        self.results["cold T1"] = cold

    def hot_messages(self, database: str) -> int:
        """What more hot transactions send. The lease is asked for once in some seconds."""
        def sends(transactions: int) -> int:
            log = self.path("sends")
            subprocess.run(["strace", "-f", "-qq", "-o", log, "-e", "trace=sendmsg,sendto", self.oo7, "measure", database,
                            "T1", "many", "0", str(transactions)], check=True, stdout=subprocess.DEVNULL)
            with open(log, encoding="utf-8", errors="replace") as file:
                return sum("send" in line and "resumed" not in line for line in file)

        few = min(sends(8) for _ in range(2))
        return max(0, min(sends(8 + HOT_TRANSACTIONS) for _ in range(2)) - few)

    @staticmethod
    def malloc_t1(program: str) -> float:
        """0: the program was not built."""
        if not os.path.exists(program):
            return 0.0
        ran = subprocess.run([program, "small", "T1"], text=True, capture_output=True, check=False)
        iterations = [part.ms for part in parts_of(ran.stdout) if part.what == "iteration"]
        return min(iterations, default=0.0)

    # ---- Stores

    def stores(self) -> None:
        names = [f"of{i}" for i in range(max(STORES))]
        places = [self.cluster_store(name) for name in names]
        for ms in (0, 2):
            print(f"commits of one object, each program with a store of its own, {ms} ms:")
            ways = [self.delayed(name, ms) for name in names] if ms else []
            at = [place for place, _ in ways] or places
            rows = [self.row("stores", count, *self.together(
                [[self.program, at[i], "0", str(self.commits)] for i in range(count)])) for count in STORES]
            for row in rows[1:]:
                row["of_linear"] = row["per_s"] / (rows[0]["per_s"] * row["programs"])
                print(f"    {row['programs']} stores: {row['of_linear']:.2f} of linear, processors "
                      f"{row['cpu_ms'] / rows[0]['cpu_ms']:.2f} of one store's", flush=True)
            for _, delay in ways:
                delay.end()
            self.results[f"stores, {ms} ms"] = rows


def main(directory: str, links: bool) -> int:
    quick = "--quick" in sys.argv
    bench = Bench(directory, links, quick)
    bench.one_object()
    bench.t2a()
    bench.t1()
    bench.stores()
    if not quick:
        say("results in " + measuring.write_results("cluster", bench.results))
    return 0


if __name__ == "__main__":
    sys.exit(run_enclosed(main))
