#!/usr/bin/env python3
"""Random graphs of objects of random types, exported, read by jq, imported, and compared.

  random_graphs.py [--seed N] [--count N] [--tenure PROGRAM] [--keep DIR]

A seed makes a program with types of every kind of the language, and a graph of their objects in the two
databases of a store. The graph is known three times: to the generator, which is in Python; to the
program, which prints what it reaches from the roots of a store; and to the export. The program must
print the same for the store that it made and for one that was imported from what jq made of the
exports; and each value in the export must be the one that the generator chose. A failure prints the
seed; --keep keeps the program and the stores.
"""

import argparse
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

kFirst, kLast = -2**63, 2**63 - 1


def word(rng, first=kFirst, last=kLast):
    """A number of the range: often at its ends."""
    kind = rng.randrange(6)
    if kind == 0:
        return first
    if kind == 1:
        return last
    if kind == 2 and first <= 0 <= last:
        return 0
    if kind == 3:
        return min(max(rng.choice([-1, 1, 255, 256, 2**31, -2**31, 2**53, 2**53 + 1, -2**53 - 1]), first), last)
    return rng.randint(first, last)


def literal(n):
    """An INTEGER."""
    if n == kFirst:
        return "FIRST(INTEGER)"
    return f"({n})" if n < 0 else str(n)


# ---- types of values. `bits` and `alignment` are those of a variable; None: not packed inside anything.

class Value:
    """A type of values. `text` is how a program writes it."""
    text = ""
    scalar = False
    fewest = None  # bits, in a packed place

    def fresh(self, rng, world):
        """A random value."""

    def store(self, place, value, world):
        """Statements that store the value at a place, which has the value with which variables begin."""

    def show(self, place, depth):
        """Statements that print the value."""

    def shown(self, value, world):
        """What these print."""

    def same(self, value, read, world):
        """The error of the value in the export; None: it is right."""


class Ordinal(Value):
    """Numbers, characters, elements of enumerations, BOOLEAN. `base` is the type whose VAL is written."""
    scalar = True

    def __init__(self, text, first, last, base=None, names=None, kind="number"):
        self.text, self.first, self.last, self.names, self.kind = text, first, last, names, kind
        self.base = base or text
        if first >= 0:
            self.fewest = max(1, last.bit_length())
        else:
            self.fewest = max((-first - 1).bit_length(), last.bit_length()) + 1

    def fresh(self, rng, world):
        return word(rng, self.first, self.last)

    def written(self, value):
        if self.kind == "long":
            return "FIRST(LONGINT)" if value == kFirst else f"({value}L)"
        if self.kind == "number":
            return literal(value)
        return f"VAL({value}, {self.base})"

    def store(self, place, value, world):
        return [f"{place} := {self.written(value)};"]

    def show(self, place, depth):
        return [f"PI({self.number(place)});"]

    def number(self, place):
        return f"VAL({place}, INTEGER)" if self.kind == "long" else f"ORD({place})"

    def shown(self, value, world):
        return [str(value)]

    def same(self, value, read, world):
        if self.kind == "boolean":
            wanted = bool(value)
            return None if read is wanted else f"{read!r} is not {wanted}"
        if self.kind == "enumeration":
            wanted = self.names[value]
        elif self.kind == "character":
            wanted = {"bits": value} if 0xD800 <= value < 0xE000 else chr(value)
        elif abs(value) <= 2**53:
            wanted = value
        else:
            wanted = str(value)
        return None if type(read) is type(wanted) and read == wanted else f"{read!r} is not {wanted!r}"


class Real(Value):
    scalar = True

    def __init__(self, text):
        self.text, self.single = text, text == "REAL"

    def fresh(self, rng, world):
        """The bits."""
        if self.single:
            special = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7FC01234, 1, 0x807FFFFF,
                       0x7F7FFFFF, 0x00800000, struct.unpack("<I", struct.pack("<f", 0.1))[0], 0x3F800000]
            return rng.choice([*special, rng.getrandbits(32) & 0xFFBFFFFF | 0x00400000, rng.getrandbits(30)])
        special = [0, 1 << 63, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, (0xFFF8 << 48) + 77, 1, 2**52 - 1,
                   (0x7FF << 52) - 1, 1 << 52, struct.unpack("<Q", struct.pack("<d", 0.1))[0], 0x3FF << 52,
                   struct.unpack("<Q", struct.pack("<d", float(2**53)))[0],
                   struct.unpack("<Q", struct.pack("<d", 1e23))[0]]
        return rng.choice([*special, rng.getrandbits(64) & ~(1 << 51) | 1 << 51, rng.getrandbits(62)])

    def store(self, place, value, world):
        number = value - 2**64 if value >= 2**63 else value
        maker = {"REAL": "SR", "LONGREAL": "LR", "EXTENDED": "XR"}[self.text]
        return [f"{place} := {maker}({literal(number)});"]

    def show(self, place, depth):
        return [{"REAL": "PS", "LONGREAL": "PR", "EXTENDED": "PX"}[self.text] + f"({place});"]

    def shown(self, value, world):
        return [str(value if self.single or value < 2**63 else value - 2**64)]

    def same(self, value, read, world):
        form, whole = ("<f", "<I") if self.single else ("<d", "<Q")
        number = struct.unpack(form, struct.pack(whole, value))[0]
        if math.isnan(number):
            quiet = 0x7FC00000 if self.single else 0x7FF8 << 48
            if value == quiet:
                return None if read == "NaN" else f"{read!r} is not NaN"
            bits = int(read["bits"]) if isinstance(read, dict) and "bits" in read else None
            return None if bits == value else f"{read!r} is not the NaN {value:x}"
        if math.isinf(number) or (number == 0 and value != 0):
            wanted = "-0.0" if number == 0 else "Infinity" if number > 0 else "-Infinity"
            return None if read == wanted else f"{read!r} is not {wanted}"
        if isinstance(read, (int, float)) and not isinstance(read, bool):
            if struct.pack(form, float(read)) == struct.pack(whole, value):
                return None
        return f"{read!r} is not {number!r}"


class Set(Value):
    def __init__(self, element):
        self.text, self.element = f"SET OF {element.text}", element

    def fresh(self, rng, world):
        count = self.element.last - self.element.first + 1
        full = rng.random() < 0.2
        return frozenset(self.element.first + i for i in range(count) if full or rng.random() < 0.3)

    def store(self, place, value, world):
        result = [f"{place} := {self.text}{{}};"]
        members = sorted(value)
        for i in range(0, len(members), 8):
            some = ", ".join(self.element.written(member) for member in members[i:i + 8])
            result.append(f"{place} := {place} + {self.text}{{{some}}};")
        return result

    def show(self, place, depth):
        e = f"e{depth}"
        return [f'P("(");  FOR {e} := {self.element.written(self.element.first)} TO '
                f'{self.element.written(self.element.last)} DO IF {e} IN {place} THEN PI({self.element.number(e)}) END END;  P(")");']

    def shown(self, value, world):
        return ["(", *(str(member) for member in sorted(value)), ")"]

    def same(self, value, read, world):
        if not isinstance(read, list) or len(read) != len(value):
            return f"{read!r} is not {sorted(value)}"
        for member, one in zip(sorted(value), read):
            problem = self.element.same(member, one, world)
            if problem:
                return f"member: {problem}"
        return None


