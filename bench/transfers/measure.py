"""How many transfers between two of 100,000 accounts are made in a second, each durable before it
counts, by Tenure and by other stores, all in the same run?

Each measurement makes the store anew. One or more programs with one or more threads each make
transfers for some seconds (cpp/driver.h says how they are told to and what they report); then a
fresh process adds up all accounts: no money and no transfer may be missing, or the run fails. The
accounts are drawn beforehand, uniformly or by Zipf's law with exponent 1.5, and are the same for
all. Syncs are counted as calls of fdatasync and the like by all processes; processor time is that
of all processes, servers included.
"""

import array
import contextlib
import functools
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
from typing import Callable, ContextManager, Dict, List, NamedTuple, Tuple

from bench.support import measuring, servers
from bench.support.lines import Part, parts_of
from bench.support.syncs import Syncs

ACCOUNTS = 100_000
INITIAL_BALANCE = 1_000_000  # cpp/driver.h, bank/Bank.i3
ZIPF_EXPONENT = 1.5
PAIRS = 1 << 18
WARM_S = 1.0


class Plan(NamedTuple):
    rounds: int
    seconds: float


FULL = Plan(rounds=3, seconds=5.0)
QUICK = Plan(rounds=1, seconds=2.0)
DISTRIBUTIONS = ("uniform", "zipf")
# A thread's number decides with which pair it begins; no program has more threads.
THREADS_OF_PROGRAM = 64


# ---- What is measured

class Kind(NamedTuple):
    """A row: one system with a number of threads and programs."""
    name: str
    system: str
    threads: int
    programs: int = 1


TRAP, SOFTWARE = "Tenure", "Tenure, software barriers"
TICKETS = "Tenure, tickets"
SOFTWARE_TICKETS = "Tenure, software barriers, tickets"
SERVED, SOFTWARE_SERVED = "Tenure, served", "Tenure, software barriers, served"
SQLITE, SQLITE_NORMAL = "SQLite", "SQLite NORMAL"
LMDB, ROCKSDB, POSTGRESQL = "LMDB", "RocksDB", "PostgreSQL"
SYSTEMS = {
    TRAP: "a commit waits until it is durable; writes are found by traps",
    SOFTWARE: "the same program with --barriers=software",
    TICKETS: "a thread has up to 256 commits on their way",
    SOFTWARE_TICKETS: "both",
    SERVED: "programs with one thread each through tenure serve",
    SOFTWARE_SERVED: "the same program with --barriers=software",
    SQLITE: "write-ahead log, synchronous=FULL",
    SQLITE_NORMAL: "synchronous=NORMAL: a power failure loses commits",
    LMDB: "each commit synchronous",
    ROCKSDB: "TransactionDB, each commit synchronous",
    POSTGRESQL: "15, prepared statements, one message a transfer",
}
APART = "not durable when they count, so apart: "


def is_durable(name: str) -> bool:
    """Whether the transfers of a row are durable when they count."""
    return not name.startswith(SQLITE_NORMAL)


def row(system: str, threads: int, programs: int = 1) -> Kind:
    count, word = (programs, "program") if programs > 1 or "served" in system else (threads, "thread")
    return Kind(f"{system}, {count} {word}{'s' if count > 1 else ''}", system, threads, programs)


KINDS = [
    *(row(system, threads) for system in (TRAP, SOFTWARE) for threads in (1, 8, 64)),
    row(TICKETS, 4), row(SOFTWARE_TICKETS, 4),
    *(row(system, 1, programs) for system in (SERVED, SOFTWARE_SERVED) for programs in (1, 4, 16)),
    row(SQLITE, 1), row(LMDB, 1), *(row(ROCKSDB, threads) for threads in (1, 8, 64)),
    row(POSTGRESQL, 64), row(SQLITE_NORMAL, 1),
]


# ---- Drawing accounts

def draws(distribution: str, accounts: int, pairs: int, seed: int = 1) -> array.array:
    """Pairs of different accounts, one number after the other. The accounts that Zipf's law draws
    often are scattered over all numbers."""
    chance = random.Random(seed)
    numbers = list(range(accounts))
    weights = None
    if distribution == "zipf":
        chance.shuffle(numbers)
        weights = list(itertools.accumulate(1 / rank ** ZIPF_EXPONENT
                                            for rank in range(1, accounts + 1)))
    drawn = array.array("i", chance.choices(numbers, cum_weights=weights, k=2 * pairs))
    for at in range(0, len(drawn), 2):
        while drawn[at + 1] == drawn[at]:
            drawn[at + 1] = chance.choices(numbers, cum_weights=weights)[0]
    return drawn


# ---- What the programs report

def bucket_ns(bucket: int) -> float:
    """The middle of a bucket of durations (cpp/driver.h, BucketOf)."""
    if bucket < 128:
        return bucket
    shift = bucket // 64 - 1
    return ((bucket % 64 + 64) << shift) + ((1 << shift) - 1) / 2


def quantile_ns(latencies: Dict[int, int], part: float) -> float:
    """The duration that this part of all transfers did not exceed."""
    wanted = part * sum(latencies.values())
    seen = 0
    for bucket in sorted(latencies):
        seen += latencies[bucket]
        if seen >= wanted:
            return bucket_ns(bucket)
    return 0.0


