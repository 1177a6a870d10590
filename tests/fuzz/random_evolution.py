#!/usr/bin/env python3
"""Random types that change, with a shadow in Python: what an upgrade makes of a store must be what the
rules of docs/schema_evolution.md make of the shadow.

  random_evolution.py [--seed N] [--count N] [--cases N] [--versions N] [--keep]

A case is a set of types (enumerations, records, arrays, objects with supertypes, REF RECORDs, open
arrays, texts, containers), a graph of objects in two databases, and changes of these types. A seed
makes some dozen cases in a few versions, each version one program that makes the graph, reads it and
prints it. Each ordered pair of versions is an upgrade of a store with all cases. A change has one of
three verdicts: it *must* be converted, it *may* be refused, it can *never* be converted. An upgrade
that refuses must name the case's type, say the same in a dry run, and change nothing. What an upgrade
makes is compared with the shadow: the new program's reading, verify, check, export, import, query, dump,
show, CSV. Some upgrades have a converter, whose values are the shadow's, too.
A failure prints the seed and the case, and the directory with --keep.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from evolution_changes import Case
from evolution_converters import Conversion
from evolution_keys import Keys
from evolution_looks import Looks
from evolution_shadow import MUST, NEVER, Export, Shadow, Wrong, lines_of, options_for, worst
from evolution_types import HEAD, TAIL, Writer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")
TOOL_WITH_FAULTS = os.path.join(BUILD, "bin", "tenure-db-faults")

WORKERS = 2

Ran = collections.namedtuple("Ran", "status out")


def run(*command, stdin=None, timeout=120, environment=()):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, input=stdin, timeout=timeout,
                         env={**os.environ, **dict(environment)},
                         **({} if stdin is not None else {"stdin": subprocess.DEVNULL}))
    return Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"))


def files_of(store):
    """The bytes of a store's files."""
    found = {}
    for folder, _, names in os.walk(store):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, store)] = file.read()
    return found


