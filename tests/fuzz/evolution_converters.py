"""Random converters of an upgrade (stdlib's DatabaseConverter): which fields they read and set, their program, and
what the shadow has to know of them (random_evolution.py)."""

import copy

from evolution_shadow import identical
from evolution_types import literal, members

PROGRAM = """
MODULE Main;
IMPORT DatabaseConverter, Env, Text;
<*FATAL ANY*>
VAR cases := Env.Get("CASES");  (* a digit for each case: whether its types are registered *)
{procedures}
BEGIN
{registrations}
  DatabaseConverter.Run();
END Main.
"""


def is_single(type_, version):
    """Whether a converter can read and set a field of the type."""
    if type_[0] == "set":
        return len(members(type_[1], version)) <= 64
    return type_[0] in ("int", "long", "bool", "char", "wchar", "enum", "subenum", "real", "longreal", "ext", "text",
                        "bits")


def put_text(type_, value, version):
    """What a converter puts, as an expression of Modula-3."""
    kind = type_[0]
    if kind == "bits":
        return put_text(type_[2], value, version)
    if kind == "text":
        return literal(type_, value, version)
    if kind == "bool":
        return '"true"' if value else '"FALSE"'
    if kind in ("enum", "subenum"):
        return f'"{version.enums[type_[1]].index(value)}"'
    if kind == "set":
        names = list(members(type_[1], version))
        return f'"{sum(1 << names.index(one) for one in value)}"'
    return f'"{value!r}"' if kind in ("real", "longreal", "ext") else f'"{int(value)}"'


class TypeConverter:
    """What is done with objects of one type."""
    def __init__(self):
        self.reads = []  # names of old fields
        # By the field's id, or by that and an inner field's name: (name, type, value); the type is the new one.
        self.puts = {}
        self.copies = {}  # by the new field's id: (name, old Field)


class Conversion:
    """The converter of an upgrade from version a to version b of some cases."""
    def __init__(self, cases, a, b, rng):
        self.types = {}  # (case, key): TypeConverter
        self.version_of = {}
        for case in cases:
            before, now = case.versions[a], case.versions[b]
            maker = copy.copy(case)
            maker.rng = rng
            for key in sorted({node.type for node in case.nodes[a]}):
                type_, other = before.types[key], now.types.get(key)
                if other is not None and type_.kind == other.kind and type_.kind in ("object", "record") and \
                        rng.random() < 0.7:
                    made = self.of_type(maker, key, before, now, rng)
                    if made is not None:
                        self.types[case.number, key] = made
                        self.version_of[case.number, key] = before, now

    @staticmethod
    def of_type(maker, key, before, now, rng):
        old = {field.id: field for field in before.fields(key)}
        new = {field.id: field for field in now.fields(key)}
        stored = [field for field in old.values() if not field.transient]
        fresh = [field for field in new.values() if field.id not in old and not field.transient]
        changed = [field for field in new.values() if field.id in old and not field.transient and
                   not old[field.id].transient and not identical(old[field.id].type, before, field.type, now)]
        gone = [field for field in stored if field.id not in new]
        if not fresh and not changed and not gone:
            return None  # there may be nothing to convert, and nobody is asked
        made = TypeConverter()
        made.reads = [field.name for field in gone if is_single(field.type, before) and rng.random() < 0.7]
        same = [field for field in new.values() if field not in fresh and field not in changed and not field.transient]

        def value(type_):
            one = maker.value(type_, now, 0)
            return "" if one is None and type_[0] == "text" else one[:30] if type_[0] == "text" else one
        for field in fresh + changed + rng.sample(same, min(1, len(same))):
            chance = 0.3 if field in fresh else 0.8
            texts = [one for one in stored if one.type[0] in ("int", "long", "bool", "char", "wchar", "enum", "text")]
            if field in fresh and field.type[0] == "text" and texts and rng.random() < 0.6:
                made.copies[field.id] = (field.name, rng.choice(texts))
            elif is_single(field.type, now) and rng.random() < chance:
                made.puts[field.id] = (field.name, field.type, value(field.type))
            elif field.type[0] == "rec" and (field.id not in old or old[field.id].type[0] == "rec"):
                for inner in now.records[field.type[1]]:
                    if is_single(inner.type, now) and rng.random() < chance:
                        made.puts[field.id, inner.name] = (f"{field.name}.{inner.name}", inner.type, value(inner.type))
        return made if made.reads or made.puts or made.copies else None

    def source(self):
        procedures, registrations = [], []
        for (case, key), made in self.types.items():
            before, now = self.version_of[case, key]
            body = [f'    IF object.has("{name}") THEN EVAL object.get("{name}") END;' for name in made.reads]
            body += [f'    object.put("{name}", {put_text(type_, value, now)});'
                     for name, type_, value in made.puts.values()]
            body += [f'    IF object.has("{old.name}") THEN object.put("{name}", object.get("{old.name}")) END;'
                     for name, old in made.copies.values()]
            procedures.append(f"PROCEDURE C{case}{key}(object: DatabaseConverter.Object) "
                              "RAISES {DatabaseConverter.Refused} =\n  BEGIN\n" + "\n".join(body) +
                              f"\n  END C{case}{key};")
            registrations.append(f"  IF Text.GetChar(cases, {case}) = '1' THEN "
                                 f'DatabaseConverter.Register("Main.{before.types[key].name}", C{case}{key}) END;')
        return PROGRAM.format(procedures="\n".join(procedures), registrations="\n".join(registrations))

    def of(self, case, key):
        return self.types.get((case, key))

    def environment(self, cases, count):
        """`cases`: of the store; all are below `count`."""
        numbers = {case.number for case in cases}
        return {"CASES": "".join("1" if i in numbers else "0" for i in range(count))}

    def has_any(self, cases):
        return any(case.number == number for number, _ in self.types for case in cases)

    def without_settled(self, words, case, before):
        """The options of an upgrade without --drop-field for the fields that the converter reads."""
        settled = {f"Main.{before.types[key].name}.{name}" for (number, key), made in self.types.items()
                   if number == case.number for name in made.reads}
        kept = []
        for at, word in enumerate(words):
            if word == "--drop-field" and words[at + 1] in settled or at > 0 and words[at - 1] == "--drop-field" and \
                    word in settled:
                continue
            kept.append(word)
        return kept