class Report(NamedTuple):
    """The lines of one program."""
    all: int
    counted: int
    aborted: int
    cpu_s: float
    latencies: Dict[int, int]
    counters: Dict[str, float]


def report_of(parts: List[Part]) -> Report:
    lines: Dict[str, Dict[str, float]] = {}
    latencies: Dict[int, int] = {}
    for what, numbers in parts:
        if what == "latency":
            latencies[int(numbers["bucket"])] = int(numbers["count"])
        else:
            lines[what] = numbers
    done, counted = lines["done"], lines["counted"]
    counters = {name: number for name, number in done.items()
                if name not in ("count", "elapsed_us", "user_us", "system_us")}
    return Report(int(done["count"]), int(counted["count"]), int(counted["aborted"]),
                  (done["user_us"] + done["system_us"]) / 1e6, latencies, counters)


class Figures(NamedTuple):
    """Of one measurement."""
    per_s: float
    p50_us: float
    p99_us: float
    syncs: float         # a transfer
    processor_us: float  # a transfer, of all processes
    aborted: float       # attempts a transfer that a conflict undid
    traps: float         # a transfer; 0 if the program does not report traps


def figures_of(reports: List[Report], seconds: float, syncs: int, server_cpu_s: float) -> Figures:
    transfers = sum(report.all for report in reports)
    counted = sum(report.counted for report in reports)
    if counted == 0:
        sys.exit("transfers: no transfer was counted; the time is too short")
    latencies: Dict[int, int] = {}
    for report in reports:
        for bucket, count in report.latencies.items():
            latencies[bucket] = latencies.get(bucket, 0) + count
    traps = sum(report.counters.get(kind, 0) for report in reports
                for kind in ("read_faults", "write_faults"))
    return Figures(counted / seconds, quantile_ns(latencies, 0.5) / 1000,
                   quantile_ns(latencies, 0.99) / 1000, syncs / transfers,
                   (sum(report.cpu_s for report in reports) + server_cpu_s) * 1e6 / transfers,
                   sum(report.aborted for report in reports) / transfers, traps / transfers)


def check_sum(who: str, accounts: int, transfers: int, output: str) -> None:
    """A fresh process must find all transfers that the programs were told are durable."""
    found = {part.what: part.numbers for part in parts_of(output)}.get("sum", {})
    expected = {"accounts": accounts, "balance": accounts * INITIAL_BALANCE,
                "transfers": 2 * transfers}
    if found != expected:
        sys.exit(f"transfers: {who}: the store holds {found}; {expected} must be there")


# ---- Running

class Started:
    """A program that waits for its sign to begin."""

    def __init__(self, command: List[str], environment: Dict[str, str]) -> None:
        self.command = command
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True,
                                        env={**os.environ, **environment})
        self.read_until("ready")

    def fail(self) -> None:
        self.process.kill()
        status = self.process.wait()
        self.errors.seek(0)
        sys.exit(f"transfers: status {status} of {' '.join(self.command)}: {self.errors.read()}")

    def read_until(self, last: str) -> str:
        lines = []
        for line in self.process.stdout:
            if line.strip() == last:
                return "".join(lines)
            lines.append(line)
        self.fail()
        return ""

    def begin(self) -> None:
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.stdin.close()
        if self.process.wait() != 0:
            self.fail()
        self.process.stdout.close()
        self.errors.close()


