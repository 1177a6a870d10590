#!/usr/bin/env python3
"""How long does the compiler take? measure.py [--strict]

  hello    from no derived files to an executable, at -O0 and -O2, beside the C compiler on the same
           program; the library's own objects are there already
  nothing  a build with nothing to do
  check    source lines a second through parser and checker, beside the C compiler's front end on an
           equivalent program (same procedures, same statements)

With --strict the status is 1 if a goal is missed. The compiler comes from the build directory
(TENURE_BUILD_DIR, or build/). Times are elapsed times of the fastest of several runs. The processor
time of that run stands in brackets; on a busy machine use this figure.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Callable, List, NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

ROUNDS = 7
HELLO = 'MODULE Main;\nIMPORT IO;\nBEGIN\n  IO.Put("hello\\n");\nEND Main.\n'
HELLO_C = '#include <stdio.h>\nint main(void) {\n  puts("hello");\n  return 0;\n}\n'
PROCEDURES = 4000

PROCEDURE = """
PROCEDURE P{0}(n: INTEGER; VAR a: Vector): INTEGER =
  VAR sum := {0}; r: Pair;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      IF a[i] > n THEN
        sum := sum + a[i] * 2;
      ELSE
        a[i] := sum - n;
      END;
    END;
    r.x := sum;
    r.y := r.x + n;
    WHILE r.x > r.y DO
      DEC(r.x);
    END;
    RETURN r.x + P{1}(n, a);
  END P{0};
"""
PROCEDURE_C = """
static long P{0}(long n, long *a) {{
  long sum = {0};
  struct Pair r;
  for (long i = 0; i < LENGTH; i++) {{
    if (a[i] > n) {{
      sum = sum + a[i] * 2;
    }} else {{
      a[i] = sum - n;
    }}
  }}
  r.x = sum;
  r.y = r.x + n;
  while (r.x > r.y) {{
    r.x--;
  }}
  return r.x + P{1}(n, a);
}}
"""


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="latin-1") as file:
        file.write(text)


def run(command: List[str]) -> None:
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode != 0:
        sys.exit(f"measure.py: status {ran.returncode} of {' '.join(command)}\n{ran.stdout}")


class Seconds(NamedTuple):
    elapsed: float
    processor: float


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best(action: Callable[[], None], before: Callable[[], None] = lambda: None) -> Seconds:
    """The shortest of several runs: other work on the machine only adds time."""
    times = []
    for _ in range(ROUNDS):
        before()
        used, start = processor_seconds(), time.perf_counter()
        action()
        times.append(Seconds(time.perf_counter() - start, processor_seconds() - used))
    return min(times)


def big_program(last: str, procedure: str) -> str:
    return last + "".join(procedure.format(i, max(i - 1, 0)) for i in range(PROCEDURES))


class Report:
    def __init__(self) -> None:
        self.missed = 0

    def line(self, what: str, ours: Seconds, in_c: Seconds, goal: float) -> None:
        met = ours.elapsed <= goal
        self.missed += not met
        print(f"{what:<22} {ours.elapsed:.3f} s ({ours.processor:.3f})   "
              f"C: {in_c.elapsed:.3f} s ({in_c.processor:.3f})   goal <= {goal:g} s  "
              f"{'ok' if met else 'MISSED'}", flush=True)

    def speed(self, what: str, lines: int, ours: Seconds, c_lines: int, in_c: Seconds,
              goal: float) -> None:
        met = lines / ours.elapsed >= goal
        self.missed += not met
        print(f"{what:<22} {lines / ours.elapsed:,.0f} lines/s ({lines / ours.processor:,.0f})   "
              f"C: {c_lines / in_c.elapsed:,.0f} lines/s ({c_lines / in_c.processor:,.0f})   "
              f"goal >= {goal:,.0f}  {'ok' if met else 'MISSED'}", flush=True)


def bench_hello(directory: str, report: Report) -> None:
    package = os.path.join(directory, "hello")
    derived = os.path.join(package, ".tenure")
    write(os.path.join(package, "Main.m3"), HELLO)
    c_file, c_program = os.path.join(directory, "hello.c"), os.path.join(directory, "hello_c")
    write(c_file, HELLO_C)
    for level, goal in (("-O0", 0.20), ("-O2", 0.35)):
        run([TENURE, "build", package, level])  # the library's objects
        cold = best(lambda: run([TENURE, "build", package, level]),
                    lambda: shutil.rmtree(derived, ignore_errors=True))
        in_c = best(lambda: run(["gcc", level, "-o", c_program, c_file]))
        report.line(f"hello, cold, {level}", cold, in_c, goal)
        time.sleep(0.05)  # a file that is as new as the build is not trusted
        run([TENURE, "build", package, level])
        again = best(lambda: run([TENURE, "build", package, level]))
        report.line(f"nothing to do, {level}", again, in_c, 0.05)


def bench_check(directory: str, report: Report) -> None:
    """An error in the last statement stops the compiler after the checker."""
    head = "MODULE Main;\nTYPE\n  Vector = ARRAY [0..99] OF INTEGER;\n  Pair = RECORD x, y: INTEGER END;\n"
    text = big_program(head, PROCEDURE)
    small, big = os.path.join(directory, "Small.m3"), os.path.join(directory, "Big.m3")
    end = "\nBEGIN\n  mistake := 1;\nEND Main.\n"
    write(small, head + end)
    write(big, text + end)
    lines = text.count("\n")

    def check(file: str) -> None:
        ran = subprocess.run([TENURE, "build", file, "-w"], stderr=subprocess.PIPE, text=True)
        if ran.returncode != 1 or ran.stderr.count("error[") != 1:
            sys.exit(f"measure.py: not the one error that was expected:\n{ran.stderr}")

    all_of_it, without = best(lambda: check(big)), best(lambda: check(small))
    seconds = Seconds(all_of_it.elapsed - without.elapsed, all_of_it.processor - without.processor)
    c_text = big_program("#define LENGTH 100\nstruct Pair { long x, y; };\n", PROCEDURE_C)
    c_file = os.path.join(directory, "big.c")
    write(c_file, c_text)
    in_c = best(lambda: run(["gcc", "-fsyntax-only", c_file]))
    report.speed("parse and check", lines, seconds, c_text.count("\n"), in_c, 300_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true", help="fail if a goal is missed")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="tenure-compile-bench-") as directory:
        bench_hello(directory, report)
        bench_check(directory, report)
    sys.exit(1 if options.strict and report.missed else 0)


if __name__ == "__main__":
    main()
