"""Machines on this machine: each has an address of its own, links that can be cut, and processes
that can be killed or stopped together.

With the right to make namespaces (the administrator has it, and on most systems every user), the
program runs in a network, a process and a mount namespace of its own: the kernel ends all that it
started, and removes network and mounts, when it ends in whatever way. Without it machines are
addresses of the loopback device, whose links cannot be cut.
"""

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Set

_INSIDE = "TENURE_CLUSTER_DIRECTORY"
_MARK = "TENURE_CLUSTER_MACHINE"
_PR_SET_CHILD_SUBREAPER = 36
_BRIDGE = "tenure0"
# What a program is ended with: by its terminal, by a service manager, when its terminal is closed.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# All that machines need of namespaces.
_TRIAL = (f"ip link add {_BRIDGE} type bridge && ip link add port0 type veth peer name eth0 && "
          "unshare --net true && mount -t tmpfs none /tmp")


def namespace_words() -> Optional[List[str]]:
    """How a program is started in namespaces of its own; None: this user may not make them."""
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        # The user keeps the name, since PostgreSQL does not run as the administrator.
        words[1:1] = ["--user", "--map-current-user", "--keep-caps"]
    try:
        tried = subprocess.run([*words, "sh", "-c", _TRIAL], check=False, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return None
    return words if tried.returncode == 0 else None


class _Ended(BaseException):
    """A signal tells this process to end."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def _end_by_signals() -> None:
    """Raises _Ended for the first of the signals; the others are ignored from then on, so that they interrupt no
    removing. A signal that is ignored already (nohup) stays so."""
    numbers = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]

    def end(number: int, _frame) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise _Ended(number)

    for number in numbers:
        signal.signal(number, end)


def enclosed(main: Callable[[str, bool], int]) -> int:
    """Runs main(directory, links) and answers with its status. `directory` is empty and is removed
    at the end, when all processes that main started are gone, also after SIGINT, SIGTERM and SIGHUP.
    `links`: machines have links that can be cut."""
    if _INSIDE in os.environ:
        return _inside(lambda: main(os.environ[_INSIDE], True))
    process, directory = None, ""
    try:
        _end_by_signals()
        directory = tempfile.mkdtemp(prefix="tenure-cluster-", dir=os.environ.get("TENURE_CLUSTER_TMPDIR"))
        os.chmod(directory, 0o755)
        words = namespace_words()
        if words is None:
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            return main(directory, False)
        # Whoever kills this process ends the others, too.
        words = ["setpriv", "--pdeathsig", "KILL", *words]
        process = subprocess.Popen([*words, sys.executable, *sys.argv],
                                   env=dict(os.environ, **{_INSIDE: directory}))
        return process.wait()
    except _Ended as ended:
        return 128 + ended.number
    finally:
        for number in _ENDING:
            signal.signal(number, signal.SIG_IGN)
        if process is not None:
            process.kill()
            process.wait()
        _end_descendants()
        if directory:
            _remove(directory)


def _end_descendants() -> None:
    """Also those that they start meanwhile."""
    end = time.monotonic() + 20
    while (left := _descendants({os.getpid()}) - {os.getpid()}) and time.monotonic() < end:
        _kill_all(left)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        time.sleep(0.02)


def _remove(directory: str) -> None:
    """Processes of a namespace that has ended may still be ending, and write."""
    end = time.monotonic() + 60
    while True:
        shutil.rmtree(directory, ignore_errors=True)
        if not os.path.exists(directory):
            return
        if time.monotonic() > end:
            print(f"cannot remove {directory}", file=sys.stderr)
            return
        time.sleep(0.05)


def _inside(main: Callable[[], int]) -> int:
    """The first process of a namespace gets the orphans and has to wait for them. The process that started it ends
    the namespace: what a terminal sends to all of them is for that one."""
    for number in _ENDING:
        # What is started from here gets the signals as usual, unless it inherits that they are ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    child = os.fork()
    if child == 0:
        return main()
    while True:
        ended, status = os.wait()
        if ended == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)


def _parents() -> Dict[int, int]:
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    found[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue  # ended meanwhile
    return found


def _descendants(roots: Set[int]) -> Set[int]:
    parents = _parents()
    found = roots & set(parents)
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def _kill_all(pids: Set[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Machine:
    """One machine: a network namespace at a bridge, or an address of the loopback device."""

    def __init__(self, number: int, directory: str, links: bool):
        self.number, self.name = number, f"m{number}"
        self.directory = os.path.join(directory, self.name)
        self.data = os.path.join(self.directory, "data")  # PostgreSQL's
        os.makedirs(self.directory)
        self.links = links
        self.address = f"10.77.0.{number}" if links else f"127.77.0.{number}"
        self._namespace = -1
        self._started: List[subprocess.Popen] = []
        if links:
            self._make_namespace()

    def _make_namespace(self) -> None:
        holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; read end"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        holder.stdout.readline()
        self._namespace = os.open(f"/proc/{holder.pid}/ns/net", os.O_RDONLY)
        holder.communicate()
        ours, theirs = f"port{self.number}", "eth0"
        _ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", self._namespace_path())
        _ip("link", "set", ours, "master", _BRIDGE, "up")
        for words in (["link", "set", "lo", "up"], ["addr", "add", self.address + "/24", "dev", theirs],
                      ["link", "set", theirs, "up"]):
            subprocess.run(self.words(["ip", *words]), check=True)

    def _namespace_path(self) -> str:
        return f"/proc/{os.getpid()}/fd/{self._namespace}"

    def words(self, words: Sequence[str]) -> List[str]:
        """How a command is run at this machine."""
        return ["nsenter", "--net=" + self._namespace_path(), *words] if self.links else list(words)

    def start(self, words: Sequence[str], log: Optional[str] = None, **more) -> subprocess.Popen:
        """Starts a process of the machine, whose output goes to the file `log` of its directory."""
        environment = dict(more.pop("env", os.environ), **{_MARK: self.directory})
        environment.pop(_INSIDE, None)
        if log is None:
            process = subprocess.Popen(self.words(words), env=environment, **more)
        else:
            with open(os.path.join(self.directory, log), "a", encoding="utf-8") as file:
                process = subprocess.Popen(self.words(words), env=environment, stdin=subprocess.DEVNULL, stdout=file,
                                           stderr=file, **more)
        self._started.append(process)
        return process

    def run(self, words: Sequence[str], **more) -> subprocess.CompletedProcess:
        environment = dict(more.pop("env", os.environ), **{_MARK: self.directory})
        environment.pop(_INSIDE, None)
        return subprocess.run(self.words(words), env=environment, text=True, capture_output=True,
                              check=more.pop("check", False), **more)

    def processes(self) -> Set[int]:
        """All processes of the machine."""
        # A process that was started just now may not have entered the namespace yet.
        self._started = [process for process in self._started if process.returncode is None]
        return _descendants(set(self._roots()) | {process.pid for process in self._started})

    def _roots(self) -> Iterator[int]:
        """PostgreSQL's processes write over their environment, but they have a namespace and
        parents."""
        here = os.stat(self._namespace).st_ino if self.links else None
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                if self.links:
                    belongs = os.stat(f"/proc/{name}/ns/net").st_ino == here
                else:
                    with open(f"/proc/{name}/environ", "rb") as file:
                        belongs = f"{_MARK}={self.directory}".encode() in file.read().split(b"\0")
            except OSError:
                continue
            if belongs:
                yield int(name)
        try:
            postmaster = self.postmaster()
            with open(f"/proc/{postmaster}/cmdline", "rb") as file:
                if self.directory.encode() in file.read():
                    yield postmaster
        except (OSError, ValueError):
            pass

    def postmaster(self) -> int:
        """The process id of PostgreSQL's server, as it has noted it."""
        with open(os.path.join(self.data, "postmaster.pid"), encoding="utf-8") as file:
            return int(file.readline())

    def ports_in_use(self, ports: Sequence[int]) -> List[int]:
        """Those at which something listens: machines with links have each their own."""
        used = []
        for port in [] if self.links else ports:
            with socket.socket() as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    tried.bind((self.address, port))
                except OSError:
                    used.append(port)
        return used

    def give_disk(self, megabytes: int) -> None:
        """A disk of its own for PostgreSQL's data, in memory, which can become full. Only with links."""
        disk = os.path.join(self.directory, "disk")
        os.makedirs(disk)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "none", disk], check=True)
        self.data = os.path.join(disk, "data")

    def fill_disk(self, left: int) -> None:
        """Leaves so many bytes free of what give_disk gave."""
        disk = os.path.dirname(self.data)
        step = 16 << 20
        with open(os.path.join(disk, "filler"), "ab") as file:
            while step >= 4096:
                free = os.statvfs(disk)
                more = free.f_bavail * free.f_frsize - left
                if more <= 0:
                    return
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, min(step, more))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                    step //= 2  # PostgreSQL has taken it meanwhile

    def empty_disk(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(os.path.dirname(self.data), "filler"))

    def send(self, number: int) -> None:
        """Sends a signal to all processes of the machine."""
        sent: Set[int] = set()
        while True:
            more = self.processes() - sent
            if not more:
                return
            for pid in more:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            sent |= more

    def kill(self) -> None:
        """As if the power failed, but what was written to files is there."""
        end = time.monotonic() + 20
        killed: Set[int] = set()
        while self._alive() and time.monotonic() < end:
            killed |= self.processes()
            self.send(signal.SIGKILL)
            time.sleep(0.05)
        # Orphans become this process's children where it has no namespace of its own. A zombie keeps its process id,
        # and PostgreSQL takes the one in postmaster.pid for a server that runs.
        for pid in killed - {process.pid for process in self._started}:
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < end:
                    time.sleep(0.02)

    def _alive(self) -> bool:
        for pid in self.processes():
            try:
                with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] != "Z":
                        return True
            except (OSError, IndexError):
                continue
        return False

    def set_link(self, up: bool) -> None:
        """Cuts the machine off from all others, or connects it again."""
        _ip("link", "set", f"port{self.number}", "up" if up else "down")

    def cut(self, other: "Machine", off: bool = True) -> None:
        """What this machine sends to the other one is lost, or no more."""
        self.run(["ip", "route", "add" if off else "del", "blackhole", other.address + "/32"])


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def make_machines(directory: str, links: bool, count: int) -> List[Machine]:
    if links:
        _ip("link", "set", "lo", "up")
        _ip("link", "add", _BRIDGE, "type", "bridge")
        _ip("link", "set", _BRIDGE, "up")
        _ip("addr", "add", "10.77.0.254/24", "dev", _BRIDGE)
    return [Machine(number, directory, links) for number in range(1, count + 1)]
