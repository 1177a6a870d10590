"""OO7 in ZODB, Python's object database, each commit synchronous; the operations of the record stores.

  zodb.py create PATH CONFIGURATION
  zodb.py measure PATH OPERATION one|many

The lines are those of `oo7 measure` (bench/oo7/tenure/Main.m3). Needs the package ZODB.
"""

import os
import sys

import persistent
import transaction

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))))

from bench.support.zodb_program import draw, now, open_root, tell, tell_memory  # noqa: E402

COMPOSITE_PARTS, CONNECTIONS, LEVELS, FANOUT = 500, 3, 7, 3
DOCUMENT_SIZE, FIRST_DATE, LAST_DATE = 2000, 1000, 1999
ITERATIONS = 5
CONFIGURATIONS = {"small": (20, 100 * 1000), "medium": (200, 1000 * 1000)}

sys.setrecursionlimit(10000)


def date():
    return FIRST_DATE + draw(LAST_DATE - FIRST_DATE + 1)


def filled(sentence, size):
    return (sentence * (size // len(sentence) + 1))[:size]


# ---- Objects

class AtomicPart(persistent.Persistent):
    def __init__(self, number, document, part):
        self.id, self.build_date = number, date()
        self.x, self.y = draw(100000), draw(100000)
        self.doc_id, self.type, self.part_of = document, draw(10), part
        self.to, self.from_ = [None] * CONNECTIONS, []


class Connection(persistent.Persistent):
    def __init__(self, source, to):
        self.length, self.type = draw(100), draw(10)
        self.source, self.to = source, to


class Document(persistent.Persistent):
    def __init__(self, number, part):
        self.id, self.part, self.title = number, part, f"Composite part {number}"
        self.text = filled(f"I am the documentation for composite part {number}\n", DOCUMENT_SIZE)


class CompositePart(persistent.Persistent):
    def __init__(self, number, atomic_parts):
        self.id, self.build_date, self.type, self.users = number, date(), draw(10), []
        self.document = Document(number, self)
        self.parts = [AtomicPart(number * atomic_parts + i, number, self)
                      for i in range(atomic_parts)]
        self.root = self.parts[0]
        for i, part in enumerate(self.parts):
            for j in range(CONNECTIONS):
                to = self.parts[(i + 1) % atomic_parts if j == 0 else draw(atomic_parts)]
                part.to[j] = Connection(part, to)
                to.from_.append(part.to[j])


class Assembly(persistent.Persistent):
    def __init__(self, module, parent, level):
        self.build_date, self.parent, self.base = date(), parent, level == LEVELS
        if self.base:
            self.below = []
            for _ in range(FANOUT):
                part = module.parts[draw(COMPOSITE_PARTS)]
                part.users.append(self)
                self.below.append(part)
        else:
            self.below = [Assembly(module, self, level + 1) for _ in range(FANOUT)]


class Manual(persistent.Persistent):
    def __init__(self, size):
        self.text = filled("I am the manual for module 0\n", size)


class Module(persistent.Persistent):
    def __init__(self, atomic_parts, manual_size):
        date()
        self.manual = Manual(manual_size)
        self.parts = [CompositePart(i, atomic_parts) for i in range(COMPOSITE_PARTS)]
        self.design_root = Assembly(self, None, 1)


# ---- Operations

def visit(part, times, seen):
    seen.add(part.id)
    for _ in range(times):
        part.x += 1
        part.y += 1
    count = times or 1
    for connection in part.to:
        following = connection.to
        if following.id not in seen:
            count += visit(following, times, seen)
    return count


def traverse_part(part, operation):
    times = {"T1": 0, "T2B": 1, "T2C": 4}
    if operation in times:
        return visit(part.root, times[operation], set())
    root = part.root
    if operation == "T2A":
        root.x += 1
        root.y += 1
        visit(root, 0, set())
    else:
        assert root.id >= 0
    return 1


def traverse(assembly, operation):
    if assembly.base:
        return sum(traverse_part(part, operation) for part in assembly.below)
    return sum(traverse(below, operation) for below in assembly.below)


def perform(module, operation):
    if operation == "T8":
        return module.manual.text.count("I")
    if operation not in ("T1", "T2A", "T2B", "T2C", "T6"):
        sys.exit(f"oo7_zodb: '{operation}' is not an operation")
    return traverse(module.design_root, operation)


# ---- Commands

def create(path, configuration):
    start = now()
    connection, root = open_root(path)
    root["module"] = Module(*CONFIGURATIONS[configuration])
    transaction.commit()
    tell("create", COMPOSITE_PARTS * CONFIGURATIONS[configuration][0], start, now())
    connection.db().close()


def measure(path, operation, many):
    start = now()
    connection, root = open_root(path)
    module = root["module"]
    tell("open", 0, start, now())
    for i in range(ITERATIONS):
        start = now()
        count = perform(module, operation)
        end = now()
        tell("iteration", count, start, end)
        if many and i < ITERATIONS - 1:
            transaction.commit()
            tell("chain", 0, end, now())
    start = now()
    transaction.commit()
    tell("commit", 0, start, now())
    tell_memory()
    connection.db().close()


def main():
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "create" and words[2] in CONFIGURATIONS:
        create(*words[1:])
    elif len(words) == 4 and words[0] == "measure" and words[3] in ("one", "many"):
        measure(words[1], words[2], words[3] == "many")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