class Evolution:
    """The programs of one seed, and the upgrades between them."""
    def __init__(self, directory, seed, cases=30, versions=3, keep=False):
        self.directory, self.seed, self.keep = directory, seed, keep
        self.local, self.lock = threading.local(), threading.Lock()
        self.cases = [Case(i, random.Random(f"{seed} {i}"), versions) for i in range(cases)]
        self.versions = versions
        self.problems, self.counts = [], collections.Counter()

    def place(self, name):
        """A path for the pair of versions of this thread."""
        return os.path.join(self.local.directory, name)

    def program(self, version):
        return os.path.join(self.directory, f"v{version}")

    @property
    def rng(self):
        return self.local.rng

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def begin(self, a, b):
        """This thread looks at a pair of versions."""
        self.local.directory = os.path.join(self.directory, f"{a}-{b}")
        self.local.rng = random.Random(f"{self.seed} {a} {b}")
        os.mkdir(self.local.directory)

    def build(self):
        builds = []
        for v in range(self.versions):
            source = self.program(v) + ".source"
            os.mkdir(source)
            with open(os.path.join(source, "Main.m3"), "w", encoding="latin-1") as file:
                file.write(self.source(v))
            builds.append(subprocess.Popen([TENURE, "build", source, "-o", self.program(v), "-O0"],
                                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        for one in builds:
            out, _ = one.communicate(timeout=600)
            if one.returncode != 0:
                raise Wrong(f"seed {self.seed}: the program does not build:\n{out[:3000]}")

    def source(self, v):
        writer = Writer()
        writer.put(HEAD)
        for case in self.cases:
            writer.declare(case.versions[v])
        for case in self.cases:
            writer.use(case.versions[v], case.nodes[v])
        for case in self.cases:
            for spelling, name in case.versions[v].sets.items():
                writer.put(f"TYPE {name} = {spelling};")
        most = max(len(case.nodes[v]) for case in self.cases)
        writer.put(f"TYPE Far = ARRAY [0..{most - 1}] OF BOOLEAN;")
        writer.put(f"CONST IsFar = ARRAY [0..{len(self.cases) - 1}] OF Far {{" + ", ".join(
            "Far{" + ", ".join("TRUE" if i < len(case.nodes[v]) and case.nodes[v][i].far else "FALSE"
                               for i in range(most)) + "}" for case in self.cases) + "};")
        writer.put(f"CONST Count = ARRAY [0..{len(self.cases) - 1}] OF INTEGER {{" + ", ".join(
            str(len(case.nodes[v])) for case in self.cases) + "};")
        for name, head, call in (("New", "(case, i: INTEGER): REFANY", "RETURN New{0}(i)"),
                                 ("Fill", "(case: INTEGER)", "Fill{0}(all)"),
                                 ("Show", "(case, i: INTEGER)", "Show{0}(i)")):
            writer.put(f"PROCEDURE {name}{head} =\n  BEGIN\n    CASE case OF")
            for case in self.cases:
                writer.put(f"    | {case.number} => {call.format(case.number)};")
            writer.put("    ELSE <*ASSERT FALSE*>\n    END;\n  END " + name + ";")
        return "\n".join(writer.lines) + TAIL

    # -- one upgrade

    def wrong(self, case, what):
        self.problems.append(f"seed {self.seed}, case {case}: {what}")

    def make(self, v, cases, store, name="cases"):
        """Makes the objects of the cases as version v, as named objects of a store."""
        store = self.place(store)
        if name == "cases":
            shutil.rmtree(store, ignore_errors=True)
        made = run(self.program(v), "make", store, name, *(str(case.number) for case in cases))
        if made.status != 0:
            raise Wrong(f"seed {self.seed}: making the store: {made}")
        return store

    def read(self, v, store, name="cases"):
        """The status of the program, and its lines by case; those of its messages by -1."""
        ran = run(self.program(v), "read", store, name)
        lines = collections.defaultdict(list)
        for line in ran.out.split("\n"):
            word = line.split(" ")[0]
            lines[int(word) if word.isdigit() else -1].append(line)
        return ran.status, lines

    def reads(self, v, store, expected, name="cases"):
        """Whether the program reads what the shadow has; else the differences, as (case, what)."""
        status, lines = self.read(v, store, name)
        differences = []
        if status != 0:
            differences.append(("?", f"the program ends with {status}: {lines[-1]}"))
        for number, wanted in expected.items():
            if lines[number] != wanted:
                pairs = [(x, y) for x, y in zip(lines[number] + [""] * 9, wanted) if x != y]
                differences.append((number, f"it is\n  {pairs[0][0]}\nand not\n  {pairs[0][1]}"))
        return differences

    def compare(self, what, v, store, expected, name="cases"):
        for number, difference in self.reads(v, store, expected, name):
            self.wrong(number, f"{what}: {difference}")

    def words(self, a, b, cases, store, more=None, conversion=None):
        """The arguments of an upgrade. `more`: shadows of objects that are in the store as well."""
        words = ["upgrade", store, self.program(b)]
        if conversion and conversion.has_any(cases):
            words.append(self.place("converter"))
        for case in cases:
            nodes = case.nodes[a] + (more[case.number].result if more else [])
            options = options_for(case.versions[a], case.versions[b], nodes)[0]
            words += conversion.without_settled(options, case, case.versions[a]) if conversion else options
        return words

    def shadows(self, a, b, nodes=None, conversion=None):
        """By case. `nodes`: by case, of version a; else those that its program makes."""
        return {case.number: Shadow(
            case.versions[a], case.versions[b], (nodes or {}).get(case.number, case.nodes[a]),
            lambda key, number=case.number: conversion and conversion.of(number, key)) for case in self.cases}

    def expected(self, v, shadows, cases):
        return {case.number: lines_of(case.versions[v], shadows[case.number].result) for case in cases}

    def refused(self, what, a, store, tried, done, before, cases):
        """Checks a refusal; the case that it names."""
        if tried.out != done.out:
            self.wrong("?", f"{what}: the dry run says\n{tried.out}, the upgrade\n{done.out}")
        if files_of(store) != before and any(one for one in self.reads(a, store, {
                case.number: lines_of(case.versions[a], case.nodes[a]) for case in cases})):
            self.wrong("?", f"{what}: a refused upgrade changes the store")
        said = done.out.splitlines()[-1] if done.out else ""
        named = re.search(r"Main\.C(\d+)_", said)
        case = next((one for one in cases if named and one.number == int(named[1])), None)
        if case is None:
            raise Wrong(f"seed {self.seed}, {what}: refused without a type's name: {said}")
        return case, said

    @staticmethod
    def were_dropped(reasons, words):
        """Whether --drop-field names the field of each reason."""
        dropped = {words[at + 1].rsplit(".", 1)[-1] for at, word in enumerate(words) if word == "--drop-field"}
        return all(re.match(r"never: \w+\.(\w+):", reason) and re.match(r"never: \w+\.(\w+):", reason)[1] in dropped
                   for reason in reasons if reason.startswith("never"))

    def upgrade(self, a, b, conversion=None):
        """All cases of version a to version b: those that are refused one after the other, then the others. Returns
        the others."""
        shadows = self.shadows(a, b, conversion=conversion)
        what = f"versions {a} to {b}" + (", with a converter" if conversion else "")
        # Each refusal takes as long as the conversion of all others.
        cases = [case for case in self.cases if shadows[case.number].verdict != NEVER or self.rng.random() < 0.4]
        while cases:
            store = self.make(a, cases, "store")
            words, before = self.words(a, b, cases, store, conversion=conversion), files_of(store)
            environment = conversion.environment(cases, len(self.cases)) if conversion else {}
            tried = run(TENURE, "db", *words, "--dry-run", environment=environment)
            if files_of(store) != before:
                self.wrong("?", f"{what}: a dry run changes the store")
            done = run(TENURE, "db", *words, environment=environment)
            if tried.status != done.status or tried.status not in (0, 3):
                raise Wrong(f"seed {self.seed}, {what}: the dry run says {tried}, the upgrade {done}")
            if done.status == 0:
                break
            case, said = self.refused(what, a, store, tried, done, before, cases)
            verdict = shadows[case.number].verdict
            self.count(f"refused, {verdict}" + (", converter" if conversion else ""))
            if verdict == MUST:
                self.wrong(case.number, f"{what}: must be converted ({case.changes[a]} | {case.changes[b]}), and is "
                                        f"refused: {said}")
            cases.remove(case)
        for case in list(cases):
            shadow = shadows[case.number]
            self.count(f"converted, {shadow.verdict}" + (", converter" if conversion and any(
                number == case.number for number, _ in conversion.types) else ""))
            if shadow.verdict == NEVER:
                # A field that another type lacks was told to be dropped, and is a supertype's: then these objects' is.
                if not self.were_dropped(shadow.why, words):
                    self.wrong(case.number, f"{what}: can never be converted, and is: {shadow.why} ({case.changes[a]} | "
                                            f"{case.changes[b]})")
                cases.remove(case)
        if not cases:
            return []
        expected = self.expected(b, shadows, cases)
        self.compare(what, b, store, expected)
        # A type that has just another name, and a brand, keeps the stored one.
        self.look(what, b, store, {case.number: (case.versions[b], expected[case.number], [
            node.type for node in case.nodes[a]], [
                {"Main." + case.versions[v].types[node.type].name for v in (a, b)} for node in case.nodes[a]])
            for case in cases})
        self.well(what, b, store)
        return cases

    def converter(self, a, b):
        """The same upgrade with a converter for some types."""
        conversion = Conversion(self.cases, a, b, self.rng)
        if not conversion.types:
            return
        source = self.place("converter.source")
        os.mkdir(source)
        with open(os.path.join(source, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(conversion.source())
        built = run(TENURE, "build", source, "-o", self.place("converter"), "-O0", timeout=600)
        if built.status != 0:
            raise Wrong(f"seed {self.seed}: the converter does not build:\n{built.out[:3000]}")
        self.upgrade(a, b, conversion)

    def well(self, what, v, store):
        for words in (["verify", store], ["verify", store + ":far"], ["check", store, self.program(v)]):
            ran = run(TENURE, "db", *words)
            if ran.status != 0:
                self.wrong("?", f"{what}: {words[0]} says {ran}")

    def there_and_back(self, a, b, cases):
        """Upgrades, makes more objects with the new program beside those that were converted, and goes back."""
        what = f"versions {a} to {b}, with new objects, and back"
        shadows = self.shadows(a, b)
        back = self.shadows(b, a, {case.number: shadows[case.number].result for case in cases})
        more = self.shadows(b, a)
        cases = [case for case in cases if worst([back[case.number].verdict, more[case.number].verdict]) == MUST]
        if not cases:
            return
        store = self.make(a, cases, "store")
        done = run(TENURE, "db", *self.words(a, b, cases, store))
        if done.status != 0:
            return self.wrong("?", f"{what}: refused: {done}")
        self.make(b, cases, "store", "more")
        self.well(f"{what} (before)", b, store)
        done = run(TENURE, "db", *self.words(b, a, cases, store, shadows))
        if done.status != 0:
            return self.wrong("?", f"{what}: must be converted, and is refused: {done.out}")
        self.count("there and back", len(cases))
        self.compare(what, a, store, self.expected(a, back, cases))
        self.compare(what, a, store, self.expected(a, more, cases), "more")
        self.well(what, a, store)

    def asked(self, a, b, cases):
        """Without --drop-field an upgrade loses no field, and names those that it would."""
        losing = [case for case in cases if options_for(case.versions[a], case.versions[b], case.nodes[a])[1]]
        for case in losing[:2]:
            words, lost = options_for(case.versions[a], case.versions[b], case.nodes[a])
            store = self.make(a, [case], "store")
            kept = [word for at, word in enumerate(words)
                    if word != "--drop-field" and (at == 0 or words[at - 1] != "--drop-field")]
            ran = run(TENURE, "db", "upgrade", store, self.program(b), *kept)
            self.count("asked")
            unnamed = [field for field in lost if field not in ran.out.split("\n")[-2]]
            if ran.status != 3 or unnamed:
                self.wrong(case.number, f"versions {a} to {b} without --drop-field: {unnamed} not named: {ran}")

    def unconverted(self, a, b, case):
        """A program opens the store of another version: it reads the same values, or raises TypeMismatch."""
        store = self.make(a, [case], "store")
        shadow = self.shadows(a, b)[case.number]
        status, lines = self.read(b, store)
        what = f"version {b} opens the store of version {a} ({case.changes[a]} | {case.changes[b]})"
        self.count("opened" if status == 0 else "not opened")
        if status != 0:
            # The message may stand behind a part of a line.
            said = "".join(line for some in lines.values() for line in some)
            if "TypeMismatch" not in said:
                self.wrong(case.number, f"{what}: it ends with {status}: {said[-600:]}")
        elif shadow.verdict == NEVER:
            self.wrong(case.number, f"{what}: it reads what it never can: {shadow.why}")
        else:
            self.compare(what, b, store, self.expected(b, {case.number: shadow}, [case]))

    def killed(self, a, b, cases):
        """An upgrade that is killed has done all or nothing, and can be done again."""
        shadows = self.shadows(a, b)
        old = {case.number: lines_of(case.versions[a], case.nodes[a]) for case in cases}
        new = self.expected(b, shadows, cases)
        kind = self.rng.choice(["crash", "crash-torn", "crash-unsynced", "crash-some-synced"])
        for at in sorted(self.rng.sample(range(1, 60), 3)):
            what = f"versions {a} to {b}, killed by {kind}:{at}"
            store = self.make(a, cases, "store")
            words = self.words(a, b, cases, store)
            ran = run(TOOL_WITH_FAULTS, *words, f"@M3dbfail={kind}:{at}")
            if ran.status not in (0, 77):
                self.wrong("?", f"{what}: {ran}")
            done = not self.reads(b, store, new)
            self.count("killed: " + ("new" if done else "old"))
            if not done:
                self.compare(what, a, store, old)
                ran = run(TENURE, "db", *words)
                if ran.status != 0:
                    self.wrong("?", f"{what}, again: {ran}")
            self.compare(what, b, store, new)

    def served(self, a, b, cases):
        """A store that is served is not converted, and programs go on."""
        store = self.make(a, cases, "store")
        server = subprocess.Popen([TENURE, "serve", store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            server.stdout.readline()
            ran = run(TENURE, "db", *self.words(a, b, cases, store))
            if ran.status != 3:
                self.wrong("?", f"an upgrade of a store that is served: {ran}")
            self.compare("a served store", a, store, {
                case.number: lines_of(case.versions[a], case.nodes[a]) for case in cases})
        finally:
            server.terminate()
            server.communicate(timeout=60)

    def look(self, what, v, store, expected):
        """Compares an export, and what an import makes of it, with the shadow."""
        lines, copy_ = self.place("lines"), self.place("copy")
        for path in (lines, copy_):
            shutil.rmtree(path, ignore_errors=True)
        ran = run(TENURE, "db", "export", "--all", store, lines)
        if ran.status != 0:
            return self.wrong("?", f"{what}: export says {ran}")
        texts = {}
        for name in ("main", "far"):
            with open(os.path.join(lines, name + ".jsonl"), encoding="utf-8") as file:
                texts[name] = file.read()
        export = Export(texts)
        for number, (version, wanted, types, names) in expected.items():
            for made, want in zip(export.lines_of(version, types, names), wanted):
                if made not in (None, want):
                    self.wrong(number, f"{what}: the export has\n  {made}\nand not\n  {want}")
        self.rows(what, store, export, expected)
        ran = run(TENURE, "db", "import", "--all", copy_, lines)
        if ran.status != 0 or "note" in ran.out:
            return self.wrong("?", f"{what}: import says {ran}")
        self.compare(f"{what}, exported and imported", v, copy_, {
            number: wanted for number, (_, wanted, _, _) in expected.items()})

    def rows(self, what, store, export, expected):
        """Compares what all commands show with the lines of the export: each field of each object."""
        wanted = {"main": {}, "far": {}}
        for number, (version, _, types, _) in expected.items():
            for (where, line), key in zip(export.nodes(number), types):
                if version.types[key].kind in ("object", "record"):
                    wanted[where][line["object"]] = (number, line, [
                        field for field in version.fields(key) if not field.transient])
        for database, objects in wanted.items():
            if not objects:
                continue
            names = sorted({line["type"] for _, line, _ in objects.values()})
            places = [(place, field.name) for place, (_, _, fields) in objects.items() for field in fields]
            looks = Looks(run, TENURE, store, database, names, self.rng.sample(names, min(3, len(names))),
                          self.rng.sample(places, min(3, len(places))))
            for place, (number, line, fields) in objects.items():
                problem = next(filter(None, (looks.problem(line, place, field) and
                                             f"{field.name} = {line['fields'][field.name]}: " +
                                             looks.problem(line, place, field) for field in fields)), None)
                if problem:
                    self.wrong(number, f"{what}: {line['type']} {place} has {problem}")

    def keys(self):
        """Containers with keys of an enumeration, in stores of their own."""
        keys = Keys(run, TENURE, self.directory, random.Random(f"{self.seed} keys"), self.versions)
        problem = keys.build()
        if problem:
            raise Wrong(f"seed {self.seed}: {problem}")
        for a, b in itertools.permutations(range(self.versions), 2):
            problem, what = keys.upgrade(a, b)
            self.count(f"keys, {what}")
            if problem:
                self.wrong("keys", f"versions {a} to {b}: {problem}")

    def pair(self, a, b, whole):
        """`whole`: with what takes longer."""
        self.begin(a, b)
        if a == b:
            store = self.make(a, self.cases, "store")
            return self.compare(f"version {a}", a, store, {case.number: lines_of(case.versions[a], case.nodes[a])
                                                           for case in self.cases})
        cases = self.upgrade(a, b)
        self.asked(a, b, cases)
        if (a + b) % 2 or whole:
            self.converter(a, b)
        if cases and whole:
            self.there_and_back(a, b, cases)
            self.killed(a, b, cases)
            self.served(a, b, cases)
            for case in self.rng.sample(self.cases, min(len(self.cases), 6)):
                self.unconverted(a, b, case)
        if not self.keep:
            shutil.rmtree(self.local.directory)
        return None

    def check(self):
        """What is wrong, in words."""
        self.build()
        self.keys()
        pairs = [(a, b) for a in range(self.versions) for b in range(self.versions)]
        whole = random.Random(self.seed).choice([(a, b) for a, b in pairs if a != b])
        with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
            for _ in pool.map(lambda pair: self.pair(*pair, pair == whole), pairs):
                pass
        return self.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--count", type=int, default=1, help="seeds, from --seed on")
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--versions", type=int, default=3, help="each ordered pair of them is an upgrade")
    parser.add_argument("--keep", action="store_true", help="keep the directory with programs and the last store")
    arguments = parser.parse_args()
    counts, failed = collections.Counter(), 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        directory = tempfile.mkdtemp(prefix="random-evolution-")
        try:
            evolution = Evolution(directory, seed, arguments.cases, arguments.versions, arguments.keep)
            for problem in evolution.check():
                failed += 1
                print(problem, flush=True)
            counts += evolution.counts
        finally:
            if arguments.keep:
                print(f"kept: {directory}")
            else:
                shutil.rmtree(directory)
        print(f"seed {seed}: {failed} problems; {dict(sorted(counts.items()))}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
