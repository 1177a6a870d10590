"""Rules that the answers of several queries obey, whatever the right answers are: ternary logic
partitioning and non-optimizing reference engine construction (Rigger & Su 2020, OOPSLA and ESEC/FSE), and the same
query with and without a short way, sorted, limited, counted, distinct and grouped.

Each rule has the texts of some queries, and says what is wrong with their rows, which are parsed lines of JSON."""

import json
from collections import Counter


def bag(rows):
    return Counter(json.dumps(row, sort_keys=True) for row in rows)


def differ(what, a, b):
    return None if a == b else f"{what}: {str(a)[:300]} and {str(b)[:300]}"


def partition(query, expression):
    """A condition, its negation, and its NIL part together have all rows."""
    source, condition = query.source.text, query.where or "1 = 1"
    select = f"select {expression} as c from {source}"
    texts = [select, f"{select} where {condition}", f"{select} where not ({condition})",
             f"{select} where ({condition}) is nil"]
    return texts, lambda whole, *parts: differ("the rows, and those of the three parts", bag(whole),
                                               sum((bag(part) for part in parts), Counter()))


def partition_of_counts(query, expression):
    source, condition = query.source.text, query.where or "1 = 1"
    select = f"select count(*) as n, count({expression}) as given from {source}"
    texts = [select] + [f"{select} where {part}" for part in
                        (condition, f"not ({condition})", f"({condition}) is nil")]

    def total(parts, name):
        return sum(part[0][name] for part in parts)
    return texts, lambda whole, *parts: differ("counts", [whole[0]["n"], whole[0]["given"]],
                                               [total(parts, "n"), total(parts, "given")])


def reference(query, expression):
    """The rows for which the condition is TRUE are counted as the condition's value in each row says."""
    del expression
    source, condition = query.source.text, query.where or "1 = 1"
    texts = [f"from {source} where {condition} count", f"select ({condition}) as c from {source}"]
    return texts, lambda count, rows: differ("the rows where and those that are TRUE", count[0]["count"],
                                             sum(row["c"] is True for row in rows))


def counted(query, expression):
    del expression
    if query.text.endswith(" count"):
        return None
    return ([query.text + " count", query.text],
            lambda count, rows: differ("the count and the rows", count[0]["count"], len(rows)))


def limited(query, expression):
    del expression
    if query.whole_text.endswith(" count"):
        return None
    return ([query.whole_text, query.whole_text + " limit 3 offset 2", query.whole_text + " limit 1 offset 0"],
            lambda rows, part, one: differ("a part and the rows", [part, one], [rows[2:5], rows[:1]]))


def short_way(query, expression):
    """Bounds of keys are looked up; what is computed from a key is not."""
    if not query.bounds:
        return None
    computed = '(key & "")' if query.source.keyed == "text" else "(key + 0)"
    texts = []
    for bounds in (query.bounds, [bound.replace("key", computed, 1) if bound.startswith("key")
                                  else computed.join(bound.rsplit("key", 1)) for bound in query.bounds]):
        texts.append(f"select key, id(value) as id, {expression} as c from {query.source.text} where "
                     + " and ".join(bounds))
    return texts, lambda a, b: differ("the rows of keys that are looked up, and of all", a, b)


def sorted_short_way(query, expression):
    """The order of the container itself, and of all rows that are sorted."""
    if not query.source.keyed:
        return None
    texts = [f"select key, {expression} as c from {query.source.text} sort by key{down}{more}"
             for down in ("", " desc") for more in ("", ", 1")]
    return texts, lambda a, b, c, d: differ("rows in the container's order, and sorted", [a, c], [b, d])


def distinct(query, expression):
    del expression
    source, generator = query.source.text, query.generator
    number = generator.mixed() if generator.rng.random() < 0.5 else generator.take("number")
    if not number:
        return None
    expression = number[0]
    texts = [f"select {expression} as c from {source}", f"select distinct {expression} as c from {source}",
             f"from {source} group by {expression} select {expression} as c, count(*) as n"]

    def problem(rows, different, groups):
        many, order = Counter(), []
        for row in rows:
            mark = json.dumps(equal_numbers(row["c"]), sort_keys=True)
            if mark not in many:
                order.append(mark)
            many[mark] += 1
        return differ("distinct", order, [json.dumps(equal_numbers(row["c"]), sort_keys=True) for row in different]) or \
            differ("groups", [[mark, many[mark]] for mark in order],
                   [[json.dumps(equal_numbers(row["c"]), sort_keys=True), row["n"]] for row in groups])
    return texts, problem


def equal_numbers(value):
    """1.0 and 1 are equal, and so are 0.0 and -0.0; a large integer is a text of digits."""
    if isinstance(value, str) and value.lstrip("-").isdecimal():
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def sources(query, expression):
    """The same objects by their type, and by the sequence that has them all."""
    del query
    texts = [f"select id(it) as id, {expression} as c from {source}" for source in ("Main.Item", "root.all")]
    return texts, lambda a, b: differ("objects by type, and of root.all", bag(a), bag(b))


RULES = [partition, partition, partition_of_counts, reference, reference, counted, limited, short_way, short_way,
         sorted_short_way, distinct, sources]


def random_rule(query, rng):
    """The rule's name, texts, and what it says of their answers; None: it has nothing to say of this query."""
    rule = rng.choice(RULES)
    expression = query.generator.number()[0] if rng.random() < 0.6 else query.generator.text()[0]
    if rule is sources:
        if query.source.text not in ("root.all", "ada"):
            return None
        if "index" in expression:
            return None
    made = rule(query, expression)
    return made and (rule.__name__, *made)
