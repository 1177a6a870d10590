"""The cost of allocation and collection, compared with C++ with malloc, libgc, Go, Java and OCaml.

Each program of bench/gc does the same work in all languages and prints the same; languages that are
not installed are left out. The programs run in turn, and each round begins with another one, so
that all run under the same load of the machine. Ratios are to C++ with malloc and free; pauses are
those that each run time reports.
"""

import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from bench.support import measuring
from bench.support.measuring import Ran, build_program, run

ROUNDS = 8  # with each of the runners in each place
SOURCES = os.path.join(measuring.ROOT, "bench", "gc")


class Program(NamedTuple):
    name: str
    arguments: List[str]
    rounds: int

    @property
    def title(self) -> str:
        return " ".join([self.name, *self.arguments])


PROGRAMS = [Program("binary_trees", [], ROUNDS), Program("binary_trees", ["21"], 3),
            *(Program(name, [], ROUNDS) for name in ("gcbench", "threads", "texts", "graph",
                                                     "arrays"))]


class Pauses(NamedTuple):
    """Pauses in milliseconds; None: not reported."""
    p99: Optional[float]
    most: Optional[float]
    more: str = ""


def of_times(times: List[float]) -> Pauses:
    times = sorted(times)
    if not times:
        return Pauses(0, 0)
    return Pauses(times[min(len(times) - 1, len(times) * 99 // 100)], times[-1])


def tenure_pauses(ran: Ran) -> Pauses:
    gc = json.loads(ran.errors)["gc"]
    return Pauses(gc["pause_us_p99"] / 1000, gc["pause_us_max"] / 1000,
                  f"{gc['minor_collections']} minor and {gc['major_collections']} major collections,"
                  f" {gc['old_collections']} in {gc['old_slices']} slices")


def go_pauses(ran: Ran) -> Pauses:
    """The two times of each cycle in which the world is stopped: "... 0.02+1.2+0.003 ms clock"."""
    return of_times([float(ms) for first, last in
                     re.findall(r"([\d.]+)\+[\d.]+\+([\d.]+) ms clock", ran.errors)
                     for ms in (first, last)])


def java_pauses(ran: Ran) -> Pauses:
    return of_times([float(ms) for ms in re.findall(r"Pause .* ([\d.]+)ms", ran.errors)])


def says_nothing(_: Ran) -> Pauses:
    return Pauses(None, None)


class Runner(NamedTuple):
    command: List[str]
    pauses: Callable[[Ran], Pauses]
    environment: Dict[str, str] = {}


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def runners(name: str, directory: str) -> Dict[str, Runner]:
    """Builds the program in every installed language."""
    source = os.path.join(SOURCES, name)

    def built(suffix: str) -> str:
        return os.path.join(directory, name + suffix)

    tenure = build_program(f"gc/{name}", built(""))
    found = {"Tenure": Runner([tenure, "@M3gcstats=json"], tenure_pauses),
             "Tenure 50 ms": Runner([tenure, "@M3gcpause=50", "@M3gcstats=json"], tenure_pauses),
             "Tenure libgc": Runner([build_program(f"gc/{name}", built("-boehm"), "--gc=boehm")],
                                    says_nothing),
             "C++": Runner([os.path.join(measuring.BUILD, "bench", name)], says_nothing)}
    if shutil.which("go"):
        run(["go", "build", "-o", built("-go"), source + ".go"])
        found["Go"] = Runner([built("-go")], go_pauses, {"GODEBUG": "gctrace=1"})
    if shutil.which("javac"):
        run(["javac", "-d", directory, source + ".java"])
        for collector in ("Serial", "Parallel"):
            found[f"Java {collector}"] = Runner(
                ["java", f"-XX:+Use{collector}GC", "-Xlog:gc:stderr", "-cp", directory,
                 class_name(name)], java_pauses)
    # OCaml 4 has no parallel threads, so there is no threads.ml.
    if shutil.which("ocamlopt") and os.path.exists(source + ".ml"):
        copy = shutil.copy(source + ".ml", directory)  # the output lies beside the source
        run(["ocamlopt", "-O3", "-unsafe", "-inline", "100", "-o", built("-ocaml"), copy])
        found["OCaml"] = Runner([built("-ocaml")], says_nothing)
    return found


def measure(program: Program, directory: str) -> Dict[str, Tuple[Runner, List[Ran]]]:
    runs = {who: (runner, []) for who, runner in runners(program.name, directory).items()}
    in_turn = list(runs.values())
    for _ in range(program.rounds):
        for runner, ran in in_turn:
            ran.append(run([*runner.command, *program.arguments],
                           environment=runner.environment))
        # Rotates the order, so that no program always runs directly after the same other one and
        # its effects on the machine's memory.
        in_turn.append(in_turn.pop(0))
        expected = runs["C++"][1][-1].output
        for who, (_, ran) in runs.items():
            if ran[-1].output != expected:
                sys.exit(f"run.py: {program.title} of {who} and of C++ do not print the same")
    return runs


def result(program: Program, runs: Dict[str, Tuple[Runner, List[Ran]]]) -> Dict[str, object]:
    """Per language: a figure per round, and the pauses of the last round."""
    found: Dict[str, object] = {}
    for who, (runner, ran) in runs.items():
        pauses = runner.pauses(ran[-1])
        found[who] = {"processor_s": [one.cpu_s for one in ran],
                      "wall_s": [one.wall_s for one in ran],
                      "peak_mb": max(one.peak_mb for one in ran),
                      "pause_p99_ms": pauses.p99, "pause_most_ms": pauses.most,
                      "more": pauses.more}
    return found


def ratio(costs: Dict[str, Dict[str, List[float]]], who: str, what: str) -> float:
    """Ratios to C++, one per round."""
    return statistics.median(a / b for a, b in zip(costs[who][what], costs["C++"][what]))


def print_program(title: str, costs: Dict[str, Dict]) -> None:
    print(f"\n{title}\n  {'':14}{'processor, s':>26}{'ratio':>7}{'wall, s':>9}{'ratio':>7}"
          f"{'peak, MB':>10}{'pauses p99, at most, ms':>26}")
    for who, cost in costs.items():
        cpu = cost["processor_s"]
        most = cost["pause_most_ms"]
        said = "" if most is None else f"{cost['pause_p99_ms']:.2f}, {most:.2f}"
        print(f"  {who:14}{statistics.median(cpu):10.2f} ({min(cpu):5.2f} to {max(cpu):5.2f})"
              f"{ratio(costs, who, 'processor_s'):7.2f}{statistics.median(cost['wall_s']):9.2f}"
              f"{ratio(costs, who, 'wall_s'):7.2f}{cost['peak_mb']:10.0f}{said:>26}")
        if cost["more"]:
            print(f"  {'':14}{cost['more']}")


def measure_pauses() -> Dict[str, Dict[str, float]]:
    """Pauses with a live gigabyte that is changed, without and with old displaced objects."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
        program = build_program(os.path.join("gc", "pauses"), os.path.join(directory, "pauses"))
        store = os.path.join(directory, "store")
        for about, words in (("1 GB", ["1000"]),
                             ("1 GB, 100,000 displaced", ["1000", "100000", store])):
            pauses = json.loads(run([program, *words, "@M3gcstats=json"]).errors)["gc"]
            for clock, key in (("", "pause_us"), (" of a processor", "pause_processor_us")):
                found[about + clock] = {what: pauses[f"{key}_{what}"]
                                        for what in ("p50", "p99", "max", "total")}
    return found


def measure_full_collections() -> Dict[str, float]:
    """Milliseconds of a full collection of a gigabyte, by threads."""
    with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
        program = build_program(os.path.join("gc", "full"), os.path.join(directory, "full"))
        return {threads: float(run([program, "1000", f"@M3gcthreads={threads}"]).output.split()[0])
                for threads in ("1", "2")}


def bench() -> None:
    print("collector: the same program in each, beside C++ with malloc and free; medians")
    programs: Dict[str, object] = {}
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="tenure-gc-") as directory:
            programs[program.title] = result(program, measure(program, directory))
        print_program(program.title, programs[program.title])
        sys.stdout.flush()
    pauses = measure_pauses()
    print("\nPauses")
    for about, us in pauses.items():
        print(f"  beside {about}: p50 {us['p50']} us, p99 {us['p99']} us, at most {us['max']} us, in"
              f" all {us['total'] / 1e6:.1f} s")
    full = measure_full_collections()
    for threads, ms in full.items():
        print(f"  full collection of 1 GB, {threads} threads: {ms:.0f} ms")
    measuring.write_results("gc", {"programs": programs, "pauses": pauses,
                                   "full_collection_ms": full})
