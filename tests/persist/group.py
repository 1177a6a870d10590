"""A group for tests of `tenure node`: certificates, a PostgreSQL server of its own, and nodes."""

import os
import shutil
import signal
import socket
import subprocess
import time
from typing import Dict, List, Optional

from cluster_certificates import Certificates
from programs import TENURE
import system_packages

PATIENCE = 120.0


class Postgres:
    """A PostgreSQL server in `directory`, at its Unix socket."""

    def __init__(self, directory: str, settings: str = ""):
        self.directory, self.settings = directory, settings
        self.programs = system_packages.postgresql_programs()
        if not self.programs:
            raise RuntimeError("PostgreSQL is missing: apt-get install postgresql")
        os.makedirs(directory)
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(directory, self._user)
        self._run("initdb", "-D", "data", "-U", "tenure", "--auth=trust", "--no-sync", "--encoding=UTF8",
                  "--locale=C", "--no-instructions")
        self.start()

    def _words(self, name: str, *words: str) -> List[str]:
        command = [os.path.join(self.programs, name), *words]
        return ["setpriv", f"--reuid={self._user}", "--clear-groups", *command] if self._user else command

    def _run(self, name: str, *words: str) -> None:
        subprocess.run(self._words(name, *words), check=True, cwd=self.directory, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        self._run("pg_ctl", "-D", "data", "-w", "-s", "-l", "log", "-o",
                  f"-k {self.directory} -c listen_addresses= -c max_connections=400 -c shared_buffers=16MB "
                  "-c fsync=off " + self.settings, "start")

    def is_down(self) -> bool:
        return subprocess.run(self._words("pg_ctl", "-D", "data", "status"), check=False, cwd=self.directory,
                              stdout=subprocess.DEVNULL).returncode != 0

    def stop(self, mode: str = "immediate") -> None:
        subprocess.run(self._words("pg_ctl", "-D", "data", "-m", mode, "-s", "stop"), check=False,
                       cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def connection(self) -> str:
        return f"host={self.directory} user=tenure dbname=postgres"

    def sql(self, statement: str) -> str:
        return subprocess.run(["psql", "-X", "-A", "-t", "-c", statement, self.connection], check=True,
                              text=True, capture_output=True).stdout.strip()


class Node:
    """`tenure node` at a port of the loopback address."""

    def __init__(self, group: "Group", name: str, *options: str):
        self.group, self.name, self.options = group, name, options
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{found.getsockname()[1]}"
        self.process: Optional[subprocess.Popen] = None

    def launch(self, log) -> subprocess.Popen:
        return subprocess.Popen(
            [TENURE, "node", "--listen", self.address, "--name", self.name, *self.group.options,
             *self.group.lease, *files_as_options(self.group.node_files), *self.options],
            stdout=subprocess.PIPE, stderr=log, text=True)

    def start(self) -> None:
        self.log = open(os.path.join(self.group.directory, self.name + ".log"), "a", encoding="utf-8")
        self.process = self.launch(self.log)
        line = self.process.stdout.readline()
        if line != f"serving at {self.address}\n":
            raise AssertionError(f"node {self.name} said {line!r}: {self.said()}")

    def said(self, log: Optional[str] = None) -> str:
        with open(log or self.log.name, encoding="utf-8") as file:
            return file.read()

    def end(self, how: int = signal.SIGKILL) -> int:
        """Ends the process; its status."""
        if self.process is None:
            return 0
        self.process.send_signal(how)
        if how == signal.SIGKILL:
            self.process.send_signal(signal.SIGCONT)
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.log.close()
        self.process = None
        return status


def files_as_options(files: Dict[str, str]) -> List[str]:
    return [word for name, file in files.items() for word in (f"--{name}", file)]


class Group:
    """One PostgreSQL server without standbys, and nodes beside it. Everything lies in
    `directory`."""

    def __init__(self, directory: str, nodes: int = 2, postgres: Optional[str] = None, settings: str = ""):
        self.directory = directory
        self.certificates = Certificates(directory)
        self.node_files = self.certificates.issue("node")
        self.postgres = Postgres(postgres or os.path.join(directory, "pg"), settings)
        self.options = ["--group", self.postgres.connection, "--allow-asynchronous"]
        self.lease = ["--lease", "2", "--session-timeout", "15"]
        self.nodes = [Node(self, f"n{i + 1}") for i in range(nodes)]

    def tool(self, *words: str) -> subprocess.CompletedProcess:
        """`tenure node init`, `create`, ..."""
        return subprocess.run([TENURE, "node", *words, *self.options], text=True, capture_output=True,
                              timeout=PATIENCE)

    def start(self) -> None:
        made = self.tool("init")
        if made.returncode != 0:
            raise AssertionError(made.stderr)
        for node in self.nodes:
            node.start()

    def name_store(self, directory: str, store: str, files: Dict[str, str], patience: int = 60) -> None:
        """Makes a directory that stands for the store."""
        os.makedirs(directory)
        with open(os.path.join(directory, "CLUSTER"), "w", encoding="utf-8") as file:
            file.write("servers = " + " ".join(node.address for node in self.nodes) + f"\nstore = {store}\n"
                       f"patience = {patience}\n")
            file.writelines(f"{name} = {path}\n" for name, path in files.items())

    def leader(self, store: str) -> Optional[Node]:
        row = self.postgres.sql(f"SELECT s.node FROM tenure.store s JOIN tenure.node n ON n.name = s.node"
                                f" AND n.epoch = s.node_epoch WHERE s.name = '{store}'")
        return next((node for node in self.nodes if node.name == row), None)

    def await_leader(self, store: str, other_than: Optional[Node] = None) -> Node:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            leader = self.leader(store)
            if leader is not None and leader is not other_than and f"leads store {store} " in leader.said():
                return leader
            time.sleep(0.05)
        raise AssertionError(f"nobody leads {store}: " + "".join(node.said() for node in self.nodes))

    def stop(self) -> None:
        for node in self.nodes:
            node.end()
        self.postgres.stop()
