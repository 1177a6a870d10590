#!/usr/bin/env python3
"""Random queries on random data, answered by `tenure db query` and by a model in Python.

  random_queries.py [--seed N] [--count N] [--tenure PROGRAM]

A seed makes a store and some hundred queries: conditions, expressions, columns, groups, orders,
limits, ranges of keys. The model has the data from the export, and the same query as functions of
Python; rows are compared in all three formats. A failure prints the seed and the query.
"""

import argparse
import csv
import fractions
import io
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD, "bin", "tenure")

COLOURS = ["Red", "Green", "Blue", "Black"]
DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

# program STORE SEED COUNT
PROGRAM = r"""
UNSAFE MODULE Main;
IMPORT Database, Transaction, Params, Random, Scan, Fmt, Text, RefSeq, IntRefBPlusTree, TextRefBPlusTree,
       LongRealRefTree, TextRefTbl, IntRefTbl, SortedIntRefTbl, SortedTextRefTbl, TextIntTbl, IntSeq;
<*FATAL ANY*>
TYPE
  Colour = {Red, Green, Blue, Black};
  Days = {Mo, Tu, We, Th, Fr, Sa, Su};
  Item = OBJECT
    number: INTEGER; small: [-5..5]; price: LONGREAL; weight: REAL; name: TEXT; colour: Colour;
    good: BOOLEAN; letter: CHAR; days: SET OF Days; bits: SET OF [-3..70];
    at: RECORD x, y: INTEGER; inner: RECORD ok: BOOLEAN END END;
    list: ARRAY [1..3] OF INTEGER; marks: REF ARRAY OF INTEGER; other: Item := NIL
  END;
  Special = Item OBJECT extra: LONGCARD; note: TEXT END;
  Root = REF RECORD
    all: RefSeq.T; tree: IntRefBPlusTree.T; texts: TextRefBPlusTree.T; reals: LongRealRefTree.T;
    names: TextRefTbl.Default; numbers: IntRefTbl.Default; sorted: SortedIntRefTbl.Default;
    words: SortedTextRefTbl.Default; counts: TextIntTbl.Default; plain: IntSeq.T;
    array: REF ARRAY OF Item; fixed: ARRAY Colour OF INTEGER
  END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  root := NEW(Root);  item, last: Item := NIL;
  random := NEW(Random.Default).init(TRUE);  count := Scan.Int(Params.Get(3));

PROCEDURE Next(n: INTEGER): INTEGER = BEGIN RETURN random.integer(0, n - 1) END Next;

PROCEDURE Word(): INTEGER =
  BEGIN
    CASE Next(8) OF
    | 0 => RETURN 0
    | 1 => RETURN 9007199254740992 + Next(4)
    | 2 => RETURN -9007199254740992 - Next(4)
    | 3 => IF Next(2) = 0 THEN RETURN FIRST(INTEGER) ELSE RETURN LAST(INTEGER) END;
    ELSE RETURN Next(20 * count) - 3 * count
    END;
  END Word;

PROCEDURE Real(): LONGREAL =
  BEGIN
    CASE Next(12) OF
    | 0 => RETURN LOOPHOLE(16_7FF8000000000000, LONGREAL)
    | 1 => RETURN LOOPHOLE(16_7FF0000000000000, LONGREAL)
    | 2 => RETURN -LOOPHOLE(16_7FF0000000000000, LONGREAL)
    | 3 => RETURN -0.0d0
    | 4 => RETURN 9007199254740992.0d0
    | 5 => RETURN 0.1d0
    ELSE RETURN FLOAT(Next(1000) - 500, LONGREAL) / 8.0d0
    END;
  END Real;

PROCEDURE Name(): TEXT =
  BEGIN
    CASE Next(9) OF
    | 0 => RETURN NIL
    | 1 => RETURN ""
    | 2 => RETURN "\303\244" & Fmt.Int(Next(9))
    | 3 => RETURN "a,b \"" & Fmt.Int(Next(5)) & "\"\n"
    | 4 => RETURN W"\x20ac\xD83D\xDE00" & Fmt.Int(Next(9))
    | 5 => RETURN " " & Fmt.Int(Next(9)) & " "
    ELSE RETURN "Item" & Fmt.Int(Next(count))
    END;
  END Name;

BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(2)) DO EVAL Next(2) END;
  Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
  tr.begin();
  root.all := NEW(RefSeq.T).init(); root.tree := NEW(IntRefBPlusTree.T).init(2 + Next(5));
  root.texts := NEW(TextRefBPlusTree.T).init(2 + Next(5)); root.reals := NEW(LongRealRefTree.T).init(3);
  root.names := NEW(TextRefTbl.Default).init(); root.numbers := NEW(IntRefTbl.Default).init();
  root.sorted := NEW(SortedIntRefTbl.Default).init(); root.words := NEW(SortedTextRefTbl.Default).init();
  root.counts := NEW(TextIntTbl.Default).init(); root.plain := NEW(IntSeq.T).init();
  root.array := NEW(REF ARRAY OF Item, count);
  FOR i := 1 TO count DO
    IF Next(4) = 0 THEN
      item := NEW(Special, extra := VAL(Next(50), LONGCARD), note := Name())
    ELSE
      item := NEW(Item)
    END;
    item.number := Word(); item.small := Next(11) - 5; item.price := Real(); item.name := Name();
    item.weight := FLOAT(Next(100), REAL) / 10.0; item.colour := VAL(Next(4), Colour); item.good := Next(2) = 0;
    item.letter := VAL(32 + Next(95), CHAR);
    FOR d := FIRST(Days) TO LAST(Days) DO
      IF Next(2) = 0 THEN item.days := item.days + SET OF Days{d} END;
    END;
    FOR b := -3 TO 70 DO IF Next(9) = 0 THEN item.bits := item.bits + SET OF [-3..70]{b} END END;
    item.at.x := Next(5); item.at.y := -Next(5); item.at.inner.ok := Next(2) = 0;
    FOR k := 1 TO 3 DO item.list[k] := Next(4) END;
    IF Next(3) # 0 THEN
      item.marks := NEW(REF ARRAY OF INTEGER, Next(4));
      FOR k := 0 TO LAST(item.marks^) DO item.marks[k] := Next(9) END;
    END;
    IF Next(3) # 0 THEN item.other := last END;
    IF Next(10) # 0 THEN root.array[i - 1] := item END;
    last := item;
    root.all.addhi(item);
    EVAL root.tree.put(item.number, item); EVAL root.numbers.put(item.number, item);
    EVAL root.sorted.put(item.number, item); root.plain.addhi(item.number);
    IF item.price = item.price THEN EVAL root.reals.put(item.price, item) END;
    IF item.name # NIL AND NOT Text.HasWideChars(item.name) THEN
      EVAL root.texts.put(item.name, item); EVAL root.names.put(item.name, item);
      EVAL root.words.put(item.name, item); EVAL root.counts.put(item.name, i);
    END;
    INC(root.fixed[item.colour]);
  END;
  db.setRoot(root);
  tr.commit();
END Main.
"""

