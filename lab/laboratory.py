#!/usr/bin/env python3
"""Runs the experiments of the papers and makes docs/laboratory.md from their measurements.

  python3 build.py lab [PAPER ...] [--quick] [--directory=DIR]
  python3 lab/laboratory.py --page      only makes the page anew, from lab/results/*.json
"""

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Dict, List

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

from bench.support import measuring  # noqa: E402
from lab.report import (claims, load_work_save, object_faults, page, pm3, quickstore, recovery,  # noqa: E402
                        rows)

PAPERS = {paper.NAME: paper
          for paper in (load_work_save, object_faults, quickstore, recovery, pm3)}
PROGRAM = os.path.join(measuring.BUILD, "lab", "lab")
RESULTS = os.path.join(ROOT, "lab", "results")
REFUSED = os.path.join(measuring.BUILD, "lab", "refused")
PAGE = os.path.join(ROOT, "docs", "laboratory.md")
PROGRESS_S = 20  # between two words about an experiment that takes long


def experiments_of(paper: str) -> List[str]:
    """As the program lists them."""
    told = subprocess.run([PROGRAM, "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout
    for line in told.splitlines():
        words = line.split()
        if words and words[0] == paper and line.startswith("  "):
            return words[1:]
    sys.exit(f"laboratory.py: {PROGRAM} knows no paper {paper}")


def run_experiment(command: List[str]) -> List[rows.Row]:
    """Says from time to time how many measurements there are."""
    lines: List[str] = []
    told = time.monotonic()
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        for line in program.stdout:
            lines.append(line)
            if time.monotonic() - told >= PROGRESS_S:
                told = time.monotonic()
                print(f"{len(lines)} ... ", end="", flush=True)
    if program.returncode != 0:
        sys.exit(f"laboratory.py: {' '.join(command)} ended with {program.returncode}")
    return rows.read(lines)


def measure(paper: str, quick: bool, directory: str) -> List[rows.Row]:
    """All experiments of a paper, with a line about each when it ends."""
    if hasattr(PAPERS[paper], "measure"):
        print(f"  {paper} ", end="", flush=True)
        begin = time.monotonic()
        measured = PAPERS[paper].measure(quick, directory)
        print(f"{len(measured)} measurements, {time.monotonic() - begin:.1f} s", flush=True)
        return measured
    options = ["--quick"] if quick else []
    if directory:
        options.append(f"--directory={directory}")
    found = []
    for experiment in experiments_of(paper):
        print(f"  {paper} {experiment} ", end="", flush=True)
        begin = time.monotonic()
        measured = run_experiment([PROGRAM, paper, experiment, *options])
        found += measured
        print(f"{len(measured)} measurements, {time.monotonic() - begin:.1f} s", flush=True)
    if hasattr(PAPERS[paper], "measure_tenure"):
        print(f"  {paper} Tenure ", end="", flush=True)
        begin = time.monotonic()
        measured = PAPERS[paper].measure_tenure(quick, directory)
        found += measured
        print(f"{len(measured)} measurements, {time.monotonic() - begin:.1f} s", flush=True)
    return found


def check(paper: str, measured: List[rows.Row]) -> bool:
    """Whether the measurements meet the paper's invariants; says which they break."""
    wrong = PAPERS[paper].invariants(measured)
    for text in wrong:
        print(f"laboratory.py: {paper}: {text}", file=sys.stderr)
    return not wrong


def write_measurements(path: str, result: Dict) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
        file.write("\n")


def keep_refused(paper: str, result: Dict) -> None:
    """Measurements that break an invariant are no results, but say where to look."""
    path = os.path.join(REFUSED, paper + ".json")
    write_measurements(path, result)
    print(f"laboratory.py: {paper}: the measurements are not taken as results; they are in {path}",
          file=sys.stderr)


def load_results() -> Dict[str, Dict]:
    found = {}
    for name in PAPERS:
        path = os.path.join(RESULTS, name + ".json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[name] = json.load(file)
    return found


HEAD = """# The laboratory

Made by `python3 build.py lab` from `lab/results/*.json`; do not edit. `docs/experiments.md` says how to add
to it.

Papers of 1990 to 1999 compare ways to find out that an object is absent, to turn stored references into
addresses, to lay objects out and to make updates durable. Each built a prototype of its own. The
laboratory has their mechanisms beside each other, over one page server and one compiler, so that
differences are those of the strategies. For each table and figure this page has the paper's number and ours,
and for each claim whether it holds here. No verdict is written by hand: the figures and the rule
beside it decide. A claim whose bound lies within what runs differ by cannot be told.
"""


def make_page(results: Dict[str, Dict], folder: str) -> str:
    """The page's text. Writes the pictures to the folder."""
    text = [HEAD]
    for name, result in results.items():
        paper = PAPERS[name]
        machine = result["machine"]
        verdicts: Dict[str, int] = {claims.HOLDS: 0, claims.FAILS: 0, claims.UNTOLD: 0}
        sections = paper.sections(result["rows"])
        for section in sections:
            for claim in section.claims:
                verdicts[claim.verdict] += 1
        text.append(f"## {paper.TITLE}\n")
        text.append(", ".join([machine["processor"], machine["memory"], machine["system"],
                               f"load {machine['load']} before", machine["date"]]) +
                    ("; a quick run" if result["quick"] else "") + ". Of the paper's claims " +
                    ", ".join(f"{count} {'hold' if what == claims.HOLDS else what}"
                              if what != claims.FAILS else f"{count} do not hold"
                              for what, count in verdicts.items()) + ".\n")
        text.append(paper.DIFFERENCES.strip() + "\n")
        text += [page.markdown(section, folder) for section in sections]
    return "\n".join(text)


def write_page() -> None:
    pictures = os.path.join(ROOT, "docs", "pictures")
    os.makedirs(pictures, exist_ok=True)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(make_page(load_results(), pictures))
    print(f"  {os.path.relpath(PAGE, ROOT)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="build.py lab", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="*", metavar="PAPER",
                        help=f"of {', '.join(PAPERS)}; otherwise all")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and runs")
    parser.add_argument("--directory", help="where stores are made; must be on a disk")
    parser.add_argument("--page", action="store_true", help="only make the page from the results")
    parser.add_argument("--dry", action="store_true",
                        help="measure and check, but write neither results nor page")
    arguments = parser.parse_args()
    for name in arguments.papers:
        if name not in PAPERS:
            parser.error(f"there is no paper '{name}'; there are {', '.join(PAPERS)}")
    refused = []
    if not arguments.page:
        for name in arguments.papers or PAPERS:
            machine = measuring.machine()
            measured = measure(name, arguments.quick, arguments.directory or "")
            result = {"machine": machine, "quick": arguments.quick, "rows": measured}
            if not check(name, measured):
                keep_refused(name, result)
                refused.append(name)
            elif arguments.dry:
                PAPERS[name].sections(measured)
            else:
                write_measurements(os.path.join(RESULTS, name + ".json"), result)
    if not arguments.dry:
        write_page()
    if refused:
        sys.exit(f"laboratory.py: refused: {', '.join(refused)}")


if __name__ == "__main__":
    main()
