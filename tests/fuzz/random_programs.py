#!/usr/bin/env python3
"""Random legal programs, whose output is compared with that of a small evaluator.

  random_programs.py [--seed N] [--count N] [--tenure PROGRAM] [--keep DIR]

Each program has many procedures. A generator makes them, and for each piece both its text and a
function of Python that does what docs/language.md says; the evaluator shares nothing with the
compiler. The program is built with -O0 and with -O2, and run as it is and, with -O2, with a
collection at every allocation, before and after which the collector's verifier reads the heap.
Among the types are some without fields, without elements, and with one value. A failure prints the seed and the program, cut down to what fails.
"""

import argparse
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
kRange, kSubscript, kShape, kNil, kNarrow, kCase, kTypecase, kZero = 1, 2, 3, 4, 5, 7, 8, 15
kMaxSteps = 60_000


# ---- values and outcomes

class Exit(Exception):
    """An EXIT on its way."""


class Return(Exception):
    """A RETURN on its way, with its value."""

    def __init__(self, value=None):
        super().__init__()
        self.value = value


class Raised(Exception):
    def __init__(self, name, value):
        super().__init__()
        self.name, self.value = name, value


class Trap(Exception):
    """A checked run-time error; the code is ORD of RuntimeError.T."""

    def __init__(self, code):
        super().__init__()
        self.code = code


class TooLong(Exception):
    """Raised if the program takes too many steps for a test; another program
    is then made."""


class Location:
    """A variable: an element of a Python list or of a Slice."""

    def __init__(self, container, key):
        self.container, self.key = container, key

    def get(self):
        return self.container[self.key]

    def put(self, value):
        old = self.container[self.key]
        if isinstance(old, (list, Slice)):
            store_elements(old, copy_of(value))
        else:
            self.container[self.key] = value


class Slice:
    """The result of SUBARRAY: other names for elements of an array."""

    def __init__(self, array, start, length):
        self.array, self.start, self.length = array, start, length

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        return self.array[self.start + i]

    def __setitem__(self, i, value):
        self.array[self.start + i] = value