class Bench:
    def __init__(self, directory: str, plan: Plan, accounts: int = ACCOUNTS) -> None:
        self.directory = directory
        self.plan = plan
        self.accounts = accounts
        self.syncs = Syncs(directory)
        self.left_out: Dict[str, str] = {}
        self.programs = self.build_programs()
        for distribution in DISTRIBUTIONS:
            with open(self.draws(distribution), "wb") as file:
                drawn = draws(distribution, accounts, PAIRS)
                if sys.byteorder != "little":
                    drawn.byteswap()
                drawn.tofile(file)

    def draws(self, distribution: str) -> str:
        return os.path.join(self.directory, "draws-" + distribution)

    def build_programs(self) -> Dict[str, str]:
        """The program of each system that can be measured here; the reason why not of others."""
        programs = {system: os.path.join(measuring.BUILD, "bench", "transfers_" + peer)
                    for system, peer in ((SQLITE, "sqlite"), (SQLITE_NORMAL, "sqlite"),
                                         (LMDB, "lmdb"), (ROCKSDB, "rocksdb"))}
        missing = servers.postgresql_missing()
        if missing:
            self.left_out[POSTGRESQL] = missing
        else:
            programs[POSTGRESQL] = os.path.join(measuring.BUILD, "bench", "transfers_postgresql")
        for system, package, flags in (
                (TRAP, "tenure", []), (TICKETS, "tickets", []),
                (SOFTWARE, "tenure", ["--barriers=software"]),
                (SOFTWARE_TICKETS, "tickets", ["--barriers=software"])):
            path = os.path.join(self.directory, "program-" + system.replace(", ", "-").replace(" ", "-"))
            programs[system] = measuring.build_program("transfers/" + package, path, *flags)
        programs[SERVED], programs[SOFTWARE_SERVED] = programs[TRAP], programs[SOFTWARE]
        return programs

    def kinds(self) -> List[Kind]:
        return [kind for kind in KINDS if kind.system in self.programs]

    def measure(self, kind: Kind, distribution: str) -> Figures:
        with tempfile.TemporaryDirectory(prefix="store-", dir=self.directory) as folder:
            os.chmod(folder, 0o711)
            return self.measure_store(kind, distribution, os.path.join(folder, "store"))

    def measure_store(self, kind: Kind, distribution: str, store: str) -> Figures:
        program = self.programs[kind.system]
        environment = dict(self.syncs.environment)
        name = store
        serve: Callable[[], ContextManager] = contextlib.nullcontext
        serve_sum = serve
        if kind.system == SQLITE_NORMAL:
            environment["BENCH_SQLITE_SYNCHRONOUS"] = "NORMAL"
        elif kind.system in (SERVED, SOFTWARE_SERVED):
            serve = functools.partial(servers.TenureServer, store, environment)
        elif kind.system == POSTGRESQL:
            servers.PostgreSQL.make(store)
            name = servers.PostgreSQL.conninfo_of(store)
            serve = serve_sum = functools.partial(servers.PostgreSQL, store, environment)
        create = [program, "create", name, str(self.accounts)]
        with serve_sum():
            measuring.run(create)
        os.sync()  # what making the store has left to write
        with serve() as server:
            figures, transfers = self.run_programs(
                [[program, "run", name, self.draws(distribution), str(kind.threads),
                  str(number * THREADS_OF_PROGRAM), str(WARM_S), str(self.plan.seconds)]
                 for number in range(kind.programs)], environment, server)
        # A fresh process, and of what works only with a server a fresh server.
        with serve_sum():
            check_sum(kind.name, self.accounts, transfers,
                      measuring.run([program, "sum", name]).output)
        return figures

    def run_programs(self, commands: List[List[str]], environment: Dict[str, str],
                     server) -> Tuple[Figures, int]:
        programs: List[Started] = []
        try:
            for command in commands:
                programs.append(Started(command, environment))
            syncs, cpu_s = self.syncs.count(), server.cpu_s() if server else 0.0
            for program in programs:
                program.begin()
            reports = [report_of(parts_of(program.read_until("end"))) for program in programs]
            syncs = self.syncs.count() - syncs
            cpu_s = server.cpu_s() - cpu_s if server else 0.0
            for program in programs:
                program.close()
        except BaseException:
            for program in programs:
                program.process.kill()
            raise
        return (figures_of(reports, self.plan.seconds, syncs, cpu_s),
                sum(report.all for report in reports))


Results = Dict[str, Dict[str, Dict[str, List[float]]]]  # by row, distribution and figure


def add(results: Results, kind: Kind, distribution: str, figures: Figures) -> None:
    lists = results.setdefault(kind.name, {}).setdefault(distribution, {})
    for name, value in figures._asdict().items():
        lists.setdefault(name, []).append(value)


def print_rows(rows: Results) -> None:
    for distribution in DISTRIBUTIONS:
        print(f"transfers, {distribution}: a second; microseconds p50, p99, of a processor;"
              " syncs, traps and undone attempts a transfer")
        for name, of in rows.items():
            if distribution in of:
                middle = {key: statistics.median(values) for key, values in of[distribution].items()}
                if not is_durable(name):
                    print("  " + APART)
                print(f"  {name:44} {middle['per_s']:9.0f} {middle['p50_us']:9.1f}"
                      f" {middle['p99_us']:9.1f} {middle['processor_us']:8.1f}"
                      f" {middle['syncs']:7.3f} {middle['traps']:6.3f} {middle['aborted']:6.3f}")


def bench(quick: bool = False) -> None:
    plan = QUICK if quick else FULL
    from bench.oo7.goals import print_goals
    from bench.transfers.goals import goals
    with tempfile.TemporaryDirectory(prefix="tenure-transfers-") as directory:
        os.chmod(directory, 0o711)  # PostgreSQL runs as another user
        work = Bench(directory, plan)
        for system, reason in work.left_out.items():
            print(f"  without {system}: {reason}", file=sys.stderr)
        rows: Results = {}
        for number in range(plan.rounds):
            for distribution in DISTRIBUTIONS:
                for kind in work.kinds():
                    add(rows, kind, distribution, work.measure(kind, distribution))
            print(f"  round {number + 1} done", file=sys.stderr)
    results = {"rounds": plan.rounds, "seconds": plan.seconds, "accounts": ACCOUNTS,
               "zipf": ZIPF_EXPONENT, "left_out": work.left_out,
               "systems": {system: SYSTEMS[system] for system in SYSTEMS if system in work.programs},
               "rows": rows}
    print_rows(rows)
    print_goals(goals(results))
    if not quick:
        print("written to " + os.path.relpath(measuring.write_results("transfers", results),
                                              measuring.ROOT))
