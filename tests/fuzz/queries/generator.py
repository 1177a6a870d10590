"""Random queries over a random store: a text, and the rows that the model answers."""

import math

from queries import model as m
from queries.stores import COLOURS, DAYS, Char, Element, Ref

# Names that the language reads as words where a value may stand.
WORDS = {"true", "false", "nil", "null", "from", "select", "where", "having", "limit", "offset", "and", "or", "in",
         "like", "between", "not"}

# What stands before a row's field where its type is known only when it is read: the database's names, and elements.
OF_DATABASE = ("root", "names", "ada", "good", *COLOURS, *DAYS)

# What the parts of a value of a record are.
RECORD_PARTS = [("x", "number"), ("y", "number"), ("ok", "bool"), ("t", "text"), ("shade", "enum", COLOURS),
                ("in.z", "number"), ("in.c", "char")]


def quoted(text):
    out = '"'
    for c in text:
        code = ord(c)
        out += {"\\": "\\\\", '"': '\\"', "\n": "\\n"}.get(c) or (f"\\{code:03o}" if code < 32 else c)
    return out + '"'


def written(value):
    """A literal; nothing: the language has none."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return f"({value})" if value < 0 else str(value)
    if isinstance(value, float):
        if not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0):
            return None
        text = repr(float(value))
        return f"({text})" if value < 0 else text
    if isinstance(value, Element):
        return str(value)
    if isinstance(value, Ref):
        return str(value)
    if isinstance(value, str) and not any(0xD800 <= ord(c) < 0xE000 for c in value):
        return quoted(value)
    return None


class Source:
    """Where rows come from: its text, the rows in their order, and the expressions that a row has, by use."""
    def __init__(self, text, rows, star=None):
        self.text, self.rows, self.uses, self.star = text, rows, {}, star
        self.fields = ()   # the names of all fields of the rows
        self.keyed = None  # the use of the keys, by which rows are looked up

    def add(self, text, use, value, *more):
        self.uses.setdefault(use, []).append((text, value, *more))

    def of(self, use):
        return self.uses.get(use, [])


def part_of(value, path):
    for name in path.split("."):
        value = None if value is None else value[name]
    return value


class Sources:
    def __init__(self, schema, model, rng):
        self.schema, self.model, self.rng = schema, model, rng

    def choose(self):
        rng, model = self.rng, self.model
        kind = rng.randrange(20)
        if kind < 4:
            return self.items("Main.Item", [{"it": item} for item in model.items], False)
        if kind < 6:
            special = [{"it": item} for item in model.items if model.types[item[""]] == "Main.Special"]
            return self.items("Main.Special", special, True)
        if kind < 9:
            rows = [{"it": item, "index": i} for i, item in enumerate(model.order)]
            source = self.items(rng.choice(["root.all", "ada"]), rows, False, ("it", "index") + OF_DATABASE,
                                self.untyped_fields())
            source.star = lambda row: {"index": row["index"], "value": row["it"][""]}
            return source
        if kind < 11:
            return self.items("root.array", [{"it": item, "index": i} for i, item in enumerate(model.array)], False,
                              ("it", "index"))
        if kind == 11:
            return self.parts()
        if kind == 12:
            return self.spots()
        if kind == 13:
            return self.scalars("root.plain", "number", [{"it": n, "index": i} for i, n in enumerate(model.plain)],
                                ["index", "value"])
        if kind == 14:
            which = rng.randrange(4)
            if which == 0:
                rows = [{"it": n, "key": Element(name, COLOURS)} for n, name in zip(model.fixed, COLOURS)]
                return self.scalars("root.fixed", "number", rows, ["key", "value"], ("enum", COLOURS))
            if which == 1:
                rows = [{"it": n, "key": Char(c)} for n, c in zip(model.letters, "abc")]
                return self.scalars("root.letters", "number", rows, ["key", "value"], ("char",))
            if which == 2:
                return self.scalars("root.days", "enum", [{"it": one} for one in model.days], ["value"], None,
                                    DAYS)
            return self.scalars("root.chars", "char", [{"it": one} for one in model.chars], ["value"])
        if kind == 15:
            rows = [{"it": value, "key": key} for key, value in model.counts]
            return self.scalars("root.counts", "number", rows, ["key", "value"], ("text",))
        return self.tables()

    def name(self, field, words):
        """How the field of a row is written: alone, unless a word of the row is the same."""
        alone = f"`{field}`" if field in WORDS or not field.isidentifier() else field
        return "it." + alone if field in words or self.rng.random() < 0.1 else alone

    def fields(self, special):
        """The names of the fields that a row's objects may have, with their kinds."""
        schema = self.schema
        found = [(field.name, field.kind) for field in schema.item if field is not schema.hidden]
        found += [(field.name, field.kind) for field in schema.special[:-1]]
        if special:
            found.append((schema.special[-1].name, schema.special[-1].kind))
            found.append((f"{schema.hidden.name}#{schema.item.index(schema.hidden) + 1}", schema.hidden.kind))
        return found

    def items(self, text, rows, special, words=("it",), fields=None):
        source = Source(text, rows)
        source.fields = {field.name for field in self.schema.item + self.schema.special}
        source.add("it", "item", lambda row: row["it"] and row["it"][""])
        for name, kind in fields or self.fields(special):
            self.add(source, self.name(name, words), kind, lambda row, name=name: row["it"] and row["it"].get(name))
        if "index" in words:
            source.add("index", "number", lambda row: row["index"])
        for name, kind in self.rng.sample(fields or self.fields(False), 8):
            for at, behind in [(at, value) for at, value, *_ in source.of("item") if at != "it"][:2]:
                escaped = f"`{name}`" if not name.isidentifier() else name
                self.add(source, f"{at}.{escaped}", kind, lambda row, name=name, behind=behind:
                         (self.model.by_place.get(behind(row)) or {}).get(name))
        source.star = self.star
        return source

    def untyped_fields(self):
        """Where only reading tells the type: fields that other types lack, which may have them of another kind."""
        return [(name, kind) for name, kind in self.fields(False) if name not in self.model.other_names]

    def star(self, row):
        """The columns of a row without select."""
        schema, item = self.schema, row["it"] or {}
        names = {field.name for field in schema.item + schema.special}
        names.add(f"{schema.hidden.name}#{schema.item.index(schema.hidden) + 1}")
        ours = {"id": item.get("") and str(item[""])}
        if "index" in row:
            ours["index"] = row["index"]
        answer = {"#" + name if name in names else name: value for name, value in ours.items()}
        answer.update({name: item.get(name) for name in names})
        return answer

    def add(self, source, text, kind, value):
        use, more = kind.use, kind.more
        if use == "record":
            self.add_record(source, text, value)
        elif use == "array":
            source.add(text, "array", value, *more)
            for i, index in enumerate(more[1]):
                index = quoted(index) if index in source.fields else index
                source.add(f"{text}[{index}]", more[0], lambda row, i=i: None if value(row) is None else value(row)[i])
        elif use == "keys":
            source.add(text, "keys", value)
        elif use == "list":
            source.add(text, "list", value, *more)
            i = self.rng.randrange(3)
            source.add(f"{text}[{i}]", more[0], lambda row: None if value(row) is None or len(value(row)) <= i
                       else value(row)[i])
        else:
            source.add(text, use, value, *more)

    def add_record(self, source, text, value):
        source.add(text, "record", value)
        for path, use, *more in RECORD_PARTS:
            source.add(f"{text}.{path}", use, lambda row, path=path: part_of(value(row), path), *more)

    def parts(self):
        rows = [{"it": part, "index": i} for i, part in enumerate(self.model.parts)]
        source = Source("root.parts", rows, lambda row: {"index": row["index"], **row["it"]})
        for path, use, *more in RECORD_PARTS:
            escaped = path.replace("in.", "it.in.")
            source.add(escaped, use, lambda row, path=path: part_of(row["it"], path), *more)
        source.add("index", "number", lambda row: row["index"])
        return source

    def spots(self):
        rows = [{"it": spot, "index": i} for i, spot in enumerate(self.model.spots)]
        source = Source("root.spots", rows, lambda row: {"#index": row["index"], **row["it"]})
        source.add("index", "number", lambda row: row["index"])
        source.add("it.index", "text", lambda row: row["it"]["index"])
        source.add("key", "number", lambda row: row["it"]["key"])
        return source

    def scalars(self, text, use, rows, columns, key=None, *more):
        source = Source(text, rows, lambda row: {name: row["it" if name == "value" else name] for name in columns})
        source.add("it", use, lambda row: row["it"], *more)
        if key:
            source.add("value", use, lambda row: row["it"], *more)
            source.add("key", key[0], lambda row: row["key"], *key[1:])
        if "index" in columns:
            source.add("index", "number", lambda row: row["index"])
        return source

    def tables(self):
        rng, model = self.rng, self.model
        text, use, entries = rng.choice([
            ("tree", "number", model.tree), ("numbers", "number", model.numbers), ("sorted", "number", model.tree),
            ("texts", "text", model.texts), ("words", "text", model.texts), ("names", "text", model.named),
            ("reals", "number", model.reals)])
        source = self.items("root." + text, [{"it": item, "key": key} for key, item in entries], False,
                            ("it", "key", "value") + OF_DATABASE, self.untyped_fields())
        source.add("key", use, lambda row: row["key"])
        source.star = lambda row: {"key": row["key"], "value": row["it"][""]}
        source.keyed = use
        return source


