#!/usr/bin/env python3
"""Measures the peak of memory of programs, and of the page server beside them, against the limit that they were given.

  memory_limits.py [--limits=64M,256M] [--programs=small,reading] [--served] [--container] [--samples=FILE]

Prints a table: for each program and limit the peak, and by how much that is beyond the limit. What counts is what a
control group counts and cannot take back: private memory and shared memory, each page once. Clean pages of files are
not in it, nor are pages of files that the system writes out. Where a control group can be made (as the administrator),
each process has its own, whose figures are read; elsewhere those of /proc/PID/smaps_rollup are.

With --container the programs get no flag: the control group has the limit, and whatever goes beyond it is killed.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Dict, List, NamedTuple, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import programs  # noqa: E402

MEGABYTE = 1 << 20
PROGRAMS = ["transaction", "small", "arrays", "table", "texts", "updates", "reading", "threads"]
LIMITS = [64, 128, 256, 1024, 4096]
# The kernel's counts lag behind by some pages for each processor.
EVERY_S = 0.002


# Programs that touch their data in random order: with more data than memory each step reads a page.
RANDOM = ("table", "texts", "reading")
# Measured with gigabytes: the others would take hours.
WITH_GIGABYTES = ("transaction", "arrays", "updates")


def data_megabytes(program: str, limit: int) -> int:
    """How much data a program works on so that it meets the limit: more than the memory, where it may be."""
    if program == "threads":
        return max(8, min(limit // 4, 400))
    if program == "small":
        return limit * 3 // 4 if limit <= 256 else limit // 4
    if program in RANDOM:
        return limit * 3 // 4
    return limit * 3 // 2 if limit <= 256 else limit * 5 // 4


def programs_for(limit: int) -> List[str]:
    if limit < 1024:
        return PROGRAMS
    return ["transaction"] if limit > 1024 else list(WITH_GIGABYTES)


class ControlGroup:
    """A control group for one process, version 1 or 2; `limit_bytes` is the group's own limit."""

    counter = 0

    def __init__(self, limit_bytes: Optional[int] = None):
        ControlGroup.counter += 1
        self.directory = None
        for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
            directory = os.path.join(root, f"tenure-memory-{os.getpid()}-{ControlGroup.counter}")
            try:
                os.mkdir(directory)
                if limit_bytes is not None:
                    with open(os.path.join(directory, limit), "w", encoding="ascii") as file:
                        file.write(str(limit_bytes))
                with open(os.path.join(directory, "memory.stat"), encoding="ascii") as file:
                    file.read()
            except OSError:
                if os.path.isdir(directory):
                    os.rmdir(directory)
                continue
            self.directory = directory
            return
        raise OSError("no control group can be made here")

    def enter(self) -> None:
        """Of the calling process."""
        with open(os.path.join(self.directory, "cgroup.procs"), "w", encoding="ascii") as file:
            file.write(str(os.getpid()))

    def fields(self) -> Dict[str, int]:
        with open(os.path.join(self.directory, "memory.stat"), encoding="ascii") as file:
            return {name: int(value) for name, value in (line.split() for line in file)}

    def used(self) -> int:
        fields = self.fields()
        if "anon" in fields:  # version 2
            return fields["anon"] + fields["shmem"]
        return fields["rss"] + fields.get("shmem", 0)

    def kills(self) -> int:
        for name in ("memory.events", "memory.oom_control"):
            try:
                with open(os.path.join(self.directory, name), encoding="ascii") as file:
                    fields = dict(line.split() for line in file)
                return int(fields.get("oom_kill", 0))
            except OSError:
                continue
        return 0

    def remove(self) -> None:
        # A process that has ended leaves its group a little later.
        for _ in range(100):
            try:
                return os.rmdir(self.directory)
            except OSError:
                time.sleep(0.05)


def can_make_groups() -> bool:
    try:
        ControlGroup().remove()
        return True
    except OSError:
        return False


