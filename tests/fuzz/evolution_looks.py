"""What the commands that show a store say of each field of each object, compared with the lines of an export, which
agree with the shadow (random_evolution.py)."""

import csv
import io
import json

from evolution_shadow import plain


def has_places(value):
    """Whether there are references in it, or what has another form in a row."""
    text = json.dumps(value)
    return any(word in text for word in ('"ref"', '"import"', '"procedure"', '"bits"'))


def as_text(type_, value):
    """As people read it; None where this says nothing."""
    kind = type_[2][0] if type_[0] == "bits" else type_[0]
    if kind == "bool":
        return "TRUE" if value else "FALSE"
    return str(value) if kind in ("int", "long", "enum", "subenum") else None


def same_cell(cell, type_, value):
    """Whether a cell of CSV has the value."""
    kind = type_[2][0] if type_[0] == "bits" else type_[0]
    if kind == "bool":
        return cell == ("true" if value else "false")
    if kind in ("real", "longreal", "ext"):
        return float(cell) == float(value)
    if isinstance(value, (list, dict)):
        return plain(json.loads(cell)) == plain(value)
    return cell == str(value) if kind in ("int", "long", "enum", "subenum") else True


class Looks:
    """The output of the commands for one database."""
    def __init__(self, run, tenure, store, database, types, tables, shown):
        """`types`: names of types whose rows are asked for; `tables`: some of them, as CSV; `shown`: (place, field) to
        look at one by one."""
        where = f"{store}:{database}"
        self.said = run(tenure, "db", "shell", where, stdin="\n".join(["format json", *types]).encode()).out
        self.rows = {}
        for line in self.said.split("\n"):
            if line.startswith("{"):
                row = json.loads(line)
                self.rows.setdefault(row["id"], {}).update(row)
        dumped = run(tenure, "db", "dump", where).out
        self.lines = {line.split(" ")[0]: line for line in dumped.split("\n")}
        self.objects = {line["object"]: line for line in
                        json.loads(run(tenure, "db", "dump", where, "--json").out)["objects"]}
        self.tables, self.cells = tables, {}
        for name in tables:
            # With those of its subtypes.
            for row in csv.DictReader(io.StringIO(run(tenure, "db", "export", where, "--csv", name).out)):
                self.cells.setdefault(row["id"], {}).update(row)
        self.shown = {one: run(tenure, "db", "show", where, ".".join(one), "--json").out for one in shown}

    def problem(self, line, place, field):
        """What is wrong with a field of an object, in words."""
        value, name = line["fields"][field.name], field.name
        row, dumped = self.rows.get(place, {}), self.objects.get(place, {}).get("fields", {})
        if name not in row or not has_places(value) and plain(row[name]) != plain(value):
            return f"a query's row has {row.get(name, self.said[:300])}"
        if name not in dumped or not has_places(value) and dumped[name] != value:
            return f"dump --json has {dumped.get(name, 'nothing')}"
        text = None if has_places(value) else as_text(field.type, value)
        if text is not None and f" {name}={text} " not in self.lines.get(place, "") + " ":
            return f"dump has {self.lines.get(place)}"
        cell = self.cells.get(place, {}).get(name)
        lacks = cell is None and line["type"] in self.tables
        told = cell is not None and value is not None and not has_places(value)
        if lacks or told and not same_cell(cell, field.type, value):
            return f"the cell of CSV is {cell}"
        shown = self.shown.get((place, name))
        if shown is not None and not has_places(value) and plain(json.loads(shown)) != plain(value):
            return f"show has {shown}"
        return None