class Generator:
    """Expressions over the rows of a source: a text, and a function of a row."""
    def __init__(self, rng, source):
        self.rng, self.source = rng, source

    def element(self, element):
        """A row's field stands before the element of the same name."""
        if str(element) in self.source.fields:
            return self.rng.choice([f"Colour.{element}", quoted(element)])
        return str(element)

    def take(self, use):
        found = self.source.of(use)
        return self.rng.choice(found) if found else None

    def value_of(self, use):
        """A value that some row has."""
        found = self.take(use)
        return found[1](self.rng.choice(self.source.rows)) if found and self.source.rows else None

    def number(self, depth=0):
        rng = self.rng
        kind = rng.randrange(12 if depth < 2 else 5)
        if kind < 4 and self.of_use("number"):
            return self.take("number")[:2]
        if kind == 5 and self.take("text"):
            text, value = self.text(depth + 1)
            return f"size({text})", lambda r: None if value(r) is None else len(value(r))
        if kind == 6:
            found = self.take(rng.choice(["set", "list", "keys", "array"]))
            if found:
                text, value = found[:2]
                return f"size({text})", lambda r: None if value(r) is None else len(value(r))
        if kind == 7:
            found = self.take(rng.choice(["enum", "char", "bool"]))
            if found:
                text, value = found[:2]
                return f"ord({text})", lambda r: order_of(value(r))
        if kind == 8:
            text, value = self.number(depth + 1)
            name, function = rng.choice([("abs", m.absolute), ("round", m.rounded), ("-", m.negative)])
            return (f"(-{text})" if name == "-" else f"{name}({text})"), lambda r: function(value(r))
        if kind > 8:
            (a, x), (b, y) = self.number(depth + 1), self.number(depth + 1)
            op = rng.choice(["+", "-", "*", "/", "div", "mod"])
            return f"({a} {op} {b})", lambda r: m.arithmetic(op, x(r), y(r))
        value = rng.choice([rng.randrange(-9, 10), rng.randrange(100) / 4, self.value_of("number"), 0, 2**53 + 1])
        text = None if value is None else written(value)
        if text is None:
            text, value = "7", 7
        value = float(value) if isinstance(value, float) else value  # no literal is a REAL
        return text, lambda r: value

    def mixed(self):
        """A number that is INTEGER in some rows and LONGREAL in others, where a product is beyond the integers: one
        value must be one key, whichever it is."""
        few, wide = [], []
        for text, value, *_ in self.of_use("number"):
            found = [value(row) for row in self.source.rows]
            whole = [one for one in found if isinstance(one, int)]
            large = sum(isinstance(m.arithmetic("*", one, 4000), float) for one in whole)
            if 0 < large < len(whole) == len(found):
                wide.append((text, value))
            elif whole and 2 * len(set(whole)) <= len(found):
                few.append((text, value))
        if not wide:
            return self.number()
        number, (text, value) = self.rng.choice(few or [("1", lambda r: 1)]), self.rng.choice(wide)
        return (f"({number[0]} + (({text} * 4000) mod 1))",
                lambda r: m.arithmetic("+", number[1](r), m.arithmetic("mod", m.arithmetic("*", value(r), 4000), 1)))

    def of_use(self, use):
        return self.source.of(use)

    def text(self, depth=0):
        rng = self.rng
        kind = rng.randrange(8 if depth < 2 else 5)
        if kind < 3 and self.of_use("text"):
            return self.take("text")[:2]
        if kind == 3 and self.of_use("char"):
            return self.take("char")[:2]
        if kind == 5:
            text, value = self.text(depth + 1)
            name = rng.choice(["upper", "lower"])
            return f"{name}({text})", lambda r: m.ascii_case(name, value(r))
        if kind > 5:
            (a, x), (b, y) = self.text(depth + 1), self.text(depth + 1)
            return f"({a} & {b})", lambda r: None if x(r) is None or y(r) is None else x(r) + y(r)
        value = rng.choice([self.value_of("text"), self.value_of("char"), "a", ""])
        text = None if value is None else written(value)
        if text is None:
            text, value = '"x"', "x"
        return text, lambda r: value

    def condition(self, depth=0):
        rng = self.rng
        if depth < 3 and rng.random() < 0.45:
            kind = rng.randrange(3)
            if kind == 0:
                text, value = self.condition(depth + 1)
                return f"not ({text})", lambda r: m.negated(value(r))
            parts = [self.condition(depth + 1) for _ in range(rng.choice([2, 2, 3, 4]))]
            word = ["and", "or"][kind - 1]
            text = f" {word} ".join(text if rng.random() < 0.2 and " or " not in text else f"({text})"
                                    for text, _ in parts)
            return f"({text})", lambda r: m.joined([value(r) for _, value in parts], word == "or")
        for _ in range(20):
            made = getattr(self, rng.choice(self.CONDITIONS))()
            if made:
                return made
        return "1 = 1", lambda r: True

    CONDITIONS = ["numbers", "numbers", "texts", "texts", "elements", "truths", "in_set", "in_set", "in_list", "in_list",
                  "in_text", "in_literal", "nil", "likes", "between", "wholes", "places", "truth"]

    def operator(self):
        op = self.rng.choice(["=", "#", "<", "<=", ">", ">=", "<>", "!="])
        return op, {"<>": "#", "!=": "#"}.get(op, op)

    def numbers(self):
        (a, x), (b, y), (op, plain) = self.number(), self.number(), self.operator()
        return f"{a} {op} {b}", lambda r: m.compare(plain, x(r), y(r))

    def texts(self):
        (a, x), (b, y), (op, plain) = self.text(), self.text(), self.operator()
        return f"{a} {op} {b}", lambda r: m.compare(plain, x(r), y(r))

    def elements(self):
        found = self.take("enum")
        if not found:
            return None
        (text, value, order), (op, plain) = found, self.operator()
        element = Element(self.rng.choice(order), order)
        others = [other for other in self.of_use("enum") if other[2] == order and other[0] != text]
        if others and self.rng.random() < 0.3:
            other = self.rng.choice(others)
            return f"{text} {op} {other[0]}", lambda r: m.compare(plain, value(r), other[1](r))
        return f"{text} {op} {self.element(element)}", lambda r: m.compare(plain, value(r), element)

    def truths(self):
        found = self.take("bool")
        return found and found[:2]

    def truth(self):
        found = self.take("bool")
        value = self.rng.random() < 0.5
        return found and (f"{found[0]} = {written(value)}", lambda r: m.compare("=", found[1](r), value))

    def element_of(self, use, domain):
        """A text and a function: something that may be in a set or a list of this use."""
        rng = self.rng
        if rng.random() < 0.15:
            return "nil", lambda r: None
        if use == "number":
            return self.number(2) if rng.random() < 0.5 else (lambda n: (written(n), lambda r: n))(rng.randrange(9))
        if use == "text":
            return self.text(2)
        if use == "char":
            others = self.of_use("char")
            if others and rng.random() < 0.4:
                return rng.choice(others)[:2]
            value = rng.choice(domain or "abc")
            return ("'" + (f"\\{ord(value):03o}" if not value.isalnum() or ord(value) > 126 else value) + "'",
                    lambda r: value)
        if use == "enum":
            others = [other for other in self.of_use("enum") if other[2] == domain]
            if others and rng.random() < 0.4:
                return rng.choice(others)[:2]
            element = Element(rng.choice(domain), domain)
            return self.element(element), lambda r: element
        found = self.take("bool")
        if found and rng.random() < 0.4:
            return found[:2]
        value = rng.random() < 0.5
        return written(value), lambda r: value

    def membership(self, whole, value, part, member):
        if self.rng.random() < 0.1:
            return f"{part} not in {whole}", lambda r: m.negated(m.contains(value(r), member(r)))
        if self.rng.random() < 0.5:
            return f"{part} in {whole}", lambda r: m.contains(value(r), member(r))
        return f"{whole} contains {part}", lambda r: m.contains(value(r), member(r))

    def in_set(self):
        found = self.take("set")
        return found and self.membership(found[0], found[1], *self.element_of(*found[2:]))

    def in_list(self):
        found = self.take(self.rng.choice(["list", "array", "keys"]))
        return found and self.membership(found[0], found[1], *self.element_of((found + ("text",))[2], None))

    def in_text(self):
        if not self.of_use("text"):
            return None
        text, value = self.take("text")[:2]
        return self.membership(text, value, *self.text(2))

    def in_literal(self):
        (text, value), some = self.number(1), [self.number(2) for _ in range(self.rng.randrange(4))]
        return (f"{text} in [{', '.join(one for one, _ in some)}]",
                lambda r: any(m.compare("=", value(r), one(r)) for _, one in some))

    def nil(self):
        found = self.take(self.rng.choice(["item", "text", "list", "keys", "any", "ref", "number", "bool"]))
        no = self.rng.random() < 0.3
        return found and (f"{found[0]} is {'not ' if no else ''}nil", lambda r: (found[1](r) is None) != no)

    def likes(self):
        text, value = self.text(1)
        pattern = self.rng.choice(["item%", "%1", "_tem_", "%e%1%", "ö%", "%", "", "_", "%\\\\%"])
        plain = pattern.replace("\\\\", "\\")
        return f'{text} like "{pattern}"', lambda r: m.like(value(r), plain)

    def between(self):
        which = self.rng.choice([self.number, self.text])
        (a, x), (b, y), (c, z) = which(1), which(2), which(2)
        no = self.rng.random() < 0.2

        def holds(r):
            return (m.compare(">=", x(r), y(r)) and m.compare("<=", x(r), z(r))) != no
        return f"{a} {'not ' if no else ''}between {b} and {c}", holds

    def wholes(self):
        """Records, arrays and sets are equal to others of one type."""
        found = self.take(self.rng.choice(["record", "array", "set"]))
        others = found and [other for other in self.of_use("record") + self.of_use("array") + self.of_use("set")
                            if other[2:] == found[2:] and found[0].split(".")[-1] == other[0].split(".")[-1]]
        if not others:
            return None
        other = self.rng.choice(others)
        if self.rng.random() < 0.3:
            return f"{found[0]} in [{other[0]}]", lambda r: m.compare("=", found[1](r), other[1](r))
        return f"{found[0]} = {other[0]}", lambda r: m.compare("=", found[1](r), other[1](r))

    def places(self):
        a, b = self.take("item"), self.take("item")
        return a and (f"{a[0]} = {b[0]}", lambda r: m.compare("=", a[1](r), b[1](r)))


