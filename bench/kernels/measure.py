"""What compiled code and the library cost in small programs of many kinds, beside C++ by g++ and clang, Go, Java and
OCaml.

A program is a folder here; its twins with the same algorithm lie beside it and print the same. Compilers that are
not installed are left out. The programs run in turn, and each round begins with another one, so that all run under
the same load of the machine. A figure is the least processor time of a whole process, of all its threads: the least,
since other programs on the machine only ever add to it. Ratios are to the faster one of the two C++ compilers.
"""

import math
import os
import shutil
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Optional

from bench.support import measuring
from bench.support.measuring import Ran, run

SOURCES = os.path.join(measuring.ROOT, "bench", "kernels")
ROUNDS = 5


class Kernel(NamedTuple):
    name: str
    count: int           # the program's argument: how much work
    quick: int           # instead of count by --quick
    reads: str = ""      # the file that the program reads: words.txt or objects.json
    package: str = ""    # the folder of the program, and its twins, if not those of its name
    twins: str = ""


KERNELS = [
    Kernel("words_lex", 10, 1, "words.txt"),
    Kernel("lru", 3000000, 30000),
    Kernel("split", 600000, 10000),
    Kernel("sha256_word", 400000, 4000, twins="sha256"),
    Kernel("sha256_bits", 400000, 4000, twins="sha256"),
    Kernel("lines_stdio", 20, 1, "words.txt", package="lines"),
    Kernel("lines", 20, 1, "words.txt"),
    Kernel("producer_consumer", 1000000, 10000),
    Kernel("count_words", 5000000, 50000),
    Kernel("json", 10, 1, "objects.json"),
    Kernel("sieve", 400, 10),
    Kernel("matrix", 60, 2),
    Kernel("format_reals", 2000000, 20000),
    Kernel("format_ints", 8000000, 80000),
    Kernel("exceptions", 200000, 2000),
    Kernel("streams_threads", 6, 1, "words.txt"),
    Kernel("calculator", 200000, 2000),
    Kernel("shortest_paths", 20, 1),
    Kernel("bodies", 2000000, 20000),
    Kernel("permutations", 10, 7),
    Kernel("queens", 13, 6),
    Kernel("edit_distance", 40000, 400),
    Kernel("shapes", 2000, 20),
    Kernel("sort_records", 40, 1),
    Kernel("trees", 16, 8),
    Kernel("shared_sum", 20000000, 100000),
]
CPP = ("g++", "clang")


class Figures(NamedTuple):
    processor_s: List[float]  # per round
    peak_mb: Optional[float]
    size_kb: float            # 0: the program is not a file of its own (Java)
    compile_s: float

    @property
    def least(self) -> float:
        return min(self.processor_s)


class Compiler(NamedTuple):
    """`command` makes the program `output` of the twin with this suffix."""
    suffix: str
    needs: str  # the command that must be installed

    def command(self, source: str, output: str) -> List[str]:
        return {"g++": [self.needs, "-std=c++20", "-O2", "-pthread", "-o", output, source],
                "clang": [self.needs, "-std=c++20", "-O2", "-pthread", "-o", output, source],
                "go": ["go", "build", "-o", output, source],
                "javac": ["javac", "-d", output + ".classes", source],
                "ocamlopt": ["ocamlopt", "-O3", "-unsafe", "-inline", "100", "-o", output, source]}[
                    "clang" if self.needs.startswith("clang") else
                    "g++" if self.needs.startswith("g++") else self.needs]


def first_installed(*names: str) -> str:
    return next((name for name in names if shutil.which(name)), "")


COMPILERS = {"g++": Compiler(".cc", first_installed("g++-12", "g++")),
             "clang": Compiler(".cc", first_installed("clang++-19", "clang++")),
             "Go": Compiler(".go", "go"), "Java": Compiler(".java", "javac"),
             "OCaml": Compiler(".ml", "ocamlopt")}


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


class Program(NamedTuple):
    command: List[str]
    size_kb: float
    compile_s: float


