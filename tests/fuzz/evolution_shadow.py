"""What upgrades must make of objects: a model that knows values and names, and no places in memory
(random_evolution.py). And what programs, exports and queries must say of it."""

import json
import struct

from evolution_types import LAST, ORDINALS, Node, content, default_of, got_text, members, ordinal, zero

MUST, MAY, NEVER = "must", "may", "never"


class Wrong(Exception):
    """A difference to the shadow."""


ORDER = {MUST: 0, MAY: 1, NEVER: 2}


class Stranger:
    """A reference to what is no object of the case: a text behind a REFANY."""


def worst(verdicts):
    return max(verdicts, key=ORDER.get, default=MUST)


def identical(a, before, b, now):
    """Whether the types have one definition in both versions."""
    if a[0] != b[0]:
        return False
    if a[0] in ("enum", "subenum"):
        return before.enums[a[1]] == now.enums[b[1]] and a[2:] == b[2:]
    if a[0] == "rec":
        x, y = before.records[a[1]], now.records[b[1]]
        return [one.name for one in x] == [one.name for one in y] and all(
            identical(one.type, before, two.type, now) for one, two in zip(x, y))
    if a[0] in ("set", "arr"):
        return all(identical(one, before, two, now) for one, two in zip(a[1:], b[1:]))
    if a[0] == "bits":
        return a[1] == b[1] and identical(a[2], before, b[2], now)
    return a == b


def grown(a, before, b, now):
    """Whether enumerations have just got elements at the end, and none indexes an array."""
    if identical(a, before, b, now):
        return True
    if a[0] != b[0]:
        return False
    if a[0] == "enum":
        names = before.enums[a[1]]
        return now.enums[b[1]][:len(names)] == names
    if a[0] == "set":
        return grown(a[1], before, b[1], now)
    if a[0] == "arr":
        return identical(a[1], before, b[1], now) and grown(a[2], before, b[2], now)
    if a[0] == "rec":
        x, y = before.records[a[1]], now.records[b[1]]
        return [one.name for one in x] == [one.name for one in y] and all(
            grown(one.type, before, two.type, now) for one, two in zip(x, y))
    return False


def class_of(type_):
    """Ordinals of one class may have values in common."""
    return {"long": "int", "wchar": "char", "subenum": "enum"}.get(type_[0], type_[0])