def order_of(value):
    if value is None:
        return None
    return value.place() if isinstance(value, Element) else int(value) if isinstance(value, bool) else ord(value)


class Query:
    """The text in parts, and the model's rows: dictionaries from columns to values, in order."""
    def __init__(self, text, rows, source, where="", **facts):
        self.text, self.rows, self.source, self.where = text, rows, source, where
        self.facts = facts


def random_query(schema, model, rng):
    source = Sources(schema, model, rng).choose()
    generator = Generator(rng, source)
    where, holds = ("", lambda r: True) if rng.random() < 0.15 else generator.condition()
    parts, tests = ([f"({where})"] if where else []), [lambda r: holds(r) is True]
    bounds = []
    if source.keyed and source.rows:
        for text, test in key_bounds(rng, source):
            bounds.append(text)
            parts.insert(rng.randrange(len(parts) + 1), text)
            tests.append(test)
    where = " and ".join(parts)
    clause = f" where {where}" if where else ""
    found = [row for row in source.rows if all(test(row) for test in tests)]
    kind = rng.randrange(10)
    if kind < 5:
        query = columns(rng, generator, source, clause, found)
    elif kind < 8:
        query = groups(rng, generator, source, clause, found)
    else:
        rows = [source.star(row) for row in found] if source.star else None
        query = Query(f"from {source.text}{clause}", rows, source, star=True)
        if source.keyed and rng.random() < 0.5:
            query = sorted_by(query, [("key", lambda pair: pair[1]["key"], rng.random() < 0.5)],
                              list(zip(rows, found)))
    query.where, query.bounds, query.generator = where, bounds, generator
    return limited(rng, query)


