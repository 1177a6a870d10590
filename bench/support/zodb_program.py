"""The common part of the programs for ZODB: random numbers, times and the lines that report them
(bench/support/usage).
Needs the package ZODB."""

import resource
import time

import ZODB
import ZODB.FileStorage

# ---- Random numbers, the same for all programs

_state = 1


def start_random(seed):
    global _state
    _state = seed


def draw(n):
    global _state
    _state = (_state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
    return (_state >> 33) % n


# ---- Times and lines

def now():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), usage.ru_utime, usage.ru_stime


def tell(what, count, start, end):
    elapsed, user, system = ((b - a) * 1e6 for a, b in zip(start, end))
    print(f"{what} count {count} elapsed_us {elapsed:.2f} user_us {user:.0f}"
          f" system_us {system:.0f}")


def tell_memory():
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                print("memory peak_kb", line.split()[1])


def open_root(path):
    # More objects than any configuration has, so that no object leaves the cache.
    connection = ZODB.DB(ZODB.FileStorage.FileStorage(path), cache_size=10**7).open()
    return connection, connection.root()