class Record(Value):
    def __init__(self, fields):
        self.fields = fields  # [(name, type)]
        self.text = "RECORD " + "; ".join(f"{name}: {of.text}" for name, of in fields) + " END"

    def fresh(self, rng, world):
        return {name: of.fresh(rng, world) for name, of in self.fields}

    def store(self, place, value, world):
        return [line for name, of in self.fields for line in of.store(f"{place}.{name}", value[name], world)]

    def show(self, place, depth):
        inner = [line for name, of in self.fields for line in of.show(f"{place}.{name}", depth)]
        return ['P("{");', *inner, 'P("}");']

    def shown(self, value, world):
        return ["{", *(part for name, of in self.fields for part in of.shown(value[name], world)), "}"]

    def same(self, value, read, world):
        if not isinstance(read, dict) or sorted(read) != sorted(name for name, _ in self.fields):
            return f"{read!r} has other fields than {self.text}"
        for name, of in self.fields:
            problem = of.same(value[name], read[name], world)
            if problem:
                return f"{name}: {problem}"
        return None


class Array(Value):
    def __init__(self, index, element):
        self.index, self.element = index, element
        self.text = f"ARRAY {index.text} OF {element.text}"

    def fresh(self, rng, world):
        return [self.element.fresh(rng, world) for _ in range(self.index.first, self.index.last + 1)]

    def store(self, place, value, world):
        return [line for i, part in enumerate(value)
                for line in self.element.store(f"{place}[{self.index.written(self.index.first + i)}]", part, world)]

    def show(self, place, depth):
        i = f"i{depth}"
        return ['P("[");', f"FOR {i} := {self.index.written(self.index.first)} TO "
                f"{self.index.written(self.index.last)} DO", *self.element.show(f"{place}[{i}]", depth + 1), "END;",
                'P("]");']

    def shown(self, value, world):
        return ["[", *(part for one in value for part in self.element.shown(one, world)), "]"]

    def same(self, value, read, world):
        if not isinstance(read, list) or len(read) != len(value):
            return f"{read!r} has not {len(value)} elements"
        for i, (one, other) in enumerate(zip(value, read)):
            problem = self.element.same(one, other, world)
            if problem:
                return f"[{i}]: {problem}"
        return None


class Packed(Value):
    """BITS n FOR a type."""
    def __init__(self, bits, of):
        self.bits, self.of, self.text = bits, of, f"BITS {bits} FOR {of.text}"

    def fresh(self, rng, world):
        return self.of.fresh(rng, world)

    def store(self, place, value, world):
        return self.of.store(place, value, world)

    def show(self, place, depth):
        return self.of.show(place, depth)

    def shown(self, value, world):
        return self.of.shown(value, world)

    def same(self, value, read, world):
        return self.of.same(value, read, world)


class Named(Value):
    """A type with a name of its own."""
    def __init__(self, name, of):
        self.text, self.of, self.scalar, self.fewest = name, of, of.scalar, of.fewest
        for attribute in ("first", "last", "names", "kind", "fields", "element", "index", "base"):
            if hasattr(of, attribute):
                setattr(self, attribute, getattr(of, attribute))

    fresh, store = Packed.fresh, Packed.store
    show, shown, same = Packed.show, Packed.shown, Packed.same

    def written(self, value):
        return self.of.written(value)

    def number(self, place):
        return self.of.number(place)


class Reference(Value):
    """`of` is the class of objects that may be referred to; None: any (REFANY)."""
    scalar = True

    def __init__(self, text, accepts):
        self.text, self.accepts = text, accepts

    def fresh(self, rng, world):
        """The number of an object, or None."""
        some = [n for n, made in enumerate(world.objects) if self.accepts(made.type)]
        return rng.choice(some) if some and rng.random() < 0.85 else None

    def store(self, place, value, world):
        return [f"{place} := {'NIL' if value is None else world.objects[value].variable};"]

    def show(self, place, depth):
        return [f"Any({place});"]

    def shown(self, value, world):
        return ["NIL"] if value is None else world.visit(value)

    def same(self, value, read, world):
        if value is None or read is None:
            return None if value is None and read is None else f"{read!r} is not object {value}"
        return world.export_visit(value, read)


class Procedure(Value):
    scalar = True
    text = "PROCEDURE (n: INTEGER): INTEGER"

    def fresh(self, rng, world):
        return rng.choice([None, 1, 2])

    def store(self, place, value, world):
        return [f"{place} := {'NIL' if value is None else f'Adds{value}'};"]

    def show(self, place, depth):
        return [f'IF {place} = NIL THEN P("NIL") ELSE PI({place}(10)) END;']

    def shown(self, value, world):
        return ["NIL"] if value is None else [str(10 + value)]

    def same(self, value, read, world):
        if value is None:
            return None if read is None else f"{read!r} is not NIL"
        wanted = f"Main.Adds{value}"
        return None if isinstance(read, dict) and read.get("name") == wanted else f"{read!r} is not {wanted}"


class Absent(Value):
    """A transient or untraced reference, which is NIL in a store."""
    scalar = True

    def __init__(self, text, made):
        self.text, self.made = text, made

    def store(self, place, value, world):
        return [f"{place} := {self.made};"]

    def show(self, place, depth):
        return [f"PI(ORD({place} = NIL));"]

    def shown(self, value, world):
        return ["1"]

    def same(self, value, read, world):
        return None if read is None else f"{read!r} is not null"


# ---- types of objects

class Made:
    """An object of the graph."""
    def __init__(self, kind, number):
        self.type, self.variable, self.value, self.database = kind, f"o{number}", None, None


class RefType:
    """REF of a value."""
    keyed = False

    def __init__(self, name, of, brand):
        self.name, self.of, self.supertypes = name, of, []
        self.text = f"{brand}REF {of.text}"

    def new(self, made, rng):
        return [f"{made.variable} := NEW({self.name});"]

    def fresh(self, made, rng, world):
        made.value = self.of.fresh(rng, world)

    def fill(self, made, world):
        return self.of.store(f"{made.variable}^", made.value, world)

    def show(self, place):
        return self.of.show(f"{place}^", 0)

    def shown(self, made, world):
        return self.of.shown(made.value, world)

    def same(self, made, line, world):
        read = line["fields"] if isinstance(unnamed(self.of), Record) and "fields" in line else line.get("value")
        return self.of.same(made.value, read, world)


