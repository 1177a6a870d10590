"""The common functions of the benchmarks: running programs, dropping caches, describing the
machine, JSON."""

import ctypes
import datetime
import json
import mmap
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, Iterable, List, NamedTuple, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
RESULTS = os.path.join(ROOT, "bench", "results")


class Ran(NamedTuple):
    """The output and the times of one run of a program."""
    output: str
    errors: str
    wall_s: float
    cpu_s: float
    peak_mb: float


def run(command: List[str], environment: Dict[str, str] = {}) -> Ran:
    """Stops the benchmark if the program fails. `environment` is added to this process's
    environment."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=err,
                                 env={**os.environ, **environment})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            sys.exit(f"status {child.returncode} of {' '.join(command)}: {err.read()}")
        return Ran(out.read(), err.read(), wall, usage.ru_utime + usage.ru_stime,
                   usage.ru_maxrss / 1024)


def build_program(package: str, output: str, *flags: str) -> str:
    run([TENURE, "build", os.path.join(ROOT, "bench", package), "-O2", *flags, "-o", output])
    return output


def files_of(store: str) -> Iterable[str]:
    if os.path.isfile(store):
        yield store
    for folder, _, names in os.walk(store):
        for name in names:
            yield os.path.join(folder, name)


def remove(path: str) -> None:
    """Removes a file or a folder, if it exists."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def copy_store(store: str, copy: str) -> None:
    """Replaces the file or folder at `copy`."""
    remove(copy)
    (shutil.copytree if os.path.isdir(store) else shutil.copy)(store, copy)


def drop_from_page_cache(store: str, copies: bool = True) -> None:
    """Some pages may stay in the page cache in spite of this; cached_pages counts them. Without
    `copies` no file is replaced by a copy, for which there may be no space."""
    # A page that another processor has just used stays for a moment. If a page stays for longer, a
    # copy replaces the file: the copy has new pages, which no processor has used.
    for attempt in range(20):
        for name in files_of(store):
            if attempt == 10 and copies:
                shutil.copy2(name, name + ".copy")
                os.replace(name + ".copy", name)
            descriptor = os.open(name, os.O_RDONLY)
            try:
                os.fsync(descriptor)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)
        if cached_pages(store) == 0:
            break
        time.sleep(0.1)


def cached_pages(store: str) -> int:
    """The number of pages of the files in the page cache (mincore)."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
    count = 0
    for name in files_of(store):
        size = os.path.getsize(name)
        if size == 0:
            continue
        with open(name, "r+b") as file, mmap.mmap(file.fileno(), size) as mapped:
            vector = ctypes.create_string_buffer((size + mmap.PAGESIZE - 1) // mmap.PAGESIZE)
            place = (ctypes.c_char * size).from_buffer(mapped)
            if libc.mincore(ctypes.addressof(place), size, vector) != 0:
                sys.exit(f"mincore of {name}: {os.strerror(ctypes.get_errno())}")
            count += sum(byte & 1 for byte in vector.raw)
            del place
    return count


def make_cold(store: str, copies: bool = True) -> None:
    """Drops the files from the page cache, confirmed by mincore; otherwise ends the benchmark."""
    drop_from_page_cache(store, copies)
    left = cached_pages(store)
    if left:
        sys.exit(f"{left} pages of {store} stay in the page cache")


def bytes_on_disk(store: str) -> int:
    return sum(os.stat(name).st_blocks * 512 for name in files_of(store))


def machine() -> Dict[str, str]:
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        models = {line.split(":", 1)[1].strip() for line in file if line.startswith("model name")}
    with open("/proc/meminfo", encoding="ascii") as file:
        memory = int(file.readline().split()[1]) // (1024 * 1024)
    return {"processor": f"{os.cpu_count()} x {', '.join(sorted(models)) or platform.machine()}",
            "memory": f"{memory} GB", "system": f"{platform.system()} {platform.release()}",
            "load": f"{os.getloadavg()[0]:.1f}", "date": datetime.date.today().isoformat()}


def spread(values: List[float]) -> str:
    """Median, minimum and maximum."""
    return f"{statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})"


def without_pauses(results: Dict, kind: str) -> Tuple[float, float]:
    """The program's time without the collector's pauses, in the round where this time was
    least, and the pauses of that round."""
    return min((ms - pauses, pauses)
               for ms, pauses in zip(results["Tenure"][kind], results["pauses"][kind]))


def write_results(name: str, results: Dict[str, object]) -> str:
    os.makedirs(RESULTS, exist_ok=True)
    path = os.path.join(RESULTS, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": machine(), **results}, file, indent=1)
        file.write("\n")
    return path
