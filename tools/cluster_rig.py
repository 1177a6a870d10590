#!/usr/bin/env python3
"""A cluster on this machine: three machines (cluster_machines.py), each with etcd, PostgreSQL under
Patroni, and `tenure node`. `build.py cluster` runs this file.

  tools/cluster_rig.py [--keep]

Waits until both standbys count for commits, runs OO7 small against the cluster, kills the machine
with the primary, runs OO7 again from another machine, and says what happened. --keep: then waits for
Enter, and says how to use the cluster meanwhile. Needs Debian's etcd-server and postgresql;
where Debian's patroni is older than version 4, Patroni is installed from PyPI below the build directory.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from typing import Callable, Dict, List, Optional, Sequence

import system_packages
from cluster_certificates import Certificates
from cluster_machines import Machine, enclosed, make_machines

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
# Debian 13 has a Patroni that knows quorum; Debian 12 has Patroni 3, which does not.
LEAST_PATRONI = 4
PATRONI = ["patroni[etcd3,psycopg3]==4.1.5", "psycopg[binary]"]
PATRONI_DIRECTORY = os.path.join(BUILD, "cluster", "patroni")
# Patroni's packages are for the system's Python.
PYTHON = "/usr/bin/python3"
PATIENCE_S = 180.0
TTL_S = 20
# etcd's (programs, members), PostgreSQL's, Patroni's and the node's.
PORTS = (2379, 2380, 5432, 8008, 7300)

# A primary that ends is replaced by a standby at once, and not started again on its own machine for up to five minutes
# (primary_start_timeout, 300 unless it is set): its disk may be full.
SETTINGS = {"ttl": TTL_S, "loop_wait": 1, "retry_timeout": 3, "primary_start_timeout": 0,
            "maximum_lag_on_failover": 1 << 30,
            "synchronous_mode": "quorum", "synchronous_mode_strict": True, "failsafe_mode": True,
            # Patroni takes these parameters from its dynamic configuration only. A former primary that is rewound needs
            # the log since its last checkpoint.
            "postgresql": {"parameters": {"wal_keep_size": "2GB", "max_connections": 300}}}


def say(text: str) -> None:
    print(f"cluster: {text}", flush=True)


def patroni_of_system() -> bool:
    """Whether the system's Patroni is new enough."""
    said = subprocess.run([PYTHON, "-c", "import patroni.version; print(patroni.version.__version__)"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, cwd="/").stdout
    return said.split(".")[0].isdigit() and int(said.split(".")[0]) >= LEAST_PATRONI


def install_patroni() -> None:
    """Patroni in the build directory, from PyPI, where the system has none that is new enough."""
    if patroni_of_system():
        return
    if os.path.exists(os.path.join(PATRONI_DIRECTORY, "patroni", "__main__.py")):
        return
    say(f"installing {PATRONI[0]} from PyPI into {PATRONI_DIRECTORY}")
    # Half of it would pass for Patroni, after an interrupt.
    new = PATRONI_DIRECTORY + ".new"
    shutil.rmtree(new, ignore_errors=True)
    made = subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", new,
                           *PATRONI], check=False)
    if made.returncode == 0:
        os.rename(new, PATRONI_DIRECTORY)
    else:
        shutil.rmtree(new, ignore_errors=True)
        raise Lacking(f"Patroni cannot be installed from PyPI: {' '.join(made.args)}")


