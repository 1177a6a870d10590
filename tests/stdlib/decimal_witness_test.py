"""Decimal against Python's decimal, on random values."""

import decimal
import re
from decimal import Decimal

import witness
from witness import Witness

COUNT = 200_000 if witness.LONG else 5_000
MOST = 2**63 - 1
ROUNDINGS = [decimal.ROUND_HALF_EVEN, decimal.ROUND_HALF_UP, decimal.ROUND_HALF_DOWN, decimal.ROUND_DOWN, decimal.ROUND_UP,
             decimal.ROUND_FLOOR, decimal.ROUND_CEILING]
decimal.getcontext().prec = 200


def value(units: int, scale: int) -> Decimal:
    return Decimal(units).scaleb(-scale)


def result(exact: Decimal, scale: int, rounding: str):
    """Units and scale of the exact value, rounded."""
    units = int(exact.scaleb(scale).to_integral_value(rounding))
    return [b"%d" % units, b"%d" % scale] if abs(units) <= MOST else ValueError


class DecimalTest(Witness):
    def units(self) -> int:
        r = self.random
        return r.choice([0, 1, -1, 5, -5, 25, MOST, -MOST, r.randrange(-200, 200), r.randrange(-10**6, 10**6) * 50,
                         r.randrange(-MOST, MOST + 1), r.randrange(-10**r.randrange(1, 19), 10**r.randrange(1, 19))])

    def operands(self) -> tuple:
        return self.units(), self.random.choice([0, 1, 2, 2, 4, 9, 18, self.random.randrange(19)])

    def test_exact_operations(self):
        questions, expected = [], []
        for _ in range(COUNT):
            a, b = self.operands(), self.operands()
            x, y = value(*a), value(*b)
            scale = max(a[1], b[1])
            for operation, exact in (("add", x + y), ("subtract", x - y)):
                questions.append(("decimals." + operation, *a, *b))
                # Either number may be too large at the scale of the result.
                aligned = all(abs(z.scaleb(scale)) <= MOST for z in (x, y))
                expected.append(result(exact, scale, decimal.ROUND_DOWN) if aligned else ValueError)
            questions.append(("decimals.multiply", *a, *b))
            expected.append(result(x * y, a[1] + b[1], decimal.ROUND_DOWN) if a[1] + b[1] <= 18 else ValueError)
        self.compare(questions, expected)

    def test_rounded_operations(self):
        questions, expected = [], []
        for _ in range(COUNT):
            a, b, scale = self.operands(), self.operands(), self.random.randrange(19)
            rounding = self.random.randrange(len(ROUNDINGS))
            x, y = value(*a), value(*b)
            questions.append(("decimals.times", *a, *b, scale, rounding))
            expected.append(result(x * y, scale, ROUNDINGS[rounding]))
            questions.append(("decimals.round", *a, *b, scale, rounding))
            expected.append(result(x, scale, ROUNDINGS[rounding]))
            questions.append(("decimals.divide", *a, *b, scale, rounding))
            expected.append(result(x / y, scale, ROUNDINGS[rounding]) if y else ValueError)
        self.compare(questions, expected)

    def test_order_and_hash(self):
        questions = [("decimals.compare", *self.operands(), *self.operands()) for _ in range(COUNT)]
        for i in range(0, COUNT, 3):  # equal ones
            units, scale = self.random.randrange(-10**9, 10**9), self.random.randrange(10)
            more = self.random.randrange(9)
            questions[i] = ("decimals.compare", units, scale, units * 10**more, scale + more)
        for question, answer in zip(questions, self.ask(questions)):
            x, y = value(*question[1:3]), value(*question[3:5])
            self.assertEqual(int(answer[0]), (x > y) - (x < y), question)
            self.assertEqual(answer[1], b"%d" % (x == y), question)
            self.assertGreaterEqual(answer[2], answer[1], question)
            self.assertEqual(float(answer[3]), float(x), question)

    def test_texts(self):
        questions, expected = [], []
        for _ in range(COUNT):
            units, scale = self.operands()
            thousands, point = self.random.choice([("", "."), (",", "."), (".", ","), ("'", ".")])
            t = "{:,f}".format(value(units, scale)) if thousands else "{:f}".format(value(units, scale))
            t = t.replace(",", "T").replace(".", "P").replace("T", thousands).replace("P", point)
            for _ in range(self.random.choice([0, 0, 1, 2])):
                at = self.random.randrange(len(t) + 1)
                t = t[:at] + self.random.choice(["", "0", "7", ".", ",", "-", "+"]) + t[at + self.random.randrange(2):]
            questions.append(("decimals.parse", t, thousands, point))
            expected.append(parsed(t, thousands, point))
        self.compare(questions, expected)

    def test_shares(self):
        questions = []
        for _ in range(COUNT // 2):
            weights = [self.random.choice([0, 1, 1, 2, 3, 7, self.random.randrange(10**12)])
                       for _ in range(self.random.randrange(1, 6))]
            questions.append(("decimals.share", self.units(), *weights))
        for question, answer in zip(questions, self.ask(questions)):
            units, weights = question[1], question[2:]
            if not any(weights):
                self.assertIsInstance(answer, witness.Failed)
                continue
            shares = list(map(int, answer))
            self.assertEqual(sum(shares), units, question)
            for share, weight in zip(shares, weights):
                self.assertLess(abs(share * sum(weights) - units * weight), sum(weights), question)


def parsed(t: str, thousands: str, point: str):
    whole = r"\d+" if not thousands else r"(?:\d+|\d{1,3}(?:%s\d{3})+)" % re.escape(thousands)
    if not re.fullmatch(r"[+-]?%s(?:%s\d+)?" % (whole, re.escape(point)), t):
        return ValueError
    plain = t.replace(thousands, "").replace(point, ".") if thousands else t.replace(point, ".")
    scale = len(plain.partition(".")[2])
    units = int(Decimal(plain).scaleb(scale))
    if scale > 18 or abs(units) > MOST:
        return ValueError
    # Python keeps the sign of a negative zero.
    number = abs(value(units, scale)) if units == 0 else value(units, scale)
    return [b"%d" % units, b"%d" % scale, "{:f}".format(number).encode(), "{:,f}".format(number).encode()]
