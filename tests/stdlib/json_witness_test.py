"""Json, JsonReader and JsonWriter against Python's json, on random documents and on mutated ones."""

import decimal
import json
import math
import re

import witness
from witness import Witness

COUNT = 3_000_000 if witness.LONG else 110_000
BATCH = 50_000
decimal.getcontext().prec = 2000
decimal.getcontext().Emax = decimal.MAX_EMAX
decimal.getcontext().Emin = decimal.MIN_EMIN

PIECES = [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"0", b"1", b"-", b"+", b".", b"e", b"E9", b"true", b"fals",
          b"null", b"NaN", b" ", b"\n", b"\t", b"\r", b"\x0c", b"\0", b"\x1f", b"\x7f", b"\\u", b"\\ud800", b"\\udc00",
          b"\\u0041", b"\\x", b"\xff", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xc0\x80", b"\xef\xbb\xbf", b"/",
          b"'", b"\xf4\x90\x80\x80", b"\xe2\x82", b'"a":1,']


class Number(str):
    """A number as it is written."""


class Pairs(list):
    """The members of an object."""


def refuse(_name):
    raise ValueError


def parsed(document: bytes, many: bool = False):
    """What Python makes of a document, with numbers as they are written and objects as pairs; of several, a list."""
    text = document.decode("utf-8").removeprefix("\ufeff")
    decoder = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=Pairs)
    found, at = [], 0
    while True:
        at += len(text[at:]) - len(text[at:].lstrip(" \t\n\r"))
        if many and at == len(text):
            break
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        if many and isinstance(value, Number) and re.match(r"[0-9+.eE-]", text[at:]):
            raise ValueError
        if not many:
            if text[at:].strip(" \t\n\r"):
                raise ValueError
            break
    return found if many else found[0]


def written(value, indent: int = 0, level: int = 0) -> str:
    if isinstance(value, (list, Pairs)):
        brackets = "{}" if isinstance(value, Pairs) else "[]"
        colon = ": " if indent else ":"
        parts = [written(part[0]) + colon + written(part[1], indent, level + 1) if isinstance(value, Pairs)
                 else written(part, indent, level + 1) for part in value]
        if not indent or not parts:
            return brackets[0] + ",".join(parts) + brackets[1]
        line = "\n" + " " * indent * (level + 1)
        return brackets[0] + line + ("," + line).join(parts) + "\n" + " " * indent * level + brackets[1]
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def without_duplicates(value):
    """As a dictionary has them: the last value in the first one's place."""
    if isinstance(value, Pairs):
        return Pairs({name: without_duplicates(part) for name, part in value}.items())
    return [without_duplicates(part) for part in value] if isinstance(value, list) else value


def has_duplicates(value) -> bool:
    if isinstance(value, Pairs):
        return len(dict(value)) < len(value) or any(has_duplicates(part) for _, part in value)
    return isinstance(value, list) and any(has_duplicates(part) for part in value)


def depth_of(value) -> int:
    if isinstance(value, Pairs):
        value = [part for _, part in value]
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