class Shadow:
    """What a graph of one version is in another one. `converter`: gives what is done with a type's objects, or None
    (evolution_converters.py)."""
    def __init__(self, before, now, nodes, converter=lambda key: None):
        self.before, self.now, self.nodes, self.converter = before, now, nodes, converter
        self.verdict, self.why, self.result = MUST, [], []
        for node in nodes:
            key, type_, other = node.type, before.types[node.type], now.types.get(node.type)
            value = node.value
            if other is None:
                self.judge(NEVER, f"{key}: the type is gone")
            elif type_.kind == "array":
                made = [self.convert(one, type_.element, other.element) for one in value]
                if not made and not grown(type_.element, before, other.element, now):
                    self.judge(MAY, f"{key}: elements of an empty array")
                for verdict, _ in made:
                    self.judge(verdict, f"{key}: element")
                value = [one for _, one in made]
            elif type_.kind != "container":
                value = self.structure(key, value)
            self.result.append(Node(key, node.far, value))

    def judge(self, verdict, why):
        if verdict != MUST:
            self.why.append(f"{verdict}: {why}")
        self.verdict = worst([self.verdict, verdict])

    def structure(self, key, value):
        before, now = self.before, self.now
        if before.types[key].kind != now.types[key].kind:
            self.judge(MAY, f"{key}: another kind")
        lost = [one for one in before.above(key) if one in now.types and one not in now.above(key)]
        if lost:
            self.judge(NEVER, f"{key}: no longer a {lost[0]}")
        old, made = {field.id: field for field in before.fields(key)}, {}
        asked = self.converter(key)
        for field in now.fields(key):
            was = old.get(field.id)
            if asked and field.id in asked.puts:
                made[field.id] = asked.puts[field.id][2]
                continue
            inner = {one[1]: put[2] for one, put in asked.puts.items() if one[0] == field.id} if asked else {}
            if was is None:
                made[field.id] = default_of(field, now)
                if asked and field.id in asked.copies:
                    source = asked.copies[field.id][1]
                    text = got_text(source.type, value[source.id], before)
                    made[field.id] = made[field.id] if text is None else text
                if inner:
                    made[field.id] = {**made[field.id], **inner}
                continue
            if was.transient or field.transient:
                if was.transient != field.transient or not identical(was.type, before, field.type, now):
                    self.judge(MAY, f"{key}.{field.name}: transient")
                # What was not stored is as new.
                made[field.id] = None if field.transient else default_of(field, now)
                continue
            verdict, made[field.id] = self.record(value[field.id], before.records[was.type[1]],
                                                  now.records[field.type[1]], inner) if inner else \
                self.convert(value[field.id], was.type, field.type)
            self.judge(verdict, f"{key}.{field.name}: {was.type} to {field.type}")
        return made

    def convert(self, value, a, b):
        """The verdict for a value, and what it becomes: the same rules for fields, and for what is in them."""
        before, now = self.before, self.now
        if identical(a, before, b, now):
            return MUST, value
        inner = a[2] if a[0] == "bits" else a, b[2] if b[0] == "bits" else b
        kinds = inner[0][0], inner[1][0]
        if set(kinds) <= {"int", "long"}:
            low, high = (-LAST - 1, LAST) if kinds[1] == "long" else inner[1][2:4]
            return (MUST if low <= value <= high else NEVER), value
        if set(kinds) <= {"enum", "subenum"}:
            there = value in members(b, now)
            return (MUST if there else NEVER), value
        if set(kinds) <= {"char", "wchar"}:
            return (MUST if kinds[1] == "wchar" or value < 256 else NEVER), value
        if kinds[0] in ("real", "longreal", "ext") and kinds[1] in ("longreal", "ext"):
            return (MUST if kinds == ("real", "longreal") else MAY), value
        if kinds == ("ref", "refany"):
            return MUST, value
        if kinds == ("text", "refany"):
            return MUST, None if value is None else Stranger
        if kinds[0] in ("ref", "refany") and kinds[1] in ("ref", "refany", "text"):
            fits = value is None or (kinds[1] == "ref" and b[1] in
                                     [self.nodes[value].type] + now.above(self.nodes[value].type))
            return (MAY if fits else NEVER), value
        if kinds == ("set", "set"):
            if class_of(a[1]) != class_of(b[1]):
                return (MAY if not value else NEVER), value
            there = all(self.convert(one, a[1], b[1])[0] != NEVER for one in value)
            return MUST if there else NEVER, value
        if kinds == ("rec", "rec"):
            return self.record(value, before.records[a[1]], now.records[b[1]])
        if kinds == ("arr", "arr"):
            return self.array(value, a, b)
        return NEVER, value

    def record(self, value, old, new, puts=()):
        """`puts`: values of its fields that a converter sets."""
        made, verdicts = {}, []
        names = {field.name: field for field in old}
        for field in new:
            was = names.pop(field.name, None)
            if field.name in puts:
                made[field.name] = puts[field.name]
            elif was is not None:
                verdict, made[field.name] = self.convert(value[field.name], was.type, field.type)
                verdicts.append(verdict)
            else:
                made[field.name] = default_of(field, self.now)
        return worst(verdicts + [NEVER] * bool(names)), made

    def array(self, value, a, b):
        if class_of(a[1]) != class_of(b[1]):
            return NEVER, value
        made, verdicts = [], []
        old = dict(zip(members(a[1], self.before), value))
        for at in members(b[1], self.now):
            if at in old:
                verdict, one = self.convert(old.pop(at), a[2], b[2])
                verdicts.append(verdict)
                made.append(one)
            else:
                made.append(zero(b[2], self.now))
        return worst(verdicts + [NEVER] * bool(old)), made


def number_of_bits(value):
    return struct.unpack("<q", struct.pack("<d", value))[0]


