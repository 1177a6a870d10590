"""Fmt and Scan on random REAL and LONGREAL values, compared with Python's floats and fractions.
The seed is printed when a value differs; TENURE_LONG makes a million values of it.

A text is right if it reads back as the value (in exact arithmetic, to even at ties) and no shorter
text does, or if it has these digits, or the value correctly rounded to fewer digits. A result of
Scan is right if no other value of the type is nearer.
"""

import decimal
import fractions
import math
import os
import random
import struct
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
FAST_VALUES = 4000
LONG_VALUES = 1_000_000

# Reads lines "KIND DATA". d, f: the bits of a LONGREAL or REAL in hexadecimal; prints it by style
# Auto, Sci and Fix. D, F: a text that is scanned; prints the bits.
PROGRAM = """
UNSAFE MODULE Main;
IMPORT FloatMode, Fmt, Lex, Rd, Scan, Stdio, Text, Thread, Word, Wr;
<*FATAL Lex.Error, Rd.Failure, Wr.Failure, Thread.Alerted*>
VAR line, data: TEXT;  bits: INTEGER;  x: LONGREAL;  y: REAL;  out := Stdio.stdout;
PROCEDURE Put(a, b, c: TEXT) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutText(out, a & " " & b & " " & c & "\\n");
  END Put;
<*FATAL FloatMode.Trap*>
BEGIN
  TRY
    LOOP
      line := Rd.GetLine(Stdio.stdin);
      data := Text.Sub(line, 2);
      CASE Text.GetChar(line, 0) OF
      | 'd' =>
        bits := Scan.Unsigned(data, 16);
        x := LOOPHOLE(bits, LONGREAL);
        Put(Fmt.LongReal(x), Fmt.LongReal(x, Fmt.Style.Sci, 5), Fmt.LongReal(x, Fmt.Style.Fix, 3));
      | 'f' =>
        y := LOOPHOLE(VAL(Scan.Int(data), Int32), REAL);
        Put(Fmt.Real(y), Fmt.Real(y, Fmt.Style.Sci, 3), Fmt.Real(y, Fmt.Style.Fix, 3));
      | 'D' =>
        TRY
          x := Scan.LongReal(data);
          Wr.PutText(out, Fmt.Unsigned(LOOPHOLE(x, INTEGER)) & "\\n");
        EXCEPT FloatMode.Trap => Wr.PutText(out, "trap\\n") END;
      | 'F' =>
        TRY
          y := Scan.Real(data);
          Wr.PutText(out, Fmt.Unsigned(Word.And(LOOPHOLE(y, Int32), 16_ffffffff)) & "\\n");
        EXCEPT FloatMode.Trap => Wr.PutText(out, "trap\\n") END;
      ELSE <*ASSERT FALSE*>
      END;
    END;
  EXCEPT Rd.EndOfFile => END;
END Main.
""".replace("VAR line", "TYPE Int32 = BITS 32 FOR [-16_80000000 .. 16_7fffffff];\nVAR line", 1)


class Format:
    """An IEEE format: its values by their bits (without the sign)."""

    def __init__(self, pack: str, bits: int, fraction_bits: int):
        self.unsigned, self.real = pack
        self.bits, self.fraction_bits = bits, fraction_bits
        self.infinity = ((1 << (bits - 1 - fraction_bits)) - 1) << fraction_bits

    def value(self, bits: int) -> float:
        return struct.unpack("<" + self.real, struct.pack("<" + self.unsigned, bits))[0]

    def exact(self, bits: int) -> fractions.Fraction:
        """The exact value of a magnitude; infinity counts as the next power
        of two."""
        exponent, fraction = bits >> self.fraction_bits, bits & ((1 << self.fraction_bits) - 1)
        bias = (1 << (self.bits - 2 - self.fraction_bits)) - 1
        if exponent:
            fraction += 1 << self.fraction_bits
        return fraction * fractions.Fraction(2) ** (max(exponent, 1) - bias - self.fraction_bits)

    def reads_back(self, number: fractions.Fraction, bits: int) -> bool:
        """Whether a non-negative number rounds to the magnitude `bits`."""
        high = (self.exact(bits) + self.exact(bits + 1)) / 2
        low = (self.exact(bits) + self.exact(bits - 1)) / 2 if bits else fractions.Fraction(0)
        return low <= number <= high if bits % 2 == 0 else low < number < high


DOUBLE = Format("Qd", 64, 52)
SINGLE = Format("If", 32, 23)


def digits_of(text: str) -> str:
    return text.lower().split("e")[0].replace(".", "").replace("-", "").strip("0")


def with_digits(shortest: str, value: float, style: str) -> str:
    """The shortest digits with zeros behind them; if there is no room for all of them, C's own
    rounding of the exact value. Only the width of the exponent differs from C's."""
    if value == 0:
        return format(value, style)  # a Decimal's zero has an exponent
    padded = format(decimal.Decimal(shortest), style)
    return padded if decimal.Decimal(padded) == decimal.Decimal(shortest) else format(value, style)


class NumberTextsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists(TENURE):
            raise unittest.SkipTest(f"{TENURE} has not been built")
        cls.directory = tempfile.TemporaryDirectory(prefix="number_texts-")
        package = cls.directory.name
        with open(os.path.join(package, "Main.m3"), "w", encoding="latin-1") as file:
            file.write(PROGRAM)
        cls.program = os.path.join(package, "program")
        built = subprocess.run([TENURE, "build", package, "-o", cls.program],
                               capture_output=True, text=True)
        if built.returncode:
            raise AssertionError(built.stdout + built.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def setUp(self):
        self.count = LONG_VALUES if os.environ.get("TENURE_LONG") else FAST_VALUES
        self.seed = random.randrange(10**9)
        self.random = random.Random(self.seed)

    def answers(self, lines):
        result = subprocess.run([self.program], input="\n".join(lines) + "\n",
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        answers = result.stdout.splitlines()
        self.assertEqual(len(answers), len(lines))
        return answers

    def bits(self, of: Format) -> int:
        """The bits of a finite value: mostly random bits, some small integers and
        decimals."""
        if self.random.random() < 0.2:
            value = self.random.randrange(10**6) / 10**self.random.randrange(6)
            bits = struct.unpack("<" + of.unsigned, struct.pack("<" + of.real, value))[0]
        else:
            bits = self.random.randrange(of.infinity)
        return bits

    def check_format(self, of: Format, kind: str):
        values = [(self.bits(of), self.random.random() < 0.5) for _ in range(self.count)]
        values += [(0, False), (0, True)]
        lines = []
        for bits, negative in values:
            signed = bits | (1 << (of.bits - 1)) if negative else bits
            if kind == "f":
                signed = signed - (1 << 32) if negative else signed
                lines.append(f"f {signed}")
            else:
                lines.append(f"d {signed:x}")
        for (bits, negative), answer in zip(values, self.answers(lines)):
            auto, scientific, fixed = answer.split(" ")
            value = -of.value(bits) if negative else of.value(bits)
            where = f"seed {self.seed}, {lines[0][0]} {bits:x}: {answer}"
            number = fractions.Fraction(auto)
            self.assertEqual(auto.startswith("-"), math.copysign(1, value) < 0, where)
            self.assertTrue(of.reads_back(abs(number), bits), where)
            count = len(digits_of(auto))
            if kind == "d":
                self.assertEqual(digits_of(auto), digits_of(repr(value)), where)
            elif count > 1:
                shorter = fractions.Fraction(f"{abs(value):.{count - 2}e}")
                self.assertFalse(of.reads_back(shorter, bits), where)
            precision = 5 if kind == "d" else 3
            mantissa, _, exponent = with_digits(auto, value, f".{precision}e").partition("e")
            ours, _, our_exponent = scientific.partition("e")
            self.assertEqual((ours, int(our_exponent)), (mantissa, int(exponent)), where)
            self.assertEqual(fixed, with_digits(auto, value, ".3f"), where)

    def test_longreals_as_texts(self):
        self.check_format(DOUBLE, "d")

    def test_reals_as_texts(self):
        self.check_format(SINGLE, "f")

    def text(self, of: Format) -> str:
        """A number: random digits, or a value's neighbourhood as far as a tie."""
        if self.random.random() < 0.5:
            digits = str(self.random.randrange(10 ** self.random.randrange(1, 25)))
            point = self.random.randrange(len(digits) + 1)
            limit = 330 if of is DOUBLE else 50
            exponent = self.random.randrange(-limit, limit)
            # A text begins or ends with its point, has one inside, or has none.
            return f"{digits[:point]}.{digits[point:]}e{exponent}"
        bits = self.bits(of)
        tie = (of.exact(bits) + of.exact(bits + 1)) / 2
        if tie.denominator.bit_length() > 200 or tie.numerator.bit_length() > 200:
            return f"{of.value(bits):.{self.random.randrange(6, 20)}e}"
        # The denominator is a power of two: the tie has a finite number of decimals.
        places = tie.denominator.bit_length() - 1
        digits = str(tie.numerator * 5**places)
        nudge = self.random.choice(["", "0000000000000001", "000"])
        return f"{digits}{nudge}e{-places - len(nudge)}"

    def check_scan(self, of: Format, kind: str):
        texts = [self.text(of) for _ in range(self.count)]
        for text, answer in zip(texts, self.answers([f"{kind} {t}" for t in texts])):
            where = f"seed {self.seed}, {text}: {answer}"
            number = fractions.Fraction(text if not text.startswith(".") else "0" + text)
            if answer == "trap":
                self.assertGreaterEqual(
                    number, (of.exact(of.infinity) + of.exact(of.infinity - 1)) / 2, where)
            else:
                self.assertLess(int(answer, 16), of.infinity, where)
                self.assertTrue(of.reads_back(number, int(answer, 16)), where)

    def test_texts_as_longreals(self):
        self.check_scan(DOUBLE, "D")

    def test_texts_as_reals(self):
        self.check_scan(SINGLE, "F")


if __name__ == "__main__":
    unittest.main()
