"""Random types, random changes of them, and random graphs of objects (random_evolution.py)."""

import copy
import re

from evolution_types import (BASIC, CONTAINERS, LAST, Field, Node, Type, Version, content, members, subrange, zero)


class Case:
    """Types, their versions, and a graph of objects for each version."""
    def __init__(self, number, rng, versions):
        self.number, self.rng, self.counter = number, rng, 0
        first = Version(number)
        for _ in range(rng.randint(1, 2)):
            first.enums[self.new("E")] = [self.new("e") for _ in range(rng.choice([1, 2, 3, 3, 7, 8, 8, 8, 16, 16, 32]))]
        if rng.random() < 0.06:
            first.enums[self.new("E")] = [self.new("e") for _ in range(256)]
        for _ in range(rng.randint(0, 2)):
            key = self.new("R")
            first.records[key] = [self.field(first, in_record=True) for _ in range(rng.randint(1, 4))]
        self.add_types(first)
        self.versions, self.changes = [first], [[]]
        for _ in range(1, versions):
            version, said = copy.deepcopy(first), []
            wanted = 1 + (rng.random() < 0.4) + (rng.random() < 0.2)
            for _ in range(40):
                if len(said) == wanted:
                    break
                made = rng.choice(CHANGES)(self, version)
                if made:
                    said.append(made)
            self.versions.append(version)
            self.changes.append(said)
        self.nodes = [self.graph(version) for version in self.versions]

    def new(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}" if letter != "e" and letter != "f" else f"{letter}{self.number}_{self.counter}"

    # -- types

    def value_type(self, version, depth=0, in_record=False):
        rng = self.rng
        if in_record and rng.random() < 0.4:
            # What gets more bits when an enumeration grows.
            key = rng.choice(list(version.enums))
            return rng.choice([("set", ("enum", key)), ("enum", key), ("arr", ("int", "[0..2]", 0, 2), ("enum", key))])
        if not in_record and version.records and rng.random() < 0.2:
            return ("rec", rng.choice(list(version.records)))
        kind = rng.randrange(12 if depth < 2 else 8)
        if kind < 3:
            return rng.choice(BASIC)
        if kind == 3:
            return subrange(rng)
        if kind in (4, 5):
            return self.ordinal_type(version)
        if kind == 6:
            base = rng.choice([self.ordinal_type(version), self.ordinal_type(version), ("char",), ("bool",),
                               ("int", "[-3..70]", -3, 70)])
            return ("set", base)
        if kind == 7:
            if depth == 0:
                low, high = rng.choice([(0, 7), (0, 1), (-4, 3), (0, 100)])
                return ("bits", rng.randint(7, 9), ("int", f"[{low}..{high}]", low, high))
            return ("longreal",)
        if kind in (8, 9) and version.records and not in_record:
            return ("rec", rng.choice(list(version.records)))
        if kind == 8 and version.records and rng.random() < 0.5:
            return ("rec", rng.choice(list(version.records)))
        if kind == 10 and version.types:
            return ("ref", rng.choice(list(version.types)))
        index = rng.choice([("int", "[0..2]", 0, 2), ("int", "[1..1]", 1, 1), ("bool",), self.ordinal_type(version)])
        if index[0] in ("enum", "subenum") and len(version.enums[index[1]]) > 20:
            index = ("bool",)
        return ("arr", index, self.value_type(version, depth + 1, in_record))

    def ordinal_type(self, version):
        key = self.rng.choice(list(version.enums))
        names = version.enums[key]
        if self.rng.random() < 0.15:
            low, high = sorted(self.rng.randrange(len(names)) for _ in range(2))
            return ("subenum", key, names[low], names[high])
        return ("enum", key)

    def field(self, version, in_record=False):
        type_ = self.value_type(version, in_record=in_record)
        field = Field(self.new("f"), type_)
        if self.rng.random() < 0.3 and type_[0] not in ("rec", "arr", "ref", "refany", "proc"):
            field.default = self.value(type_, version, 0)
            if type_[0] == "text" and field.default:
                field.default = field.default[:30]
        elif type_[0] in ("text", "ref", "refany") and not in_record and self.rng.random() < 0.06:
            field.transient = True
        return field

    def add_types(self, version):
        rng = self.rng
        for _ in range(rng.randint(2, 5)):
            key, kind = self.new("T"), rng.choice(["object"] * 4 + ["record"] * 3 + ["array"] * 2 + ["container"])
            brand = f"brand {self.number} {key}" if rng.random() < 0.5 else None
            type_ = Type(kind, version.name(key), brand=brand)
            if kind == "container":
                type_ = Type(kind, rng.choice(CONTAINERS))
                if any(one.name == type_.name for one in version.types.values()):
                    continue
            elif kind == "array":
                type_.brand = brand or f"array {self.number} {key}"
                type_.element = self.value_type(version, 1)
            else:
                objects = [one for one in version.types if version.types[one].kind == "object"]
                if kind == "object" and objects and rng.random() < 0.6:
                    type_.super = rng.choice(objects)
                type_.fields = [self.field(version) for _ in range(rng.randint(1, 5))]
                type_.methods = rng.randrange(2) if kind == "object" else 0
                type_.opaque = rng.random() < 0.3
            version.types[key] = type_

    # -- values

    def value(self, type_, version, near):
        """`near`: how many objects references may lead to; keys of types by object."""
        rng, kind = self.rng, type_[0]
        if kind == "bits":
            return self.value(type_[2], version, near)
        if kind == "int":
            low, high = type_[2], type_[3]
            return rng.choice([low, high, zero(type_, version), rng.randint(low, high),
                               min(max(rng.randint(-9, 300), low), high)])
        if kind == "long":
            return rng.choice([0, -1, LAST, -LAST - 1, rng.randint(-10**12, 10**12)])
        if kind in ("bool", "char"):
            return rng.choice(members(type_, version))
        if kind == "wchar":
            return rng.choice([0, 65, 255, 256, 0xfffd])
        if kind in ("enum", "subenum"):
            return rng.choice(members(type_, version))
        if kind == "set":
            return frozenset(one for one in members(type_[1], version) if rng.random() < 0.4)
        if kind in ("real", "longreal", "ext"):
            return rng.choice([0.0, 1.5, -2.25, rng.randrange(-1000, 1000) / 8])
        if kind == "text":
            return rng.choice([None, "", "a", "text " + str(rng.randrange(10**6)), "\xe4\xf6 \\ \"q\"\n",
                               "\u20ac wide " + str(rng.randrange(100)),
                               "".join(chr(97 + rng.randrange(26)) for _ in range(rng.choice([50, 130, 420]))),
                               "\u20ac" + "w" * rng.choice([100, 400])])
        if kind == "rec":
            return {field.name: self.value(field.type, version, near) for field in version.records[type_[1]]}
        if kind == "arr":
            return [self.value(type_[2], version, near) for _ in members(type_[1], version)]
        if kind == "proc":
            return rng.choice([None, "Zero", "One"])
        if not near:
            return None
        fits = [i for i, key in enumerate(near) if kind == "refany" or type_[1] in [key] + version.above(key)]
        return rng.choice([None, *fits]) if fits else None

    def graph(self, version):
        rng = self.rng
        keys = [rng.choice(list(version.types)) for _ in range(rng.randint(2, 6))]
        nodes = []
        for key in keys:
            type_ = version.types[key]
            if type_.kind == "array":
                value = [self.value(type_.element, version, keys) for _ in range(rng.choice([0, 1, 2, 5]))]
            elif type_.kind == "container":
                value = [self.value(content(type_.name), version, keys) for _ in range(rng.choice([0, 1, 3, 9]))]
            else:
                value = {field.id: self.value(field.type, version, keys) for field in version.fields(key)}
            nodes.append(Node(key, rng.random() < 0.25, value))
        return nodes