class OpenType:
    """REF ARRAY OF, of one to three dimensions."""
    def __init__(self, name, element, dimensions, brand):
        self.name, self.element, self.dimensions, self.supertypes = name, element, dimensions, []
        self.text = f"{brand}REF " + "ARRAY OF " * dimensions + element.text

    def new(self, made, rng):
        made.lengths = [rng.choice([0, 1, 2, 3, 5]) for _ in range(self.dimensions)]
        if self.dimensions == 1 and rng.random() < 0.15 and self.element.scalar:
            made.lengths = [rng.choice([70, 1025, 2100])]
        return [f"{made.variable} := NEW({self.name}, {', '.join(map(str, made.lengths))});"]

    def fresh(self, made, rng, world):
        def part(lengths):
            if not lengths:
                return self.element.fresh(rng, world)
            if len(lengths) == 1 and lengths[0] > 20:  # long: the same elements again and again
                few = [self.element.fresh(rng, world) for _ in range(7)]
                return [few[i % 7] for i in range(lengths[0])]
            return [part(lengths[1:]) for _ in range(lengths[0])]
        made.value = part(made.lengths)

    def fill(self, made, world):
        if made.lengths[0] > 20:
            lines = []
            for i in range(7):
                lines += ([f"FOR i := {i} TO {made.lengths[0] - 1} BY 7 DO"]
                          + self.element.store(f"{made.variable}[i]", made.value[i], world) + ["END;"])
            return lines

        def part(place, value, left):
            if left == 0:
                return self.element.store(place, value, world)
            return [line for i, one in enumerate(value) for line in part(f"{place}[{i}]", one, left - 1)]
        return part(made.variable, made.value, self.dimensions)

    def show(self, place):
        lines = []
        at = place
        for i in range(self.dimensions):
            lines += ['P("<");', f"FOR j{i} := 0 TO LAST({at}{'^' if i == 0 else ''}) DO"]
            at = f"{at}[j{i}]"
        lines += self.element.show(at, 0)
        return lines + ['END;  P(">");'] * self.dimensions

    def shown(self, made, world):
        def part(value, left):
            if left == 0:
                return self.element.shown(value, world)
            return ["<", *(one for inner in value for one in part(inner, left - 1)), ">"]
        return part(made.value, self.dimensions)

    def same(self, made, line, world):
        if self.dimensions > 1 and line.get("lengths") != made.lengths:
            return f"lengths {line.get('lengths')} are not {made.lengths}"
        characters = getattr(self.element, "kind", "") == "character" and self.dimensions == 1
        if characters and ("text" in line or "codes" in line):
            read = codes_of(line)
            return None if read == made.value else f"characters {read} are not {made.value}"

        def part(value, read, left):
            if left == 0:
                return self.element.same(value, read, world)
            if not isinstance(read, list) or len(read) != len(value):
                return f"{read!r} has not {len(value)} elements"
            for one, other in zip(value, read):
                problem = part(one, other, left - 1)
                if problem:
                    return problem
            return None
        return part(made.value, line.get("elements"), self.dimensions)


class ObjectType:
    """An object type, with the fields of its supertypes before its own. The same name may come twice."""
    def __init__(self, name, above, fields, brand, methods, text=None):
        self.name, self.above, self.fields = name, above, fields
        self.supertypes = [] if above is None else [above, *above.supertypes]
        declared = "; ".join(f"{field}: {of.text}" for field, of in fields)
        head = f"{above.name} " if above is not None else ""
        self.text = text or f"{head}{brand}OBJECT {declared} {methods}END"

    def all_fields(self):
        """(type that declares it, name, type of the field)."""
        inherited = self.above.all_fields() if self.above is not None else []
        return inherited + [(self, name, of) for name, of in self.fields]

    def new(self, made, rng):
        return [f"{made.variable} := NEW({self.name});"]

    def fresh(self, made, rng, world):
        made.value = [of.fresh(rng, world) for _, _, of in self.all_fields()]

    def fill(self, made, world):
        return [line for (owner, name, of), value in zip(self.all_fields(), made.value)
                for line in of.store(f"NARROW({made.variable}, {owner.name}).{name}", value, world)]

    def show(self, place):
        return [line for owner, name, of in self.all_fields()
                for line in of.show(f"NARROW({place}, {owner.name}).{name}", 0)]

    def shown(self, made, world):
        return [part for (_, _, of), value in zip(self.all_fields(), made.value) for part in of.shown(value, world)]

    def same(self, made, line, world):
        fields, all_fields = line.get("fields", {}), self.all_fields()
        if len(fields) != len(all_fields):
            return f"fields {sorted(fields)}, not {[name for _, name, _ in all_fields]}"
        # Members stand in the order of the fields; a hidden one has its number too.
        for (name, read), (_, wanted, of), value in zip(fields.items(), all_fields, made.value):
            if name.split("#")[0] != wanted:
                return f"field {name}, not {wanted}"
            problem = of.same(value, read, world)
            if problem:
                return f"{name}: {problem}"
        return None


class TextType:
    """TEXT: narrow and wide, flat, joined, a part of another."""
    name, text, supertypes = "TEXT", None, []

    def new(self, made, rng):
        return []

    def fresh(self, made, rng, world):
        kind = rng.randrange(9)
        n = rng.choice([0, 1, 2, 7, 30])
        made.wide = False
        if kind == 0:
            made.value = [rng.randrange(32, 127) for _ in range(n)]
        elif kind == 1:
            made.value = [rng.randrange(256) for _ in range(n)]
        elif kind == 2:
            made.value = list("".join(rng.choice("aä€😀ß\n\"") for _ in range(n)).encode())
        elif kind == 3:
            made.value, made.wide = [rng.randrange(0x3000) for _ in range(n)], True
        elif kind == 4:
            made.value, made.wide = [rng.choice([0xD800, 0xDC00, 0xDBFF, 97, 0xFFFF]) for _ in range(n)], True
        elif kind == 5:
            made.value = [rng.randrange(32, 127) for _ in range(n)] + [0] * rng.randrange(3)
        else:
            made.value = [rng.randrange(32, 127) for _ in range(rng.choice([40, 300, 3000]))]
        made.form = rng.choice(["flat", "flat", "join", "part", "old"]) if kind < 6 else rng.choice(["join", "part"])

    def fill(self, made, world):
        def flat(codes):
            kind, maker = ("WIDECHAR", "FromWideChars") if made.wide else ("CHAR", "FromChars")
            if not codes:
                return f'Text.{maker}(ARRAY OF {kind}{{}})'
            pieces = [codes[i:i + 100] for i in range(0, len(codes), 100)]
            return " & ".join(f"Text.{maker}(ARRAY OF {kind}{{"
                              + ", ".join(f"VAL({code}, {kind})" for code in piece) + "})" for piece in pieces)
        if made.form == "part":
            filler = flat([120] * 1500)
            return [f"{made.variable} := Text.Sub({filler} & {flat(made.value)} & {filler}, 1500, "
                    f"{len(made.value)});"]
        if made.form == "old" and not made.wide:
            lines = [f"WITH t = Text8.Create({len(made.value)}) DO"]
            lines += [f"t.contents[{i}] := VAL({code}, CHAR);" for i, code in enumerate(made.value)]
            return lines + [f"{made.variable} := t END;"]
        if made.form == "old":
            lines = [f"WITH t = Text16.Create({len(made.value)}) DO"]
            lines += [f"t.contents[{i}] := VAL({code}, WIDECHAR);" for i, code in enumerate(made.value)]
            return lines + [f"{made.variable} := t END;"]
        if made.form == "join":
            half = len(made.value) // 2
            return [f"{made.variable} := {flat(made.value[:half])} & {flat(made.value[half:])};"]
        return [f"{made.variable} := {flat(made.value)};"]

    def shown(self, made, world):
        return ["TEXT", str(len(made.value)), *map(str, made.value)]


