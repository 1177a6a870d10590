"""Server processes of the benchmarks: `tenure serve`, and a PostgreSQL of its own."""

import glob
import os
import pwd
import shutil
import subprocess
import sys
import time
from typing import Dict, List, Optional

from bench.support import measuring

TICK = os.sysconf("SC_CLK_TCK")
# The newest version, as Debian places it.
POSTGRESQL = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]),
                 default="/usr/lib/postgresql")
# PostgreSQL does not run as root; Debian's package makes this user.
POSTGRESQL_USER = "postgres"


class _Process:
    def __init__(self, pid: int) -> None:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        self.parent = int(fields[1])
        # Its own time, and that of its children that have ended.
        self.cpu_s = sum(int(field) for field in fields[11:15]) / TICK


def tree_cpu_s(root: int) -> float:
    """The processor time of a process and of all below it, those that have ended included."""
    processes: Dict[int, _Process] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                processes[int(name)] = _Process(int(name))
            except OSError:
                pass  # ended since

    def is_below(pid: int) -> bool:
        while pid in processes and pid != root:
            pid = processes[pid].parent
        return pid == root

    return sum(process.cpu_s for pid, process in processes.items() if is_below(pid))


class _Server:
    """Runs until `end`, or as long as a `with` statement, which stops it at once when something
    else has failed."""
    process: subprocess.Popen

    def __enter__(self):
        return self

    def __exit__(self, failed, *_) -> None:
        if failed:
            self.process.kill()
            self.process.wait()
        else:
            self.end()

    def end(self) -> None:
        raise NotImplementedError

    def cpu_s(self) -> float:
        return tree_cpu_s(self.process.pid)


class TenureServer(_Server):
    """A store that is served."""

    def __init__(self, store: str, environment: Dict[str, str] = {}, *options: str) -> None:
        self.process = subprocess.Popen([measuring.TENURE, "serve", *options, store], stdout=subprocess.PIPE,
                                        text=True, env={**os.environ, **environment})
        if not self.process.stdout.readline().startswith("serving"):
            sys.exit(f"no page server for {store}")

    def end(self) -> None:
        self.process.terminate()
        self.process.stdout.close()
        if self.process.wait() != 0:
            sys.exit(f"the page server failed: status {self.process.returncode}")


def _as_user() -> List[str]:
    return ["setpriv", "--reuid", POSTGRESQL_USER, "--regid", POSTGRESQL_USER, "--clear-groups"]


def postgresql_missing() -> Optional[str]:
    """Why PostgreSQL cannot be run here; None: it can."""
    if not os.path.exists(os.path.join(POSTGRESQL, "postgres")):
        return f"there is no PostgreSQL in {POSTGRESQL}"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(POSTGRESQL_USER)
        except KeyError:
            return f"there is no user {POSTGRESQL_USER}"
        if not shutil.which("setpriv"):
            return "there is no setpriv"
    return None


class PostgreSQL(_Server):
    """A PostgreSQL with one cluster in `folder`, which `make` has made; reached by a socket there.
    Its settings are the default, but for a cache that holds the data, and places for many
    connections: each commit is durable (fsync and synchronous_commit are on)."""

    def __init__(self, folder: str, environment: Dict[str, str] = {}) -> None:
        self.folder = folder
        self.log = os.path.join(folder, "log")
        settings = {"listen_addresses": "", "unix_socket_directories": folder,
                    "max_connections": "200", "shared_buffers": "256MB"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command("postgres", "-D", os.path.join(folder, "data"), *words),
                stdout=log, stderr=log, env={**os.environ, **environment}, cwd=folder)
        for _ in range(300):
            ready = subprocess.run([os.path.join(POSTGRESQL, "pg_isready"), "-q", "-h", folder])
            if ready.returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.process.kill()
        self.process.wait()
        self.fail("did not start")

    @staticmethod
    def conninfo_of(folder: str) -> str:
        return f"host={folder} user={POSTGRESQL_USER} dbname=postgres"

    @staticmethod
    def command(program: str, *words: str) -> List[str]:
        prefix = _as_user() if os.geteuid() == 0 else []
        return [*prefix, os.path.join(POSTGRESQL, program), *words]

    @classmethod
    def make(cls, folder: str) -> None:
        """Makes the cluster. The folders above `folder` must let the server's user pass."""
        os.mkdir(folder, 0o700)
        if os.geteuid() == 0:
            shutil.chown(folder, POSTGRESQL_USER, POSTGRESQL_USER)
        made = subprocess.run(
            cls.command("initdb", "-D", os.path.join(folder, "data"), "-U", POSTGRESQL_USER,
                        "--auth=trust", "--locale=C", "--encoding=UTF8"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        if made.returncode != 0:
            sys.exit(f"initdb failed: {made.stdout}")

    def fail(self, what: str) -> None:
        with open(self.log, encoding="utf-8", errors="replace") as file:
            sys.exit(f"PostgreSQL {what}: {file.read()[-2000:]}")

    def end(self) -> None:
        self.process.terminate()
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        # SIGTERM waits for the connections, which have been closed.
        if status != 0:
            self.fail(f"ended with status {status}")
