#!/usr/bin/env python3
"""Random queries on random stores, answered by `tenure db` and by an evaluator in Python.

  random_queries.py [--seed N] [--count N] [--queries N] [--query K] [--tenure PROGRAM]

A seed makes a store, by a program whose types have fields of random kinds and names, and some hundred
queries. The evaluator has the data from `tenure db export`. Rows are compared as JSON lines, CSV and tables
of the shell, in the answers of `tenure db browse`, and of `tenure db query`; then the rows of several queries
with each other, by the rules of queries/rules.py. A failure prints the seed, the number of the query, and the
command that runs this query again; --query K runs this one alone.
"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "fuzz"), os.path.join(ROOT, "tests", "persist")]
from queries import model as m  # noqa: E402
from queries.generator import Near, random_query  # noqa: E402
from queries.rules import random_rule  # noqa: E402
from queries.stores import Char, Element, Model, Ref, Schema, Single  # noqa: E402

BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
STORES_OF_A_PROGRAM = 5
PLACE = re.compile(r"\d+:\d+")
END = "-424242"  # what the shell answers to a line behind each query


def same_value(got, want):
    if isinstance(want, Near) and isinstance(got, (int, float)) and abs(want) < 1e300:
        scale = max(abs(want), 1e-300)
        return abs(got - want) <= 1e-9 * scale or abs(got - want) < 1e-6
    if isinstance(want, Near):
        return True  # sums of the largest numbers depend on the order
    if isinstance(want, (list, dict)) and isinstance(got, dict) and "ref" in got:
        return True  # an object, whose contents the evaluator has
    return m.same_json(got, want)


def same_rows(got, wanted):
    if len(got) != len(wanted):
        return f"{len(got)} rows, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(got, wanted)):
        if set(a) != set(b):
            return f"row {i} has the columns {list(a)}, not {list(b)}"
        for name in b:
            if not same_value(a[name], b[name]):
                return f"row {i}: {name} is {a[name]!r}, not {m.as_json(b[name])!r}"
    return None


def lines_of_csv(text):
    """Rows of cells; a cell that is empty without quotes is None."""
    rows, row, cell, at, quotes = [], [], "", 0, False
    while at < len(text):
        if text[at] == '"' and cell == "" and not quotes:
            end = at + 1
            while True:
                end = text.index('"', end)
                if text[end:end + 2] != '""':
                    break
                end += 2
            cell, at, quotes = text[at + 1:end].replace('""', '"'), end + 1, True
            continue
        if text[at] in ",\n":
            row.append(cell if cell or quotes else None)
            cell, quotes = "", False
            if text[at] == "\n":
                rows.append(row)
                row = []
        else:
            cell += text[at]
        at += 1
    return rows


def same_cell(cell, value):
    if value is None:
        return cell is None
    if cell is None:
        return False
    if isinstance(value, bool):
        return cell == ("true" if value else "false")
    if isinstance(value, int):
        return cell == str(value)
    if isinstance(value, float):
        got = m.shown_real(cell)
        return same_value(m.as_json(got), value) if isinstance(value, Near) else \
            m.near(got, value.shown if isinstance(value, Single) else float(value))
    if isinstance(value, (str, Ref)):
        return cell == str(value)
    return PLACE.fullmatch(cell) is not None or m.same_json(json.loads(cell), value)


def same_csv(text, wanted):
    head, *rows = lines_of_csv(text)
    if len(rows) != len(wanted):
        return f"{len(rows)} rows of CSV, not {len(wanted)}"
    for i, (got, want) in enumerate(zip(rows, wanted)):
        if sorted(head) != sorted(want) or len(got) != len(head):
            return f"CSV has the columns {head}, not {list(want)}"
        for name, cell in zip(head, got):
            if not same_cell(cell, want[name]):
                return f"row {i} of CSV: {name} is {cell!r}, not {want[name]!r}"
    return None


def same_table(text, wanted):
    lines = text.split("\n")
    count = f"({len(wanted)} row{'' if len(wanted) == 1 else 's'})"
    if lines[-1] != "" or lines[-2] != count or len(lines) != len(wanted) + 4:
        return f"the table has {len(lines) - 4} rows and ends with {lines[-2:]}, not with {count}"
    widths = [len(rule) for rule in lines[1].split("  ")]
    starts = [sum(widths[:i]) + 2 * i for i in range(len(widths))]
    names = [lines[0][start:start + width].strip() for start, width in zip(starts, widths)]
    for i, (line, row) in enumerate(zip(lines[2:], wanted)):
        if len(line) > sum(widths) + 2 * len(widths) or any(ord(c) > 0x2000 for c in line):
            continue  # columns of another width
        for name, start, width in zip(names, starts, widths):
            cell, value = line[start:start + width].strip(), row.get(name)
            if isinstance(value, float):
                good = same_value(m.as_json(m.shown_real(cell)), value if isinstance(value, Near) else
                                  m.Single(value.shown) if isinstance(value, Single) else value) or \
                    (isinstance(value, Single) and m.shown_real(cell) == value.shown)
            elif isinstance(value, (bool, int, Element)) or value is None:
                good = cell == m.in_language(value)
            else:
                good = not isinstance(value, str) or isinstance(value, (Char, Ref)) or "\\" in cell or \
                    "..." in cell or cell == value.strip()
            if not good:
                return f"row {i} of the table: {name} is {cell!r}, not {value!r}"
    return None


class Shell:
    """All lines in one process of `tenure db shell`."""
    def __init__(self, tenure, store):
        self.tenure, self.store = tenure, store
        self.lines, self.checks = [], []

    def ask(self, form, text, check):
        """check(answer): the problem, or None."""
        self.lines += [f"format {form}", text, f"({END})"]
        self.checks.append((form, text, check))

    def run(self):
        """The problems, as (what was asked, problem)."""
        ran = subprocess.run([self.tenure, "db", "shell", self.store], input=("\n".join(self.lines) + "\n").encode(),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        answers, lines = [], []
        for line in ran.stdout.decode().split("\n"):
            if line == END:
                answers.append("".join(one + "\n" for one in lines))
                lines = []
            else:
                lines.append(line)
        found = []
        if ran.returncode not in (0, 1) or len(answers) != len(self.checks):
            found.append(("the shell", f"status {ran.returncode}, {len(answers)} answers to {len(self.checks)}"))
        for (form, text, check), answer in zip(self.checks, answers):
            try:
                problem = check(answer)
            except (ValueError, IndexError, KeyError, TypeError) as error:
                problem = f"{error!r}: {answer[:500]}"
            if problem:
                found.append((f"{form}: {text}", problem))
        return found


def rows_of(answer):
    return [json.loads(line) for line in answer.split("\n") if line]


class Fuzz:
    """Programs are built once for some seeds."""
    def __init__(self, directory, tenure=TENURE):
        self.directory, self.tenure, self.built = directory, tenure, None

    def program_of(self, seed):
        number = seed // STORES_OF_A_PROGRAM
        if self.built is None or self.built[0] != number:
            schema = Schema(number)
            place = os.path.join(self.directory, f"program{number}")
            self.built = (number, schema, schema.build(self.tenure, place))
        return self.built[1:]

    def run(self, seed, queries=150, only=None, count=40, show=False):
        """The failures, in words."""
        schema, program = self.program_of(seed)
        store = os.path.join(self.directory, f"store{seed}")
        subprocess.run([program, store, str(seed % 1000), str(count)], check=True)
        exported = subprocess.run([self.tenure, "db", "export", store], check=True, stdout=subprocess.PIPE).stdout
        model = Model(schema, exported)
        reports = []

        def report(k, asked, problem):
            reports.append(f"{asked}\n    {problem}\n    again: tests/fuzz/random_queries.py --seed {seed} --query {k}")
        made = []
        for k in range(queries) if only is None else [only]:
            rng = random.Random(f"{seed}/{k}")
            made.append((k, random_query(schema, model, rng), rng))
        shell, numbers = Shell(self.tenure, store), []
        for k, query, rng in made:
            if show:
                print(query.text)
            self.ask_all(shell, query, rng)
            numbers += [k] * (len(shell.checks) - len(numbers))
        texts = [f"{form}: {text}" for form, text, _ in shell.checks]
        for asked, problem in shell.run():
            report(numbers[texts.index(asked)] if asked in texts else "?", asked, problem)
        for k, query, problem in self.browse(store, made):
            report(k, "browse: " + query.text, problem)
        for k, query, _ in made[:2]:
            ran = subprocess.run([self.tenure, "db", "query", store, query.text, "--json"], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
            problem = same_rows(rows_of(ran.stdout.decode()), query.rows) if ran.returncode == 0 else ran.stdout
            if problem:
                report(k, "query: " + query.text, problem)
        shutil.rmtree(store)
        return reports

    @staticmethod
    def ask_all(shell, query, rng):
        shell.ask("jsonl", query.text, lambda answer: same_rows(rows_of(answer), query.rows))
        if rng.random() < 0.5:
            shell.ask("csv", query.text, lambda answer: same_csv(answer, query.rows))
        elif query.source.star is None or "select" in query.text:
            shell.ask("table", query.text, lambda answer: same_table(answer, query.rows))
        rule = random_rule(query, rng)
        if rule is None:
            return
        name, texts, check = rule
        answers = []

        def gather(answer):
            answers.append(rows_of(answer))
            problem = check(*answers) if len(answers) == len(texts) else None
            return problem and f"{name}: {problem}\n      " + "\n      ".join(texts)
        for text in texts:
            shell.ask("jsonl", text, gather)

    def browse(self, store, made):
        """The answers of the page's server that differ."""
        from browsing import Browse  # needs the compiler's path
        browse = Browse(store)
        try:
            connection = http.client.HTTPConnection("127.0.0.1", browse.port, timeout=60)
            for k, query, _ in made:
                connection.request("GET", "/api/query?" + urllib.parse.urlencode({"q": query.text, "most": 5000}),
                                   headers={"Cookie": browse.cookie})
                answer = json.loads(connection.getresponse().read())
                problem = same_cells(answer, query.rows)
                if problem:
                    yield k, query, problem
            connection.close()
        finally:
            browse.end()