class Container:
    """A container of the library, or a generic one of the program itself. `key` and `value` are "int",
    "text", "ref" or None."""
    def __init__(self, name, create, key, value, supertypes=()):
        self.name, self.text, self.create, self.key, self.value = name, None, create, key, value
        self.supertypes = list(supertypes)

    def new(self, made, rng):
        return [f"{made.variable} := {self.create};"]

    def fresh(self, made, rng, world):
        def one(kind):
            if kind == "int":
                return rng.randrange(-10, 40)
            if kind == "text":
                return rng.choice(["", "a", "ä", "key 7"]) + str(rng.randrange(30))
            return ANY.fresh(rng, world)
        entries = [(one(self.key) if self.key else None, one(self.value)) for _ in range(rng.choice([0, 1, 3, 25]))]
        if self.key:
            entries = sorted(dict(entries).items(), key=lambda entry: entry[0] if self.key == "int" else
                             entry[0].encode())
        made.value = entries

    @staticmethod
    def written(kind, value, world):
        if kind == "int":
            return literal(value)
        if kind == "text":
            return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:03o}"
                                 for b in value.encode()) + '"'
        return "NIL" if value is None else world.objects[value].variable

    def fill(self, made, world):
        lines = []
        for key, value in made.value:
            text = self.written(self.value, value, world)
            if self.key:
                lines.append(f"EVAL {made.variable}.put({self.written(self.key, key, world)}, {text});")
            elif "Pile" in self.name:
                lines.append(f"{made.variable}.push({text});")
            else:
                lines.append(f"{made.variable}.addhi({text});")
        return lines

    def show(self, place):
        types = {"int": "INTEGER", "text": "TEXT", "ref": "REFANY"}
        printer = {"int": "PI", "text": "PT", "ref": "Any"}
        value = printer[self.value]
        if "Pile" in self.name:
            return ["FOR i := 0 TO x.size - 1 DO", f"{value}(x.nth(i));", "END;"]
        if not self.key:
            return ["FOR i := 0 TO x.size() - 1 DO", f"{value}(x.get(i));", "END;"]
        if self.name.endswith("Tree.T") or self.name.startswith("Sorted"):
            return [f"VAR k: {types[self.key]};  v: {types[self.value]};  it := x.iterateOrdered(); BEGIN",
                    f"WHILE it.next(k, v) DO {printer[self.key]}(k);  {value}(v) END END;"]
        # In the order of the keys, which are known.
        if self.key == "int":
            return [f"VAR v: {types[self.value]}; BEGIN FOR k := -10 TO 40 DO",
                    f"IF x.get(k, v) THEN PI(k);  {value}(v) END END END;"]
        return [f"VAR v: {types[self.value]}; BEGIN FOR k := 0 TO LAST(AllKeys^) DO",
                f"IF x.get(AllKeys[k], v) THEN PT(AllKeys[k]);  {value}(v) END END END;"]

    @staticmethod
    def part_shown(kind, value, world):
        if kind == "int":
            return [str(value)]
        if kind == "text":
            data = value.encode()
            return ["TEXT", str(len(data)), *map(str, data)]
        return ["NIL"] if value is None else world.visit(value)

    def shown(self, made, world):
        parts = []
        for key, value in (reversed(made.value) if "Pile" in self.name else made.value):
            if self.key:
                parts += self.part_shown(self.key, key, world)
            parts += self.part_shown(self.value, value, world)
        return parts

    def same(self, made, line, world):
        world.containers.append((made, line["object"]))
        if self.name != "RefSeq.T":
            return None  # through the query language: compare_containers
        fields = line["fields"]
        elements = world.lines[world.database][fields["elem"]["ref"]]["elements"] if fields["elem"] else []
        if fields["sz"] != len(made.value):
            return f"{fields['sz']} elements, not {len(made.value)}"
        for i, (_, value) in enumerate(made.value):
            problem = ANY.same(value, elements[(fields["st"] + i) % len(elements)], world)
            if problem:
                return f"[{i}]: {problem}"
        return None


def unnamed(of):
    while isinstance(of, (Named, Packed)):
        of = of.of
    return of


def codes_of(line):
    """The codes of a line's characters."""
    if "codes" in line:
        return line["codes"]
    if line.get("stored_as") == "UTF-8":
        return list(line["text"].encode())
    text = line["text"].encode("utf-16-le", "surrogatepass")
    return list(struct.unpack(f"<{len(text) // 2}H", text))


ANY = Reference("REFANY", lambda of: True)
SCALARS = [Ordinal("INTEGER", kFirst, kLast), Ordinal("CARDINAL", 0, kLast), Ordinal("LONGINT", kFirst, kLast, kind="long"),
           Ordinal("LONGCARD", 0, kLast, kind="long"), Ordinal("BOOLEAN", 0, 1, kind="boolean"),
           Ordinal("CHAR", 0, 255, kind="character"), Ordinal("WIDECHAR", 0, 65535, kind="character"), Real("REAL"),
           Real("LONGREAL"), Real("EXTENDED")]

ALL_KEYS = sorted({(prefix + str(n)).encode() for prefix in ["", "a", "ä", "key 7"] for n in range(30)})

PILE_I = """GENERIC INTERFACE Pile(Elem);
TYPE
  T = Public BRANDED "Pile of " & Elem.Brand OBJECT top: Cell := NIL; size: INTEGER := 0
      OVERRIDES push := Push; nth := Nth END;
  Public = OBJECT METHODS push(x: Elem.T); nth(n: INTEGER): Elem.T END;
  Cell = REF RECORD what: Elem.T; below: Cell END;
PROCEDURE Push(t: T; x: Elem.T);
PROCEDURE Nth(t: T; n: INTEGER): Elem.T;
END Pile.
"""
PILE_M = """GENERIC MODULE Pile(Elem);
PROCEDURE Push(t: T; x: Elem.T) = BEGIN t.top := NEW(Cell, what := x, below := t.top); INC(t.size) END Push;
PROCEDURE Nth(t: T; n: INTEGER): Elem.T =
  VAR c := t.top;
  BEGIN
    WHILE n > 0 DO c := c.below; DEC(n) END;
    RETURN c.what;
  END Nth;
BEGIN END Pile.
"""

