"""White & DeWitt: Implementing crash recovery in QuickStore: a performance study (SIGMOD 1995)."""

import heapq
import os
import statistics
import tempfile
from typing import Dict, List, NamedTuple, Tuple

from bench.oo7.served import run_together
from bench.support import measuring
from bench.support.servers import TenureServer
from lab.report import claims, tenure
from lab.report.fits import Samples
from lab.report.page import Plot, Section, Table, Text, number
from lab.report.rows import Row, select

NAME = "recovery"
TITLE = "Crash recovery in a client-server store (White & DeWitt 1995)"

SMALL = ("PD-ESM", "SD-ESM", "SL-ESM", "PD-REDO", "WPL")
CONSTRAINED = ("PD-ESM", "SD-ESM", "PD-REDO", "WPL")
BIG = ("PD-ESM-1/2", "PD-ESM-4", "SD-ESM-4", "PD-REDO-4", "WPL")
SYSTEMS = {"small": SMALL, "constrained": CONSTRAINED, "big": BIG}
COUNTS = {"small": {"T2A": 2187, "T2B": 43740, "T2C": 174960},
          "big": {"T2A": 6561, "T2B": 131220, "T2C": 524880}}
COUNTS["constrained"] = COUNTS["devices"] = COUNTS["placements"] = COUNTS["small"]
# Tenure's policies: how programs are built, and the options of programs and server.
TENURE = {"PD-REDO": ("trap", "pd-redo", "pd-redo"), "PD-REDO, software": ("software", "pd-redo", "pd-redo"),
          "PD-ESM": ("trap", "pd-esm", "pd-esm"), "SD-ESM": ("software", "sd", "pd-esm"),
          "SL-ESM": ("software", "sl", "pd-esm"), "WPL": ("trap", "wpl", "wpl")}
TENURE_CLIENTS, TENURE_TRAVERSALS = (1, 3, 5), ("T2A", "T2B")
# Response times of three parts of the transactions are taken for runs.
PARTS = 3

DIFFERENCES = """
All five schemes run over one server of another process (`lab/recovery/`), whose places are databases of Tenure's page
server. A client is QuickStore's: pages of 8 KB in virtual memory over a pool, write traps, a recovery buffer whose
first copies leave first, records of 50 bytes and two images. The log and the databases are on a device of the
laboratory: *today* takes 0.05 ms and 1 ns a byte, *1995* 15 ms and 400 ns, *cloud* 1.5 ms and 4 ns; *today* and *cloud* do 8 operations at once. A client of 1995
worked about as many seconds on a transaction as one of today works milliseconds, so a device of today beside a
processor of today stands in about the relation that both had in 1995: the figures are measured with it. Clients,
server and this program share the processors of one machine, where the paper had six. There is no network but a
socket, and no locks are requested. Commits that wait at the same time share a sync.
"""


def measure_tenure(quick: bool, directory: str) -> List[Row]:
    """The same transactions by programs in Modula-3, each on a module of its own, through `tenure serve`."""
    transactions, warm = (8, 3) if quick else (24, 4)
    found: List[Row] = []
    with tempfile.TemporaryDirectory(prefix="tenure-lab-", dir=directory or None) as folder:
        programs = {tenure.BARRIERS[row]: program for row, program in
                    tenure.build("bench/oo7/tenure", folder, ("Tenure trap", "Tenure software")).items()}
        store = os.path.join(folder, "store")
        for client in range(max(TENURE_CLIENTS)):
            measuring.run([programs["trap"], "create", f"{store}:module{client}", "small"])
        for traversal in TENURE_TRAVERSALS:
            for clients in TENURE_CLIENTS:
                for system, (barriers, policy, served) in TENURE.items():
                    server = TenureServer(store, {}, f"--recovery={served}")
                    together = run_together(
                        [[programs[barriers], "measure", f"{store}:module{client}", traversal, "many", "0",
                          str(transactions + warm), f"@M3recovery={policy}"] for client in range(clients)], clients)
                    server.end()
                    pairs = [pair for process in together.processes
                             for pair in list(zip(process.of("iteration"), process.of("chain")))[warm:]]
                    found.append({"experiment": "tenure", "system": system, "traversal": traversal,
                                  "clients": clients, "transactions": transactions,
                                  "counts": sorted({int(work.numbers["count"]) for work, _ in pairs}),
                                  "response_elapsed": [1000 * (work.ms + commit.ms) for work, commit in pairs]})
        for client in range(max(TENURE_CLIENTS)):
            measuring.run([programs["trap"], "check", f"{store}:module{client}"])
    return found