# ---- Changes. Each returns what it has done in words, or nothing where there is no place for it.

def pick(rng, candidates):
    candidates = list(candidates)
    return rng.choice(candidates) if candidates else None


def structured(version):
    return [key for key, type_ in version.types.items() if type_.kind in ("object", "record")]


def field_lists(version):
    """(what, list) of all places with fields."""
    return [(version.types[key].name, version.types[key].fields) for key in structured(version)]


def add_field(case, version):
    what, fields = pick(case.rng, field_lists(version)) or (None, None)
    if what is None:
        return None
    field = case.field(version)
    fields.insert(case.rng.randint(0, len(fields)), field)
    return f"{what}: {field.name} added"


def can_lose_field(type_):
    """Types without fields and brands are one type, whatever their names."""
    return len(type_.fields) > 1 or (type_.fields and type_.brand)


def drop_field(case, version):
    what, fields = pick(case.rng, [(version.types[key].name, version.types[key].fields) for key in structured(version)
                                   if can_lose_field(version.types[key])]) or (None, None)
    if what is None:
        return None
    return f"{what}: {fields.pop(case.rng.randrange(len(fields))).name} dropped"


def rename_field(case, version):
    what, fields = pick(case.rng, [(what, fields) for what, fields in field_lists(version) if fields]) or (None, None)
    if what is None:
        return None
    field = case.rng.choice(fields)
    before, field.name = field.name, case.new("f")
    return f"{what}: {before} is {field.name}"


