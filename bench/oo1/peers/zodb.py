"""OO1 in ZODB, Python's object database, each commit synchronous.

  zodb.py create PATH
  zodb.py measure PATH lookup|traversal|insert

The lines are those of bench/support/usage. Needs the package ZODB.
"""

import os
import sys

import persistent
import transaction
from BTrees.IOBTree import IOBTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))))

from bench.support.zodb_program import draw, now, open_root, start_random, tell, tell_memory  # noqa: E402

PARTS, CONNECTIONS, LOOKUPS, HOPS, INSERTIONS = 20000, 3, 1000, 7, 100
NEAR_SHARE, NEAR_PARTS = 90, PARTS // 100
ITERATIONS = 10


# ---- Objects

class Part(persistent.Persistent):
    def __init__(self, number):
        self.id = number
        self.x, self.y = draw(100000), draw(100000)
        self.build_date, self.type = draw(10 * 365), f"type{draw(10)}"
        self.to, self.from_ = [], []


class Connection(persistent.Persistent):
    def __init__(self, source, to):
        self.length, self.type = draw(1000), f"type{draw(10)}"
        self.source, self.to = source, to


# ---- Operations: each returns the sum of the values it read

def target(parts, number):
    if draw(100) >= NEAR_SHARE:
        return draw(parts)
    return min(max(number - NEAR_PARTS // 2, 0), parts - NEAR_PARTS) + draw(NEAR_PARTS)


def connect(by_id, part, parts):
    seen = 0
    for _ in range(CONNECTIONS):
        to = by_id[target(parts, part.id)]
        connection = Connection(part, to)
        part.to = part.to + [connection]  # an assignment, because ZODB does not notice changes inside a list
        to.from_ = to.from_ + [connection]
        seen += to.id
    return seen


def make_parts(by_id, number):
    first = by_id.maxKey() + 1 if by_id else 0
    made = range(first, first + number)
    for number in made:
        by_id[number] = Part(number)
    return sum(connect(by_id, by_id[number], made.stop) for number in made)


def use(part):
    return part.x + part.y + ord(part.type[4])


def visit(part, hops):
    seen = use(part)
    if hops > 0:
        for connection in part.to:
            seen += visit(connection.to, hops - 1)
    return seen


OPERATIONS = {"lookup": lambda by_id: sum(use(by_id[draw(PARTS)]) for _ in range(LOOKUPS)),
              "traversal": lambda by_id: visit(by_id[draw(PARTS)], HOPS),
              "insert": lambda by_id: make_parts(by_id, INSERTIONS)}


# ---- Commands

def create(path):
    start = now()
    connection, root = open_root(path)
    start_random(1)
    root["by_id"] = by_id = IOBTree()
    make_parts(by_id, PARTS)
    transaction.commit()
    tell("create", PARTS, start, now())
    connection.db().close()


def measure(path, operation):
    start = now()
    connection, root = open_root(path)
    by_id = root["by_id"]
    tell("open", by_id.maxKey() + 1, start, now())
    for i in range(1, ITERATIONS + 2):
        start_random(min(i, ITERATIONS))
        start = now()
        seen = OPERATIONS[operation](by_id)
        end = now()
        tell("iteration", seen, start, end)
        transaction.commit()
        tell("chain", 0, end, now())
    tell_memory()
    connection.db().close()


def main():
    words = sys.argv[1:]
    if len(words) == 2 and words[0] == "create":
        create(words[1])
    elif len(words) == 3 and words[0] == "measure" and words[2] in OPERATIONS:
        measure(*words[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