def key_bounds(rng, source):
    found = []
    for _ in range(rng.choice([0, 1, 2, 2])):
        bound = rng.choice(source.rows)["key"]
        text = written(bound)
        if text is None:
            continue
        op = rng.choice([">", ">=", "<", "<=", "=", ">=", "<="])
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}[op]
        if rng.random() < 0.2:
            found.append((f"{text} {turned} key", lambda r, op=op, bound=bound: m.compare(op, r["key"], bound)))
        elif rng.random() < 0.1:
            found.append((f"key between {text} and {text}", lambda r, bound=bound: m.compare("=", r["key"], bound)))
        else:
            found.append((f"key {op} {text}", lambda r, op=op, bound=bound: m.compare(op, r["key"], bound)))
    return found


def sorted_by(query, keys, pairs):
    query.text += " sort by " + ", ".join(text + (" desc" if down else "") for text, _, down in keys)
    for _, value, down in reversed(keys):
        pairs.sort(key=lambda pair: m.rank(value(pair)), reverse=down)
    query.rows = [row for row, _ in pairs]
    query.facts["sorted"] = True
    return query


def columns(rng, generator, source, clause, found):
    made = []
    for _ in range(rng.randrange(1, 4)):
        use = rng.choice(["number", "text", "condition", "any", "mixed"])
        if use == "any":
            whole = generator.take(rng.choice(["record", "array", "set", "item", "enum", "char", "bool", "any", "ref"]))
            made.append(whole[:2] if whole else generator.number())
        else:
            made.append(getattr(generator, use)())
    names = [f"c{i}" for i in range(len(made))]
    selected = ", ".join(f"{text} as {name}" for (text, _), name in zip(made, names))
    pairs = [({name: value(row) for (_, value), name in zip(made, names)}, row) for row in found]
    distinct = rng.random() < 0.25
    if distinct:
        seen, kept = set(), []
        for row, source_row in pairs:
            mark = tuple(m.canonical(value) for value in row.values())
            if mark not in seen:
                seen.add(mark)
                kept.append((row, source_row))
        pairs = kept
    query = Query(f"select {'distinct ' if distinct else ''}{selected} from {source.text}{clause}",
                  [row for row, _ in pairs], source, distinct=distinct)
    orderly = [i for i, (text, value) in enumerate(made)
               if not any(isinstance(value(row), (frozenset, dict, list, Ref)) for row in found)
               and not any(text == other[0] for other in source.of("any"))]
    if orderly and rng.random() < 0.6:
        keys = [(names[i], lambda pair, i=i: pair[0][names[i]], rng.random() < 0.5)
                for i in rng.choices(orderly, k=rng.randrange(1, 3))]
        query = sorted_by(query, keys, pairs)
    return query