def compiled(command: List[str], output: str, runs: Optional[List[str]] = None) -> Program:
    """Runs the compiler, without ccache; `runs` is the command that runs the program, if that is not the output itself."""
    start = time.monotonic()
    run(command, {"CCACHE_DISABLE": "1"})
    taken = time.monotonic() - start
    size = os.path.getsize(output) / 1024 if os.path.isfile(output) else 0
    return Program(runs or [output], size, taken)


def programs(kernel: Kernel, directory: str) -> Dict[str, Program]:
    """Compiles the program in every language that is installed and has a twin."""
    package = os.path.join(SOURCES, kernel.package or kernel.name)
    twin = os.path.join(SOURCES, kernel.twins or kernel.name)
    output = os.path.join(directory, "tenure")
    copy = os.path.join(directory, "package")
    shutil.copytree(package, copy)  # a copy has no objects of a former compilation
    found = {"Tenure": compiled([measuring.TENURE, "build", copy, "-O2", "-o", output], output)}
    for who, compiler in COMPILERS.items():
        source = twin + compiler.suffix
        if not os.path.exists(source) and kernel.package:
            source = os.path.join(SOURCES, kernel.package) + compiler.suffix
        if not os.path.exists(source) or not compiler.needs or not shutil.which(compiler.needs):
            continue
        output = os.path.join(directory, who)
        runs = None
        if who == "Java":
            runs = ["java", "-XX:+UseSerialGC", "-cp", output + ".classes",
                    class_name(os.path.basename(source)[:-len(compiler.suffix)])]
        if who == "OCaml":
            source = shutil.copy(source, directory)  # its output lies beside the source
        found[who] = compiled(compiler.command(source, output), output, runs)
    return found


def peak_mb(command: List[str], directory: str) -> Optional[float]:
    """The peak memory of the command; None: GNU time is not installed. The system counts what a process had before
    it became the command as well, so wait4 here would count this interpreter's memory."""
    gnu_time = shutil.which("time")
    if not gnu_time:
        return None
    report = os.path.join(directory, "peak")
    run([gnu_time, "-f", "%M", "-o", report, *command])
    with open(report, encoding="ascii") as file:
        return int(file.read()) / 1024


def measure(kernel: Kernel, directory: str, inputs: str, rounds: int, quick: bool) -> Dict[str, Figures]:
    """Ends the benchmark if two programs do not print the same."""
    made = programs(kernel, directory)
    arguments = [str(kernel.quick if quick else kernel.count)]
    if kernel.reads:
        arguments.append(os.path.join(inputs, kernel.reads))
    ran: Dict[str, List[Ran]] = {who: [] for who in made}
    in_turn = list(made)
    for _ in range(rounds):
        for who in in_turn:
            ran[who].append(run([*made[who].command, *arguments]))
            if ran[who][-1].output != ran[in_turn[0]][-1].output:
                sys.exit(f"run.py: {kernel.name}: {who} and {in_turn[0]} do not print the same")
        in_turn.append(in_turn.pop(0))
    return {who: Figures([one.cpu_s for one in ran[who]], peak_mb([*program.command, *arguments], directory),
                         program.size_kb, program.compile_s) for who, program in made.items()}


def best_cpp(figures: Dict[str, Figures]) -> Optional[Figures]:
    """The figures of the C++ compiler whose program takes less time; None: neither is installed."""
    both = [figures[who] for who in CPP if who in figures]
    return min(both, key=lambda one: one.least) if both else None


def ratio(figures: Dict[str, Figures], to: str) -> Optional[float]:
    """Tenure's least time, times that of `to` ("C++": the faster of the two)."""
    beside = best_cpp(figures) if to == "C++" else figures.get(to)
    return figures["Tenure"].least / beside.least if beside and beside.least > 0 else None


def geometric_mean(values: List[float]) -> float:
    return math.exp(sum(math.log(value) for value in values) / len(values))