MAIN = r"""UNSAFE MODULE Main;
IMPORT Database, Transaction, Params, IO, Text, Text8, Text16, Fmt, Types, Hidden, HiddenRep AS Rep%(imports)s;
<*FATAL ANY*>
<*NOWARN*> TYPE Single = [-16_7FFFFFFF - 1 .. 16_7FFFFFFF];
VAR
  tr := NEW(Transaction.T);  db, other: Database.T;
  seen := NEW(REF ARRAY OF REFANY, 10000);  count := 0;
  identities := Params.Count = 4;  (* of texts, too *)
  AllKeys := NEW(REF ARRAY OF TEXT, %(keys)d);
%(variables)s

PROCEDURE Adds1(n: INTEGER): INTEGER = BEGIN RETURN n + 1 END Adds1;
PROCEDURE Adds2(n: INTEGER): INTEGER = BEGIN RETURN n + 2 END Adds2;
PROCEDURE P(t: TEXT) = BEGIN IO.Put(t & "\n") END P;
PROCEDURE PI(i: INTEGER) = BEGIN IO.Put(Fmt.Int(i) & "\n") END PI;
PROCEDURE PS(x: REAL) = BEGIN PI(LOOPHOLE(x, Single) MOD 16_100000000) END PS;
PROCEDURE PR(x: LONGREAL) = BEGIN PI(LOOPHOLE(x, INTEGER)) END PR;
PROCEDURE PX(x: EXTENDED) = BEGIN PI(LOOPHOLE(x, INTEGER)) END PX;
PROCEDURE SR(i: INTEGER): REAL =
  VAR s: Single;
  BEGIN
    IF i > LAST(Single) THEN DEC(i, 16_100000000) END;
    s := i;
    RETURN LOOPHOLE(s, REAL);
  END SR;
PROCEDURE LR(i: INTEGER): LONGREAL = BEGIN RETURN LOOPHOLE(i, LONGREAL) END LR;
PROCEDURE XR(i: INTEGER): EXTENDED = BEGIN RETURN LOOPHOLE(i, EXTENDED) END XR;
PROCEDURE PT(t: TEXT) =
  BEGIN
    IF t = NIL THEN P("NIL"); RETURN END;
    P("TEXT");  PI(Text.Length(t));
    FOR i := 0 TO Text.Length(t) - 1 DO PI(ORD(Text.GetWideChar(t, i))) END;
  END PT;
PROCEDURE Any(r: REFANY) =
  BEGIN
    IF r = NIL THEN P("NIL"); RETURN END;
    IF ISTYPE(r, TEXT) AND NOT identities THEN PT(r); RETURN END;
    FOR i := 0 TO count - 1 DO
      IF seen[i] = r THEN IO.Put("#" & Fmt.Int(i) & "\n"); RETURN END;
    END;
    seen[count] := r;  INC(count);
    TYPECASE r OF
%(arms)s
    ELSE P("another type");
    END;
  END Any;
%(procedures)s

BEGIN
%(all_keys)s
  IF Text.Equal(Params.Get(1), "make") THEN
    Database.Create(Params.Get(2));  Database.Create(Params.Get(2) & ":other");
    db := Database.Open(Params.Get(2));  other := Database.Open(Params.Get(2) & ":other");
    tr.begin();  Make();  other.setRoot(%(other)s);  tr.chain();
    Fill();  db.setRoot(%(root)s);  db.bind("one", %(named)s);  tr.commit();
  ELSE
    db := Database.Open(Params.Get(2));  other := Database.Open(Params.Get(2) & ":other");
    tr.begin();  Any(db.getRoot());  Any(other.getRoot());  Any(db.lookup("one"));  tr.commit();
  END;
  db.close();  other.close();
END Main.
"""