def await_that(condition: Callable[[], bool], text: str, patience: float = PATIENCE_S, every: float = 0.2) -> float:
    """Seconds until the condition holds."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > patience:
            raise SystemExit(f"cluster: after {patience:.0f} s still not: {text}")
        time.sleep(every)
    return time.monotonic() - start


class Lacking(Exception):
    """This machine lacks something that a cluster needs; the text says what, and what to do."""


def check_machine() -> None:
    """Raises Lacking, before anything is started."""
    if not os.access(TENURE, os.X_OK):
        raise Lacking(f"{TENURE} is missing: python3 build.py build")
    if os.geteuid() == 0:
        # PostgreSQL does not run as the administrator.
        tried = subprocess.run(["setpriv", "--reuid=postgres", "--clear-groups", "true"], check=False, text=True,
                               capture_output=True)
        if tried.returncode != 0:
            raise Lacking("the administrator may not become the user postgres here, and PostgreSQL does not run as "
                          f"the administrator ({tried.stderr.strip()}): run this as an ordinary user")


def run_enclosed(main: Callable[[str, bool], int]) -> int:
    """enclosed(main), on a machine that has all that a cluster needs; the exit status. Says what went wrong."""
    try:
        if check_programs() != 0:
            return 3
        check_machine()
        install_patroni()
        return enclosed(main)
    except Lacking as lacking:
        print(f"cluster: {lacking}", file=sys.stderr)
        return 3
    except subprocess.CalledProcessError as failed:
        print(f"cluster: {' '.join(map(str, failed.cmd))} ended with status {failed.returncode}", file=sys.stderr)
        return 1


class Rig:
    """Everything lies in `directory`. `durable`: PostgreSQL and etcd sync their files, which tests that
    kill processes but no kernel do not need. `lease`, `session_timeout`: of the nodes, seconds. `disk`: megabytes of
    a disk of its own for each PostgreSQL server (Machine.give_disk), which then keeps less of its log; 0: none."""

    def __init__(self, directory: str, links: bool, count: int = 3, durable: bool = True, lease: float = 4,
                 session_timeout: int = 300, disk: int = 0):
        self.directory, self.durable, self.lease, self.session_timeout = directory, durable, lease, session_timeout
        self.machines = make_machines(directory, links, count)
        for machine in self.machines:
            for port in machine.ports_in_use(PORTS):
                raise Lacking(f"{machine.address}:{port} is in use. Without the right to make network namespaces only "
                              "one cluster at a time runs on a machine: end the other one, or run this as a user who "
                              "has that right")
            if disk:
                machine.give_disk(disk)
        self.disk = disk
        # By machine and service: etcd, patroni, node.
        self.services: Dict[str, Dict[str, subprocess.Popen]] = {machine.name: {} for machine in self.machines}
        self.certificates = Certificates(directory)
        addresses = [machine.address for machine in self.machines]
        self.node_files = self.certificates.issue("node", addresses=addresses)
        self._passwords = {name: secrets.token_hex(16) for name in ("postgres", "replicator", "tenure")}
        self.programs = system_packages.postgresql_programs()
        if not self.programs:
            raise SystemExit("cluster: PostgreSQL is missing: apt-get install postgresql")
        # PostgreSQL does not run as the administrator.
        self._user = "postgres" if os.geteuid() == 0 else None
        self.group = (f"host={','.join(addresses)} user=tenure password={self._passwords['tenure']} dbname=tenure "
                      f"sslmode=verify-full sslrootcert={self.certificates.ca} target_session_attrs=read-write")
        for machine in self.machines:
            for name in ("certificate", "key"):
                shutil.copy(self.node_files[name], os.path.join(machine.directory, "server." + name))
            os.chmod(os.path.join(machine.directory, "server.key"), 0o600)
            with open(os.path.join(machine.directory, "patroni.json"), "w", encoding="utf-8") as file:
                json.dump(self._patroni_settings(machine), file, indent=1)
            if self._user:
                subprocess.run(["chown", "-R", self._user, machine.directory], check=True)

    def _patroni_settings(self, machine: Machine) -> Dict:
        inside = machine.directory
        # Who connects to an address of the loopback device comes from 127.0.0.1, unless it says otherwise.
        network = machine.address.rsplit(".", 1)[0] + ".0/24" if machine.links else "127.0.0.0/8"
        parameters = {
            "unix_socket_directories": inside, "shared_buffers": "64MB",
            "fsync": self.durable, "wal_log_hints": True, "ssl": True,
            "ssl_cert_file": os.path.join(inside, "server.certificate"),
            "ssl_key_file": os.path.join(inside, "server.key"),
            # A machine that is gone without a word is noticed.
            "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s", "tcp_user_timeout": 8000,
            "tcp_keepalives_idle": 4, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 2}
        settings = SETTINGS
        if self.disk:
            keeps = {"max_wal_size": "128MB", "min_wal_size": "80MB", "wal_keep_size": f"{self.disk // 3}MB"}
            settings = dict(settings, postgresql={"parameters": settings["postgresql"]["parameters"] | keeps})
        accounts = {"superuser": "postgres", "replication": "replicator"}
        return {
            "scope": "tenure", "name": machine.name,
            "restapi": {"listen": machine.address + ":8008", "connect_address": machine.address + ":8008"},
            "etcd3": {"hosts": [each.address + ":2379" for each in self.machines]},
            "bootstrap": {"dcs": settings, "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"]},
            "postgresql": {
                "listen": machine.address + ":5432", "connect_address": machine.address + ":5432",
                "data_dir": machine.data, "bin_dir": self.programs,
                "pgpass": os.path.join(inside, "pgpass"), "use_unix_socket": True, "use_pg_rewind": True,
                "authentication": {kind: {"username": name, "password": self._passwords[name]}
                                   for kind, name in accounts.items()},
                "pg_hba": ["local all all trust", f"hostssl all all {network} scram-sha-256",
                           f"hostssl replication replicator {network} scram-sha-256"],
                "parameters": parameters},
        }

    # ---- Services

    def _as_user(self, words: Sequence[str]) -> List[str]:
        return ["setpriv", "--reuid=" + self._user, "--clear-groups", *words] if self._user else list(words)

    def _note(self, machine: Machine, service: str, words: Sequence[str], **more) -> None:
        self.services[machine.name][service] = machine.start(words, service + ".log", **more)

    def start_etcd(self, machine: Machine, state: str = "new") -> None:
        own = f"http://{machine.address}:2380"
        data = os.path.join(machine.directory, "etcd")
        self._note(machine, "etcd", self._as_user([
            "etcd", "--name", machine.name, "--data-dir", data, "--listen-peer-urls", own,
            "--initial-advertise-peer-urls", own, "--listen-client-urls", f"http://{machine.address}:2379",
            "--advertise-client-urls", f"http://{machine.address}:2379", "--initial-cluster",
            ",".join(f"{each.name}=http://{each.address}:2380" for each in self.machines),
            "--initial-cluster-state", state,
            # A machine that does the work of three is slow at times.
            "--heartbeat-interval", "200", "--election-timeout", "2000", "--logger", "zap",
            *([] if self.durable else ["--unsafe-no-fsync"])]))

    def start_patroni(self, machine: Machine) -> None:
        self._note(machine, "patroni",
                   self._as_user([PYTHON, "-m", "patroni", os.path.join(machine.directory, "patroni.json")]),
                   env=dict(os.environ, PYTHONPATH=PATRONI_DIRECTORY, PYTHONNOUSERSITE="1", HOME=machine.directory))

    def node_words(self, name: str, listen: str) -> List[str]:
        """How a node is started."""
        return [TENURE, "node", "--listen", listen, "--name", name, "--lease", str(self.lease), "--session-timeout",
                str(self.session_timeout), "--group", self.group,
                *(word for file, path in self.node_files.items() for word in ("--" + file, path))]

    def start_node(self, machine: Machine) -> None:
        self._note(machine, "node", self.node_words(machine.name, machine.address + ":7300"))

    def start_machine(self, machine: Machine) -> None:
        """Etcd, Patroni and the node, as after switching the machine on."""
        self.start_etcd(machine)
        self.start_patroni(machine)
        self.start_node(machine)

    def replace_machine(self, machine: Machine) -> None:
        """Another machine, with nothing on its disk, gets the name and the address of one that was
        killed."""
        for place in (os.path.join(machine.directory, "etcd"), machine.data):
            shutil.rmtree(place)
        living = next(other for other in self.machines if other is not machine)

        def etcdctl(*words: str) -> str:
            ran = living.run(["etcdctl", "--endpoints", f"http://{living.address}:2379", *words],
                             env=dict(os.environ, ETCDCTL_API="3"), timeout=60)
            if ran.returncode != 0:
                raise SystemExit(f"cluster: etcdctl {' '.join(words)}: {ran.stderr}")
            return ran.stdout

        gone = next(line.split(",")[0] for line in etcdctl("member", "list").splitlines()
                    if f", {machine.name}," in line)
        etcdctl("member", "remove", gone)
        # The others choose a leader first, when the one that is gone was it.
        await_that(lambda: living.run(["etcdctl", "--endpoints", f"http://{living.address}:2379", "member", "add",
                                       machine.name, f"--peer-urls=http://{machine.address}:2380"],
                                      env=dict(os.environ, ETCDCTL_API="3")).returncode == 0, "etcd takes a member")
        self.start_etcd(machine, "existing")
        self.start_patroni(machine)
        self.start_node(machine)

    def kill_machine(self, machine: Machine) -> None:
        machine.kill()
        for process in self.services[machine.name].values():
            process.wait()

    def start(self) -> None:
        for machine in self.machines:
            self.start_etcd(machine)
        for machine in self.machines:
            self.start_patroni(machine)

        def began(condition: Callable[[], bool]) -> Callable[[], bool]:
            """The condition. A service that has ended would keep it false until patience is over."""
            def look() -> bool:
                self.check_services()
                return condition()
            return look

        took = await_that(began(lambda: self.primary() is not None), "PostgreSQL has a primary")
        say(f"a primary after {took:.1f} s")
        # Patroni's cluster is a cluster of one until the others come: commits wait meanwhile.
        took += await_that(began(self.both_count), "both standbys count")
        say(f"both standbys count after {took:.1f} s: {self.sql('SHOW synchronous_standby_names')}")
        self.sql(f"CREATE ROLE tenure LOGIN PASSWORD '{self._passwords['tenure']}' IN ROLE pg_monitor")
        self.sql("CREATE DATABASE tenure OWNER tenure")
        # A standby that has no such database yet ends the search for the primary.
        await_that(lambda: self.tool("init").returncode == 0, "`tenure node init` makes the tables")
        for machine in self.machines:
            self.start_node(machine)

    def check_services(self) -> None:
        """Says which service has ended by itself, and its last words."""
        for name, services in self.services.items():
            for service, process in services.items():
                if process.poll() is not None:
                    with open(os.path.join(self.directory, name, service + ".log"), encoding="utf-8",
                              errors="replace") as file:
                        last = "\n  ".join(file.read().splitlines()[-5:])
                    raise SystemExit(f"cluster: {service} at {name} ended with status {process.returncode}:\n  {last}")

    # ---- What PostgreSQL says

    def sql_at(self, machine: Machine, statement: str, database: str = "postgres") -> Optional[str]:
        """None: the server does not answer."""
        try:
            ran = machine.run(["psql", "-X", "-A", "-t", "-c", statement,
                               f"host={machine.directory} user=postgres dbname={database} connect_timeout=3"],
                              timeout=8)
        except subprocess.TimeoutExpired:
            return None
        return ran.stdout.strip() if ran.returncode == 0 else None

    def primary(self) -> Optional[Machine]:
        return next((machine for machine in self.machines
                     if self.sql_at(machine, "SELECT pg_is_in_recovery()") == "f"), None)

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Waits for a primary that answers."""
        answers: List[str] = []

        def ask() -> bool:
            primary = self.primary()
            answer = None if primary is None else self.sql_at(primary, statement, database)
            if answer is not None:
                answers.append(answer)
            return answer is not None

        await_that(ask, f"a primary answers: {statement}")
        return answers[0]

    def standbys(self) -> int:
        """How many standbys stream and count for the quorum."""
        primary = self.primary()
        answer = None if primary is None else self.sql_at(
            primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'"
                     " AND current_setting('synchronous_standby_names') LIKE 'ANY %'")
        return int(answer or 0)

    def both_count(self) -> bool:
        """Whether a commit waits for one of all standbys, and Patroni would promote any of them: it notes that in etcd
        a moment after PostgreSQL has been told."""
        return self.standbys() == len(self.machines) - 1 == len(self._promotable())

    def _promotable(self) -> List[str]:
        try:
            ran = self.machines[0].run(["etcdctl", "--endpoints", f"http://{self.machines[0].address}:2379", "get",
                                        "/service/tenure/sync", "--print-value-only"],
                                       env=dict(os.environ, ETCDCTL_API="3"), timeout=8)
            names = json.loads(ran.stdout or "{}").get("sync_standby") or ""
        except (subprocess.TimeoutExpired, ValueError):
            return []
        return [name for name in names.split(",") if name]

    # ---- Stores and programs

    def tool(self, *words: str) -> subprocess.CompletedProcess:
        """`tenure node init`, `create`, ..."""
        return self.machines[0].run([TENURE, "node", *words, "--group", self.group], timeout=PATIENCE_S)

    def make_store(self, store: str, owner: str) -> None:
        made = self.tool("create", store, "--owner", owner)
        if made.returncode != 0:
            raise SystemExit("cluster: " + made.stderr)

    def name_store(self, directory: str, store: str, files: Dict[str, str], patience: int = 60) -> None:
        """Makes a directory that stands for the store."""
        os.makedirs(directory)
        with open(os.path.join(directory, "CLUSTER"), "w", encoding="utf-8") as file:
            file.write("servers = " + " ".join(machine.address + ":7300" for machine in self.machines) +
                       f"\nstore = {store}\npatience = {patience}\n")
            file.writelines(f"{name} = {path}\n" for name, path in files.items())

    def leader(self, store: str) -> Optional[Machine]:
        name = self.sql("SELECT s.node FROM tenure.store s JOIN tenure.node n ON n.name = s.node"
                        f" AND n.epoch = s.node_epoch WHERE s.name = '{store}'", "tenure")
        return next((machine for machine in self.machines if machine.name == name), None)