# A B+ tree by LONGREAL: units of the program, and what they are instances of.
TREE = {"LongRealRefTree": ("BPlusTree(LongReal, Refany, SortedLongRealRefTbl)",
                            "BPlusTree(LongReal, Refany, LongRealRefTbl, SortedLongRealRefTbl)"),
        "SortedLongRealRefTbl": ("SortedTable(LongReal, LongRealRefTbl)",
                                 "SortedTable(LongReal, Refany, LongRealRefTbl)"),
        "LongRealRefTbl": ("Table(LongReal, Refany)", "Table(LongReal, Refany)")}


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


class Element(str):
    """An element of an enumeration, ordered by its place."""
    order = COLOURS

    def place(self):
        return self.order.index(str(self))


def order_key(value):
    """Keys of one column, as they are sorted: NIL, then values; numbers that are none behind others."""
    if value is None:
        return (0,)
    if isinstance(value, Element):
        return (1, value.place())
    if isinstance(value, bool):
        return (1, int(value))
    if is_number(value):
        return (1, 1, 0) if isinstance(value, float) and math.isnan(value) else (1, 0, exact(value))
    return (1, value.encode())


def exact(x):
    """Integers and floats compare exactly in Python."""
    return x


def compare(op, a, b):
    if a is None or b is None:
        return {"=": a is None and b is None, "#": not (a is None and b is None)}.get(op, False)
    if is_number(a) and is_number(b):
        if any(isinstance(x, float) and math.isnan(x) for x in (a, b)):
            return nan_compare(op, a, b)
        x, y = a, b
    elif isinstance(a, Element):
        x, y = a.place(), b.place()
    elif isinstance(a, str):
        x, y = a.encode(), b.encode()
    else:
        x, y = a, b
    return {"=": x == y, "#": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def nan_compare(op, a, b):
    return op == "#"


class Generator:
    """Expressions over a row: a text, and a function of (item, key, index)."""
    def __init__(self, rng, model):
        self.rng, self.model = rng, model

    def sample(self):
        return self.rng.choice(self.model.items)

    def number(self, depth=0):
        rng = self.rng
        kind = rng.randrange(14 if depth < 2 else 7)
        if kind < 3:
            field = rng.choice(["number", "small", "price", "weight"])
            return field, lambda r: r["it"][field]
        if kind == 3:
            part = rng.choice("xy")
            return f"at.{part}", lambda r: r["it"]["at"][part]
        if kind == 4:
            k = rng.randrange(1, 4)
            return f"list[{k}]", lambda r: r["it"]["list"][k - 1]
        if kind == 5:
            value = rng.choice([rng.randrange(-9, 10), self.sample()["number"], rng.randrange(100) / 4])
            if isinstance(value, int) and abs(value) > 2**60:
                value = 7
            return (f"({value})" if value < 0 else str(value)), lambda r: value
        if kind == 6:
            return "other.number", lambda r: (self.model.other(r["it"]) or {}).get("number")
        if kind == 7:
            return "size(name)", lambda r: None if r["it"]["name"] is None else len(r["it"]["name"])
        if kind == 8:
            return "size(days)", lambda r: len(r["it"]["days"])
        if kind == 9:
            return "size(marks)", lambda r: None if r["it"]["marks"] is None else len(r["it"]["marks"])
        if kind == 10:
            return "ord(colour)", lambda r: r["it"]["colour"].place()
        if kind == 11:
            text, value = self.number(depth + 1)
            return f"abs({text})", lambda r: None if value(r) is None else abs(value(r))
        (a, x), (b, y) = self.number(depth + 1), self.number(depth + 1)
        op = rng.choice(["+", "-", "*", "/", "div", "mod"])
        return f"({a} {op} {b})", lambda r: arithmetic(op, x(r), y(r))

    def text(self, depth=0):
        rng = self.rng
        kind = rng.randrange(6 if depth < 2 else 3)
        if kind == 0 or kind == 1:
            return "name", lambda r: r["it"]["name"]
        if kind == 2:
            value = self.sample()["name"] or "x"
            return quoted(value), lambda r: value
        if kind == 3:
            text, value = self.text(depth + 1)
            name = rng.choice(["upper", "lower"])
            return f"{name}({text})", lambda r: ascii_case(name, value(r))
        if kind == 4:
            return "other.name", lambda r: (self.model.other(r["it"]) or {}).get("name")
        (a, x), (b, y) = self.text(depth + 1), self.text(depth + 1)
        return f"({a} & {b})", lambda r: None if x(r) is None or y(r) is None else x(r) + y(r)

    def condition(self, depth=0):
        rng = self.rng
        if depth < 3 and rng.random() < 0.45:
            kind = rng.randrange(3)
            if kind == 0:
                text, value = self.condition(depth + 1)
                return f"not ({text})", lambda r: None if value(r) is None else not value(r)
            (a, x), (b, y) = self.condition(depth + 1), self.condition(depth + 1)
            if kind == 1:
                return f"({a} and {b})", lambda r: both(x(r), y(r), False)
            return f"({a} or {b})", lambda r: both(x(r), y(r), True)
        op = rng.choice(["=", "#", "<", "<=", ">", ">=", "<>", "!="])
        plain = {"<>": "#", "!=": "#"}.get(op, op)
        kind = rng.randrange(13)
        if kind < 3:
            (a, x), (b, y) = self.number(), self.number()
            return f"{a} {op} {b}", lambda r: compare(plain, x(r), y(r))
        if kind < 5:
            (a, x), (b, y) = self.text(), self.text()
            return f"{a} {op} {b}", lambda r: compare(plain, x(r), y(r))
        if kind == 5:
            value = Element(rng.choice(COLOURS))
            return f"colour {op} {value}", lambda r: compare(plain, r["it"]["colour"], value)
        if kind == 6:
            field = rng.choice(["good", "at.inner.ok"])
            return field, (lambda r: r["it"]["good"]) if field == "good" else (lambda r: r["it"]["at"]["inner"]["ok"])
        if kind == 7:
            day = rng.choice(DAYS)
            if rng.random() < 0.5:
                return f"{day} in days", lambda r: day in r["it"]["days"]
            return f"days contains {day}", lambda r: day in r["it"]["days"]
        if kind == 8:
            value = rng.randrange(-3, 71)
            return f"{value} in bits", lambda r: value in r["it"]["bits"]
        if kind == 9:
            text, value = rng.choice([("other", lambda r: self.model.other(r["it"])), ("name", lambda r: r["it"]["name"]),
                                      ("marks", lambda r: r["it"]["marks"])])
            negated = rng.random() < 0.3
            return f"{text} is {'not ' if negated else ''}nil", lambda r: (value(r) is None) != negated
        if kind == 10:
            pattern = rng.choice(["item%", "%1", "_tem_", "%e%1%", "ä%", "%", "", "_"])
            return f"name like '{pattern}'", lambda r: like(r["it"]["name"], pattern)
        if kind == 11:
            low, high = sorted(rng.randrange(-5, 6) for _ in range(2))
            return f"small between {low} and {high}", lambda r: low <= r["it"]["small"] <= high
        some = [self.sample()["small"] for _ in range(3)]
        return f"small in [{', '.join(map(str, some))}]", lambda r: r["it"]["small"] in some


def arithmetic(op, x, y):
    if x is None or y is None:
        return None
    real = isinstance(x, float) or isinstance(y, float)
    if op == "/" or (real and op not in ("div", "mod")):
        try:
            x, y = float(x), float(y)
            if op == "/":
                return None if y == 0 else x / y
            return {"+": x + y, "-": x - y, "*": x * y}[op]
        except OverflowError:
            return math.inf
    if y == 0:
        if op in ("div", "mod"):
            return None
    if real:
        x, y = float(x), float(y)
        quotient = x / y
        floor = float(math.floor(quotient)) if math.isfinite(quotient) else quotient
        return floor if op == "div" else x - y * floor
    result = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "div": lambda: x // y,
              "mod": lambda: x % y}[op]()
    return result if -2**63 <= result < 2**63 else float(result)