def shown(type_, value, version):
    """The value as a program shows it."""
    kind = type_[0]
    if kind == "bits":
        return shown(type_[2], value, version)
    if kind == "rec":
        return "(" + "".join(f"{field.name}={shown(field.type, value[field.name], version)}"
                             for field in sorted(version.records[type_[1]], key=lambda one: one.name)) + ");"
    if kind == "arr":
        return "[" + "".join(shown(type_[2], one, version) for one in value) + "];"
    if kind == "set":
        return "{" + "".join(f"{i}," for i in sorted(ordinal(type_[1], one, version) for one in value)) + "};"
    if value is Stranger:
        return "stranger,"
    if value is None:
        return "nil,"
    if kind == "text":
        return '"' + "".join(c if 48 <= ord(c) <= 122 and c != "\\" else f"\\{ord(c)}," for c in value) + '"'
    if kind in ("ref", "refany"):
        return f"#{value},"
    if kind == "proc":
        return {"Zero": "0,", "One": "1,"}[value]
    if kind in ("real", "longreal", "ext"):
        return f"{number_of_bits(value)},"
    return f"{ordinal(type_, value, version) if kind in ORDINALS else value},"


def lines_of(version, nodes):
    """What the program of this version prints of a case."""
    lines = []
    for i, node in enumerate(nodes):
        type_ = version.types[node.type]
        if type_.kind == "array":
            text = "".join(shown(type_.element, one, version) for one in node.value)
        elif type_.kind == "container":
            text = "".join(shown(content(type_.name), one, version) for one in node.value)
        else:
            text = "".join(f"{field.name}=" + shown(field.type, None if field.transient else node.value[field.id], version)
                           for field in sorted(version.fields(node.type), key=lambda one: one.name))
        lines.append(f"{version.case} {i} {node.type}:{text}")
    return lines


# ---- Exports

def elements(line):
    """Those of an array's line; of characters as a text."""
    text = line.get("text")
    if text is None:
        return line["elements"]
    return text.encode().decode("latin-1") if line.get("stored_as") == "UTF-8" else text