# ---- The demonstration

def shown(rig: Rig, machine: Machine, words: Sequence[str]) -> float:
    """Runs a program at the machine and shows its output; seconds."""
    start = time.monotonic()
    ran = machine.run(words)
    for line in (ran.stdout + ran.stderr).splitlines():
        print("    " + line, flush=True)
    if ran.returncode != 0:
        raise SystemExit(f"cluster: {' '.join(words)} ended with status {ran.returncode}")
    return time.monotonic() - start


def demonstrate(directory: str, links: bool) -> int:
    say("three machines in network namespaces of their own" if links else
        "this user may not make network namespaces: machines are addresses of the loopback device, and links cannot "
        "be cut; everything else is done")
    oo7 = os.path.join(directory, "oo7")
    subprocess.run([TENURE, "build", os.path.join(ROOT, "bench", "oo7", "tenure"), "-O2", "-o", oo7], check=True,
                   stdout=subprocess.DEVNULL)
    rig = Rig(directory, links)
    rig.start()
    alice = rig.certificates.issue("alice")
    rig.make_store("oo7", "alice")
    place = os.path.join(directory, "oo7-small")
    rig.name_store(place, "oo7", alice)
    await_that(lambda: rig.leader("oo7") is not None, "store oo7 has a leader")
    primary, leader = rig.primary(), rig.leader("oo7")
    say(f"primary of PostgreSQL: {primary.name}; leader of store oo7: {leader.name}")
    others = [machine for machine in rig.machines if machine is not primary]
    say(f"OO7 small at {primary.name}: create the database")
    shown(rig, primary, [oo7, "create", place])
    say(f"OO7 small at {primary.name}: operation, atomic parts, time")
    took = shown(rig, primary, [oo7, "run", place])
    say(f"killing {primary.name}: PostgreSQL's primary, Patroni, etcd and the node there, all at once")
    rig.kill_machine(primary)
    say(f"OO7 small at {others[0].name}, at once")
    second = shown(rig, others[0], [oo7, "run", place])
    promoted, follower = rig.primary(), rig.leader("oo7")
    say(f"the second run took {second:.1f} s, the first {took:.1f} s; primary now: {promoted.name}, leader: "
        f"{follower.name}")
    shown(rig, others[-1], [oo7, "check", place])
    rig.start_machine(primary)
    back = await_that(rig.both_count, "both standbys count again")
    say(f"{primary.name} was switched on again: both standbys count after {back:.1f} s")
    shown(rig, primary, [oo7, "check", place])
    say("what the programs were told is committed is there")
    if "--keep" in sys.argv:
        say(f"the cluster stays until Enter; its group is\n  {rig.group}\nand at {primary.name} a program runs by\n  "
            + " ".join(primary.words(["PROGRAM"])))
        sys.stdin.readline()
    return 0


def main() -> int:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if not set(sys.argv[1:]) <= {"--keep"}:
        print(__doc__, file=sys.stderr)
        return 2
    return run_enclosed(demonstrate)


def check_programs() -> int:
    """The exit status: 3 if a program is missing, which is said."""
    for program, package in (("etcd", "etcd-server"), ("etcdctl", "etcd-client"), ("ip", "iproute2"), ("setpriv", "util-linux"),
                             ("psql", "postgresql"), ("openssl", "openssl")):
        if shutil.which(program) is None:
            print(f"cluster: {program} is missing: apt-get install {package}", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