def both(x, y, deciding):
    if x is deciding or y is deciding:
        return deciding
    return None if x is None or y is None else not deciding


def ascii_case(name, text):
    if text is None:
        return None
    change = str.upper if name == "upper" else str.lower
    return "".join(change(c) if c.isascii() else c for c in text)


def like(text, pattern):
    if text is None:
        return None
    text, pattern = ascii_case("lower", text), ascii_case("lower", pattern)
    row = [True] + [False] * len(text)
    for p in pattern:
        if p == "%":
            row = [any(row[:i + 1]) for i in range(len(text) + 1)]
        else:
            row = [False] + [row[i] and (p == "_" or p == text[i]) for i in range(len(text))]
    return row[-1]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Model:
    def __init__(self, lines):
        self.objects, self.items = {}, []
        by_place = {}
        for line in lines:
            if "of" in line:
                by_place[line["object"]] = line
            if line.get("type") in ("Main.Item", "Main.Special"):
                fields = line["fields"]
                item = {"id": line["object"], "type": line["type"]}
                for name, value in fields.items():
                    item[name] = value
                item["number"] = int(fields["number"])
                item["price"] = real(fields["price"])
                item["colour"] = Element(fields["colour"])
                self.objects[line["object"]] = item
                self.items.append(item)
        for item in self.items:
            item["weight"] = struct.unpack("f", struct.pack("f", item["weight"]))[0]
            item["ref_name"] = item["name"]
            item["name"] = None if item["name"] is None else text_of(item["name"], by_place)
            item["other"] = item["other"]["ref"] if item["other"] else None
            item["marks"] = by_place[item["marks"]["ref"]]["elements"] if item["marks"] else None
        root = next(line for line in lines if line.get("type") == "Main.Root")["fields"]

        def sequence(reference):
            line = by_place[reference["ref"]]["fields"]
            elements = by_place[line["elem"]["ref"]]["elements"] if line["elem"] else []
            return [elements[(line["st"] + i) % len(elements)] for i in range(line["sz"])]
        self.order = [self.objects[one["ref"]] for one in sequence(root["all"])]
        self.plain = [int(one) for one in sequence(root["plain"])]
        self.array = [self.objects[one["ref"]] if one else None
                      for one in by_place[root["array"]["ref"]]["elements"]]
        self.fixed = root["fixed"]

    def other(self, item):
        return self.objects[item["other"]] if item["other"] else None