def plain(value):
    """A JSON value with texts for integers, as an export has large ones."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Export:
    """The objects of both databases of a store, as `tenure db export` writes them."""
    def __init__(self, texts):
        """`texts`: by the names of the databases."""
        self.lines, self.imports, self.exports, self.cases = {}, {}, {}, {}
        for name, text in texts.items():
            lines = [json.loads(line) for line in text.split("\n") if line]
            self.lines[name] = {line["object"]: line for line in lines if "of" in line}
            self.imports[name] = {line["import"]: line for line in lines if "import" in line}
            self.exports[name] = {line["export"]: line["object"] for line in lines if "export" in line}
            cases = [line for line in self.lines[name].values() if line["type"] == "Main.Cases"]
            if len(cases) != 1:
                raise Wrong(f"the export of {name} has {len(cases)} objects of the type Main.Cases")
            self.cases[name] = cases[0]["elements"]

    def target(self, database, reference):
        """The database and line of a reference that is not null."""
        if "import" in reference:
            entry = self.imports[database][reference["import"]]
            return entry["name"], self.lines[entry["name"]][self.exports[entry["name"]][entry["number"]]]
        return database, self.lines[database][reference["ref"]]

    def nodes(self, case):
        """(database, line) of the objects of a case; without those that the case does not have there."""
        found = []
        for name in ("main", "far"):
            _, line = self.target(name, self.cases[name][case])
            found.append([one and self.target(name, one) for one in line["elements"]])
        return [near or far for near, far in zip(*found)]

    def text(self, database, line):
        if line["type"].startswith("TextFlat"):
            return elements(line)
        fields = line["fields"]
        if line["type"] == "TextCat.T":
            return "".join(self.text(*self.target(database, fields[part])) for part in ("a", "b"))
        if line["type"] == "TextSub.T":
            text = self.text(*self.target(database, fields["base"]))
            return text[fields["start"]:fields["start"] + fields["length"]]
        if line["type"] == "TextBuffer.T":
            _, room = self.target(database, fields["room"])
            codes = elements(room)[8:8 + fields["length"]]
            return "".join(code if isinstance(code, str) else chr(code) for code in codes)
        raise Wrong(f"a text of an unknown form: {line}")

    def shown(self, database, type_, value, version, places):
        """A value as a program shows it; `places`: the number of each object of the case."""
        kind = type_[0]
        if kind == "bits":
            return self.shown(database, type_[2], value, version, places)
        if kind == "rec":
            return "(" + "".join(
                f"{field.name}={self.shown(database, field.type, value[field.name], version, places)}"
                for field in sorted(version.records[type_[1]], key=lambda one: one.name)) + ");"
        if kind == "arr":
            return "[" + "".join(self.shown(database, type_[2], one, version, places) for one in value) + "];"
        if kind == "set":
            return "{" + "".join(f"{i}," for i in sorted(self.ordinal(type_[1], one, version) for one in value)) + "};"
        if value is None:
            return "nil,"
        if kind in ("text", "ref", "refany"):
            where, line = self.target(database, value)
            if kind == "text":
                return shown(type_, self.text(where, line), version)
            number = places.get((where, line["object"]))
            return "stranger," if number is None else f"#{number},"
        if kind == "proc":
            return {"Main.Zero": "0,", "Main.One": "1,"}.get(value["name"].split()[0], f"{value},")
        if kind in ("real", "longreal", "ext"):
            return f"{number_of_bits(float(value))},"
        return f"{self.ordinal(type_, value, version)},"

    @staticmethod
    def ordinal(type_, value, version):
        kind = type_[0]
        if isinstance(value, str) and kind in ("char", "wchar"):
            return ord(value)
        if kind == "bool":
            return int(value) if value in (True, False) else f"{value}?"
        if kind in ("enum", "subenum"):
            return version.enums[type_[1]].index(value) if value in members(type_, version) else f"{value}?"
        return int(value)

    def lines_of(self, version, types, names):
        """As the program of the version prints a case, whose objects are of these types; `names`: by which the
        store may call each."""
        nodes = self.nodes(version.case)
        places = {(where, line["object"]): i for i, (where, line) in enumerate(nodes)}
        made = []
        for i, (where, line) in enumerate(nodes):
            type_ = version.types[types[i]]
            if type_.kind == "container":
                made.append(None)
                continue
            if line["type"] not in names[i]:
                made.append(f"{version.case} {i} is of type {line['type']}")
            elif type_.kind == "array":
                made.append(f"{version.case} {i} {types[i]}:" + "".join(
                    self.shown(where, type_.element, one, version, places)
                    for one in elements(line)))
            else:
                made.append(f"{version.case} {i} {types[i]}:" + "".join(
                    f"{field.name}=" + ("nil," if field.transient else self.shown(
                        where, field.type, line["fields"][field.name], version, places))
                    for field in sorted(version.fields(types[i]), key=lambda one: one.name)))
        return made


# ---- Options of an upgrade

def mentioned(version, nodes):
    """The types that the store of these objects names."""
    seen, todo = set(), [node.type for node in nodes]
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        todo += version.above(key)
    named = set(seen)

    def look(type_):
        if type_[0] == "ref":
            named.add(type_[1])
        elif type_[0] == "rec":
            for field in version.records[type_[1]]:
                look(field.type)
        elif type_[0] in ("arr", "set", "bits"):
            for part in type_[1:]:
                if isinstance(part, tuple):
                    look(part)
    for key in seen:
        type_ = version.types[key]
        for field in type_.fields:
            look(field.type)
        if type_.element:
            look(type_.element)
    return seen, named


def options_for(before, now, nodes):
    """--rename-type, --rename-field and --drop-field for what has changed; and the lost fields."""
    options, lost = [], []
    stored, named = mentioned(before, nodes)
    for key in sorted(named):
        old, new = before.types[key], now.types.get(key)
        if new is None or old.kind == "container":
            continue
        found_by_brand = old.brand is not None and old.brand == new.brand
        found_by_name = old.brand is None and old.name == new.name
        if not found_by_brand and not found_by_name:
            options += ["--rename-type", f"Main.{old.name}=Main.{new.name}"]
    for key in sorted(stored):
        if before.types[key].kind not in ("object", "record"):
            continue
        users = [one for one in stored if key in [one] + before.above(one) and one in now.types and
                 any(node.type == one for node in nodes)]
        for field in before.types[key].fields:
            renamed, gone, dropped = set(), [], False
            for user in users:
                there = next((one for one in now.fields(user) if one.id == field.id), None)
                if there is None:
                    gone.append(user)
                elif there.name != field.name:
                    renamed.add((there.name, user))
                elif there.transient and not field.transient:
                    dropped = True
            for name, user in sorted(renamed):
                where = key if not gone else user
                option = f"Main.{before.types[where].name}.{field.name}={name}"
                if option not in options:
                    options += ["--rename-field", option]
            for user in gone:
                options += ["--drop-field", f"Main.{before.types[user].name}.{field.name}"]
                lost.append(f"Main.{before.types[user].name}.{field.name}")
            if dropped:
                options += ["--drop-field", f"Main.{before.types[key].name}.{field.name}"]
    return options, lost
