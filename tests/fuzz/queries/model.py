"""What the language of queries means (docs/looking.md), in Python: an evaluator of another kind."""

import fractions
import math

from queries.stores import Char, Element, Ref, Single


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def is_nan(x):
    return isinstance(x, float) and math.isnan(x)


def utf8(text):
    return text.encode("utf-8", "surrogatepass")


def canonical(value):
    """Equal for values that `=`, group by and distinct take as equal."""
    if isinstance(value, bool) or value is None:
        return ("truth", value)
    if is_number(value):
        return ("NaN",) if is_nan(value) else ("number", fractions.Fraction(value)) if math.isfinite(value) \
            else ("number", float(value))
    if isinstance(value, Element):
        return ("element", str(value))
    if isinstance(value, Ref):
        return ("ref", str(value))
    if isinstance(value, str):
        return ("text", str(value))
    if isinstance(value, frozenset):
        return ("set", frozenset(canonical(one) for one in value))
    # Within records and arrays numbers are the same by their digits.
    if isinstance(value, dict):
        return ("record", tuple((name, digits(part)) for name, part in value.items()))
    return ("array", tuple(digits(part) for part in value))


def digits(value):
    return ("real", repr(float(value))) if isinstance(value, float) else canonical(value)


def rank(value):
    """The order of one column, and of groups: NIL, values, NaN."""
    if value is None:
        return (0,)
    if isinstance(value, Element):
        return (1, value.place())
    if is_number(value):
        return (1, 1, 0) if is_nan(value) else (1, 0, value)
    if isinstance(value, str):
        return (1, utf8(value))
    return (1, value)


def compare(op, a, b):
    if op == "=":
        return not is_nan(a) and canonical(a) == canonical(b)
    if op == "#":
        return not compare("=", a, b)
    if a is None or b is None or is_nan(a) or is_nan(b):
        return False
    x, y = rank(a)[-1], rank(b)[-1]
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def contains(whole, part):
    """`part in whole`."""
    if whole is None:
        return None
    if isinstance(whole, str):
        return isinstance(part, str) and not isinstance(part, (Element, Ref)) and part in whole
    if isinstance(whole, dict):  # the keys of a table
        whole = list(whole)
    return any(compare("=", part, one) for one in whole)


def arithmetic(op, x, y):
    if x is None or y is None:
        return None
    as_real = isinstance(x, float) or isinstance(y, float)
    if op == "/" or (as_real and op not in ("div", "mod")):
        x, y = float(x), float(y)
        if op == "/":
            return None if y == 0 else x / y
        return {"+": x + y, "-": x - y, "*": x * y}[op]
    if y == 0 and op in ("div", "mod"):
        return None
    if as_real:
        x, y = float(x), float(y)
        quotient = x / y
        # The floor of -0.0 is -0.0.
        floor = float(math.floor(quotient)) if math.isfinite(quotient) and quotient != 0 else quotient
        return floor if op == "div" else x - y * floor
    result = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "div": lambda: x // y,
              "mod": lambda: x % y}[op]()
    return in_word(result)


def in_word(number):
    return number if -2**63 <= number < 2**63 else float(number)


def negative(x):
    if x is None:
        return None
    return -float(x) if isinstance(x, float) else in_word(-x)


def absolute(x):
    return None if x is None else abs(float(x)) if isinstance(x, float) else abs(x)


def rounded(x):
    if not isinstance(x, float):
        return x
    if not math.isfinite(x) or abs(x) >= 9e18:
        return float(x)
    return round(float(x))


def joined(values, deciding):
    """and, or: a condition without a value leaves the decision to the others."""
    if deciding in values:
        return deciding
    return None if None in values else not deciding


def negated(value):
    return None if value is None else not value


def ascii_case(name, text):
    if text is None:
        return None
    change = str.upper if name == "upper" else str.lower
    return "".join(change(c) if c.isascii() else c for c in text)


def like(text, pattern):
    if text is None or pattern is None:
        return None
    text, pattern = ascii_case("lower", text), ascii_case("lower", pattern)
    row = [True] + [False] * len(text)
    for p in pattern:
        if p == "%":
            for i in range(1, len(row)):
                row[i] = row[i] or row[i - 1]
        else:
            row = [False] + [row[i] and (p == "_" or p == text[i]) for i in range(len(text))]
    return row[-1]


def total(values):
    if any(isinstance(value, float) for value in values):
        try:
            if all(math.isfinite(value) for value in values):
                return float(sum(fractions.Fraction(value) for value in values))
        except OverflowError:
            return math.inf if sum(fractions.Fraction(value) for value in values) > 0 else -math.inf
        special = {float(value) for value in values if not math.isfinite(value) and not is_nan(value)}
        if any(is_nan(value) for value in values) or len(special) == 2:
            return math.nan
        return special.pop()
    return in_word(sum(values))


def average(values):
    if not values:
        return None
    whole = total([float(value) if isinstance(value, float) else value for value in values])
    return float(whole) / len(values)


# ---- how values are written

def as_json(value):
    """The value in a line of JSON."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2**53 else str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return float(value.shown) if isinstance(value, Single) else float(value)
    if isinstance(value, Ref):
        return {"ref": str(value)}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, frozenset):
        return [as_json(one) for one in sorted(value, key=rank)]
    if isinstance(value, dict):
        return {name: as_json(part) for name, part in value.items()}
    return [as_json(one) for one in value]


def same_json(got, value):
    want = as_json(value)
    if isinstance(value, Ref):
        return isinstance(got, dict) and got.get("ref") == want["ref"]
    if isinstance(value, dict):
        return isinstance(got, dict) and list(got) == list(value) and \
            all(same_json(got[name], part) for name, part in value.items())
    if isinstance(value, list):
        return isinstance(got, list) and len(got) == len(value) and all(map(same_json, got, value))
    if isinstance(want, float):
        return isinstance(got, (int, float)) and not isinstance(got, bool) and near(float(got), want)
    return type(got) is type(want) and got == want


def near(got, want):
    if is_nan(want) or is_nan(got):
        return is_nan(want) and is_nan(got)
    if want == 0:
        return got == 0 and math.copysign(1, got) == math.copysign(1, want)
    return got == want


def shown_real(text):
    return float(text.replace("Infinity", "inf"))


def in_language(value):
    """The value as the language writes it; None where this says nothing about it."""
    if value is None:
        return "NIL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int) or isinstance(value, Element):
        return str(value)
    if isinstance(value, str) and not isinstance(value, (Char, Ref)):
        plain = all(c.isprintable() and c not in '"\\' for c in value)
        return '"' + value + '"' if plain else None
    return None