def real(value):
    if isinstance(value, str):
        return float(value.replace("Infinity", "inf"))
    return float(value)


def text_of(reference, by_place):
    if "text" in reference:
        return reference["text"]
    line = by_place[reference["ref"]]
    if "text" in line:
        return line["text"]
    return text_of(line["fields"]["a"], by_place) + text_of(line["fields"]["b"], by_place)


def as_json(value):
    """The value as a row of JSON lines has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Element):
        return str(value)
    return value


def equal(got, want):
    if isinstance(want, float) and isinstance(got, (int, float)) and not isinstance(got, bool):
        if got == want or math.isclose(got, want, rel_tol=1e-12):
            return True
        # A REAL is written as the shortest number that is nearest to it.
        try:
            single = struct.pack("f", want)
            return struct.unpack("f", single)[0] == want and struct.pack("f", got) == single
        except OverflowError:
            return False
    return type(got) is type(want) and got == want


def same_rows(got, wanted):
    if len(got) != len(wanted):
        return f"{len(got)} rows, not {len(wanted)}"
    for i, (a, b) in enumerate(zip(got, wanted)):
        if list(a) != list(b):
            return f"row {i} has the columns {list(a)}, not {list(b)}"
        for name in b:
            if not equal(a[name], as_json(b[name])):
                return f"row {i}: {name} is {a[name]!r}, not {as_json(b[name])!r}"
    return None


def csv_cell(value):
    value = as_json(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def same_csv(text, wanted):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or (wanted and rows[0] != list(wanted[0])):
        return f"the head is {rows[:1]}"
    if len(rows) - 1 != len(wanted):
        return f"{len(rows) - 1} rows of CSV, not {len(wanted)}"
    for got, want in zip(rows[1:], wanted):
        for cell, value in zip(got, want.values()):
            value = csv_cell(value)
            if isinstance(value, (int, float)):
                if not equal(float(cell) if isinstance(value, float) else int(cell), value):
                    return f"{cell} is not {value!r}"
            elif cell != value:
                return f"{cell!r} is not {value!r}"
    return None


def same_table(text, wanted):
    lines = text.split("\n")
    count = f"({len(wanted)} row{'' if len(wanted) == 1 else 's'})"
    if lines[-1] != "" or lines[-2] != count or len(lines) != len(wanted) + 4:
        return f"the table has {len(lines) - 4} rows and ends with {lines[-2:]}, not with {count}"
    if not wanted:
        return None
    widths = [len(rule) for rule in lines[1].split("  ")]
    for line, row in zip(lines[2:], wanted):
        at = 0
        for width, value in zip(widths, row.values()):
            cell = line[at:at + width]
            at += width + 2
            if isinstance(value, Element):
                good = cell.strip() == str(value)
            elif value is None:
                good = cell.strip() == "NIL"
            elif isinstance(value, bool):
                good = cell.strip() == ("TRUE" if value else "FALSE")
            elif isinstance(value, int):
                good = cell.strip() == str(value)
            elif isinstance(value, float):
                good = equal(as_json(real(cell.strip())), as_json(value))
            else:
                shown = value if not any(c in value for c in '"\\\n') else quoted(value)[1:-1]
                good = cell.rstrip() == shown.rstrip() or "..." in cell
            if not good:
                return f"the table has {cell!r} for {value!r}"
    return None


def make_query(rng, model):
    """The query's text, and the rows that the model answers."""
    generator = Generator(rng, model)
    kind = rng.randrange(10)
    where, holds = (None, lambda r: True) if rng.random() < 0.2 else generator.condition()
    clause = f" where {where}" if where else ""
    # The source of the rows, and their order.
    source = rng.choice(["Main.Item", "Main.Special", "root.all", "root.all", "root.array"])
    if source == "Main.Item":
        rows = [{"it": item} for item in model.items]
    elif source == "Main.Special":
        rows = [{"it": item} for item in model.items if item["type"] == "Main.Special"]
    elif source == "root.all":
        rows = [{"it": item, "index": i} for i, item in enumerate(model.order)]
    else:
        rows = [{"it": item, "index": i} for i, item in enumerate(model.array) if item is not None]
        clause = f" where it is not nil{' and (' + where + ')' if where else ''}"
    if kind < 4:
        found = [row for row in rows if holds(row) is True]
        columns = [generator.number() if rng.random() < 0.6 else generator.text() for _ in range(rng.randrange(1, 4))]
        columns.append(rng.choice([("colour", lambda r: r["it"]["colour"]), ("good", lambda r: r["it"]["good"])]))
        names = [f"c{i}" for i in range(len(columns))]
        selected = ", ".join(f"{text} as {name}" for (text, _), name in zip(columns, names))
        answer = [({name: value(row) for (_, value), name in zip(columns, names)}, row) for row in found]
        distinct = rng.random() < 0.2
        text = f"select {'distinct ' if distinct else ''}{selected} from {source}{clause}"
        if distinct:
            seen, kept = set(), []
            for one, row in answer:
                mark = tuple(distinct_key(value) for value in one.values())
                if mark not in seen:
                    seen.add(mark)
                    kept.append((one, row))
            answer = kept
        if rng.random() < 0.7:
            keys = [(rng.choice(names), rng.random() < 0.5) for _ in range(rng.randrange(1, 3))]
            text += " order by " + ", ".join(name + (" desc" if down else "") for name, down in keys)
            for name, down in reversed(keys):
                answer.sort(key=lambda pair, name=name: order_key(pair[0][name]), reverse=down)
        return limited(rng, text, [one for one, _ in answer])
    if kind < 6:
        found = [row for row in rows if holds(row) is True]
        by = rng.choice([("colour", lambda r: r["it"]["colour"]), ("good", lambda r: r["it"]["good"]),
                         ("small", lambda r: r["it"]["small"]), ("number mod 3", lambda r: r["it"]["number"] % 3),
                         ("price", lambda r: r["it"]["price"]), ("name", lambda r: r["it"]["name"])])
        groups = {}
        for row in found:
            groups.setdefault(distinct_key(by[1](row)), []).append(row)
        number, value = generator.number()
        answer = []
        for members in groups.values():
            values = [value(row) for row in members if value(row) is not None]
            names = [row["it"]["name"] for row in members if row["it"]["name"] is not None]
            answer.append({"by": by[1](members[0]), "n": len(members), "given": len(values),
                           "s": total(values), "least": min(values, key=order_key, default=None),
                           "most": max(values, key=order_key, default=None),
                           "first": min(names, key=order_key, default=None)})
        text = (f"from {source}{clause} group by {by[0]} select {by[0]} as by, count(*) as n, count({number}) as given, "
                f"sum({number}) as s, min({number}) as least, max({number}) as most, min(name) as first")
        if rng.random() < 0.3:
            least = rng.randrange(1, 4)
            text += f" having n >= {least}"
            answer = [one for one in answer if one["n"] >= least]
        text += " sort by by"
        answer.sort(key=lambda one: order_key(one["by"]))
        return text, answer
    if kind == 6:
        return (f"{source}{clause} count", [{"count": sum(holds(row) is True for row in rows)}])
    # Ranges of keys.
    name, key = rng.choice([("tree", "number"), ("numbers", "number"), ("sorted", "number"), ("texts", "name"),
                            ("names", "name"), ("words", "name"), ("reals", "price")])
    entries = {}
    for item in model.order:
        value = item[key]
        usable = value is not None if key != "price" else not math.isnan(value)
        if key == "name":
            usable = usable and (item["ref_name"] is not None) and "€" not in value
        if usable:
            entries[value] = item
    ordered = sorted(entries.items(), key=lambda entry: order_key(entry[0]))
    low, high = (rng.choice(ordered)[0] for _ in range(2))
    if order_key(low) > order_key(high) and rng.random() < 0.9:
        low, high = high, low
    low_op, high_op = rng.choice([">", ">="]), rng.choice(["<", "<="])

    def written(value):
        if isinstance(value, str):
            return quoted(value)
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return f"({value!r})" if value < 0 else repr(value)
    if written(low) is None or written(high) is None or low == -2**63:
        low = high = ordered[len(ordered) // 2][0]
    if written(low) is None:
        return "root.plain where it > 0 count", [{"count": sum(n > 0 for n in model.plain)}]
    parts, tests = [], []
    if rng.random() < 0.8:
        parts.append(f"key {low_op} {written(low)}")
        tests.append(lambda k: compare(low_op, k, low))
    if rng.random() < 0.8:
        parts.append(f"key {high_op} {written(high)}")
        tests.append(lambda k: compare(high_op, k, high))
    if rng.random() < 0.2:
        parts, tests = [f"key = {written(low)}"], [lambda k: compare("=", k, low)]
    if where:
        parts.append(f"({where})")
        rng.shuffle(parts)
    found = [(k, item) for k, item in ordered
             if all(test(k) for test in tests) and holds({"it": item, "key": k}) is True]
    text = f"from root.{name}" + (" where " + " and ".join(parts) if parts else "")
    text += " select key, id(value) as id"
    down = rng.random() < 0.3
    if name in ("tree", "sorted", "texts", "words", "reals") and not down and rng.random() < 0.5:
        pass  # in the order of the keys as it is
    else:
        text += " sort by key" + (" desc" if down else "")
        if down:
            found.reverse()
    return limited(rng, text, [{"key": k, "id": item["id"]} for k, item in found])


def limited(rng, text, answer):
    if rng.random() < 0.4:
        limit, offset = rng.randrange(0, 12), rng.choice([0, 0, 1, 5])
        text += f" limit {limit}" + (f" offset {offset}" if offset else "")
        answer = answer[offset:offset + limit]
    return text, answer


def distinct_key(value):
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, bool):
        return ("bool", value)
    return value