class Near(float):
    """A sum: its last digit depends on the order in which numbers are added."""


def groups(rng, generator, source, clause, found):
    use = rng.choice(["number", "mixed", "mixed", "text", "condition", "enum", "set", "char"])
    by = generator.take(use) if use in ("enum", "set", "char") else None
    by = by[:2] if by else getattr(generator, use if use in ("condition", "number", "mixed") else "text")()
    made = {}
    for row in found:
        made.setdefault(m.canonical(by[1](row)), []).append(row)
    (number, value), (text, word) = generator.number(), generator.text()
    rows = []
    for members in made.values():
        values = [value(row) for row in members if value(row) is not None]
        words = [word(row) for row in members if word(row) is not None]
        whole, mean = m.total(values), m.average(values)
        rows.append({"by": by[1](members[0]), "n": len(members), "given": len(values),
                     "s": Near(whole) if isinstance(whole, float) else whole,
                     "mean": None if mean is None else Near(mean), "least": min(values, key=m.rank, default=None),
                     "most": max(values, key=m.rank, default=None), "first": min(words, key=m.rank, default=None)})
    query = Query(f"from {source.text}{clause} group by {by[0]} select {by[0]} as by, count(*) as n, "
                  f"count({number}) as given, sum({number}) as s, avg({number}) as mean, min({number}) as least, "
                  f"max({number}) as most, min({text}) as first", rows, source, grouped=True)
    if rng.random() < 0.3:
        least = rng.randrange(1, 4)
        query.text += f" having n >= {least}"
        rows = [row for row in rows if row["n"] >= least]
        query.rows = rows
    if use != "set" and rng.random() < 0.7:
        query = sorted_by(query, [("by", lambda pair: pair[0]["by"], rng.random() < 0.3)], [(row, None) for row in rows])
    return query


def limited(rng, query):
    query.whole_text, query.whole_rows = query.text, query.rows
    if rng.random() < 0.35:
        limit, offset = rng.randrange(0, 12), rng.choice([0, 0, 1, 5])
        query.text += f" limit {limit}" + (f" offset {offset}" if offset else "")
        query.rows = query.rows[offset:offset + limit]
    if rng.random() < 0.1:
        query.text += " count"
        query.rows = [{"count": len(query.rows)}]
        query.facts["star"] = False
    return query