class World:
    """The types and the graph of one seed."""
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.declarations, self.types, self.values, self.objects = [], [], [], []
        self.hidden = []
        self.names = 0
        self.make_types()
        self.make_objects()

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def declare(self, of):
        """The type, perhaps with a name."""
        if self.rng.random() < 0.5:
            return of
        name = self.name("V")
        self.declarations.append(f"{name} = {of.text};")
        named = Named(f"Types.{name}", of)
        self.values.append(named)
        return named

    def enumeration(self):
        count = self.rng.choice([1, 2, 3, 11, 40, 257])
        prefix = self.name("e")
        names = [f"{prefix}_{i}" for i in range(count)]
        # Always with a name, by which VAL finds it.
        name = self.name("E")
        self.declarations.append(f"{name} = {{{', '.join(names)}}};")
        return Ordinal(f"Types.{name}", 0, count - 1, f"Types.{name}", names, "enumeration")

    def ordinal(self, most=None):
        """An ordinal type; `most` is a bound for the number of its elements."""
        rng = self.rng
        while True:
            kind = rng.randrange(7)
            if kind == 0:
                of = rng.choice(SCALARS[:7])
            elif kind == 1:
                of = self.enumeration()
            elif kind == 2:
                base = self.enumeration()
                a, b = sorted(rng.randrange(base.last + 1) for _ in range(2))
                of = Ordinal(f"[{base.text}.{base.names[a]} .. {base.text}.{base.names[b]}]", a, b, base.text,
                             base.names, "enumeration")
            elif kind == 3:
                a, b = sorted(rng.choice([0, 1, 39, 92, 97, 122, 126, 127, 200, 255]) for _ in range(2))
                of = Ordinal(f"[VAL({a}, CHAR) .. VAL({b}, CHAR)]", a, b, "CHAR", None, "character")
            elif kind == 4:
                a, b = sorted(word(rng) >> rng.choice([0, 20, 33, 50, 60]) for _ in range(2))
                of = Ordinal(f"[{literal(a)} .. {literal(b)}]", a, b)
            elif kind == 5:
                a, b = sorted(rng.randrange(-70, 70) for _ in range(2))
                of = Ordinal(f"[{a}L .. {b}L]", a, b, kind="long")
            else:
                a = rng.choice([0, 0, 1, -3, 60, -128])
                b = a + rng.choice([0, 1, 2, 6, 7, 8, 31, 63, 64, 127, 255])
                of = Ordinal(f"[{literal(a)} .. {literal(b)}]", a, b)
            if most is None or of.last - of.first < most:
                return self.declare(of)

    def packed(self):
        """A type for a packed place: its bits follow the fewest that it needs."""
        rng = self.rng
        while True:
            of = self.ordinal()
            if of.fewest <= 20:
                return Packed(min(of.fewest + rng.choice([0, 0, 0, 1, 3]), 24), of)

    def packed_fields(self):
        """Fields that fill at most a word."""
        fields, used = [], 0
        for _ in range(self.rng.randrange(1, 6)):
            of = self.packed()
            if used + of.bits > 64:
                break
            used += of.bits
            fields.append((self.name("p"), of))
        return fields

    def value(self, depth=0):
        """A type of values."""
        rng = self.rng
        kind = rng.randrange(16 if depth < 3 else 9)
        if kind < 2:
            return rng.choice(SCALARS)
        if kind < 4:
            return self.ordinal()
        if kind < 8:
            return self.reference()
        if kind == 8:
            return rng.choice([Procedure(), Absent("ADDRESS", "ADR(count)"),
                               Absent("<*TRANSIENT*> REFANY", "NEW(<*TRANSIENT*> REF INTEGER)"),
                               Absent("UNTRACED REF INTEGER", "NEW(UNTRACED REF INTEGER)")])
        if kind < 11:
            return self.declare(Set(self.ordinal(rng.choice([1, 8, 9, 33, 64, 65, 300]) + 1)))
        if kind == 11:
            return self.declare(Record(self.packed_fields()))
        if kind == 12:
            element = self.packed()
            while 64 % element.bits != 0:
                element = Packed(element.bits + 1, element.of)
            index = self.ordinal(40)
            return self.declare(Array(index, element))
        if kind == 13:
            return self.declare(Array(self.ordinal(9), self.value(depth + 1)))
        return self.declare(Record(self.fields(rng.randrange(0, 5), depth + 1)))

    def fields(self, count, depth=0):
        fields = []
        for _ in range(count):
            if self.rng.random() < 0.15:
                # Behind a word, so that no packed field straddles another.
                fields.append((self.name("f"), SCALARS[0]))
                fields += self.packed_fields()
            else:
                fields.append((self.name("f"), self.value(depth)))
        return fields

    def reference(self):
        """A reference to objects of some type, which may come later."""
        rng = self.rng
        if rng.random() < 0.25:
            return ANY
        if rng.random() < 0.25:
            return Reference("TEXT", lambda of: isinstance(of, TextType))
        if rng.random() < 0.1:
            return Reference("ROOT", lambda of: isinstance(of, (ObjectType, Container)))
        name = f"T{rng.randrange(self.most_types)}"
        return Reference(f"Types.{name}", lambda of: f"Types.{name}" in [t.name for t in [of, *of.supertypes]])

    def brand(self):
        kind = self.rng.randrange(3)
        return "" if kind < 2 else f'BRANDED "brand {self.name("b")} \\" (x" '

    def make_types(self):
        rng = self.rng
        self.most_types = rng.randrange(6, 13)
        objects = []
        # Objects whose types are revealed elsewhere.
        public = ObjectType("Hidden.Public", None, [("public", SCALARS[0])], "", "")
        hidden_fields = [("secret", rng.choice(SCALARS)), ("more", self.declare(Record(self.packed_fields())))]
        self.hidden = ObjectType("Hidden.T", public, hidden_fields, "", "",
                                 text="Hidden.Public BRANDED OBJECT " + "; ".join(
                                     f"{name}: {of.text}" for name, of in hidden_fields) + " END")
        for i in range(self.most_types):
            name = f"Types.T{i}"
            kind = rng.randrange(6)
            if kind == 0:
                # Every REF type is another one, by its brand: structurally equal ones would be one type.
                of = self.value(1)
                made = RefType(name, of, f'BRANDED "t{i}" ')
            elif kind == 1:
                element = self.packed() if rng.random() < 0.3 else self.value(1)
                if isinstance(element, Packed):
                    while 64 % element.bits != 0:
                        element = Packed(element.bits + 1, element.of)
                made = OpenType(name, element, rng.choice([1, 1, 1, 2, 3]), f'BRANDED "t{i}" ')
            else:
                above = rng.choice([None, self.hidden, *objects]) if objects else None
                fields = self.fields(rng.randrange(0, 6))
                if above is not None and above.fields and rng.random() < 0.4:
                    fields.append((above.fields[0][0], self.value(1)))  # hides the supertype's
                made = ObjectType(name, above, fields, f'BRANDED "t{i} {self.name("b")}" ' if rng.random() < 0.5
                                  else "", f"METHODS m{i}() := NIL " if rng.random() < 0.9 else f"METHODS n{i}() ")
                objects.append(made)
            self.declarations.append(f"T{i} = {made.text};")
            self.types.append(made)
        self.types.append(self.hidden)
        self.containers_of_library = [
            Container("RefSeq.T", "NEW(RefSeq.T).init()", None, "ref"),
            Container("IntSeq.T", "NEW(IntSeq.T).init()", None, "int"),
            Container("TextSeq.T", "NEW(TextSeq.T).init()", None, "text"),
            Container("IntRefTbl.Default", "NEW(IntRefTbl.Default).init()", "int", "ref"),
            Container("TextRefTbl.Default", "NEW(TextRefTbl.Default).init()", "text", "ref"),
            Container("TextIntTbl.Default", "NEW(TextIntTbl.Default).init()", "text", "int"),
            Container("SortedIntTextTbl.Default", "NEW(SortedIntTextTbl.Default).init()", "int", "text"),
            Container("SortedTextRefTbl.Default", "NEW(SortedTextRefTbl.Default).init()", "text", "ref"),
            Container("IntTextBPlusTree.T", "NEW(IntTextBPlusTree.T).init(2)", "int", "text"),
            Container("TextRefBPlusTree.T", "NEW(TextRefBPlusTree.T).init(3)", "text", "ref"),
            Container("RefPile.T", "NEW(RefPile.T)", None, "ref"),
            Container("IntPile.T", "NEW(IntPile.T)", None, "int")]
        self.text_type = TextType()

    def make_objects(self):
        rng = self.rng
        kinds = [t for t in self.types for _ in range(rng.randrange(0, 6))]
        kinds += [self.text_type] * rng.randrange(2, 15) + rng.sample(self.containers_of_library, 6)
        rng.shuffle(kinds)
        # The roots refer to all, so that all are stored.
        everything = Container("RefSeq.T", "NEW(RefSeq.T).init()", None, "ref")
        some = Container("RefSeq.T", "NEW(RefSeq.T).init()", None, "ref")
        for number, kind in enumerate(kinds):
            self.objects.append(Made(kind, number))
        for made in self.objects:
            made.made = made.type.new(made, rng)
        for made in self.objects:
            made.type.fresh(made, rng, self)
        numbers = list(range(len(self.objects)))
        rng.shuffle(numbers)
        self.root, self.other = Made(everything, len(kinds)), Made(some, len(kinds) + 1)
        self.root.value = [(None, n) for n in numbers]
        self.other.value = [(None, n) for n in numbers if rng.random() < 0.5]
        for made in (self.root, self.other):
            made.made = made.type.new(made, rng)
            self.objects.append(made)

    # What the program prints.
    def visit(self, number):
        made = self.objects[number]
        if isinstance(made.type, TextType):
            return made.type.shown(made, self)
        if number in self.numbers:
            return [f"#{self.numbers[number]}"]
        self.numbers[number] = len(self.numbers)
        return made.type.shown(made, self)

    def wanted(self):
        self.numbers = {}
        named = self.root.value[0][1] if len(self.root.value) else len(self.objects) - 1
        self.named = named
        return [*self.visit(len(self.objects) - 2), *self.visit(len(self.objects) - 1), *self.visit(named)]

    # What the export says.
    def export_visit(self, number, read):
        """Compares object `number` with the line that a reference leads to."""
        place = self.follow(read)
        if place is None:
            return f"{read!r} leads nowhere"
        if isinstance(self.objects[number].type, TextType):
            # A text may be stored twice, and a text of the library be two of the graph's.
            database, self.database, wanted = self.database, place[0], self.objects[number].value
            found = self.characters(place)
            self.database = database
            return None if found == wanted else f"text {place}: {found} is not {wanted}"
        if number in self.places:
            return None if self.places[number] == place else f"object {number} is at {place} and {self.places[number]}"
        if place in self.taken:
            return f"objects {number} and {self.taken[place]} are both at {place}"
        self.places[number], self.taken[place] = place, number
        self.pending.append(number)
        return None

    def follow(self, read):
        """(database, "page:offset"), across databases."""
        if not isinstance(read, dict):
            return None
        if "ref" in read:
            return (self.database, read["ref"])
        if "import" not in read:
            return None
        entry = self.imports[self.database][read["import"]]
        database = self.uuids.get(entry["uuid"])
        found = self.exports.get(database, {}).get(entry["number"])
        return None if found is None else (database, found)

    def characters(self, place):
        """The characters of a text, from its line and those of its parts."""
        database, name = place
        line = self.lines[database][name]
        if "text" in line or "codes" in line:
            return codes_of(line)
        fields = line["fields"]

        def at(field):
            self.database = database
            return self.follow(fields[field])
        if line["type"].startswith("TextCat"):
            return self.characters(at("a")) + self.characters(at("b"))
        if line["type"].startswith("TextSub"):
            return self.characters(at("base"))[fields["start"]:][:fields["length"]]
        if line["type"].startswith("TextBuffer"):
            return self.characters(at("room"))[8:][:fields["length"]]
        if line["type"].startswith(("Text8", "Text16")):
            return self.characters(at("contents"))[:-1]
        raise AssertionError(line)

    def compare_export(self, exports):
        """The first difference from the graph; None: none. `exports`: the lines of each database."""
        self.lines, self.imports, self.exports, self.uuids = {}, {}, {}, {}
        self.places, self.taken, self.pending, self.containers = {}, {}, [], []
        roots = {}
        for database, lines in exports.items():
            self.lines[database] = {line["object"]: line for line in lines if "of" in line}
            self.imports[database] = {line["import"]: line for line in lines if "import" in line and "of" not in line}
            self.exports[database] = {line["export"]: line["object"] for line in lines
                                      if "export" in line and "of" not in line}
            self.uuids[lines[0]["uuid"]] = database
            roots[database] = lines[0]
            for line in lines:
                if "data" in line:
                    return f"{line['type']} needs its bytes: {json.dumps(line)[:300]}"
        # The root of main is a table of names, which has the root: a name has been given.
        names = self.lines["main"][roots["main"]["root"]]
        if names["type"] != "Database.Roots":
            return f"the root of main is {names['type']}"
        for made, database, root in ((self.root, "main", names["fields"]["root"]),
                                     (self.other, "other", {"ref": roots["other"]["root"]})):
            self.database = database
            problem = self.export_visit(self.objects.index(made), root)
            if problem:
                return problem
        while self.pending:
            number = self.pending.pop(0)
            made = self.objects[number]
            self.database, name = self.places[number]
            line = self.lines[self.database][name]
            problem = made.type.same(made, line, self)
            if problem:
                return f"{name} {made.type.name}, {line['type']}: {problem}\n{made.type.text}"
        return None

    def compare_containers(self, tenure, store):
        """The containers that the export's walk has met, through the query language."""
        for database in ("main", "other"):
            mine = [(made, place) for made, place in self.containers
                    if self.places[self.objects.index(made)][0] == database]
            lines = ["format jsonl"]
            for made, place in mine:
                key = "key, " if made.type.key else ""
                value = "id(it) as id, it is nil as none" if made.type.value == "ref" and not made.type.key else \
                    "id(value) as id, value is nil as none" if made.type.value == "ref" else \
                    "value" if made.type.key else "it as value"
                if "Pile" in made.type.name:
                    lines += [f"{place}.size", "(-424242)"]
                else:
                    lines += [f"from {place} select {key}{value}", "(-424242)"]
            ran = subprocess.run([tenure, "db", "shell", f"{store}:{database}"], input="\n".join(lines) + "\n",
                                 text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            rest = ran.stdout
            for made, place in mine:
                head, _, rest = ("\n" + rest).partition("\n-424242\n")
                rows = [json.loads(row) if row.startswith(("{", "[")) or row.isdigit() else row
                        for row in head.splitlines() if row]
                if "Pile" in made.type.name:
                    wanted = [len(made.value)]
                else:
                    wanted = []
                    for key, value in made.value:
                        row = {"key": key} if made.type.key else {}
                        if made.type.value != "ref":
                            row["value"] = value
                        else:
                            row["none"] = value is None
                            # An object in another database has no place.
                            at = self.places.get(value) if value is not None else None
                            row["id"] = at[1] if at is not None and at[0] == database else None
                            if value is not None and isinstance(self.objects[value].type, TextType):
                                row["id"] = "text"
                        wanted.append(row)
                if made.type.key and "Tree" not in made.type.name and "Sorted" not in made.type.name:
                    rows.sort(key=lambda row: row["key"] if isinstance(row["key"], int) else row["key"].encode())
                for row, want in zip(rows, wanted):
                    if isinstance(want, dict) and want.get("id") == "text":
                        want["id"] = row.get("id")
                if rows != wanted:
                    other = [pair for pair in zip(rows, wanted) if pair[0] != pair[1]]
                    return f"{made.type.name} at {place}: {len(rows)} rows, not {len(wanted)}: {other[:3]}"
        return None

    # The text of the program.
    def write(self, directory):
        def put(name, text):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        libraries = sorted({made.type.name.split(".")[0] for made in self.objects
                            if isinstance(made.type, Container)})
        inside = [line.replace("Types.", "") for line in self.declarations]
        put("Types.i3", "INTERFACE Types;\nIMPORT Hidden;\nTYPE\n  " + "\n  ".join(inside) + "\nEND Types.\n")
        put("Hidden.i3", "INTERFACE Hidden;\nTYPE\n  T <: Public;\n  Public = OBJECT public: INTEGER END;\nEND Hidden.\n")
        put("HiddenRep.i3", "INTERFACE HiddenRep;\nIMPORT Hidden, Types;\n"
            f"REVEAL Hidden.T = {self.hidden.text};\nEND HiddenRep.\n")
        put("Pile.ig", PILE_I)
        put("Pile.mg", PILE_M)
        for name, of in (("RefPile", "Refany"), ("IntPile", "Integer")):
            put(f"{name}.i3", f"INTERFACE {name} = Pile({of}) END {name}.\n")
            put(f"{name}.m3", f"MODULE {name} = Pile({of}) END {name}.\n")
        variables, procedures, arms = [], [], []
        for made in self.objects:
            variables.append(f"  {made.variable}: {made.type.name};")
        kinds = {}
        for made in self.objects:
            if not isinstance(made.type, TextType):
                kinds.setdefault(made.type.name, made.type)
        # Subtypes before their supertypes.
        order = sorted(kinds.values(), key=lambda kind: -len(kind.supertypes))
        for kind in order:
            arms.append(f"    | {kind.name} (x) => Show{kinds_number(kinds, kind)}(x);")
        arms.append("    | TEXT (x) => PT(x);")
        for kind in order:
            body = "\n    ".join(kind.show("x"))
            procedures.append(f"PROCEDURE Show{kinds_number(kinds, kind)}(<*UNUSED*> x: {kind.name}) =\n  BEGIN\n    "
                              f"{body}\n  END Show{kinds_number(kinds, kind)};")
        for made in self.objects:
            body = "\n    ".join(made.type.fill(made, self))
            procedures.append(f"PROCEDURE Fill_{made.variable}() =\n  BEGIN\n    {body}\n  END Fill_{made.variable};")
        texts = [made for made in self.objects if isinstance(made.type, TextType)]
        rest = [made for made in self.objects if not isinstance(made.type, TextType)]
        make = [line for made in rest for line in made.made] + [f"Fill_{made.variable}();" for made in texts]
        # The part that `other` gets in the first transaction; the second one finds the rest.
        make += [f"Fill_{self.other.variable}();"]
        fill = [f"Fill_{made.variable}();" for made in rest if made is not self.other]
        procedures.append("PROCEDURE Make() =\n  BEGIN\n    " + "\n    ".join(make) + "\n  END Make;")
        procedures.append("PROCEDURE Fill() =\n  BEGIN\n    " + "\n    ".join(fill) + "\n  END Fill;")
        keys = [f"  AllKeys[{i}] := {Container.written('text', key.decode(), self)};" for i, key in enumerate(ALL_KEYS)]
        named = self.objects[self.root.value[0][1]] if self.root.value else self.other
        put("Main.m3", MAIN % {
            "imports": "".join(", " + name for name in libraries), "keys": len(ALL_KEYS),
            "variables": "\n".join(variables), "arms": "\n".join(arms), "procedures": "\n".join(procedures),
            "all_keys": "\n".join(keys), "root": self.root.variable, "other": self.other.variable,
            "named": named.variable})


def kinds_number(kinds, kind):
    return list(kinds).index(kind.name)


def run(command, **options):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **options)
    return ran.returncode, ran.stdout, ran.stderr.decode("utf-8", "replace")