class JsonTest(Witness):
    def number(self) -> str:
        r = self.random
        kind = r.randrange(4)
        if kind == 0:
            return str(r.randrange(-10**r.randrange(1, 25), 10**r.randrange(1, 25)))
        if kind == 1:
            return repr(r.uniform(-1, 1) * 10.0**r.randrange(-300, 300))
        return (r.choice(["", "-"]) + r.choice(["0", str(r.randrange(1, 10**6))])
                + r.choice(["", "." + "0" * r.randrange(3) + str(r.randrange(1000))])
                + r.choice(["", r.choice("eE") + r.choice(["", "+", "-"]) + str(r.randrange(10**r.randrange(1, 5)))]))

    def string(self) -> str:
        r = self.random
        return '"' + "".join(
            r.choice(["a", "b", " ", "/", "\\\\", '\\"', "\\/", "\\n", "\\b\\f\\r\\t", "\x7f", "\u00e9", "\u20ac",
                      "\U0001f600", "\\u%04x" % r.choice([0, 31, 65, 0xe9, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff]),
                      "\\uD83D\\uDe00", "\\u00E9", "abcdefghijklmnopqrstuvwxyz"])
            for _ in range(r.randrange(5))) + '"'

    def space(self) -> str:
        return self.random.choice(["", "", "", " ", "\n ", "\t", "\r\n"])

    def document(self, depth: int = 4) -> str:
        r = self.random
        kind = r.randrange(8 if depth else 4)
        if kind > 3:
            parts = [self.document(depth - 1) for _ in range(r.randrange(4) if r.randrange(20) else 12)]
            if kind > 5:
                name = '"%s"' % r.choice("abc")
                parts = [self.space() + (name if r.randrange(4) == 0 else self.string()) + self.space() + ":" + part
                         for part in parts]
            body = ",".join(parts) or self.space()
            return self.space() + ("{" + body + "}" if kind > 5 else "[" + body + "]") + self.space()
        return self.space() + [self.string, self.number, lambda: r.choice(["true", "false", "null"]),
                               self.string][kind]() + self.space()

    def mutated(self, document: bytes) -> bytes:
        r = self.random
        for _ in range(r.choice([0, 0, 1, 1, 1, 2, 4])):
            at = r.randrange(len(document) + 1)
            end = at + r.choice([0, 0, 1, 1, 2, r.randrange(10)])
            document = document[:at] + r.choice([b"", r.choice(PIECES), document[end:end + 5]]) + document[end:]
        return document

    def batches(self):
        for _ in range(0, COUNT, BATCH):
            yield [self.mutated(self.document().encode()) for _ in range(min(BATCH, COUNT))]

    def test_documents(self):
        accepted = refused = 0
        for documents in self.batches():
            questions, expected = [], []
            for document in documents:
                depth, duplicates = self.random.choice([512, 512, 3]), self.random.randrange(2)
                questions.append(("json.parse", document, self.random.choice([0, 1, 2, 5, 16]), depth, duplicates))
                try:
                    value = parsed(document)
                    written(value).encode()  # half of a surrogate pair is an error
                    if depth_of(value) > depth or duplicates and has_duplicates(value):
                        raise ValueError
                    value = without_duplicates(value)
                    expected.append([written(value).encode(), written(value, 2).encode()])
                    accepted += 1
                except (ValueError, RecursionError):
                    expected.append(ValueError)
                    refused += 1
            self.compare(questions, expected)
        self.assertGreater(accepted, COUNT // 5)
        self.assertGreater(refused, COUNT // 5)

    def test_events_of_several_documents(self):
        questions, expected = [], []
        for _ in range(COUNT // 10):
            document = self.mutated(" ".join(self.document(2) for _ in range(self.random.randrange(4))).encode())
            questions.append(("json.events", document, self.random.choice([0, 1, 3, 9])))
            try:
                values = parsed(document, many=True)
                if any(map(has_duplicates, values)):  # `value` drops them, events do not
                    raise KeyError
                expected.append(["\n".join(map(written, values)).encode()])
            except ValueError:
                expected.append(ValueError)
            except KeyError:
                questions.pop()
        self.compare(questions, expected)

    def test_numbers(self):
        numbers = [self.number() for _ in range(COUNT // 10)] + [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809", "1e18", "1e19",
            "10e17", "0e99999999999999999999999", "1e99999999999999999999999", "1e-99999999999999999999999",
            "9223372036854775807.000", "9223372036854775807.5", "-0", "0.0", "1.0", "100e-2", "101e-2"]
        expected = []
        for number in numbers:
            value = small = None
            digits, _, exponent = number.lower().partition("e")
            if abs(int(exponent or 0)) > 10**6:
                small = float(digits) == 0
                expected.append([b"0"] if small else ValueError)
                continue
            value = decimal.Decimal(number)
            fits = value == value.to_integral_value() and -2**63 <= value < 2**63
            expected.append([b"%d" % int(value)] if fits else ValueError)
        self.compare([("json.int", number) for number in numbers], expected)
        for number, answer in zip(numbers, self.ask([("json.real", number) for number in numbers])):
            if isinstance(answer, witness.Failed):
                self.assertTrue(math.isinf(float(number)), number)
            else:
                self.assertEqual(float(answer[0]), float(number), number)
                self.assertIsInstance(json.loads(answer[0]), (int, float), answer[0])

    def test_equality_of_numbers(self):
        pairs = []
        for _ in range(COUNT // 20):
            digits, exponent = self.random.randrange(-50, 50), self.random.randrange(-3, 4)
            pairs.append(("%de%d" % (digits, exponent), "%d.%de%d" % (digits // 10 if digits >= 0 else 0, abs(digits) % 10,
                                                                    exponent + self.random.randrange(3))))
        self.compare([("json.equal", a, b) for a, b in pairs],
                     [[b"%d" % (decimal.Decimal(a) == decimal.Decimal(b))] for a, b in pairs])

    def test_utf_8(self):
        texts = []
        for _ in range(COUNT // 10):
            text = "".join(chr(self.random.choice([65, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]))
                           for _ in range(self.random.randrange(5))).encode()
            texts.append(self.mutated(text))
        expected = []
        for text in texts:
            try:
                decoded = text.decode("utf-8")
                expected.append([b"%d" % len(decoded), text, json.dumps(decoded, ensure_ascii=False).encode()
                                 if any(ord(ch) > 255 for ch in decoded) else None])
            except UnicodeDecodeError:
                expected.append(ValueError)
        # A wide text without characters beyond CHAR is UTF-8 like any other, and often wrong.
        pairs = [(text, value) for text, value in zip(texts, expected) if value is ValueError or value[2] is not None]
        self.compare([("json.utf8", text) for text, _ in pairs], [value for _, value in pairs])

    def test_a_reader_stops_at_the_first_error_where_python_does(self):
        """The place in the message, for documents of ASCII in which something is missing or too much."""
        documents = ["[1,,2]", "[1 2]", '{"a" 1}', '{"a":1,}', "[1,]", '{a:1}', "nul", '\n\n  [\n 1,\n   x]', '"a\tb"', "",
                     "[1] 2", '{"a":1 "b":2}', '["a\\x"]']
        for document, answer in zip(documents, self.ask([("json.parse", d, 0, 512, 0) for d in documents])):
            with self.assertRaises(json.JSONDecodeError) as raised:
                json.loads(document)
            place = re.match(r"line (\d+), column (\d+): ", answer)
            self.assertIsNotNone(place, answer)
            # Python names the comma behind which nothing comes, and the quote of an escape.
            self.assertLessEqual(abs(int(place.group(2)) - raised.exception.colno), 1, (document, answer))
            self.assertEqual(int(place.group(1)), raised.exception.lineno, document)