def same_cells(answer, wanted):
    if "rows" not in answer or len(answer["rows"]) != len(wanted):
        return f"{len(answer['rows'])} rows, not {len(wanted)}" if "rows" in answer else str(answer)[:500]
    for i, (got, want) in enumerate(zip(answer["rows"], wanted)):
        if set(answer["columns"]) != set(want):
            return f"the columns are {answer['columns']}, not {list(want)}"
        for name, cell in zip(answer["columns"], got):
            value = want[name]
            shown = m.in_language(value)
            if isinstance(value, float):
                good = same_value(m.as_json(m.shown_real(cell["text"])), value) or \
                    (isinstance(value, Single) and m.shown_real(cell["text"]) == value.shown)
            elif isinstance(value, Ref):
                good = cell.get("ref") == str(value)
            else:
                # The object's own id is a link, so its text has no quotes.
                is_link = name in ("id", "#id") and cell.get("ref") == cell["text"] == value
                good = shown is None or cell["text"] == shown or is_link or "more characters" in cell["text"]
            if not good:
                return f"row {i}: {name} is {cell['text']!r}, not {shown or value!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=None, help="of the first store")
    parser.add_argument("--count", type=int, default=1, help="how many stores")
    parser.add_argument("--queries", type=int, default=150, help="how many queries for a store")
    parser.add_argument("--query", type=int, default=None, help="only this one, by its number")
    parser.add_argument("--tenure", default=TENURE)
    given = parser.parse_args()
    first = given.seed if given.seed is not None else random.randrange(10**6)
    bad = 0
    with tempfile.TemporaryDirectory(prefix="random-queries-") as directory:
        fuzz = Fuzz(directory, given.tenure)
        for seed in range(first, first + given.count):
            reports = fuzz.run(seed, given.queries, given.query, show=given.query is not None)
            bad += len(reports)
            for report in reports:
                print(report, flush=True)
    print(f"{given.count} stores from seed {first}, {given.queries} queries each: {bad} answers differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