def cells(rows: List[Row], experiment: str, **which) -> List[Row]:
    return select(rows, experiment=experiment, **which)


def cell(rows: List[Row], experiment: str, system: str, traversal: str, clients: int, **which) -> Row:
    found = cells(rows, experiment, system=system, traversal=traversal, clients=clients, **which)
    if len(found) != 1:
        raise KeyError(f"{experiment} {system} {traversal} {clients} {which}: {len(found)} rows")
    return found[0]


def response(row: Row) -> Samples:
    """Milliseconds of a transaction."""
    times = row["response_elapsed"]
    return Samples([statistics.median(times[part::PARTS]) / 1000 for part in range(min(PARTS, len(times)))])


def throughput(row: Row) -> Samples:
    """Transactions a second of all clients."""
    return Samples([1000 * row["clients"] / value for value in response(row).values])


def clients_of(rows: List[Row], experiment: str, traversal: str = "T2A") -> List[int]:
    return sorted({row["clients"] for row in cells(rows, experiment, traversal=traversal)})


def invariants(rows: List[Row]) -> List[str]:
    """Checks conditions that must hold on every machine. Returns those that do not."""
    wrong = []
    for row in rows:
        if row["experiment"] == "tenure":
            if row["counts"] != [COUNTS["small"][row["traversal"]]]:
                wrong.append(f"Tenure {row['system']} {row['traversal']} {row['clients']}: {row['counts']} updates")
            continue
        if row["experiment"] == "crash":
            for what in ("lost", "unseen", "wrong"):
                if row[what] != 0:
                    wrong.append(f"{row['system']}: after a crash of the server, {what}: {row[what]}")
            continue
        name = f"{row['experiment']} {row['system']} {row['traversal']} {row['clients']}"
        count = COUNTS[row["experiment"]][row["traversal"]]
        if row["count"] != count:
            wrong.append(f"{name}: {row['count']} updates, not {count}")
        if row["sums_right"] != 1:
            wrong.append(f"{name}: x and y have not grown by the updates")
        if row["most_copied"] > row["recovery_bytes"]:
            wrong.append(f"{name}: more copies than the recovery buffer has room for")
        if row["system"].startswith("PD-REDO"):
            if row["data_pages"] != 0:
                wrong.append(f"{name}: a page is shipped")
            if row["clients"] == 1 and row["applied"] != row["all_regions"]:
                wrong.append(f"{name}: the server does not apply each record once")
        elif row["data_pages"] == 0:
            wrong.append(f"{name}: no changed page is shipped")
        if row["system"] == "WPL":
            if row["log_pages"] != 0:
                wrong.append(f"{name}: log records are shipped")
            if row["clients"] == 1 and row["server_log_bytes"] < 8192 * row["data_pages"] * row["transactions"]:
                wrong.append(f"{name}: the log has not each changed page")
        elif row["log_pages"] == 0:
            wrong.append(f"{name}: no log record is shipped")
    for row in cells(rows, "small", system="PD-ESM", clients=1):
        def bytes_of(system: str, traversal: str = row["traversal"]) -> int:
            return cell(rows, "small", system, traversal, 1)["client_log_bytes"]
        if not bytes_of("SD-ESM") == bytes_of("PD-REDO") == bytes_of("PD-ESM") <= bytes_of("SL-ESM"):
            wrong.append(f"small {row['traversal']}: the schemes do not log the same bytes")
    for row in cells(rows, "constrained", system="PD-ESM", clients=1):
        if row["log_pages"] < cell(rows, "constrained", "SD-ESM", row["traversal"], 1)["log_pages"]:
            wrong.append(f"constrained {row['traversal']}: page differencing logs less than by blocks")
    return wrong


# --- The model: what a transaction asks of each part of the system

class Demand(NamedTuple):
    client: float     # us of a client's processor
    server: float     # us of the server's
    log_bytes: float


def server_log_bytes(row: Row) -> int:
    """All that the server's log got. What its checkpoints write depends on the order of clients."""
    return row["server_log_bytes"] + row.get("varying_checkpoint_bytes", 0)