class Cell:
    """The referent of a reference; `kind` is the allocated type."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


def elements(array):
    return [array[i] for i in range(len(array))]


def copy_of(value):
    if isinstance(value, (list, Slice)):
        return [copy_of(part) for part in elements(value)]
    return value


def store_elements(old, new):
    # Changes the value in place, because other names for its parts must see the change.
    if len(old) != len(new):
        raise Trap(kShape)
    for i, part in enumerate(new):
        if isinstance(part, list):
            store_elements(old[i], part)
        else:
            old[i] = part


def wrap(n):
    return (n + 2**63) % 2**64 - 2**63


def to_single(x):
    if math.isnan(x) or math.isinf(x):
        return x
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def divide_floats(x, y):
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1, y)


# ---- types

class Type:
    """`name` is the type's text in the program; equal keys mean the same
    type."""

    def __init__(self, kind, name, key=None, **parts):
        self.kind, self.name, self.key = kind, name, key or name
        self.__dict__.update(parts)

    def is_ordinal(self):
        return self.kind in ("integer", "longint", "boolean", "char", "enum", "subrange", "packed")

    def base(self):
        return self.of.base() if self.kind in ("subrange", "packed") else self

    def bounds(self):
        if self.kind == "packed":
            return self.of.bounds()
        if self.kind in ("integer", "longint"):
            return -2**63, 2**63 - 1
        return self.low, self.high

    def bounds_of_index(self):
        """The bounds of an array's index; None for an array without
        elements."""
        low, high = self.index.bounds()
        return (low, high) if low <= high else None

    def literal(self, n):
        base = self.base()
        if base.kind == "integer":
            return str(n) if n >= 0 else f"({n})"
        if base.kind == "longint":
            return f"{n}L" if n >= 0 else f"(-{-n}L)"
        if base.kind == "boolean":
            return "TRUE" if n else "FALSE"
        if base.kind == "char":
            return f"'{chr(n)}'" if chr(n).isalnum() else f"'\\{n:03o}'"
        return f"{base.name}.{base.elements[n]}"


INTEGER, LONGINT = Type("integer", "INTEGER"), Type("longint", "LONGINT")
BOOLEAN = Type("boolean", "BOOLEAN", low=0, high=1)
CHAR = Type("char", "CHAR", low=0, high=255)
REAL, LONGREAL = Type("real", "REAL"), Type("longreal", "LONGREAL")


def initial(t):
    if t.is_ordinal():
        low, high = t.bounds()
        return 0 if low <= 0 <= high else low
    if t.kind in ("real", "longreal"):
        return 0.0
    if t.kind == "set":
        return frozenset()
    if t.kind == "array":
        low, high = t.index.bounds()
        return [initial(t.of) for _ in range(high - low + 1)]
    if t.kind == "record":
        return [initial(of) for _, of in t.fields]
    # References are never NIL: a load through NIL whose value is unused need not trap. A separate
    # kind of statement, which stores, tests NIL.
    if t.kind == "ref":
        return Cell(t, [0] * 3 if t.of.kind == "open" else initial(t.of))
    return Cell(t, [initial(of) for _, of in t.fields])


# ---- expressions: type, text, and a function from the environment to the value

class Expr:
    def __init__(self, t, text, value, constant=False, location=None):
        self.t, self.text, self.value = t, text, value
        self.constant, self.location = constant, location


def subrange_check(t, n):
    low, high = t.bounds()
    if not low <= n <= high:
        raise Trap(kRange)
    return n


# ---- statements. Their lists are in `blocks`, from which a statement can be taken away.

class Stmt:
    def __init__(self, text, run, *blocks):
        self.make_text, self.run, self.blocks = text, run, list(blocks)

    def text(self):
        return self.make_text(*[indent(show(block)) for block in self.blocks])


def show(block):
    return ";\n".join(s.text() for s in block)


def sequence(statements):
    return "; ".join(s for s in statements if s)


def indent(text):
    return "\n".join("  " + line for line in text.split("\n")) if text else "  (* nothing *)"


class Variable:
    def __init__(self, name, t, writable=True):
        self.name, self.t, self.writable = name, t, writable


class Procedure:
    def __init__(self, name, formals, result, pure):
        self.name, self.formals, self.result, self.pure = name, formals, result, pure
        self.locals, self.body, self.nested, self.last = [], [], [], None

    def heading(self):
        formals = "; ".join(f"{mode} {v.name}: {v.t.name}" for mode, v in self.formals)
        result = f": {self.result.name}" if self.result else ""
        return f"PROCEDURE {self.name}({formals}){result} RAISES {{X0, X1}}"

    def text(self):
        out = self.heading() + " =\n"
        for v, init in self.locals:
            out += f"  VAR {v.name}: {v.t.name}" + (f" := {init.text}" if init else "") + ";\n"
        for p in self.nested:
            out += indent(p.text()) + "\n"
        body = show(self.body)
        out += "  BEGIN\n" + indent(indent(body))
        if self.last:
            out += f";\n    RETURN {self.last.text}"
        return out + f"\n  END {self.name};"

    def call(self, world, outer, bindings):
        """`outer`: the environment around the procedure; bindings: a location for each formal."""
        world.step()
        env = dict(outer)
        env["outer " + self.name] = outer
        env.update(zip([v.name for _, v in self.formals], bindings))
        for v, _ in self.locals:
            env[v.name] = Location([initial(v.t)], 0)
        for v, init in self.locals:
            if init:
                env[v.name].put(init.value(env))
        for p in self.nested:
            env["proc " + p.name] = env
        try:
            run_block(self.body, env, world)
            return self.last.value(env) if self.last else None
        except Return as outcome:
            return outcome.value


def run_block(block, env, world):
    for s in block:
        world.step()
        s.run(env)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps, self.output = 0, []
        self.names = 0
        self.procedures, self.globals, self.classes = [], [], []
        self.make_types()
        for t in self.types * 2:
            self.globals.append(Variable(self.name("g"), t))
        for _ in range(self.random.randint(4, 9)):
            self.procedures.append(self.procedure([], 0))

    # -- helpers

    def step(self):
        self.steps += 1
        if self.steps > kMaxSteps:
            raise TooLong()

    def name(self, start):
        self.names += 1
        return f"{start}{self.names}"

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    # -- types

    def make_types(self):
        r = self.random
        self.types, self.declarations = [], []

        def declare(t, text):
            self.types.append(t)
            self.declarations.append(f"TYPE {t.name} = {text};")
            return t

        self.enums = []
        for i in range(2):
            names = [f"e{i}{chr(97 + k)}" for k in range(r.randint(2, 9))]
            self.enums.append(declare(Type("enum", f"Enum{i}", elements=names, low=0,
                                           high=len(names) - 1), "{" + ", ".join(names) + "}"))
        self.subranges = []
        for i in range(5):
            of = self.pick([INTEGER, INTEGER, LONGINT, CHAR, self.enums[0], BOOLEAN]) if i > 2 \
                else INTEGER
            if of in (INTEGER, LONGINT):
                low = self.pick([0, 0, 1, -3, -20, 5])
                high = low + self.pick([0, 3, 7, 12])
            elif of is CHAR:
                low, high = ord("a"), ord(self.pick("aez"))
            else:
                low = r.randint(0, of.high)
                high = r.randint(low, of.high)
            text = f"[{of.literal(low)}..{of.literal(high)}]"
            self.subranges.append(declare(
                Type("subrange", f"Sub{i}", key=text, of=of, low=low, high=high), text))
        small = [t for t in self.subranges if t.base() is not LONGINT] + self.enums
        self.sets = []
        wide = Type("subrange", "[-5..200]", of=INTEGER, low=-5, high=200)
        single = Type("subrange", "[3..3]", of=INTEGER, low=3, high=3)
        for i, of in enumerate([self.pick(small), self.pick(small), CHAR, wide, single]):
            self.sets.append(declare(Type("set", f"Set{i}", key="set " + of.key, of=of),
                                     f"SET OF {of.name}"))
        scalars = [INTEGER, LONGINT, BOOLEAN, CHAR, REAL, LONGREAL] + self.enums + self.subranges
        self.scalars = scalars
        self.arrays = []
        for i in range(3):
            of = self.pick(scalars) if i == 0 else INTEGER if i == 1 else self.arrays[0]
            index = self.pick(small)
            self.arrays.append(declare(
                Type("array", f"Arr{i}", key=f"array {index.key} of {of.key}", index=index, of=of),
                f"ARRAY {index.name} OF {of.name}"))
        none = Type("subrange", "[1..0]", of=INTEGER, low=1, high=0)
        self.arrays.append(declare(
            Type("array", "ArrNone", key=f"array {none.key} of {INTEGER.key}", index=none, of=INTEGER),
            "ARRAY [1..0] OF INTEGER"))
        packed = Type("packed", "BITS 5 FOR [0..31]",
                      of=Type("subrange", "[0..31]", of=INTEGER, low=0, high=31))
        flag = Type("packed", "BITS 1 FOR BOOLEAN", of=BOOLEAN)
        self.records = []
        for i in range(3):
            fields = [] if i == 1 else [(f"f{k}", self.pick(scalars + self.sets + [packed, flag]
                                          + (self.arrays + self.records[:2] if k == 2 else [])))
                      for k in range(r.randint(2, 5))]
            text = "; ".join(f"{n}: {t.name}" for n, t in fields)
            key = "record " + "; ".join(f"{n}: {t.key}" for n, t in fields)
            self.records.append(declare(Type("record", f"Rec{i}", key=key, fields=fields),
                                        f"RECORD {text} END"))
        self.open = Type("open", "ARRAY OF INTEGER", of=INTEGER)
        self.refs = [
            declare(Type("ref", "RefRec", of=self.records[0]), "REF " + self.records[0].name),
            declare(Type("ref", "RefInts", of=self.open), "REF ARRAY OF INTEGER"),
            declare(Type("ref", "RefNone", of=self.records[1]), "REF " + self.records[1].name)]
        for i in range(5):
            # The fourth class is a root without fields, and the fifth is below it.
            parent = (None if i in (0, 3) else self.classes[3] if i == 4 else self.pick(self.classes))
            own = [(f"c{i}x{k}", self.pick(scalars)) for k in range(r.randint(1, 3))]
            own.append((f"c{i}next", self.classes[0] if i else self.refs[0]))
            if i == 3 or i == 4 and self.chance(50):
                own = []
            fields = (parent.fields if parent else []) + own
            text = f"{parent.name if parent else 'ROOT'} OBJECT " + "; ".join(
                f"{n}: {t.name}" for n, t in own)
            # A class method adds a constant of its own, and a field of the receiver if it is one.
            add = r.randint(-50, 50)
            word = "OVERRIDES" if parent else "METHODS"
            signature = "" if parent else "(x: INTEGER): INTEGER RAISES {X0, X1}"
            has_method = parent is None or self.chance(60)
            if has_method:
                text += f"{';' if own else ''} {word} m{signature} := Method{i}"
            t = declare(Type("object", f"Class{i}", fields=fields, parent=parent,
                             method=(i, add) if has_method else parent.method), text + " END")
            self.classes.append(t)
            if has_method:
                self.declarations.append(
                    f"PROCEDURE Method{i}(self: Class{i}; x: INTEGER): INTEGER RAISES {{X0, X1}} =\n"
                    f"  BEGIN\n    IF x = {add} THEN RAISE X1(x) END;\n"
                    f"    INC(count);\n    RETURN x * {add} + ORD(self # NIL)\n  END Method{i};")
        self.types += [INTEGER, LONGINT, BOOLEAN, CHAR, REAL, LONGREAL, INTEGER]

    def is_below(self, t, above):
        while t is not None:
            if t is above:
                return True
            t = t.parent
        return False

    # -- designators

    def paths(self, scope, wanted, writable):
        """Paths from a variable to a component whose type satisfies
        `wanted`."""
        found = []

        def walk(v, t, steps, may_write):
            if wanted(t) and (may_write or not writable):
                found.append((v, steps))
            if len(steps) >= 3:
                return
            if t.kind == "open" or t.kind == "array" and t.bounds_of_index():
                walk(v, t.of, steps + [("index", t)], may_write)
            elif t.kind == "record":
                for k, (_, of) in enumerate(t.fields):
                    walk(v, of, steps + [("field", t, k)], may_write)
            elif t.kind == "ref":
                walk(v, t.of, steps + [("deref", t)], True)
            elif t.kind == "object":
                for k, (_, of) in enumerate(t.fields):
                    walk(v, of, steps + [("member", t, k)], True)

        for v in scope:
            walk(v, v.t, [], v.writable)
        return found

    def designator(self, scope, wanted, writable=False):
        found = self.paths(scope, wanted, writable)
        if not found:
            return None
        # There are many long paths, so prefer short ones.
        found.sort(key=lambda path: len(path[1]) * self.random.random())
        v, steps = self.pick(found[:max(1, len(found) // 2)])
        e = Expr(v.t, v.name, None, location=lambda env, n=v.name: env[n])
        for step in steps:
            e = self.selected(e, step, scope)
        location = e.location
        e.value = lambda env: location(env).get()
        return e

    subscripts = 0  # that enclose the one being made

    def selected(self, e, step, scope):
        if step[0] != "index":
            return self.member(e, step)
        self.subscripts += 1
        try:
            return self.element(e, step[1], scope)
        finally:
            self.subscripts -= 1

    def member(self, e, step):
        location = e.location
        if step[0] in ("field", "member"):
            _, t, k = step
            name, of = t.fields[k]
            if step[0] == "field":
                return Expr(of, f"{e.text}.{name}", None,
                            location=lambda env: Location(location(env).get(), k))

            def member(env):
                cell = location(env).get()
                if cell is None:
                    raise Trap(kNil)
                return Location(cell.value, k)
            return Expr(of, f"{e.text}.{name}", None, location=member)

        def deref(env):
            cell = location(env).get()
            if cell is None:
                raise Trap(kNil)
            return Location([cell.value], 0)
        return Expr(step[1].of, e.text + "^", None, location=deref)

    def element(self, e, t, scope):
        location = e.location
        # Subscripts may contain subscripts, up to a limit.
        deep = self.subscripts > 3
        if t.kind == "open":
            # Mostly a valid index, by MOD; an empty array gives a division by zero.
            i = self.constant(INTEGER) if deep else self.expr(INTEGER, scope, 1)
            if deep or self.chance(80):
                text = f"{e.text}[({i.text}) MOD NUMBER({e.text})]"
                fit = True
            else:
                i = self.varying(INTEGER, scope)
                text, fit = f"{e.text}[{i.text}]", False

            def element(env):
                array = location(env).get()
                n = i.value(env)
                if fit:
                    if len(location(env).get()) == 0:
                        raise Trap(kZero)
                    n %= len(array)
                if not 0 <= n < len(array):
                    raise Trap(kSubscript)
                return Location(array, n)
            return Expr(t.of, text, None, location=element)
        low, high = t.index.bounds()
        i = self.constant(t.index) if deep else self.fitting(t.index, scope, 1)

        def fixed_element(env):
            array = location(env).get()
            n = i.value(env)
            if not low <= n <= high:
                raise Trap(kSubscript)
            return Location(array, n - low)
        return Expr(t.of, f"{e.text}[{i.text}]", None, location=fixed_element)

    # -- expressions

    def constant(self, t):
        if t.is_ordinal():
            low, high = t.bounds()
            n = self.random.randint(max(low, -12), min(high, 12)) if max(low, -12) <= min(
                high, 12) else self.random.randint(low, high)
            if t in (INTEGER, LONGINT) and self.chance(15):
                n = self.pick([2**62, 2**31, 2**63 - 1, -2**31, 255, 1000003, -2**63 + 1])
            return Expr(t, t.literal(n), lambda env: n, constant=True)
        x = self.pick([0.0, 1.0, 0.5, 2.25, 1e3, 3.0, 0.1])
        if t is REAL:
            x = to_single(x)
            return Expr(t, repr(round(x, 4)), lambda env: x, constant=True)
        return Expr(t, f"{x!r}d0", lambda env: x, constant=True)

    def varying(self, t, scope):
        """An expression that the compiler cannot take for a constant."""
        found = self.designator(scope, lambda other: other.key == t.key)
        if found:
            return found
        v = self.pick([g for g in self.globals if g.t is t])
        return Expr(t, v.name, lambda env: env[v.name].get())

    def fitting(self, t, scope, depth):
        """An expression that may be assigned to the ordinal type t, nearly always a member."""
        low, high = t.bounds()
        base = t.base()
        how = self.random.randrange(10)
        if how < 3:
            n = self.random.randint(max(low, -1000), min(high, 1000))
            return Expr(base, t.literal(n), lambda env: n, constant=True)
        if how < 6 or base.kind in ("boolean", "char", "enum") and t.kind != base.kind:
            found = self.designator(scope, lambda other: other.key == t.key)
            if found:
                return found
        if t is base:
            return self.expr(t, scope, depth)
        if base.kind in ("integer", "longint"):
            e = self.expr(base, scope, depth)
            if not e.constant and self.chance(7):
                # May be outside. The sum makes it INTEGER: no static error if a subrange is disjoint.
                return Expr(base, f"({e.text} + {base.literal(0)})", e.value)
            e = self.varying(base, scope) if e.constant else e
            count = high - low + 1
            return Expr(base, f"{base.literal(low)} + ({e.text}) MOD {base.literal(count)}",
                        lambda env: low + e.value(env) % count)
        e = self.varying(INTEGER, scope)
        count = high - low + 1
        return Expr(t, f"VAL({low} + ({e.text}) MOD {count}, {t.name})",
                    lambda env: low + e.value(env) % count)

    def expr(self, t, scope, depth):
        """An expression of exactly the base type of t (ordinals), or of type t."""
        if t.is_ordinal():
            t = t.base()
        self_range = self.random.randrange(100)
        if depth <= 0 or self_range < 15:
            if t.kind in ("set", "record", "array", "ref", "object") or self.chance(65):
                same = (lambda o: o.is_ordinal() and o.base() is t) if t.is_ordinal() else (
                    lambda o: o.key == t.key)
                found = self.designator(scope, same)
                if found:
                    return Expr(t, found.text, found.value)
            if t.is_ordinal() or t in (REAL, LONGREAL):
                return self.constant(t)
        calls = [p for p in self.procedures if p.pure and p.result is t]
        if calls and depth > 0 and self.chance(8):
            return self.call(self.pick(calls), scope, depth - 1)
        return {"integer": self.integer, "longint": self.integer, "boolean": self.boolean,
                "char": self.enumeration, "enum": self.enumeration, "real": self.floating,
                "longreal": self.floating, "set": self.set_expr, "array": self.array_expr,
                "record": self.record_expr, "ref": self.ref_expr,
                "object": self.object_expr}[t.kind](t, scope, depth - 1)

    def operands(self, t, scope, depth):
        left, right = self.expr(t, scope, depth), self.expr(t, scope, depth)
        if left.constant and right.constant:
            # Constant expressions are folded, and an overflow is then a static error.
            left = self.varying(t, scope)
        return left, right

    def integer(self, t, scope, depth):
        how = self.random.randrange(14)
        if t is LONGINT and how in (8, 9, 10, 11):
            how = self.pick([0, 2, 12])
        left, right = self.operands(t, scope, depth)
        a, b = left.value, right.value
        if how < 5:
            name, op = self.pick([("+", lambda x, y: x + y), ("-", lambda x, y: x - y),
                                  ("*", lambda x, y: x * y)])
            return Expr(t, f"({left.text} {name} {right.text})",
                        lambda env: wrap(op(a(env), b(env))))
        if how < 7:
            name = self.pick(["DIV", "MOD"])
            if right.constant and right.value({}) == 0:
                right = self.varying(t, scope)
            if not right.constant and self.chance(85):
                k = t.literal(self.pick([1, 2, 3, 7, -1, -2, -5, 16]))
                n = int(k.strip("()L") if t is INTEGER else k.strip("()").rstrip("L"))
                right = Expr(t, k, lambda env: n)
            b = right.value

            def divide(env):
                x, y = a(env), b(env)
                if y == 0:
                    raise Trap(kZero)
                return wrap(x // y) if name == "DIV" else x % y
            return Expr(t, f"({left.text} {name} {right.text})", divide)
        if how == 7:
            if left.constant:
                left = right if not right.constant else self.varying(t, scope)
            a = left.value
            if self.chance(50):
                return Expr(t, f"(-({left.text}))", lambda env: wrap(-a(env)))
            return Expr(t, f"ABS({left.text})", lambda env: wrap(abs(a(env))))
        if how == 8:
            of = self.pick([BOOLEAN, CHAR] + self.enums + self.subranges)
            e = self.varying(of, scope)
            if of.base() is LONGINT:
                return Expr(t, f"VAL({e.text}, INTEGER)", e.value)
            return Expr(t, f"ORD({e.text})", e.value)
        if how == 9:
            of = self.pick([REAL, LONGREAL])
            e = self.varying(of, scope)
            name, op = self.pick([("FLOOR", math.floor), ("CEILING", math.ceil),
                                  ("ROUND", round), ("TRUNC", math.trunc)])
            limit, d = "1.0E5", "" if of is REAL else "d0"
            limit = "100000.0" + d
            # Only where the result is in range.

            def bounded(env):
                x = e.value(env)
                return op(min(x, 100000.0) if x > -100000.0 else -100000.0) if x == x else None
            self.helpers_used = True
            return Expr(t, f"{name}(Bound{of.name}({e.text}))",
                        lambda env: 0 if bounded(env) is None else bounded(env))
        if how == 10:
            arrays = self.designator(scope, lambda o: o.kind in ("array", "open"))
            if arrays:
                v = arrays.value
                if arrays.t.kind == "open":
                    return Expr(t, f"NUMBER({arrays.text})", lambda env: len(v(env)))
                low, high = arrays.t.index.bounds()
                return Expr(t, f"NUMBER({arrays.text})", lambda env: high - low + 1,
                            constant=True)
        if how == 11:
            receiver = self.designator(scope, lambda o: o.kind == "object")
            if receiver and not self.in_pure:
                v = receiver.value
                b = right.value

                def invoke(env):
                    cell = v(env)
                    if cell is None:
                        raise Trap(kNil)
                    x = b(env)
                    _, add = cell.kind.method
                    if x == add:
                        raise Raised("X1", x)
                    env["count"].put(env["count"].get() + 1)
                    return wrap(x * add + 1)
                return Expr(t, f"{receiver.text}.m({right.text})", invoke)
        if how == 12:
            name, op = self.pick([("MIN", min), ("MAX", max)])
            return Expr(t, f"{name}({left.text}, {right.text})",
                        lambda env: op(a(env), b(env)))
        other = LONGINT if t is INTEGER else INTEGER
        e = self.varying(other, scope)
        return Expr(t, f"VAL({e.text}, {t.name})", e.value)

    in_pure = False

    def boolean(self, t, scope, depth):
        how = self.random.randrange(10)
        if how < 2:
            left, right = self.expr(BOOLEAN, scope, depth), self.expr(BOOLEAN, scope, depth)
            a, b = left.value, right.value
            if how == 0:
                return Expr(t, f"({left.text} AND {right.text})",
                            lambda env: int(bool(a(env)) and bool(b(env))))
            return Expr(t, f"({left.text} OR {right.text})",
                        lambda env: int(bool(a(env)) or bool(b(env))))
        if how == 2:
            e = self.expr(BOOLEAN, scope, depth)
            return Expr(t, f"(NOT {e.text})", lambda env: 1 - e.value(env))
        compare = {"=": lambda x, y: x == y, "#": lambda x, y: x != y, "<": lambda x, y: x < y,
                   "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y}
        if how == 3:
            of = self.pick(self.sets)
            e, s = self.varying(of.of.base(), scope), self.expr(of, scope, depth)
            return Expr(t, f"({e.text} IN {s.text})",
                        lambda env: (lambda x: int(x in s.value(env)))(e.value(env)))
        if how == 4:
            of = self.pick(self.records + self.arrays)
            left, right = self.expr(of, scope, depth), self.expr(of, scope, depth)
            name = self.pick("=#")
            return Expr(t, f"({left.text} {name} {right.text})",
                        lambda env: (lambda x: int(compare[name](x, copy_of(right.value(env)))))(
                            copy_of(left.value(env))))
        if how == 5:
            left = self.designator(scope, lambda o: o.kind == "object")
            if left:
                to = self.pick([c for c in self.classes if self.is_below(c, left.t)])
                return Expr(t, f"ISTYPE({left.text}, {to.name})", lambda env: (
                    lambda c: int(c is None or self.is_below(c.kind, to)))(left.value(env)))
        of = self.pick([INTEGER, INTEGER, LONGINT, BOOLEAN, CHAR, REAL, LONGREAL] + self.enums
                       + self.sets)
        left, right = self.operands(of, scope, depth)
        name = self.pick(list(compare))
        op = compare[name]
        return Expr(t, f"({left.text} {name} {right.text})",
                    lambda env: (lambda x: int(op(x, right.value(env))))(left.value(env)))

    def enumeration(self, t, scope, depth):
        low, high = t.bounds()
        e = self.expr(INTEGER, scope, depth)
        if e.constant:
            e = self.varying(INTEGER, scope)
        if self.chance(90):
            return Expr(t, f"VAL(({e.text}) MOD {high + 1}, {t.name})",
                        lambda env: e.value(env) % (high + 1))
        return Expr(t, f"VAL({e.text}, {t.name})", lambda env: subrange_check(t, e.value(env)))

    def floating(self, t, scope, depth):
        narrow = to_single if t is REAL else lambda x: x
        if self.chance(20):
            e = self.varying(INTEGER, scope)
            n = self.pick([1000, 77])
            return Expr(t, f"FLOAT(({e.text}) MOD {n}, {t.name})",
                        lambda env: float(e.value(env) % n))
        left, right = self.operands(t, scope, depth)
        if self.chance(12):
            left = self.varying(t, scope) if left.constant else left
            return Expr(t, f"(-({left.text}))", lambda env: -left.value(env))
        name, op = self.pick([("+", lambda x, y: x + y), ("-", lambda x, y: x - y),
                              ("*", lambda x, y: x * y), ("/", divide_floats)])
        return Expr(t, f"({left.text} {name} {right.text})", lambda env: (
            lambda x: narrow(op(x, right.value(env))))(left.value(env)))

    def set_expr(self, t, scope, depth):
        if self.chance(45) or depth < 0:
            parts = []
            for _ in range(self.random.randint(0, 3)):
                first = self.fitting(t.of, scope, min(depth, 1))
                last = self.fitting(t.of, scope, 0) if self.chance(40) else None
                parts.append((first, last))
            low, high = t.of.bounds()

            # Even a range without members must have valid ends.
            def member(e, env):
                n = e.value(env)
                if not low <= n <= high:
                    raise Trap(kRange)
                return n

            def value(env):
                members = set()
                for first, last in parts:
                    x = member(first, env)
                    members.update(range(x, (member(last, env) if last else x) + 1))
                return frozenset(members)
            text = ", ".join(f.text + (f" .. {l.text}" if l else "") for f, l in parts)
            return Expr(t, f"{t.name}{{{text}}}", value)
        left, right = self.expr(t, scope, depth), self.expr(t, scope, depth)
        name, op = self.pick([("+", frozenset.union), ("-", frozenset.difference),
                              ("*", frozenset.intersection),
                              ("/", frozenset.symmetric_difference)])
        return Expr(t, f"({left.text} {name} {right.text})", lambda env: (
            lambda x: op(x, right.value(env)))(left.value(env)))

    def assignable(self, t, scope, depth):
        """An expression to assign to a variable of type t; its value is checked against t."""
        if t.is_ordinal():
            e = self.fitting(t, scope, depth)
            return Expr(t, e.text, lambda env: subrange_check(t, e.value(env)), e.constant)
        if t.kind == "object" and self.chance(20):
            # A supertype's value is narrowed implicitly.
            above = self.designator(scope, lambda o: o.kind == "object" and self.is_below(t, o))
            if above:
                def narrowed(env):
                    cell = above.value(env)
                    if cell is not None and not self.is_below(cell.kind, t):
                        raise Trap(kNarrow)
                    return cell
                return Expr(t, above.text, narrowed)
        return self.expr(t, scope, depth)

    def array_expr(self, t, scope, depth):
        low, high = t.index.bounds()
        count = high - low + 1
        given = self.random.randint(min(count, 1), min(count, 4))
        parts = [self.assignable(t.of, scope, depth) for _ in range(given)]
        dots = ", .." if given < count else ""

        def value(env):
            values = [copy_of(part.value(env)) for part in parts]
            return values + [copy_of(values[-1]) for _ in range(count - given)]
        return Expr(t, f"{t.name}{{{', '.join(p.text for p in parts)}{dots}}}", value)

    def record_expr(self, t, scope, depth):
        parts = [self.assignable(of, scope, depth) for _, of in t.fields]
        text = ", ".join((f"{n} := " if i else "") + p.text
                         for i, ((n, _), p) in enumerate(zip(t.fields, parts)))
        return Expr(t, f"{t.name}{{{text}}}",
                    lambda env: [copy_of(p.value(env)) for p in parts])

    def ref_expr(self, t, scope, depth):
        if t.of is self.open:
            n = self.random.randint(0, 6)
            return Expr(t, f"NewInts({n})", lambda env: Cell(t, [0] * n))
        parts = self.assignable(t.of, scope, depth)
        # NEW leaves fields arbitrary: the helper fills them.
        return Expr(t, f"New{t.name}({parts.text})", lambda env: Cell(t, copy_of(parts.value(env))))

    def object_expr(self, t, scope, depth):
        c = self.pick([c for c in self.classes if self.is_below(c, t)])
        bound = []
        for k, (name, of) in enumerate(c.fields):
            e = self.varying(of, scope) if of.kind in ("object", "ref") else self.assignable(
                of, scope, min(depth, 1))
            bound.append((k, name, e))
        text = "".join(f", {name} := {e.text}" for _, name, e in bound)
        return Expr(t, f"NEW({c.name}{text})",
                    lambda env: Cell(c, [copy_of(e.value(env)) for _, _, e in bound]))

    def call(self, p, scope, depth):
        actuals = []
        for mode, formal in p.formals:
            if mode == "VAR":
                e = self.designator(scope, lambda o: o.key == formal.t.key, writable=True)
                if e is None:
                    g = self.pick([g for g in self.globals if g.t.key == formal.t.key])
                    e = Expr(g.t, g.name, None, location=lambda env, n=g.name: env[n])
                actuals.append((e, True))
                continue
            if formal.t.kind == "open":
                actuals.append((self.open_actual(scope), True))
                continue
            if mode == "READONLY":
                e = self.designator(scope, lambda o: o.key == formal.t.key)
                if e and self.chance(60):
                    actuals.append((e, True))
                    continue
            actuals.append((self.assignable(formal.t, scope, depth), False))

        def run(env):
            bindings = [e.location(env) if alias else Location([copy_of(e.value(env))], 0)
                        for e, alias in actuals]
            for i, (mode, formal) in enumerate(p.formals):
                if mode == "VALUE" and formal.t.kind == "open":
                    bindings[i] = Location([copy_of(bindings[i].get())], 0)
            outer = env.get("proc " + p.name, self.world_env)
            return p.call(self, outer, bindings)
        return Expr(p.result, f"{p.name}({', '.join(e.text for e, _ in actuals)})", run)

    def open_actual(self, scope):
        """An array of integers for an open formal."""
        candidates = [o for o in [self.designator(
            scope, lambda o: o.kind in ("open", "array") and o.of is INTEGER, writable=True)] if o]
        if not candidates:
            g = self.pick([g for g in self.globals if g.t is self.arrays[1]])
            candidates = [Expr(g.t, g.name, None, location=lambda env: env[g.name])]
        e = candidates[0]
        if self.chance(60):
            return e
        start, count = self.random.randint(0, 3), self.random.randint(0, 4)

        def part(env):
            array = e.location(env).get()
            if start + count > len(array):
                raise Trap(kRange)
            return Location([Slice(array, start, count)], 0)
        # The numbers are variables, because the compiler would report a mistake in constants.
        return Expr(self.open, f"SUBARRAY({e.text}, zero + {start}, zero + {count})", None,
                    location=part)

    # -- statements

    def block(self, scope, depth, context):
        return [self.statement(scope, depth, context)
                for _ in range(self.random.randint(1, 4 if depth > 1 else 3))]

    def run(self, block, env):
        run_block(block, env, self)

    def statement(self, scope, depth, context):
        simple = [self.assign, self.assign, self.assign, self.inc, self.print, self.array_move]
        compound = [self.if_stmt, self.while_stmt, self.repeat, self.for_stmt, self.case_stmt,
                    self.with_stmt, self.try_except, self.try_finally, self.typecase, self.loop]
        if self.procedures or context["nested"]:
            simple.append(self.call_stmt)
        if self.chance(8) and not context["pure"]:
            return self.raise_stmt(scope)
        if self.chance(3):
            return self.nil_stmt(scope, depth, context)
        if self.chance(6):
            return self.leave(scope, context)
        made = self.pick(simple if depth <= 0 or self.chance(55) else compound)(
            scope, depth - 1, context)
        return made or self.assign(scope, depth, context)

    def assign(self, scope, depth, context):
        t = self.pick(self.types)
        target = self.designator(scope, lambda o: o.key == t.key, writable=True) or \
            self.designator(scope, lambda o: o.kind != "open", writable=True)
        e = self.assignable(target.t, scope, self.random.randint(0, 3))

        def run(env):
            where = target.location(env)
            where.put(copy_of(e.value(env)))
        return Stmt(lambda: f"{target.text} := {e.text}", run)

    def inc(self, scope, depth, context):
        target = self.designator(scope, lambda o: o.kind in ("subrange", "enum", "char"),
                                 writable=True)
        if target is None:
            return None
        n, name = self.random.randint(-2, 3), self.pick(["INC", "DEC"])
        by = f"{n}L" if target.t.base() is LONGINT and n >= 0 else str(n)
        if target.t.base() is LONGINT and n < 0:
            by = f"-{-n}L"

        def run(env):
            where = target.location(env)
            where.put(subrange_check(target.t, where.get() + (n if name == "INC" else -n)))
        return Stmt(lambda: f"{name}({target.text}, {by})", run)

    def print(self, scope, depth, context):
        t = self.pick(self.types)
        if context["pure"]:
            return None
        e = self.designator(scope, lambda o: o.key == t.key) if not t.is_ordinal() \
            else self.expr(t, scope, 2)
        if e is None:
            return None
        return Stmt(lambda: f"Print{e.t.name}({e.text})", lambda env: self.put(e.t, e.value(env)))

    def put(self, t, value):
        if t.is_ordinal():
            self.output.append(str(value))
        elif t in (REAL, LONGREAL):
            if value != value:
                self.output.append("NaN")
            else:
                pair = ("<i", "<f") if t is REAL else ("<q", "<d")
                self.output.append(str(struct.unpack(pair[0], struct.pack(pair[1], value))[0]))
        elif t.kind == "set":
            for n in sorted(value):
                self.output.append(str(n))
            self.output.append("set")
        elif t.kind in ("array", "open"):
            for part in elements(value):
                self.put(t.of, part)
        elif t.kind == "record":
            for (_, of), part in zip(t.fields, value):
                self.put(of, part)
        elif value is None:
            self.output.append("NIL")
        elif t.kind == "ref":
            self.put(t.of, value.value)
        else:
            for (_, of), part in zip(t.fields, value.value):
                if of.kind not in ("object", "ref"):
                    self.put(of, part)

    def array_move(self, scope, depth, context):
        arrays = self.designator(scope, lambda o: o.kind in ("open", "array") and o.of is INTEGER,
                                 writable=True)
        if arrays is None:
            return None
        start, to, count = [self.random.randint(0, 3) for _ in range(3)]
        place = arrays.location

        def run(env):
            def piece(first):
                array = place(env).get()
                if first + count > len(array):
                    raise Trap(kRange)
                return Slice(array, first, count)
            target = piece(to)
            store_elements(target, copy_of(piece(start)))
        return Stmt(lambda: f"SUBARRAY({arrays.text}, zero + {to}, zero + {count}) := "
                    f"SUBARRAY({arrays.text}, zero + {start}, zero + {count})", run)

    def nil_stmt(self, scope, depth, context):
        e = self.expr(INTEGER, scope, 1)

        def run(env):
            e.value(env)
            raise Trap(kNil)
        return Stmt(lambda: f"none^ := {e.text}", run)

    def if_stmt(self, scope, depth, context):
        conditions = [self.expr(BOOLEAN, scope, 2) for _ in range(self.random.randint(1, 3))]
        blocks = [self.block(scope, depth, context) for _ in range(len(conditions) + 1)]

        def run(env):
            for condition, block in zip(conditions, blocks):
                if condition.value(env):
                    return self.run(block, env)
            return self.run(blocks[-1], env)

        def text(*bodies):
            out = ""
            for i, condition in enumerate(conditions):
                out += f"{'ELSIF' if i else 'IF'} {condition.text} THEN\n{bodies[i]}\n"
            return out + f"ELSE\n{bodies[-1]}\nEND"
        return Stmt(text, run, *blocks)

    def counter(self):
        return self.pick(["k1", "k2", "k3"])

    def in_loop(self, context):
        return dict(context, loop=True)

    def while_stmt(self, scope, depth, context):
        """The loop ends by a variable of its own, whatever the value of the
        condition."""
        condition, k = self.expr(BOOLEAN, scope, 2), self.name("w")
        block = self.block(scope, depth, self.in_loop(context))
        limit = self.random.randint(1, 5)

        def run(env):
            n = 0
            try:
                while n < limit and condition.value(env):
                    n += 1
                    self.run(block, env)
            except Exit:
                pass
        return Stmt(lambda body: f"VAR {k} := 0; BEGIN WHILE {k} < {limit} AND {condition.text} DO"
                    f"\n  INC({k});\n{body}\nEND END", run, block)

    def repeat(self, scope, depth, context):
        condition, k = self.expr(BOOLEAN, scope, 2), self.name("r")
        block = self.block(scope, depth, self.in_loop(context))

        def run(env):
            n = 0
            try:
                while True:
                    n += 1
                    self.run(block, env)
                    if n >= 3 or condition.value(env):
                        break
            except Exit:
                pass
        return Stmt(lambda body: f"VAR {k} := 0; BEGIN REPEAT\n  INC({k});\n{body}\n"
                    f"UNTIL {k} >= 3 OR {condition.text} END", run, block)

    def loop(self, scope, depth, context):
        k = self.name("l")
        block = self.block(scope, depth, self.in_loop(context))

        def run(env):
            n = 0
            try:
                while n < 3:
                    n += 1
                    self.run(block, env)
            except Exit:
                pass
        return Stmt(lambda body: f"VAR {k} := 0; BEGIN LOOP\n  IF {k} = 3 THEN EXIT END; "
                    f"INC({k});\n{body}\nEND END", run, block)

    def for_stmt(self, scope, depth, context):
        t = self.pick([INTEGER, INTEGER, LONGINT, CHAR, BOOLEAN] + self.enums)
        name = self.name("i")
        if t.kind in ("integer", "longint"):
            at, span = self.varying(t, scope), self.random.randint(-1, 6)
            step = self.pick([1, 1, 2, -1, -3])
            m = t.literal(100)
            first = Expr(t, f"(({at.text}) MOD {m})", lambda env: at.value(env) % 100)
            far = span if step > 0 else -span
            last = Expr(t, f"(({at.text}) MOD {m} + {t.literal(far)})",
                        lambda env: at.value(env) % 100 + far)
            if t is INTEGER and self.chance(8):
                # Up to the very end: the loop must not run over it.
                first = Expr(t, "LAST(INTEGER) - 3", lambda env: 2**63 - 4)
                last = Expr(t, "LAST(INTEGER)", lambda env: 2**63 - 1)
                step = abs(step)
        else:
            first, last, step = self.fitting(t, scope, 1), self.fitting(t, scope, 1), 1
            if t is CHAR:
                first = Expr(t, "'a'", lambda env: 97)
                last = Expr(t, "'e'", lambda env: 101)
            elif self.chance(50):
                last = Expr(t, f"LAST({t.name})", lambda env: t.high)
        block = self.block(scope + [Variable(name, t, False)], depth, self.in_loop(context))

        def run(env):
            low, high = first.value(env), last.value(env)
            n = low
            try:
                while n <= high if step > 0 else n >= high:
                    self.run(block, dict(env, **{name: Location([n], 0)}))
                    n += step
            except Exit:
                pass
        by = f" BY {t.literal(step)}" if step != 1 else ""
        return Stmt(lambda body: f"FOR {name} := {first.text} TO {last.text}{by} DO\n{body}\nEND",
                    run, block)

    def case_stmt(self, scope, depth, context):
        t = self.pick([INTEGER, CHAR] + self.enums)
        e = self.expr(t, scope, 2)
        # Labels of the base type, which must be members of the selector's type.
        e = Expr(t, f"VAL(ORD({e.text}), {t.name})", e.value)
        if t is INTEGER:
            m = self.varying(t, scope)
            e = Expr(t, f"(({m.text}) MOD 12 - 3)", lambda env: m.value(env) % 12 - 3)
        low, high = (-3, 8) if t is INTEGER else (97, 110) if t is CHAR else t.bounds()
        cuts = sorted(self.random.sample(range(low, high + 1), min(high - low + 1, 4)))
        arms = []
        for i, cut in enumerate(cuts):
            end = cuts[i + 1] - 1 if i + 1 < len(cuts) else high
            arms.append((cut, self.random.randint(cut, end), self.block(scope, depth, context)))
        self.random.shuffle(arms)
        has_else = self.chance(80)
        blocks = [b for _, _, b in arms] + ([self.block(scope, depth, context)] if has_else else [])

        def run(env):
            n = e.value(env)
            for (first, last, _), block in zip(arms, blocks):
                if first <= n <= last:
                    return self.run(block, env)
            if not has_else:
                raise Trap(kCase)
            return self.run(blocks[-1], env)

        def text(*bodies):
            out = f"CASE {e.text} OF\n"
            for (first, last, _), body in zip(arms, bodies):
                label = t.literal(first) + (f" .. {t.literal(last)}" if last > first else "")
                out += f"| {label} =>\n{body}\n"
            return out + (f"ELSE\n{bodies[-1]}\n" if has_else else "") + "END"
        return Stmt(text, run, *blocks)

    def with_stmt(self, scope, depth, context):
        name, t = self.name("v"), self.pick(self.types)
        e = self.designator(scope, lambda o: o.key == t.key, writable=True)
        if e and self.chance(75):
            bind, writable = e.location, True
        else:
            # An expression that is a designator would be a designator here, too: the plus and the
            # like make it a value.
            t = self.pick([INTEGER, LONGREAL] + self.sets[:1])
            e = self.expr(t, scope, 2)
            if t.kind == "set":
                e = Expr(t, f"({e.text} + {t.name}{{}})", e.value)
            elif t is INTEGER:
                v = e.value
                e = Expr(t, f"(zero + {e.text})", v)
            else:
                v = e.value
                e = Expr(t, f"(1.0d0 * {e.text})", v)
            bind, writable = (lambda env: Location([e.value(env)], 0)), False
        block = self.block(scope + [Variable(name, e.t, writable)], depth, context)
        return Stmt(lambda body: f"WITH {name} = {e.text} DO\n{body}\nEND",
                    lambda env: self.run(block, dict(env, **{name: bind(env)})), block)

    def raise_stmt(self, scope):
        if self.chance(40):
            def run(env):
                raise Raised("X0", None)
            return Stmt(lambda: "RAISE X0", run)
        e = self.expr(INTEGER, scope, 1)

        def run_with(env):
            raise Raised("X1", e.value(env))
        return Stmt(lambda: f"RAISE X1({e.text})", run_with)

    def leave(self, scope, context):
        if context["loop"] and self.chance(60):
            def run(env):
                raise Exit()
            return Stmt(lambda: "EXIT", run)
        result = context["result"]
        if result is None:
            def run_return(env):
                raise Return()
            return Stmt(lambda: "RETURN", run_return)
        e = self.assignable(result, scope, 2)

        def run_value(env):
            raise Return(copy_of(e.value(env)))
        return Stmt(lambda: f"RETURN {e.text}", run_value)

    def try_except(self, scope, depth, context):
        body = self.block(scope, depth, context)
        name = self.name("x")
        kinds = self.random.sample(["X0", "X1", "trap"], self.random.randint(1, 3))
        has_else = self.chance(25)
        v = Variable(name, INTEGER)
        blocks = [body] + [self.block(scope + ([v] if k == "X1" else []), depth, context)
                           for k in kinds]
        if has_else:
            blocks.append(self.block(scope, depth, context))
        quiet = context["pure"]

        def run(env):
            try:
                return self.run(body, env)
            except Raised as raised:
                if raised.name in kinds:
                    k, value = kinds.index(raised.name), raised.value
                elif has_else:
                    k, value = len(kinds), None
                else:
                    raise
            except Trap as trap:
                if "trap" in kinds:
                    k, value = kinds.index("trap"), trap.code
                    if not quiet:
                        self.output.append(str(trap.code))
                elif has_else:
                    k, value = len(kinds), None
                else:
                    raise
            except (Exit, Return):
                if not has_else:
                    raise
                k, value = len(kinds), None
            return self.run(blocks[k + 1], dict(env, **{name: Location([value], 0)}))

        def text(*bodies):
            out = f"TRY\n{bodies[0]}\nEXCEPT\n"
            for k, block in zip(kinds, bodies[1:]):
                if k == "trap":
                    seen = "" if quiet else f"  PrintINTEGER(ORD({name}));\n"
                    out += f"| RuntimeError.E ({name}) =>\n{seen}{block}\n"
                else:
                    out += f"| {k}{f' ({name})' if k == 'X1' else ''} =>\n{block}\n"
            return out + (f"ELSE\n{bodies[-1]}\n" if has_else else "") + "END"
        return Stmt(text, run, *blocks)

    def try_finally(self, scope, depth, context):
        body, last = self.block(scope, depth, context), self.block(scope, depth, context)

        def run(env):
            try:
                self.run(body, env)
            except TooLong:
                raise
            except (Raised, Trap, Exit, Return):
                self.run(last, env)
                raise
            self.run(last, env)
        return Stmt(lambda first, second: f"TRY\n{first}\nFINALLY\n{second}\nEND", run, body, last)

    def typecase(self, scope, depth, context):
        e = self.designator(scope, lambda o: o.kind == "object")
        if e is None:
            return None
        labels = [c for c in self.classes if self.is_below(c, e.t)]
        self.random.shuffle(labels)
        labels = labels[:self.random.randint(1, len(labels))]
        name, has_else = self.name("o"), self.chance(85)
        blocks = [self.block(scope + [Variable(name, c)], depth, context) for c in labels]
        null = self.chance(50)
        if null:
            blocks.insert(0, self.block(scope, depth, context))
        if has_else:
            blocks.append(self.block(scope, depth, context))

        def run(env):
            cell = e.value(env)
            if cell is None and null:
                return self.run(blocks[0], env)
            for c, block in zip(labels, blocks[int(null):]):
                if cell is None or self.is_below(cell.kind, c):
                    return self.run(block, dict(env, **{name: Location([cell], 0)}))
            if not has_else:
                raise Trap(kTypecase)
            return self.run(blocks[-1], env)

        def text(*bodies):
            out = f"TYPECASE {e.text} OF\n"
            if null:
                out += f"| NULL =>\n{bodies[0]}\n"
            for c, body in zip(labels, bodies[int(null):]):
                out += f"| {c.name} ({name}) =>\n{body}\n"
            return out + (f"ELSE\n{bodies[-1]}\n" if has_else else "") + "END"
        return Stmt(text, run, *blocks)

    def call_stmt(self, scope, depth, context):
        if context["pure"]:
            return None
        known = [p for p in self.procedures if not p.pure] + context["nested"]
        if not known:
            return None
        p = self.pick(known)
        if p.result is None:
            e = self.call(p, scope, 1)
            return Stmt(lambda: e.text, e.value)
        target = self.designator(scope, lambda o: o.key == p.result.key, writable=True)
        e = self.call(p, scope, 1)
        if target is None or len(target.text) > 30:
            return Stmt(lambda: f"EVAL {e.text}", e.value)
        # A variable that the call cannot change: only a name is allowed.
        names = [v for v in scope if v.writable and v.t.key == p.result.key]
        if not names:
            return Stmt(lambda: f"EVAL {e.text}", e.value)
        v = self.pick(names)
        return Stmt(lambda: f"{v.name} := {e.text}",
                    lambda env: env[v.name].put(copy_of(e.value(env))))

    # -- procedures

    def procedure(self, outer_scope, level):
        pure = level == 0 and self.chance(35)
        result = self.pick(self.scalars + self.records + self.sets if not pure else self.scalars[:6]
                           ) if pure or self.chance(50) else None
        formals = []
        for _ in range(self.random.randint(0, 4)):
            mode = self.pick(["VALUE", "READONLY"] + ([] if pure else ["VAR"]))
            t = self.pick(self.types + [self.open, self.open])
            if pure and t.kind in ("ref", "object"):
                t = INTEGER
            if mode == "VAR" and t.kind == "open":
                mode = "READONLY" if self.chance(30) else "VALUE"
            formals.append((mode, Variable(self.name("a"), t, mode != "READONLY")))
        p = Procedure(self.name("P"), formals, result, pure)
        inner = [v for _, v in formals]
        for _ in range(self.random.randint(1, 4)):
            t = self.pick([t for t in self.types if not pure or t.kind not in ("ref", "object")])
            p.locals.append((Variable(self.name("v"), t), None))
        inner += [v for v, _ in p.locals]
        base = [] if pure else self.globals
        scope = base + outer_scope + inner * 3
        self.in_pure = pure
        if level < 2 and not pure and self.chance(40):
            p.nested.append(self.procedure(outer_scope + inner, level + 1))
            self.in_pure = pure
        # If a local has no defined first value, the program assigns one.
        for v, _ in p.locals:
            p.body.append(self.initialise(v))
        context = {"loop": False, "result": result, "nested": p.nested, "pure": pure}
        p.body += self.block(scope, 3, context) + self.block(scope, 3, context)
        if result:
            e = self.assignable(result, scope, 1)
            p.last = Expr(result, e.text, lambda env: copy_of(e.value(env)))
        self.in_pure = False
        return p

    def initialise(self, v):
        return Stmt(lambda: f"Init{v.t.name}({v.name})",
                    lambda env: env[v.name].put(initial(v.t)))

    # -- the program

    def evaluate(self):
        self.output, self.steps = [], 0
        env = {g.name: Location([initial(g.t)], 0) for g in self.globals}
        env["count"] = Location([0], 0)
        self.world_env = env
        for call in self.main_calls():
            try:
                call.value(env)
            except Raised as raised:
                self.output.append(raised.name)
            except Trap as trap:
                self.output.append(f"trap {trap.code}")
        for g in self.globals:
            self.put(g.t, env[g.name].get())
        self.output.append(str(env["count"].get()))
        return self.output

    def main_calls(self):
        if not hasattr(self, "calls"):
            self.calls = [self.call(p, self.globals, 1) for p in self.procedures for _ in range(2)]
        return self.calls

    def helpers(self):
        out = [
            "PROCEDURE PrintINTEGER(n: INTEGER) = BEGIN IO.PutInt(n); IO.Put(\"\\n\") END PrintINTEGER;",
            "PROCEDURE PrintLONGINT(n: LONGINT) = BEGIN IO.PutLongInt(n); IO.Put(\"\\n\") "
            "END PrintLONGINT;",
            "PROCEDURE PrintREAL(x: REAL) = TYPE B = ARRAY [0..0] OF BITS 32 FOR "
            "[-16_7FFFFFFF-1 .. 16_7FFFFFFF];\n  BEGIN IF x # x THEN IO.Put(\"NaN\\n\") ELSE "
            "PrintINTEGER(LOOPHOLE(x, B)[0]) END END PrintREAL;",
            "PROCEDURE PrintLONGREAL(x: LONGREAL) =\n  BEGIN IF x # x THEN IO.Put(\"NaN\\n\") ELSE "
            "PrintINTEGER(LOOPHOLE(x, INTEGER)) END END PrintLONGREAL;",
            "PROCEDURE NewInts(n: CARDINAL): RefInts =\n  VAR r := NEW(RefInts, n); BEGIN FOR i := 0 "
            "TO n - 1 DO r[i] := 0 END; RETURN r END NewInts;",
        ]
        for t in self.refs:
            if t.of is not self.open:
                out.append(f"PROCEDURE New{t.name}(READONLY x: {t.of.name}): {t.name} =\n  VAR r := "
                           f"NEW({t.name}); BEGIN r^ := x; RETURN r END New{t.name};")
        for t, d in ((REAL, ""), (LONGREAL, "d0")):
            out.append(
                f"PROCEDURE Bound{t.name}(x: {t.name}): {t.name} =\n  BEGIN IF x # x THEN RETURN "
                f"0.0{d} ELSIF x <= -100000.0{d} THEN RETURN -100000.0{d}\n  ELSE RETURN MIN(x, "
                f"100000.0{d}) END END Bound{t.name};")
        seen = set()
        for t in self.types:
            if t.name not in seen:
                seen.add(t.name)
                if t not in (INTEGER, LONGINT, REAL, LONGREAL):
                    out.append(f"PROCEDURE Print{t.name}(READONLY x: {t.name}) =\n  BEGIN\n"
                               f"    {self.print_text(t, 'x', 0)}\n  END Print{t.name};")
                out.append(f"PROCEDURE Init{t.name}(VAR x: {t.name}) =\n  BEGIN\n"
                           f"    {self.init_text(t, 'x', 0)}\n  END Init{t.name};")
        return out

    def print_text(self, t, x, depth):
        if t.kind == "array" and not t.bounds_of_index():
            return ""  # no index can be assigned to the type of its subscripts
        if t.is_ordinal():
            return f"PrintLONGINT({x})" if t.base() is LONGINT else f"PrintINTEGER(ORD({x}))"
        if t.kind in ("real", "longreal"):
            return f"Print{t.name}({x})"
        if t.kind == "set":
            i = f"i{depth}"
            low, high = (t.of.literal(n) for n in t.of.bounds())
            return (f"FOR {i} := {low} TO {high} DO IF {i} IN {x} THEN PrintINTEGER(ORD({i})) END "
                    f"END; IO.Put(\"set\\n\")")
        if t.kind in ("array", "open"):
            i = f"i{depth}"
            return (f"FOR {i} := FIRST({x}) TO LAST({x}) DO "
                    f"{self.print_text(t.of, f'{x}[{i}]', depth + 1)} END")
        if t.kind == "record":
            return sequence(self.print_text(of, f"{x}.{n}", depth) for n, of in t.fields)
        if t.kind == "ref":
            inner = self.print_text(t.of, f"{x}^", depth)
        else:
            inner = sequence(self.print_text(of, f"{x}.{n}", depth) for n, of in t.fields
                             if of.kind not in ("object", "ref")) or "EVAL x"
        return f"IF {x} = NIL THEN IO.Put(\"NIL\\n\") ELSE {inner} END"

    def init_text(self, t, x, depth):
        if t.kind == "array" and not t.bounds_of_index():
            return ""
        if t.is_ordinal():
            return f"{x} := {t.literal(initial(t))}"
        if t.kind in ("real", "longreal"):
            return f"{x} := 0.0{'d0' if t is LONGREAL else ''}"
        if t.kind == "set":
            return f"{x} := {t.name}{{}}"
        if t.kind == "array":
            i = f"i{depth}"
            return (f"FOR {i} := FIRST({x}) TO LAST({x}) DO "
                    f"{self.init_text(t.of, f'{x}[{i}]', depth + 1)} END")
        if t.kind == "record":
            return sequence(self.init_text(of, f"{x}.{n}", depth) for n, of in t.fields)
        if t.kind == "ref":
            if t.of is self.open:
                return f"{x} := NewInts(3)"
            return sequence([f"{x} := NEW({t.name})", self.init_text(t.of, x + '^', depth)])
        return sequence([f"{x} := NEW({t.name})",
                         *(self.init_text(of, f"{x}.{n}", depth) for n, of in t.fields)])

    def text(self):
        lines = ["UNSAFE MODULE Main;", "IMPORT IO, RuntimeError;",
                 "EXCEPTION X0; X1(INTEGER);", *self.declarations,
                 "VAR zero, count: INTEGER := 0; none: REF INTEGER := NIL;"]
        lines += [f"VAR {g.name}: {g.t.name};" for g in self.globals]
        lines += self.helpers()
        lines += [p.text() for p in self.procedures]
        lines.append("BEGIN")
        lines += [f"  Init{g.t.name}({g.name});" for g in self.globals]
        for call in self.main_calls():
            statement = f"EVAL {call.text}" if call.t else call.text
            lines.append(f"  TRY {statement}\n  EXCEPT X0 => IO.Put(\"X0\\n\") | X1 => "
                         "IO.Put(\"X1\\n\")\n  | RuntimeError.E (t) => IO.Put(\"trap \"); "
                         "PrintINTEGER(ORD(t))\n  END;")
        lines += [f"  Print{g.t.name}({g.name});" for g in self.globals]
        lines += ["  PrintINTEGER(count);", "END Main.", ""]
        return "\n".join(lines)


# ---- compiling and comparing

def find_fault(generator, tenure, directory):
    """The difference to the evaluator, or None. Raises TooLong."""
    expected = "\n".join(generator.evaluate()) + "\n"
    with open(os.path.join(directory, "Main.m3"), "w", encoding="latin-1") as file:
        file.write(generator.text())
    for level, flags in (("-O0", []), ("-O2", []), ("-O2", ["@M3gcstress=1", "@M3paranoidgc"])):
        program = os.path.join(directory, "program" + level)
        if not flags:
            built = subprocess.run([tenure, "build", directory, level, "-o", program],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", timeout=300)
            if built.returncode != 0:
                errors = [s for s in built.stdout.split("\n") if "error" in s]
                code = re.search(r"\[\w+\]", errors[0]).group() if errors else ""
                return f"compile {level} {code}", "\n".join(errors[:6] or [built.stdout[-1500:]])
        try:
            ran = subprocess.run([program, *flags], stdout=subprocess.PIPE, timeout=120,
                                 stderr=subprocess.PIPE, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return f"run {level}", f"{level} {flags}: does not end"
        if ran.returncode != 0 or ran.stdout != expected:
            want, got = expected.split("\n"), ran.stdout.split("\n")
            at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b),
                      min(len(want), len(got)))
            return (f"run {level}", f"{level} {' '.join(flags)}: status {ran.returncode}, line "
                    f"{at + 1}: expected {want[at:at + 3]}, printed {got[at:at + 3]} "
                    f"{ran.stderr[-300:]}")
    return None


def all_blocks(generator):
    def inside(block):
        yield block
        for s in block:
            for b in s.blocks:
                yield from inside(b)
    def of_procedure(p):
        for q in p.nested:
            yield from of_procedure(q)
        yield from inside(p.body)
    for p in generator.procedures:
        yield from of_procedure(p)


def shrink(generator, kind, tenure, directory, tries=150):
    """Removes calls and statements while the program still fails in the same way."""
    def still_fails():
        try:
            fault = find_fault(generator, tenure, directory)
        except (TooLong, subprocess.TimeoutExpired):
            return False
        return fault is not None and fault[0] == kind

    def cut(items):
        nonlocal tries
        size = len(items)
        while size >= 1:
            at = 0
            while at < len(items) and tries > 0:
                kept = items[at:at + size]
                del items[at:at + size]
                tries -= 1
                if not still_fails():
                    items[at:at] = kept
                    at += size
            size //= 2

    cut(generator.main_calls())
    done = set()
    while tries > 0:
        block = next((b for b in all_blocks(generator) if id(b) not in done), None)
        if block is None:
            break
        done.add(id(block))
        cut(block)


def test_seed(seed, tenure, keep=None, shrinking=True):
    """Empty, or a report of the failure."""
    directory = tempfile.mkdtemp(prefix="tenure-random-")
    try:
        for attempt in range(20):
            generator = Generator(seed * 1000 + attempt)
            try:
                fault = find_fault(generator, tenure, directory)
                break
            except TooLong:
                continue
        else:
            return f"seed {seed}: every program is too long"
        if fault is None:
            return ""
        if shrinking:
            shrink(generator, fault[0], tenure, directory)
            fault = find_fault(generator, tenure, directory) or fault
        if keep:
            os.makedirs(keep, exist_ok=True)
            with open(os.path.join(keep, f"seed{seed}.m3"), "w", encoding="latin-1") as file:
                file.write(generator.text())
        shown = "" if keep else generator.text()
        return f"seed {seed}: {fault[0]}: {fault[1]}\n{shown}"
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--tenure", default=os.path.join(ROOT, "build", "bin", "tenure"))
    parser.add_argument("--keep", metavar="DIR", help="where programs that fail are written")
    parser.add_argument("--no-shrink", action="store_true")
    arguments = parser.parse_args()
    failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        report = test_seed(seed, arguments.tenure, arguments.keep, not arguments.no_shrink)
        if report:
            failed += 1
            print(report, flush=True)
    print(f"{arguments.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