def total(values):
    if any(isinstance(value, float) for value in values):
        try:
            if all(math.isfinite(value) for value in values):
                return float(sum(fractions.Fraction(value) for value in values))
            return sum_of(values)
        except OverflowError:
            return math.inf
    result = sum(values)
    return result if -2**63 <= result < 2**63 else float(result)


def sum_of(values):
    result = 0.0
    for value in values:
        result += float(value)
    return result


class Fuzz:
    """The program is built once."""
    def __init__(self, directory, tenure=TENURE):
        self.directory, self.tenure = directory, tenure
        source = os.path.join(directory, "source")
        os.makedirs(source)
        for name, generics in TREE.items():
            for suffix, unit, generic in zip(("i3", "m3"), ("INTERFACE", "MODULE"), generics):
                with open(os.path.join(source, f"{name}.{suffix}"), "w", encoding="utf-8") as file:
                    file.write(f"{unit} {name} = {generic} END {name}.\n")
        with open(os.path.join(source, "Main.m3"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        self.program = os.path.join(directory, "program")
        subprocess.run([tenure, "build", source, "-o", self.program], check=True, stdout=subprocess.DEVNULL)

    def run(self, seed, queries=150, count=120):
        """The failures."""
        store = os.path.join(self.directory, f"store{seed}")
        subprocess.run([self.program, store, str(seed % 1000), str(count)], check=True)
        exported = subprocess.run([self.tenure, "db", "export", store], check=True, stdout=subprocess.PIPE).stdout
        model = Model([json.loads(line) for line in exported.decode().splitlines()])
        rng = random.Random(seed)
        made = [make_query(rng, model) for _ in range(queries)]
        reports = []
        for form, compare_rows in (("jsonl", None), ("csv", same_csv), ("table", same_table)):
            lines = [f"format {form}"]
            for text, _ in made:
                lines += [text, "(-424242)"]
            ran = subprocess.run([self.tenure, "db", "shell", store], input="\n".join(lines) + "\n", text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            rest = "\n" + ran.stdout
            for text, wanted in made:
                head, _, rest = rest.partition("\n-424242\n")
                rest = "\n" + rest
                answer = head[1:] + "\n"
                try:
                    if form == "jsonl":
                        problem = same_rows([json.loads(row) for row in answer.split("\n") if row], wanted)
                    else:
                        problem = compare_rows(answer if answer != "\n" else "", wanted)
                except (ValueError, IndexError) as error:
                    problem = f"{error}: {answer[:500]}"
                if problem:
                    reports.append(f"seed {seed}, {form}: {text}\n    {problem}")
        shutil.rmtree(store)
        return reports


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--tenure", default=TENURE)
    given = parser.parse_args()
    first = given.seed if given.seed is not None else random.randrange(10**6)
    bad = 0
    with tempfile.TemporaryDirectory(prefix="random-queries-") as directory:
        fuzz = Fuzz(directory, given.tenure)
        for seed in range(first, first + given.count):
            reports = fuzz.run(seed)
            bad += len(reports)
            for report in reports:
                print(report, flush=True)
    print(f"{given.count} stores from seed {first}: {bad} answers differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