def words_file() -> str:
    """About 1.5 MB of lines of words, always the same."""
    state, lines = 1, []
    for _ in range(25000):
        line = []
        for _ in range(10):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            number = state >> 33
            line.append("abcdefghijklmnopqrstuvwxyz"[number % 26:][:1 + number // 26 % 9] + str(number % 13))
        lines.append(" ".join(line) + "\n")
    return "".join(lines)


def objects_file() -> str:
    """About 2 MB of JSON: an array of objects with strings, numbers and arrays."""
    return "[" + ",\n".join(
        f'{{"id": {i}, "name": "object number {i}", "tags": ["red", "green {i % 7}", "a \\"quoted\\" word"],'
        f' "size": {{"width": {i * 7 % 100}, "height": {i * 13 % 100}}}, "values": [{i}, {i + 1}, {i + 2}]}}'
        for i in range(15000)) + "]\n"


def write_inputs(directory: str) -> None:
    for name, text in (("words.txt", words_file()), ("objects.json", objects_file())):
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            file.write(text)


def cell(value: Optional[float], form: str, width: int) -> str:
    return " " * width if value is None else f"{value:{width}{form}}"


def heading(who: List[str]) -> str:
    return (f"{'':18}{'processor, s':>{8 * len(who)}}{'Tenure, times':>16}{'peak, MB':>14}{'size, KB':>14}"
            f"{'compiling, s':>21}\n{'':18}" + "".join(f"{name:>8}" for name in who) +
            f"{'C++':>9}{'Go':>7}{'Tenure':>8}{'C++':>6}{'Tenure':>8}{'C++':>6}{'Tenure':>9}{'g++':>6}{'clang':>6}")


def line(name: str, who: List[str], figures: Dict[str, Figures]) -> str:
    ours, beside = figures["Tenure"], best_cpp(figures)
    times = "".join(cell(figures[one].least if one in figures else None, ".2f", 8) for one in who)
    compiling = "".join(cell(figures[one].compile_s if one in figures else None, ".2f", 6) for one in CPP)
    return (f"{name:18}{times}{cell(ratio(figures, 'C++'), '.2f', 9)}{cell(ratio(figures, 'Go'), '.2f', 7)}"
            f"{cell(ours.peak_mb, '.0f', 8)}{cell(beside and beside.peak_mb, '.0f', 6)}{ours.size_kb:8.0f}"
            f"{cell(beside and beside.size_kb, '.0f', 6)}{ours.compile_s:9.2f}{compiling}")


def summary(measured: Dict[str, Dict[str, Figures]]) -> str:
    lines = []
    for to in ("C++", *[who for who in COMPILERS if who not in CPP]):
        ratios = {name: one for name, figures in measured.items()
                  if (one := ratio(figures, to)) is not None}
        if ratios:
            most = max(ratios, key=lambda name: ratios[name])
            lines.append(f"times {to}: geometric mean {geometric_mean(list(ratios.values())):.2f} of"
                         f" {len(ratios)} programs, at most {ratios[most]:.2f} ({most})")
    return "\n".join(lines)


def bench(names: List[str], quick: bool) -> None:
    who = ["Tenure"] + [name for name, compiler in COMPILERS.items()
                        if compiler.needs and shutil.which(compiler.needs)]
    print("kernels: the same program in each language; least processor time of "
          f"{1 if quick else ROUNDS} interleaved rounds\n{heading(who)}")
    measured: Dict[str, Dict[str, Figures]] = {}
    with tempfile.TemporaryDirectory(prefix="tenure-kernels-") as inputs:
        write_inputs(inputs)
        for kernel in KERNELS:
            if names and kernel.name not in names:
                continue
            with tempfile.TemporaryDirectory(prefix="tenure-kernels-") as directory:
                measured[kernel.name] = measure(kernel, directory, inputs, 1 if quick else ROUNDS, quick)
            print(line(kernel.name, who, measured[kernel.name]))
            sys.stdout.flush()
    print(summary(measured))
    if not quick and not names:
        measuring.write_results("kernels", {"rounds": ROUNDS, "programs": {
            name: {who: one._asdict() for who, one in figures.items()} for name, figures in measured.items()}})