def memory_of(pid: int) -> int:
    """Private and shared memory of a process, in bytes; frames are mapped twice and count once."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as mappings:
        fields = dict(line.split(":", 1) for line in mappings.readlines()[1:])
    return sum(int(fields[name].split()[0]) for name in ("Pss_Anon", "Pss_Shmem")) << 10


class Measured(NamedTuple):
    status: int
    output: str
    peak: int
    killed: bool
    seconds: float


class Process:
    """A process whose memory is measured until it ends, in a control group of its own if there are any."""

    def __init__(self, command: List[str], limit_bytes: Optional[int] = None, samples=None):
        self.group = ControlGroup(limit_bytes) if can_make_groups() else None
        self.samples = samples
        self.output = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=self.output, stderr=subprocess.STDOUT,
                                        preexec_fn=self.group.enter if self.group else None)
        self.peak = 0
        self.began = time.monotonic()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    def watch(self) -> None:
        while self.process.poll() is None:
            try:
                used = self.group.used() if self.group else memory_of(self.process.pid)
                if used > self.peak + (self.samples is not None) * (MEGABYTE >> 1):
                    self.peak = used
                    if self.samples is not None:
                        self.note(used)
            except (OSError, KeyError):
                pass  # it is ending
            time.sleep(EVERY_S)

    def note(self, used: int) -> None:
        with open(f"/proc/{self.process.pid}/smaps", encoding="ascii") as mappings:
            text = mappings.read()
        with open(self.samples, "w", encoding="ascii") as file:
            file.write(f"used {used}\n{self.group.fields() if self.group else ''}\n{text}")

    def wait(self, timeout: float = 7200) -> Measured:
        self.process.wait(timeout)
        self.watcher.join()
        seconds = time.monotonic() - self.began
        killed = False
        if self.group is not None:
            killed = self.group.kills() > 0
            self.group.remove()
        self.output.seek(0)
        return Measured(self.process.returncode, self.output.read(), self.peak, killed, seconds)


def build(directory: str) -> str:
    program = os.path.join(directory, "memory_limits")
    source = os.path.join(HERE, "memory_limits", "Main.m3")
    subprocess.run([programs.TENURE, "build", source, "-o", program], check=True, stdout=subprocess.DEVNULL)
    return program


class Result(NamedTuple):
    program: str
    limit: int  # MB, of each process
    served: bool
    alone: Measured
    server: Optional[Measured]


def run(directory: str, program: str, name: str, limit: int, served: bool, container: bool = False,
        samples: Optional[str] = None) -> Result:
    """Runs a program with that limit, in MB, on a new store. In containers a server has one of its own."""
    store = os.path.join(directory, "store")
    shutil.rmtree(store, ignore_errors=True)
    server = None
    flags = [] if container else [f"@M3memory={limit}M"]
    group_limit = limit * MEGABYTE if container else None
    try:
        if served:
            server = Process([programs.TENURE, "serve", store], group_limit, samples and samples + ".server")
            for _ in range(1000):
                server.output.seek(0)
                if "serving" in server.output.read() or server.process.poll() is not None:
                    break
                time.sleep(0.01)
        ran = Process([program, store, name, str(data_megabytes(name, limit)), *flags], group_limit, samples).wait()
    finally:
        served_by = None
        if server is not None:
            server.process.terminate()
            served_by = server.wait(60)
        shutil.rmtree(store, ignore_errors=True)
    return Result(name, limit, served, ran, served_by)


def beyond(measured: Measured, limit: int) -> str:
    return f"{measured.peak / MEGABYTE:8.1f} {100 * measured.peak / (limit * MEGABYTE) - 100:+6.1f} %"


def show(result: Result) -> str:
    line = f"{result.program:12} {result.limit:5} {beyond(result.alone, result.limit)} {result.alone.seconds:6.1f} s"
    if result.server is not None:
        line += f"   server {beyond(result.server, result.limit)}"
    for measured in (result.alone, result.server):
        if measured is not None and measured.status != 0:
            line += f"   status {measured.status}{' (killed)' if measured.killed else ''}: {measured.output[-300:]}"
    return line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limits", default=",".join(f"{limit}M" for limit in LIMITS))
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--served", action="store_true")
    parser.add_argument("--container", action="store_true")
    parser.add_argument("--samples")
    arguments = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="tenure-memory-")
    failed = False
    try:
        program = build(directory)
        for limit in arguments.limits.split(","):
            for name in arguments.programs.split(","):
                result = run(directory, program, name, int(limit.rstrip("M")), arguments.served, arguments.container,
                             arguments.samples and f"{arguments.samples}.{name}.{limit}")
                print(show(result), flush=True)
                failed = failed or result.alone.status != 0
    finally:
        shutil.rmtree(directory)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