def reorder_fields(case, version):
    what, fields = pick(case.rng, [(what, fields) for what, fields in field_lists(version)
                                   if len(fields) > 1]) or (None, None)
    if what is None:
        return None
    case.rng.shuffle(fields)
    return f"{what}: reordered"


def other_type(case, version, type_):
    """A type that is like this one, or any."""
    rng, kind = case.rng, type_[0]
    if kind in ("int", "bits", "long") and rng.random() < 0.8:
        return rng.choice([BASIC[0], BASIC[1], subrange(rng), subrange(rng), ("bits", 9, ("int", "[0..200]", 0, 200))])
    if kind == "real" and rng.random() < 0.8:
        return ("longreal",)
    if kind == "ref" and rng.random() < 0.7:
        return ("refany",)
    if kind == "set" and rng.random() < 0.6:
        return ("set", case.ordinal_type(version))
    if kind == "arr" and rng.random() < 0.7:
        if rng.random() < 0.5:
            return ("arr", type_[1], other_type(case, version, type_[2]))
        return ("arr", ("int", "[0..3]", 0, 3), type_[2])
    if kind in ("enum", "subenum") and rng.random() < 0.5:
        return case.ordinal_type(version)
    return case.value_type(version)


def retype_field(case, version):
    what, fields = pick(case.rng, [(what, fields) for what, fields in field_lists(version) if fields]) or (None, None)
    if what is None:
        return None
    field = case.rng.choice(fields)
    type_ = other_type(case, version, field.type)
    if type_[0] == "bits" and not what.startswith("C"):
        return None
    before, field.type, field.default, field.transient = field.type, type_, None, False
    return f"{what}: {field.name} from {before} to {type_}"


def move_field(case, version):
    """To or from a supertype."""
    rng = case.rng
    below = pick(rng, [key for key in structured(version) if version.types[key].super])
    if below is None:
        return None
    source, target = version.types[below], version.types[rng.choice(version.above(below))]
    if rng.random() < 0.4:
        source, target = target, source
    if not can_lose_field(source):
        return None
    field = source.fields.pop(rng.randrange(len(source.fields)))
    target.fields.insert(rng.randint(0, len(target.fields)), field)
    return f"{field.name} from {source.name} to {target.name}"


def insert_super(case, version):
    rng = case.rng
    below = pick(rng, [key for key in structured(version) if version.types[key].kind == "object"])
    if below is None:
        return None
    key, type_ = case.new("T"), version.types[below]
    made = Type("object", version.name(key), super_=type_.super, fields=[case.field(version)],
                brand=f"brand {case.number} {key}" if rng.random() < 0.3 else None)
    type_.super = key
    types = list(version.types.items())
    at = [one for one, _ in types].index(below)
    version.types.clear()
    version.types.update(types[:at] + [(key, made)] + types[at:])
    return f"{made.name} between {type_.name} and its supertype"


def lose_super(case, version):
    below = pick(case.rng, [key for key in structured(version) if version.types[key].super])
    if below is None:
        return None
    above = version.types[below].super
    version.types[below].super = version.types[above].super
    return f"{version.types[below].name} leaves {version.types[above].name}"


def has_type(version, pattern):
    """Whether the pattern is in a type of a field or of an element."""
    return re.search(pattern, repr([[one.type for one in fields] for _, fields in field_lists(version)] + [
        one.element for one in version.types.values()] + [[one.type for one in fields] for fields in version.records.values()]))


def used_subenums(version, key):
    return has_type(version, rf"\('subenum', '{key}'")