def test_seed(seed, tenure=TENURE, keep=None):
    """The failure, or None."""
    directory = keep or tempfile.mkdtemp(prefix="random-graphs-")
    try:
        problem = in_directory(seed, tenure, directory)
    finally:
        if not keep:
            shutil.rmtree(directory)
    return None if problem is None else f"seed {seed}: {problem}"


def in_directory(seed, tenure, directory):
    world = World(seed)
    source = os.path.join(directory, "source")
    os.makedirs(source, exist_ok=True)
    world.write(source)
    program, store, again = (os.path.join(directory, name) for name in ("program", "store", "again"))
    for path in (store, again):
        shutil.rmtree(path, ignore_errors=True)
    status, _, said = run([tenure, "build", source, "-o", program, "-O0"])
    if status != 0:
        return "it does not compile:\n" + said[:3000]
    status, _, said = run([program, "make", store])
    if status != 0:
        return "it could not make the store:\n" + said
    status, out, said = run([program, "show", store])
    if status != 0:
        return "it could not show the store:\n" + said
    first = out.decode().splitlines()
    wanted = world.wanted()
    if first != wanted:
        return difference(first, wanted, "the program shows another graph than was made")
    exports, lines, changed = {}, os.path.join(directory, "lines"), os.path.join(directory, "jq")
    for path in (lines, changed):
        shutil.rmtree(path, ignore_errors=True)
    status, _, said = run([tenure, "db", "export", store, "--all", lines])
    if status != 0 or said:
        return "export: " + said
    os.mkdir(changed)
    jq = shutil.which("jq")
    for database in ("main", "other"):
        with open(os.path.join(lines, database + ".jsonl"), "rb") as file:
            out = file.read()
        # One goes through jq and the other does not: the references between them must hold.
        if jq and (database == "main" or seed % 2 == 0):
            status, out, said = run([jq, "-c", "."], input=out)
            if status != 0:
                return "jq: " + said
        exports[database] = out
        with open(os.path.join(changed, database + ".jsonl"), "wb") as file:
            file.write(out)
    status, _, said = run([tenure, "db", "import", again, "--all", changed])
    if status != 0:
        return "import: " + said
    status, _, said = run([tenure, "db", "verify", again])
    if status != 0:
        return "verify: " + said
    status, out, said = run([program, "show", again])
    if status != 0:
        return "it could not show what was imported:\n" + said
    if out.decode().splitlines() != first:
        return difference(out.decode().splitlines(), first, "the graph that was imported is another one")
    shared = [run([program, "show", path, "identities"])[1].decode().splitlines() for path in (store, again)]
    if shared[0] != shared[1]:
        return difference(shared[1], shared[0], "texts are shared in another way")
    parsed = {database: [json.loads(line) for line in text.splitlines()] for database, text in exports.items()}
    problem = world.compare_export(parsed)
    if problem is not None:
        return "export: " + problem
    return world.compare_containers(tenure, store)


def difference(got, wanted, what):
    for i, (a, b) in enumerate(zip(got, wanted)):
        if a != b:
            break
    else:
        i = min(len(got), len(wanted))
    return f"{what}: from line {i + 1} on\n  {' '.join(got[max(0, i - 5):i + 5])}\nnot\n  {' '.join(wanted[max(0, i - 5):i + 5])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--tenure", default=TENURE)
    parser.add_argument("--keep")
    given = parser.parse_args()
    first = given.seed if given.seed is not None else random.randrange(10**6)
    bad = 0
    for seed in range(first, first + given.count):
        problem = test_seed(seed, given.tenure, given.keep)
        if problem:
            bad += 1
            print(problem, flush=True)
    print(f"{given.count} graphs from seed {first}: {given.count - bad} equal, {bad} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