def demand_of(row: Row) -> Demand:
    transactions = row["transactions"] * row["clients"]
    return Demand(statistics.median(row["client_elapsed"]), statistics.median(row["server_elapsed"]),
                  server_log_bytes(row) / transactions)


def simulate(demand: Demand, clients: int, operation_us: float, byte_ns: float, groups: bool,
             processors: int = 0, rounds: int = 60) -> float:
    """Transactions a second. `processors` is how many processors all processes share; 0: each client
    and the server has its own. The queues are first come, first served."""
    now, finished = 0.0, 0
    order = 0
    events: List[Tuple[float, int, str, int]] = []
    idle = {"client": clients if processors == 0 else 0, "server": 1 if processors == 0 else 0,
            "shared": processors}
    queues: Dict[str, List[Tuple[str, int]]] = {"client": [], "server": [], "shared": []}
    log: List[int] = []
    log_busy = False

    def post(at: float, what: str, client: int) -> None:
        nonlocal order
        order += 1
        heapq.heappush(events, (at, order, what, client))

    def station(step: str) -> str:
        return step if processors == 0 else "shared"

    def begin(step: str, client: int) -> None:
        queues[station(step)].append((step, client))
        run(station(step))

    def run(name: str) -> None:
        while idle[name] > 0 and queues[name]:
            step, client = queues[name].pop(0)
            idle[name] -= 1
            post(now + (demand.client if step == "client" else demand.server), step, client)

    batch: List[int] = []

    def sync() -> None:
        nonlocal log_busy, batch
        if log_busy or not log:
            return
        batch = log[:] if groups else log[:1]
        del log[:len(batch)]
        log_busy = True
        post(now + operation_us + byte_ns * demand.log_bytes * len(batch) / 1000, "log", 0)

    for client in range(clients):
        begin("client", client)
    total = rounds * clients
    while finished < total:
        now, _, what, client = heapq.heappop(events)
        if what == "log":
            log_busy = False
            finished += len(batch)
            done = batch
            sync()
            for each in done:
                begin("client", each)
            continue
        idle[station(what)] += 1
        run(station(what))
        if what == "client":
            begin("server", client)
        else:
            log.append(client)
            sync()
    return 1e6 * finished / now


LATENCIES_MS = (0.02, 0.1, 0.5, 2, 15)
BANDWIDTHS_MB = (2.5, 25, 250, 1000)
MAP_CLIENTS = (1, 5, 16)


def winners(rows: List[Row], traversal: str, groups: bool) -> Table:
    demands = {system: demand_of(cell(rows, "small", system, traversal, 1)) for system in SMALL}
    lines = []
    for latency in LATENCIES_MS:
        line = [f"{latency:g} ms"]
        for bandwidth in BANDWIDTHS_MB:
            names = []
            for clients in MAP_CLIENTS:
                reached = {system: simulate(demand, clients, 1000 * latency, 1000 / bandwidth, groups)
                           for system, demand in demands.items()}
                best = max(reached.values())
                # A scheme within 3 % of the best counts as equally good.
                names.append("/".join(s.replace("-ESM", "") for s in SMALL if reached[s] > 0.97 * best))
            line.append("; ".join(names))
        lines.append(line)
    return Table(f"{traversal}, small: the schemes within 3 % of the best for {', '.join(map(str, MAP_CLIENTS))} "
                 f"clients, {'commits in groups' if groups else 'a sync for each commit'}",
                 ["sync", *[f"{b:g} MB/s" for b in BANDWIDTHS_MB]], lines)


def _map(rows: List[Row]) -> Section:
    lines = []
    for row in cells(rows, "devices"):
        operation, byte = {"1995": (15000, 400), "cloud": (1500, 4)}[row["device"]]
        demand = demand_of(cell(rows, "small", row["system"], row["traversal"], 1))
        told = simulate(demand, row["clients"], operation, byte, row["groups"] == 1, processors=2)
        measured = throughput(row).median
        lines.append([row["device"], "yes" if row["groups"] else "no", row["system"], str(row["clients"]),
                      number(told), number(measured), f"{100 * (told / measured - 1):+.0f} %"])
    return Section("Today: the winner over latency, bandwidth and clients", [
        Text("What a transaction asks of the client's processor, the server's processor and the log is measured "
             "with one client; a simulation of the three queues tells the throughput for any device, with a "
             "processor for each process. The paper measured one point of this map (15 ms, 2.5 MB/s, slower "
             "processors)."),
        winners(rows, "T2A", True), winners(rows, "T2A", False), winners(rows, "T2B", True),
        winners(rows, "T2B", False),
        Table("The simulation, with two processors for all, and what was measured: T2A, transactions a second",
              ["device", "groups", "", "clients", "told", "measured", "off"], lines)], [])