def change_enum(case, version):
    rng = case.rng
    key, ways = rng.choice(list(version.enums)), ["grow", "grow", "grow", "insert", "remove", "reorder", "rename"]
    indexes = [one for one in version.enums if has_type(version, rf"\('arr', \('enum', '{one}'")]
    if indexes and rng.random() < 0.5:
        # The same elements in other places, where only the order is another one.
        key, ways = rng.choice(indexes), ["reorder", "reorder", "insert", "rename"]
    names, what = version.enums[key], rng.choice(ways)
    if used_subenums(version, key) and what not in ("grow", "insert"):
        return None
    used = {one for fields in [fields for _, fields in field_lists(version)] + list(version.records.values())
            for field in fields if field.default is not None and field.type[0] in ("enum", "set")
            for one in (field.default if isinstance(field.default, frozenset) else [field.default])}
    if what == "grow":
        names += [case.new("e") for _ in range(rng.choice([1, 1, 2, 9]))]
    elif what == "insert":
        names.insert(rng.randint(0, len(names)), case.new("e"))
    elif what == "reorder" and len(names) > 1:
        rng.shuffle(names)
    else:
        at = rng.randrange(len(names))
        if names[at] in used or (what == "remove" and len(names) < 2):
            return None
        if what == "remove":
            names.pop(at)
        else:
            names[at] = case.new("e")
    return f"enumeration {version.name(key)}: {what}"


def change_record(case, version):
    rng = case.rng
    key = pick(rng, version.records)
    if key is None:
        return None
    fields, what = version.records[key], rng.choice(["add", "drop", "reorder", "rename", "retype"])
    field = rng.choice(fields)
    if what == "add":
        fields.insert(rng.randint(0, len(fields)), Field(case.new("f"), subrange(rng)))
    elif what == "drop" and len(fields) > 1:
        fields.remove(field)
    elif what == "reorder" and len(fields) > 1:
        rng.shuffle(fields)
    elif what == "rename":
        field.name = field.id = case.new("f")
    else:
        type_ = other_type(case, version, field.type)
        if "'rec'" in repr(type_):
            return None
        field.type, field.default, field.transient = type_, None, False
    return f"record {version.name(key)}: {what} {field.name}"


def change_brand(case, version):
    rng = case.rng
    key = pick(rng, structured(version))
    if key is None:
        return None
    type_ = version.types[key]
    before = type_.brand
    type_.brand = None if before and type_.fields and rng.random() < 0.3 else f"other brand {case.new('b')} of {case.number}"
    return f"{type_.name}: brand from {before} to {type_.brand}"


def rename_type(case, version):
    key = pick(case.rng, structured(version))
    if key is None:
        return None
    before = version.types[key].name
    version.types[key].name = version.name(case.new("N"))
    return f"{before} is {version.types[key].name}"


def change_element(case, version):
    key = pick(case.rng, [one for one in version.types if version.types[one].kind == "array"])
    if key is None:
        return None
    type_ = version.types[key]
    before = type_.element
    type_.element = other_type(case, version, before)
    if type_.element[0] == "bits":
        type_.element = before
        return None
    return f"{type_.name}: elements from {before} to {type_.element}"


def change_transient(case, version):
    field = pick(case.rng, [field for _, fields in field_lists(version) for field in fields
                            if field.type[0] in ("text", "ref", "refany")])
    if field is None:
        return None
    field.transient, field.default = not field.transient, None
    return f"{field.name}: transient {field.transient}"


def change_default(case, version):
    field = pick(case.rng, [field for _, fields in field_lists(version) for field in fields
                            if field.type[0] in ("int", "enum", "bool", "real", "longreal")])
    if field is None:
        return None
    field.default = case.value(field.type, version, 0)
    return f"{field.name}: default {field.default}"


def change_methods(case, version):
    key = pick(case.rng, [one for one in version.types if version.types[one].kind == "object"])
    if key is None:
        return None
    version.types[key].methods += 1
    return f"{version.types[key].name}: another method"


def change_opacity(case, version):
    key = pick(case.rng, [one for one in version.types if version.types[one].kind == "object" and
                          version.types[one].brand])
    if key is None:
        return None
    version.types[key].opaque = not version.types[key].opaque
    return f"{version.types[key].name}: opaque {version.types[key].opaque}"


def change_kind(case, version):
    key = pick(case.rng, [one for one in structured(version) if not version.types[one].super and not any(
        other.super == one for other in version.types.values())])
    if key is None:
        return None
    type_ = version.types[key]
    type_.kind, type_.methods = ("record" if type_.kind == "object" else "object"), 0
    return f"{type_.name}: now {type_.kind}"


CHANGES = [add_field] * 3 + [drop_field] * 2 + [rename_field] * 2 + [reorder_fields] * 2 + [retype_field] * 4 + \
    [move_field] * 2 + [insert_super] + [lose_super] + [change_enum] * 4 + [change_record] * 3 + [change_brand] + \
    [rename_type] + [change_element] * 2 + [change_transient] + [change_default] + [change_methods] + [change_opacity] + \
    [change_kind]