def _placements(rows: List[Row]) -> Section:
    lines = []
    for system in SMALL:
        for clients in clients_of(rows, "placements"):
            line = [system, str(clients)]
            for placement in ("creation", "reachability"):
                row = cell(rows, "placements", system, "T2A", clients, placement=placement)
                line += [str(row["log_pages"] + row["data_pages"]), number(response(row).median)]
            lines.append(line)
    found = []
    for clients in clients_of(rows, "placements"):
        for placement in ("creation", "reachability"):
            wpl, redo = (response(cell(rows, "placements", s, "T2A", clients, placement=placement))
                         for s in ("WPL", "PD-REDO"))
            found.append(claims.of_ratio(
                "Figure 4", f"with objects in the order of {placement}, {clients} client(s): WPL loses clearly",
                "1.22 with 1 client, 2.4 with 5", "WPL : PD-REDO, T2A", wpl, redo, 1.15, float("inf")))
    return Section("Today: recovery and placement by reachability", [
        Text("The paper's objects lie in the order in which they were made, so that each root part is on a page of "
             "its own. Placement by reachability, as Tenure's commits do it, puts root parts beside each other."),
        Table("T2A, small: pages shipped in a transaction, and its milliseconds",
              ["", "clients", "creation: pages", "ms", "reachability: pages", "ms"], lines)], found)


# --- The paper's figures

def _plots(rows: List[Row], experiment: str, traversal: str, figures: str, subject: str) -> List:
    counts = clients_of(rows, experiment, traversal)
    if not counts:
        return [Text("Not in a quick run.")]
    made, lines = [], []
    for what, unit, measure in (("response", "ms", response), ("throughput", "transactions a second", throughput)):
        drawn = {}
        for system in SYSTEMS[experiment]:
            values = [measure(cell(rows, experiment, system, traversal, n)).median for n in counts]
            drawn[system] = ([float(n) for n in counts], values)
            lines.append([system, what] + [number(value) for value in values])
        made.append(Plot(f"recovery-{experiment}-{traversal}-{what}".lower(), f"{figures}: {subject}, {what}",
                         "clients", unit, drawn))
    return [Table(f"{figures}: {subject}; response in ms, transactions a second",
                  ["", ""] + [f"{n} clients" if n > 1 else "1 client" for n in counts], lines)] + made


def _pages(rows: List[Row], experiment: str, title: str) -> Table:
    lines = []
    for traversal in ("T2A", "T2B", "T2C"):
        if not cells(rows, experiment, traversal=traversal):
            continue
        for system in SYSTEMS[experiment]:
            row = cell(rows, experiment, system, traversal, 1)
            lines.append([traversal, system, str(row["log_pages"] + row["data_pages"]), str(row["log_pages"]),
                          str(row["regions"]), str(row["early"]), number(server_log_bytes(row) / 1024 /
                                                                         row["transactions"])])
    return Table(title, ["", "", "pages shipped", "log pages", "records", "copies that left early",
                         "KB of the server's log"], lines)


def _demands(rows: List[Row]) -> Section:
    lines = []
    for traversal in ("T2A", "T2B", "T2C"):
        for system in SMALL:
            row = cell(rows, "small", system, traversal, 1)
            most = cell(rows, "small", system, traversal, clients_of(rows, "small")[-1])
            demand = demand_of(row)
            log = 50 + demand.log_bytes / 1000
            bound = 1e6 / max(demand.server, log)
            lines.append([traversal, system, number(demand.client), number(demand.server),
                          number(demand.log_bytes / 1024), str(row["messages"]), number(log), number(bound),
                          number(throughput(most).median)])
    return Section("What a transaction asks for", [
        Text("The bound is what the server's processor and its log can do, whatever the number of clients."),
        Table("Small module, device of today", ["", "", "client us", "server us", "log KB", "messages", "log us",
                                               "bound, a second", "measured, most clients"], lines)], [])


def _tenure(rows: List[Row]) -> List[Section]:
    lines = []
    for traversal in TENURE_TRAVERSALS:
        for what, measure in (("response ms", response), ("a second", throughput)):
            for system in TENURE:
                of = {clients: cells(rows, "tenure", system=system, traversal=traversal, clients=clients)
                      for clients in TENURE_CLIENTS}
                if all(of.values()):
                    lines.append([traversal, what, system, *[number(measure(of[c][0]).median) for c in TENURE_CLIENTS]])
    if not lines:
        return []
    return [Section("Today: Tenure's own policies", [
        Text("The same transactions by programs in Modula-3 through `tenure serve`, each on a module of its own "
             "(`@M3recovery=`; docs/recovery.md, \"Policies\"). Objects lie as reachability places them, commits are "
             "durable on the disk of the experiments' directory, not on the laboratory's device, and servers check what "
             "clients ship. SD and SL need barriers in software; PD is shown with traps and with them."),
        Table("Tenure, small module", ["", "", "", *[f"{c} client{'s' if c > 1 else ''}" for c in TENURE_CLIENTS]],
              lines)], [])]


def sections(rows: List[Row]) -> List[Section]:
    inf = float("inf")

    def ratio(where: str, says: str, paper: str, experiment: str, traversal: str, clients: int, left: str,
              right: str, low: float, high: float):
        what = f"{left} : {right}, {traversal}, {clients} client{'s' if clients > 1 else ''}, response"
        if clients not in clients_of(rows, experiment, traversal):
            return claims.untold(where, says, paper, "not in a quick run")
        return claims.of_ratio(where, says, paper, what,
                               response(cell(rows, experiment, left, traversal, clients)),
                               response(cell(rows, experiment, right, traversal, clients)), low, high)

    def best(where: str, says: str, experiment: str, traversal: str, clients: int, system: str):
        if clients not in clients_of(rows, experiment, traversal):
            return claims.untold(where, says, "best", "not in a quick run")
        others = [s for s in SYSTEMS[experiment] if s != system]
        next_best = min(others, key=lambda s: response(cell(rows, experiment, s, traversal, clients)).median)
        return ratio(where, says, "best", experiment, traversal, clients, next_best, system, 1, inf)

    def growth(where: str, says: str, paper: str, experiment: str, traversal: str, system: str, many: int,
               few: int, low: float, high: float):
        if not {many, few} <= set(clients_of(rows, experiment, traversal)):
            return claims.untold(where, says, paper, "not in a quick run")
        return claims.of_ratio(where, says, paper, f"{system}, {traversal}, throughput of {many} : {few} clients",
                               throughput(cell(rows, experiment, system, traversal, many)),
                               throughput(cell(rows, experiment, system, traversal, few)), low, high)

    def value(where: str, says: str, paper: str, what: str, experiment: str, traversal: str, left: str,
              right: str, measure, low: float, high: float):
        a, b = (measure(cell(rows, experiment, s, traversal, 1)) for s in (left, right))
        return claims.of_value(where, says, paper, f"{what}, {left} : {right}, {traversal}", a / b, low, high)

    def shipped(row: Row) -> int:
        return row["log_pages"] + row["data_pages"]

    def log_pages(row: Row) -> int:
        return row["log_pages"]

    small_a = [
        best("Figure 4", "PD-REDO has the best performance with 1 client", "small", "T2A", 1, "PD-REDO"),
        best("Figure 4", "PD-REDO has the best performance with 5 clients", "small", "T2A", 5, "PD-REDO"),
        ratio("Figure 4", "WPL is slower with 1 client", "1.22", "small", "T2A", 1, "WPL", "PD-REDO", 1.1, 1.5),
        ratio("Figure 4", "WPL is much slower with 5 clients", "2.4", "small", "T2A", 5, "WPL", "PD-REDO", 1.8, 3.2),
        ratio("Figure 4", "SD is only slightly faster than PD", "1.07", "small", "T2A", 1, "PD-ESM", "SD-ESM", 1, 1.15),
        ratio("Figure 4", "SD is only slightly faster than PD", "1.03", "small", "T2A", 5, "PD-ESM", "SD-ESM", 1, 1.15),
        ratio("Figure 4", "SL is as fast as SD", "1", "small", "T2A", 1, "SL-ESM", "SD-ESM", 0.95, 1.05),
        growth("Figure 5", "PD-ESM gains from clients", "1.56", "small", "T2A", "PD-ESM", 5, 1, 1.3, 1.9),
        growth("Figure 5", "PD-REDO gains from clients", "1.67", "small", "T2A", "PD-REDO", 5, 1, 1.4, 2),
        growth("Figure 5", "WPL is saturated", "no increase", "small", "T2A", "WPL", 5, 3, 0, 1.05)]
    small_b = [
        ratio("Figure 6", "PD-REDO is a little faster than WPL with 1 client", "1.05", "small", "T2B", 1, "WPL",
              "PD-REDO", 1, 1.2),
        ratio("Figure 6", "and more with 5", "1.41", "small", "T2B", 5, "WPL", "PD-REDO", 1.2, 1.7),
        ratio("Figure 6", "WPL is faster than the others with 1 client", "below 1", "small", "T2B", 1, "WPL", "PD-ESM", 0,
              1),
        ratio("Figure 6", "PD and SD are nearly identical", "1", "small", "T2B", 1, "SD-ESM", "PD-ESM", 0.95, 1.05),
        ratio("Figure 6", "SL is slower than SD", "1.14", "small", "T2B", 1, "SL-ESM", "SD-ESM", 1.05, 1.25),
        growth("Figure 7", "WPL has no increase beyond 3 clients", "1", "small", "T2B", "WPL", 5, 3, 0, 1.05)]
    small_c = [
        claims.of_ratio("Figure 8", "PD does not change from T2B", "1", "PD-ESM, 1 client, T2C : T2B",
                        response(cell(rows, "small", "PD-ESM", "T2C", 1)),
                        response(cell(rows, "small", "PD-ESM", "T2B", 1)), 0.9, 1.1),
        ratio("Figure 8", "SD pays for its calls", "1.12", "small", "T2C", 1, "SD-ESM", "PD-ESM", 1.05, 1.2),
        ratio("Figure 8", "and less with 5 clients", "1.06", "small", "T2C", 5, "SD-ESM", "PD-ESM", 1.02, 1.12)]
    pages_small = [
        value("Figure 9", "WPL ships many more pages than PD-REDO", "435 : 5", "pages shipped", "small", "T2A", "WPL",
              "PD-REDO", shipped, 40, inf),
        value("Figure 9", "PD and SD ship the same", "1", "pages shipped", "small", "T2A", "PD-ESM", "SD-ESM", shipped,
              1, 1),
        value("Figure 9", "T2C logs what T2B logs", "1", "log pages", "small", "T2B", "PD-ESM", "PD-REDO", log_pages, 1,
              1)]
    constrained_a = [
        best("Figure 10", "SD-ESM is best with 5 clients", "constrained", "T2A", 5, "SD-ESM"),
        ratio("Figure 10", "SD is faster than PD", "1.31", "constrained", "T2A", 5, "PD-ESM", "SD-ESM", 1.15, 1.5),
        ratio("Figure 10", "SD is faster than WPL", "1.40", "constrained", "T2A", 5, "WPL", "SD-ESM", 1.2, 1.7),
        ratio("Figure 10", "PD-REDO comes near to SD", "1.03", "constrained", "T2A", 5, "PD-REDO", "SD-ESM", 0.95, 1.1),
        growth("Figure 11", "SD gains from clients", "2.5", "constrained", "T2A", "SD-ESM", 5, 1, 1.8, 3.2),
        growth("Figure 11", "PD-REDO gains most", "4.2", "constrained", "T2A", "PD-REDO", 5, 1, 3, 5)]
    constrained_b = [
        ratio("Figure 12", "WPL is best with 1 client", "1.27", "constrained", "T2B", 1, "SD-ESM", "WPL", 1.1, 1.5),
        best("Figure 12", "SD is best with 5 clients", "constrained", "T2B", 5, "SD-ESM"),
        ratio("Figure 12", "SD is faster than WPL with 5 clients", "1.30", "constrained", "T2B", 5, "WPL", "SD-ESM", 1.1,
              1.6),
        ratio("Figure 12", "PD is worst", "above 1", "constrained", "T2B", 1, "PD-ESM", "SD-ESM", 1, inf),
        ratio("Figure 13", "PD-ESM overtakes PD-REDO", "above 1", "constrained", "T2B", 5, "PD-REDO", "PD-ESM", 1, inf)]
    pages_constrained = [
        value("Figure 14", "PD logs more pages than SD in T2A", "4", "log pages", "constrained", "T2A", "PD-ESM", "SD-ESM",
              log_pages, 2.5, 6),
        value("Figure 14", "and in T2B", "2.2", "log pages", "constrained", "T2B", "PD-ESM", "SD-ESM", log_pages, 1.6, 3)]
    big_a = [
        best("Figure 15", "WPL is fastest with 1 client", "big", "T2A", 1, "WPL"),
        ratio("Figure 15", "PD-ESM-1/2 is faster with 5 clients", "1.17", "big", "T2A", 5, "WPL", "PD-ESM-1/2", 1.05, 1.35),
        ratio("Figure 15", "a larger pool is worth more than a larger recovery buffer", "above 1", "big", "T2A", 5,
              "PD-ESM-4", "PD-ESM-1/2", 1, inf),
        ratio("Figure 15", "SD makes little difference", "1", "big", "T2A", 5, "SD-ESM-4", "PD-ESM-4", 0.9, 1.1),
        value("5.3", "SD logs a little less", "0.9", "log pages", "big", "T2A", "SD-ESM-4", "PD-ESM-4", log_pages, 0.8, 1),
        growth("Figure 16", "small pools thrash", "no increase", "big", "T2A", "PD-ESM-4", 5, 3, 0, 1.05)]
    big_b = [
        ratio("Figure 17", "SD makes little difference", "1", "big", "T2B", 5, "SD-ESM-4", "PD-ESM-4", 0.9, 1.1),
        ratio("Figure 17", "REDO is worst", "1.25", "big", "T2B", 5, "PD-REDO-4", "PD-ESM-4", 1.1, 1.45),
        ratio("Figure 18", "larger pools scale better", "above 1", "big", "T2B", 5, "PD-ESM-4", "PD-ESM-1/2", 1, inf)]
    crashes = [[row["system"], str(row["rounds"]), str(row["lost"]), str(row["unseen"]), str(row["wrong"])]
               for row in cells(rows, "crash")]
    made = [
        Section("Figures 4, 5: T2A, small, unconstrained", _plots(rows, "small", "T2A", "Figures 4 and 5", "T2A"), small_a),
        Section("Figures 6, 7: T2B, small, unconstrained", _plots(rows, "small", "T2B", "Figures 6 and 7", "T2B"), small_b),
        Section("Figure 8: T2C, small, unconstrained", _plots(rows, "small", "T2C", "Figure 8", "T2C"), small_c),
        Section("Figure 9: what clients ship", [_pages(rows, "small", "A transaction of one client, unconstrained")],
                pages_small),
        Section("Figures 10, 11: T2A, small, constrained",
                _plots(rows, "constrained", "T2A", "Figures 10 and 11", "T2A"), constrained_a),
        Section("Figures 12, 13: T2B, small, constrained",
                _plots(rows, "constrained", "T2B", "Figures 12 and 13", "T2B"), constrained_b),
        Section("Figure 14: what clients ship, constrained",
                [_pages(rows, "constrained", "A transaction of one client, constrained")], pages_constrained),
        Section("Figures 15, 16: T2A, big", _plots(rows, "big", "T2A", "Figures 15 and 16", "T2A") +
                [_pages(rows, "big", "A transaction of one client, big")], big_a),
        Section("Figures 17, 18: T2B, big", _plots(rows, "big", "T2B", "Figures 17 and 18", "T2B"), big_b),
        *_tenure(rows), _demands(rows), _map(rows), _placements(rows)]
    if crashes:
        made.append(Section("The server is killed", [
            Text("Three clients work with small pools while the server is killed; the store is restarted from its log. "
                 "Lost: acknowledged transactions that the store lacks. Unseen: transactions that it has and no "
                 "client began to commit. Wrong: modules whose sums of x and y are not those of whole transactions."),
            Table("Restart", ["", "crashes", "lost", "unseen", "wrong"], crashes)], []))
    return made
