#!/usr/bin/env python3
"""Numbers as texts and texts as numbers: what Fmt, FmtBuf, Convert, Scan and Lex do with many values, compared with
arithmetic of another kind.

  number_texts.py [--values N] [--seed N] [--kind KIND] [--tenure PROGRAM]

A program of Modula-3, built with -O0 and with -O2, reads a line for each value and prints its texts, or the values of a text. Python says what is
right: repr and float for LONGREAL and EXTENDED (Gay's algorithms), exact integers for REAL's shortest digits, Python's
own formatting of the exact value for rounded digits, and a reading of the grammar in Lex.i3 for texts, with the
position where the reader stands afterwards. A difference prints the seed, the request, and both answers.
"""

import argparse
import itertools
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHUNK = 50_000  # requests that a program gets at a time
LEVELS = ("-O0", "-O2")

# A request is a letter, a number n, and data, with blanks between. The answer is fields with tabulators between.
PROGRAM = r"""
UNSAFE MODULE Main;
IMPORT Convert, ExtendedRep, FloatMode, Fmt, FmtBuf, Lex, LongRealRep, Rd, RealRep, Scan, Stdio, Text, TextRd, Thread, Wr;
FROM Fmt IMPORT Style;
<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted, Convert.Failed*>

VAR out := Stdio.stdout;  buffer: ARRAY [0..2047] OF CHAR;

PROCEDURE Put(t: TEXT) = BEGIN Wr.PutText(out, t); Wr.PutChar(out, '\t') END Put;
PROCEDURE PutBool(b: BOOLEAN) = BEGIN IF b THEN Put("yes") ELSE Put("no") END END PutBool;
PROCEDURE PutBuffer(n: CARDINAL) = BEGIN Put(Text.FromChars(SUBARRAY(buffer, 0, n))) END PutBuffer;
PROCEDURE IsInBuffer(t: TEXT; n: CARDINAL): BOOLEAN =
  BEGIN RETURN Text.Equal(t, Text.FromChars(SUBARRAY(buffer, 0, n))) END IsInBuffer;

PROCEDURE Integer(n: INTEGER; base: Fmt.Base) =
  VAR used: INTEGER;  long := VAL(n, LONGINT);  t := Fmt.Int(n, base);  u := Fmt.Unsigned(n, base);  size: CARDINAL;
  <*FATAL Lex.Error, FloatMode.Trap*>
  BEGIN
    Put(t);
    Put(u);
    PutBuffer(Convert.FromInt(buffer, n, base, TRUE));
    PutBuffer(Convert.FromUnsigned(buffer, n, base, TRUE));
    PutBool(Text.Equal(Fmt.LongInt(long, base), t) AND Text.Equal(Fmt.LongUnsigned(long, base), u)
            AND IsInBuffer(t, FmtBuf.Int(buffer, n, base)) AND IsInBuffer(u, FmtBuf.Unsigned(buffer, n, base))
            AND IsInBuffer(t, Convert.FromLongInt(buffer, long, base))
            AND IsInBuffer(u, Convert.FromLongUnsigned(buffer, long, base))
            AND IsInBuffer(t, Convert.FromInt(buffer, n, base)) AND IsInBuffer(u, Convert.FromUnsigned(buffer, n, base)));
    PutBool(Scan.Int(t, base) = n AND Scan.LongInt(t, base) = long AND Scan.Unsigned(u, base) = n
            AND Scan.LongUnsigned(u, base) = long);
    size := Convert.FromInt(buffer, n, base);
    PutBool(Convert.ToInt(SUBARRAY(buffer, 0, size), used, base) = n AND used = size);
    size := Convert.FromLongUnsigned(buffer, long, base);
    PutBool(Convert.ToUnsigned(SUBARRAY(buffer, 0, size), used, base) = n AND used = size
            AND Convert.ToLongUnsigned(SUBARRAY(buffer, 0, size), used, base) = long);
  END Integer;

PROCEDURE ScanInteger(t: TEXT; base: Fmt.Base) =
  VAR rd := TextRd.New(t);  used: INTEGER;  n: INTEGER;  chars := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN
    Text.SetChars(chars^, t);
    TRY Put(Fmt.Int(Scan.Int(t, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    TRY Put(Fmt.LongInt(Scan.LongInt(t, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    TRY Put(Fmt.Unsigned(Scan.Unsigned(t, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    TRY Put(Fmt.LongUnsigned(Scan.LongUnsigned(t, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    TRY Put(Fmt.Int(Lex.Int(rd, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    Put(Fmt.Int(Rd.Index(rd)));
    rd := TextRd.New(t);
    TRY Put(Fmt.Unsigned(Lex.Unsigned(rd, base))) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    Put(Fmt.Int(Rd.Index(rd)));
    n := Convert.ToInt(chars^, used, base);
    Put(Fmt.Int(n) & "/" & Fmt.Int(used));
    n := Convert.ToUnsigned(chars^, used, base);
    Put(Fmt.Unsigned(n) & "/" & Fmt.Int(used));
  END ScanInteger;
"""

FLOAT_PROCEDURES = r"""
PROCEDURE Same$N(a, b: $T): BOOLEAN =
  BEGIN RETURN $NRep.ToBits(a) = $NRep.ToBits(b) OR a # a AND b # b END Same$N;

PROCEDURE $N(x: $T; prec: CARDINAL) =
  VAR t: TEXT;
  PROCEDURE One(style: Style; prec: CARDINAL; literal: BOOLEAN) =
    BEGIN
      t := Fmt.$N(x, style, prec, literal);
      IF IsInBuffer(t, FmtBuf.$N(buffer, x, style, prec, literal)) THEN Put(t) ELSE Put(t & " unlike FmtBuf") END;
    END One;
  PROCEDURE Back(): BOOLEAN =
    <*FATAL Lex.Error, FloatMode.Trap*>
    BEGIN RETURN Same$N(Scan.$N(t), x) END Back;
  BEGIN
    t := Fmt.$N(x);
    Put(t);
    PutBool(Back());
    FOR style := FIRST(Style) TO LAST(Style) DO
      One(style, prec, FALSE);
      One(style, prec, TRUE);
    END;
    FOR style := FIRST(Convert.Style) TO LAST(Convert.Style) DO
      PutBuffer(Convert.From$C(buffer, x, prec, style));
    END;
    t := Fmt.$N(x, Style.Sci, prec + $D);
    PutBool(Back());
    t := Fmt.$N(x, Style.Auto, literal := TRUE);
    PutBool(Back());
    t := Fmt.$N(x, Style.Sci, $D, TRUE);
    PutBool(Back());
    t := Text.FromChars(SUBARRAY(buffer, 0, Convert.From$C(buffer, x, $D, Convert.Style.AltSci)));
    PutBool(Back());
  END $N;

PROCEDURE Scan$N(t: TEXT) =
  VAR rd := TextRd.New(t);  x: $T;  used: INTEGER;  chars := NEW(REF ARRAY OF CHAR, Text.Length(t));
  PROCEDURE PutBits(x: $T) =
    BEGIN
      IF x # x THEN Put("NaN") ELSE Put(Fmt.Unsigned($NRep.ToBits(x))) END;
    END PutBits;
  BEGIN
    Text.SetChars(chars^, t);
    TRY PutBits(Scan.$N(t)) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    TRY PutBits(Lex.$N(rd)) EXCEPT Lex.Error => Put("error") | FloatMode.Trap (f) => Put("trap" & Fmt.Int(ORD(f))) END;
    Put(Fmt.Int(Rd.Index(rd)));
    x := Convert.To$C(chars^, used);
    PutBits(x);
    Put(Fmt.Int(used));
  END Scan$N;
"""

MAIN = r"""
PROCEDURE Run() RAISES {Rd.EndOfFile} =
  <*FATAL Lex.Error, FloatMode.Trap*>
  VAR line, data: TEXT;  blank: INTEGER;  n: CARDINAL;
  BEGIN
    LOOP
      line := Rd.GetLine(Stdio.stdin);
      blank := Text.FindChar(line, ' ', 2);
      n := Scan.Int(Text.Sub(line, 2, blank - 2));
      data := Text.Sub(line, blank + 1);
      CASE Text.GetChar(line, 0) OF
      | 'f' => Real(RealRep.FromBits(Scan.Unsigned(data)), n);
      | 'd' => LongReal(LongRealRep.FromBits(Scan.Unsigned(data)), n);
      | 'x' => Extended(ExtendedRep.FromBits(Scan.Unsigned(data)), n);
      | 'i' => Integer(Scan.Int(data), n);
      | 'F' => ScanReal(data);
      | 'D' => ScanLongReal(data);
      | 'X' => ScanExtended(data);
      | 'I' => ScanInteger(data, n);
      ELSE <*ASSERT FALSE*>
      END;
      Wr.PutChar(out, '\n');
    END;
  END Run;

BEGIN
  TRY Run() EXCEPT Rd.EndOfFile => END;
END Main.
"""


def program_text() -> str:
    text = PROGRAM
    for name, type_name, convert, digits in (("Real", "REAL", "Float", 8), ("LongReal", "LONGREAL", "LongFloat", 16),
                                             ("Extended", "EXTENDED", "Extended", 16)):
        text += (FLOAT_PROCEDURES.replace("$NRep", name + "Rep").replace("$N", name).replace("$T", type_name)
                 .replace("$C", convert).replace("$D", str(digits)))
    return text + MAIN


# ---- formats of floating-point numbers

class Format:
    def __init__(self, letter, name, pack, bits, fraction_bits, exp_digits, literal, convert):
        self.letter, self.name, self.bits, self.fraction_bits = letter, name, bits, fraction_bits
        self.unsigned, self.real = pack
        self.exp_digits, self.literal, self.convert = exp_digits, literal, convert
        self.infinity = ((1 << (bits - 1 - fraction_bits)) - 1) << fraction_bits
        self.sign = 1 << (bits - 1)
        self.bias = (1 << (bits - 2 - fraction_bits)) - 1 + fraction_bits
        self.digits = 8 if bits == 32 else 16
        self.unit = {"REAL": "Real", "LONGREAL": "LongReal", "EXTENDED": "Extended"}[name] + "Rep"

    def value(self, bits):
        return struct.unpack("<" + self.real, struct.pack("<" + self.unsigned, bits))[0]

    def parts(self, magnitude):
        """The mantissa and the power of two of a finite magnitude."""
        exponent, fraction = magnitude >> self.fraction_bits, magnitude & ((1 << self.fraction_bits) - 1)
        if exponent:
            fraction |= 1 << self.fraction_bits
        return fraction, max(exponent, 1) - self.bias

    def shortest(self, magnitude):
        """Digits without zeros at the end, and the exponent of the first one."""
        if magnitude == 0:
            return "0", 0
        if self.bits == 64:
            mantissa, _, exponent = f"{self.value(magnitude)!r}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            digits = whole + ("" if fraction == "0" else fraction)
            first = len(digits) - len(digits.lstrip("0"))
            power = len(whole) - 1 - first + int(exponent or 0)
            return digits.strip("0"), power
        return self.shortest_by_integers(magnitude)

    def shortest_by_integers(self, magnitude):
        """The fewest digits whose number lies in the interval that is read as the value, and among them those nearest to
        the value: all in integers, with a factor of 4 so that the ends of the interval are whole."""
        fraction, power = self.parts(magnitude)
        middle = 4 * fraction
        # At a power of two the neighbour below is nearer, unless it is denormal.
        low = middle - (1 if fraction == 1 << self.fraction_bits and magnitude >> self.fraction_bits > 1 else 2)
        high = middle + 2
        even = fraction % 2 == 0
        power -= 2
        # The value is middle * 2^power; in tens: 10^exponent <= value.
        exponent = math.floor(math.log10(self.value(magnitude)))
        for count in range(1, 20):
            for first in (exponent + 1, exponent, exponent - 1):
                scale = first - count + 1
                # In units of 10^scale: numbers n / d.
                up, down = max(power, 0), max(-power, 0)
                n2, d2 = 2**up * 10**max(-scale, 0), 2**down * 10**max(scale, 0)
                best = None
                for candidate in range(middle * n2 // d2, middle * n2 // d2 + 2):
                    left, right = low * n2, high * n2
                    inside = left <= candidate * d2 <= right if even else left < candidate * d2 < right
                    if inside and 10**(count - 1) <= candidate < 10**count:
                        distance = abs(candidate * d2 - middle * n2)
                        if best is None or distance < best[0] or distance == best[0] and candidate % 2 == 0:
                            best = (distance, candidate)
                if best is not None:
                    return str(best[1]).rstrip("0"), first
        raise AssertionError("no digits")


REAL = Format("f", "REAL", ("I", "f"), 32, 23, 2, "e", "E")
LONGREAL = Format("d", "LONGREAL", ("Q", "d"), 64, 52, 3, "d", "D")
EXTENDED = Format("x", "EXTENDED", ("Q", "d"), 64, 52, 3, "x", "X")
FORMATS = {f.letter: f for f in (REAL, LONGREAL, EXTENDED)}


# ---- what Fmt and Convert should write

def rounded(magnitude_value, digits, exponent, prec):
    """The digits of Sci and Auto: the shortest ones, or the exact value rounded to prec + 1 of them."""
    if len(digits) <= prec + 1:
        return digits, exponent
    mantissa, _, power = format(magnitude_value, f".{prec}e").partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(power)


def auto_text(of, sign, digits, exponent, literal):
    if abs(exponent) >= 6:
        tail = digits[1:] or ("0" if literal else "")
        return f"{sign}{digits[0]}{'.' if tail else ''}{tail}{of.literal if literal else 'e'}{exponent}"
    if exponent < 0:
        text = "0." + "0" * (-exponent - 1) + digits
    elif len(digits) <= exponent + 1:
        text = digits + "0" * (exponent + 1 - len(digits)) + (".0" if literal else "")
    else:
        text = digits[:exponent + 1] + "." + digits[exponent + 1:]
    return sign + text + (of.literal + "0" if literal and of.literal != "e" else "")


def scientific_text(of, sign, digits, exponent, prec, literal):
    prec = max(prec, 1) if literal else prec
    mantissa = digits[0] + ("." + (digits[1:] + "0" * prec)[:prec] if prec else "")
    letter = of.literal if literal else "e"
    return f"{sign or ' '}{mantissa}{letter}{'-' if exponent < 0 else '+'}{abs(exponent):0{of.exp_digits}}"


def fixed_text(of, sign, magnitude_value, digits, exponent, prec, literal):
    if len(digits) - 1 - exponent <= prec:
        whole = digits[:exponent + 1] + "0" * (exponent + 1 - len(digits)) if exponent >= 0 else "0"
        tail = ("0" * (-exponent - 1) + digits if exponent < 0 else digits[exponent + 1:])
        text = whole + ("." + tail + "0" * (prec - len(tail)) if prec else "")
    else:
        text = format(magnitude_value, f".{prec}f")
    if literal:
        text += (".0" if prec == 0 else "") + (of.literal + "0" if of.literal != "e" else "")
    return sign + text


def without_zeros(text):
    return text.rstrip("0") if "." in text else text


def convert_texts(of, fixed, scientific):
    mantissa, _, exponent = scientific.strip().partition("e")
    exponent = of.convert + str(int(exponent))
    mix = [without_zeros(t).rstrip(".") for t in (fixed, mantissa)]
    mix = mix[1] + exponent if len(mix[1] + exponent) < len(mix[0]) else mix[0]
    return [fixed, without_zeros(fixed), mantissa + exponent, without_zeros(mantissa) + exponent, mix]


def format_answer(of, bits, prec):
    sign, magnitude = "-" if bits & of.sign else "", bits & ~of.sign
    if magnitude >= of.infinity:
        text = "NaN" if magnitude > of.infinity else sign + "Infinity"
        return [text, "yes"] + [text] * 11 + ["yes"] * 4
    value = of.value(magnitude)
    digits, exponent = of.shortest(magnitude)
    short = rounded(value, digits, exponent, prec)
    fixed = fixed_text(of, sign, value, digits, exponent, prec, False)
    scientific = scientific_text(of, sign, *short, prec, False)
    return [auto_text(of, sign, digits, exponent, False), "yes",
            scientific, scientific_text(of, sign, *short, prec, True),
            fixed, fixed_text(of, sign, value, digits, exponent, prec, True),
            auto_text(of, sign, *short, False), auto_text(of, sign, *short, True),
            *convert_texts(of, fixed, scientific)] + ["yes"] * 4


def digits_in(base, n):
    if base == 10:
        return str(n)
    if base in (2, 8, 16):
        return format(n, {2: "b", 8: "o", 16: "x"}[base])
    out = ""
    while True:
        n, digit = divmod(n, base)
        out = "0123456789abcdef"[digit] + out
        if n == 0:
            return out


def integer_answer(n, base):
    word = n % 2**64
    sign, magnitude, unsigned = "-" if n < 0 else "", digits_in(base, abs(n)), digits_in(base, word)
    return [sign + magnitude, unsigned, f"{sign}{base}_{magnitude}", f"{base}_{unsigned}"] + ["yes"] * 4


# ---- what Lex, Scan and Convert should read: the grammar of Lex.i3

BLANKS = " \t\n\r\v\f"
kOverflow, kIntOverflow = "trap2", "trap5"


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        return self.text[self.at:self.at + 1]

    def take(self, characters):
        c = self.peek()
        if c and c in characters:
            self.at += 1
            return c
        return ""

    def all_of(self, characters):
        begin = self.at
        while self.take(characters):
            pass
        return self.text[begin:self.at]

    def word(self, upper):
        """Whether the word is there; takes what agrees."""
        return all(self.take(c + c.lower()) for c in upper)


def digit_of(c):
    return "0123456789abcdef".find(c.lower()) if c else -1


def lex_integer(reader, base, signed):
    """The value of a number without limits, or error."""
    reader.all_of(BLANKS)
    sign = reader.take("+-") if signed else ""

    def digits(base):
        taken = reader.all_of("0123456789" if base <= 10 else "0123456789abcdefABCDEF"[:base] + "ABCDEF"[:base - 10])
        return taken

    taken = digits(base)
    if taken.isdigit() and reader.peek() == "_" and 2 <= int(taken) <= 16:
        reader.take("_")
        base = int(taken)
        taken = digits(base)
    if not taken or any(digit_of(c) >= base for c in taken):
        return "error"
    value = 0
    value = int(taken, base)
    return -value if sign == "-" else value


def integer_result(value, unsigned):
    if value == "error":
        return value
    if unsigned:
        return format(value, "x") if value < 2**64 else kIntOverflow
    return str(value) if -2**63 <= value < 2**63 else kIntOverflow


def convert_integer(text, base, signed):
    """Convert.ToInt and ToUnsigned: the value and the number of characters."""
    at = 1 if signed and text[:1] in ("+", "-") else 0

    def digits(at, base):
        end = at
        while end < len(text) and 0 <= digit_of(text[end]) < base:
            end += 1
        return text[at:end]

    taken = digits(at, 10)
    end, value = at + len(taken), None
    if taken and int(taken) in range(2, 17) and text[end:end + 1] == "_":
        other = digits(end + 1, int(taken))
        if other:
            value, end = int(other, int(taken)), end + 1 + len(other)
    if value is None:
        taken = digits(at, base)
        if not taken:
            return 0, 0
        value, end = int(taken, base), at + len(taken)
    if not signed:
        return (value, end) if value < 2**64 else (0, 0)
    value = -value if text[0] == "-" else value
    return (value, end) if -2**63 <= value < 2**63 else (0, 0)


def scan_integer_answer(text, base):
    signed, unsigned = Reader(text), Reader(text)
    results = [integer_result(lex_integer(signed, base, True), False),
               integer_result(lex_integer(unsigned, base, False), True)]
    scanned = [result if result.startswith(("error", "trap")) or not reader.text[reader.at:].strip(BLANKS) else "error"
               for result, reader in zip(results, (signed, unsigned))]
    to_int, to_unsigned = convert_integer(text, base, True), convert_integer(text, base, False)
    return [scanned[0], scanned[0], scanned[1], scanned[1], results[0], str(signed.at), results[1], str(unsigned.at),
            f"{to_int[0]}/{to_int[1]}", f"{to_unsigned[0]:x}/{to_unsigned[1]}"]


def nearest(of, text):
    """The bits of the number in C's spelling, to the nearest, to even at ties."""
    value = float(text)
    if of.bits == 64:
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    sign = of.sign if text.startswith("-") else 0
    magnitude = abs(value)
    if magnitude >= 3.4028235677973366e38:  # halfway to the next power
        exact = compare_exactly(text, 2**25 - 1, 103)
        return sign | (of.infinity if exact >= 0 else of.infinity - 1)
    low = struct.unpack("<I", struct.pack("<f", magnitude))[0]
    # Rounding twice is wrong only if the LONGREAL is a tie of two REALs, or next to a power of two below them.
    near = of.value(low)
    if near == magnitude and "e" not in text and len(text) < 16:
        return sign | low
    candidates = [b for b in (low - 1, low, low + 1) if 0 <= b < of.infinity]
    for first, second in zip(candidates, candidates[1:]):
        (m1, p1), (m2, p2) = of.parts(first), of.parts(second)
        if (m1 * 2.0**p1 + m2 * 2.0**p2) / 2 == magnitude:
            power = min(p1, p2)
            order = compare_exactly(text, (m1 << (p1 - power)) + (m2 << (p2 - power)), power - 1)
            if order < 0 or order == 0 and first % 2 == 0:
                return sign | first
            return sign | second
    return sign | low


def compare_exactly(text, mantissa, power):
    """The order of the number's magnitude and mantissa * 2^power."""
    number, _, exponent = text.lstrip("+-").partition("e")
    whole, _, fraction = number.partition(".")
    digits, ten = int(whole + fraction or "0"), int(exponent or 0) - len(fraction)
    if digits == 0:
        return -1
    if abs(ten) > 5000:
        return 1 if ten > 0 else -1
    left = digits * 10**max(ten, 0) * 2**max(-power, 0)
    right = mantissa * 10**max(-ten, 0) * 2**max(power, 0)
    return (left > right) - (left < right)


def lex_float(of, reader):
    """Bits in hexadecimal, NaN, error or a trap."""
    reader.all_of(BLANKS)
    sign = reader.take("+-")
    if reader.peek() in ("i", "I"):
        if not reader.word("INF") or reader.peek() in ("i", "I") and not reader.word("INITY"):
            return "error"
        return format(of.infinity | (of.sign if sign == "-" else 0), "x")
    if reader.peek() in ("n", "N"):
        return "NaN" if reader.word("NAN") else "error"
    whole = reader.all_of("0123456789")
    fraction = reader.all_of("0123456789") if reader.take(".") else ""
    if not whole + fraction:
        return "error"
    exponent = "0"
    if reader.take("eEdDxX"):
        exponent_sign, exponent = reader.take("+-"), reader.all_of("0123456789")
        if not exponent:
            return "error"
        exponent = exponent_sign + exponent
    bits = nearest(of, f"{sign}{whole or '0'}.{fraction or '0'}e{exponent}")
    return kOverflow if bits & ~of.sign == of.infinity else format(bits, "x")


def convert_float(of, text):
    """Convert.ToFloat: the bits and the number of characters."""
    reader = Reader(text)
    sign = reader.take("+-")
    whole = reader.all_of("0123456789")
    fraction = ""
    if reader.peek() == "." and (whole or reader.text[reader.at + 1:reader.at + 2].isdigit()):
        reader.take(".")
        fraction = reader.all_of("0123456789")
    if not whole + fraction:
        return "0", "0"
    end, exponent = reader.at, "0"
    if reader.take("eEdDxX"):
        exponent_sign, taken = reader.take("+-"), reader.all_of("0123456789")
        if taken:
            end, exponent = reader.at, exponent_sign + taken
    bits = nearest(of, f"{sign}{whole or '0'}.{fraction or '0'}e{exponent}")
    return format(bits, "x"), str(end)


def scan_float_answer(of, text):
    reader = Reader(text)
    result = lex_float(of, reader)
    whole = result if result in ("error", kOverflow) or not text[reader.at:].strip(BLANKS) else "error"
    return [whole, result, str(reader.at), *convert_float(of, text)]


# ---- random values and texts

class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def prec(self, of, bits):
        r = self.random
        if bits & ~of.sign < of.infinity and r.random() < 0.3:  # about as many digits or places as the number has
            digits, exponent = of.shortest(bits & ~of.sign)
            return max(0, len(digits) - 1 - r.choice([0, exponent]) + r.randrange(-1, 2))
        return r.choice([r.randrange(9), r.randrange(26), r.randrange(26), 50, 101, 300])

    def bits(self, of):
        r = self.random
        how = r.randrange(20)
        if how < 10:
            magnitude = r.randrange(of.infinity)
        elif how < 13:  # near a power of two
            magnitude = max(0, (r.randrange(of.infinity >> of.fraction_bits) << of.fraction_bits) + r.randrange(-2, 3))
        elif how < 17:  # short decimals
            value = r.randrange(10**r.randrange(1, 9)) / 10**r.randrange(9)
            magnitude = struct.unpack("<" + of.unsigned, struct.pack("<" + of.real, value))[0]
        elif how < 18:  # near a power of ten, where rounding carries
            value = float(f"9.9999999999999e{r.randrange(-30, 30)}") if r.random() < 0.5 else 10.0**r.randrange(-30, 30)
            magnitude = struct.unpack("<" + of.unsigned, struct.pack("<" + of.real, value))[0] + r.randrange(-2, 3)
        elif how < 19:  # a tie when it is rounded to few digits
            value = (2 * r.randrange(10**r.randrange(1, 6)) + 1) / 2**r.randrange(1, 12)
            magnitude = struct.unpack("<" + of.unsigned, struct.pack("<" + of.real, value))[0]
        else:
            magnitude = r.choice([0, 1, 2, of.infinity - 1, of.infinity, of.infinity + 1, (1 << of.fraction_bits) - 1,
                                  1 << of.fraction_bits])
        return magnitude | (of.sign if r.random() < 0.5 else 0)

    def integer(self):
        r = self.random
        how = r.randrange(10)
        if how < 4:
            n = r.randrange(-2**63, 2**63)
        elif how < 8:
            n = r.choice([-1, 1]) * r.randrange(2**r.randrange(1, 63))
        else:
            n = r.choice([0, -2**63, 2**63 - 1, 10**r.randrange(19), 16**r.randrange(15)]) + r.randrange(-1, 2)
        return max(-2**63, min(2**63 - 1, n))

    def spoilt(self, text):
        """Sometimes a character more, fewer or another one."""
        r = self.random
        if r.random() < 0.15:
            at = r.randrange(len(text) + 1)
            text = text[:at] + r.choice("0159afgx_.+-eE dDXlLiInN\f\v") + text[at + r.randrange(2):]
        if r.random() < 0.2:
            text = r.choice(["", " ", "  ", "\v"]) + text + r.choice(["", " ", "\f ", "x", " 1", "."])
        return text

    def integer_text(self):
        r = self.random
        base = r.choice([10, 10, 16, 2, 8, r.randrange(2, 17)])
        how = r.randrange(20)
        n = self.integer() if how < 14 else r.choice([-1, 1]) * (r.choice([2**63, 2**64, 2**63 // base, 2**64 // base, 2**70,
                                                                           10**19]) + r.randrange(-3, 4))
        text = digits_in(base, abs(n))
        if r.random() < 0.2:
            text = "0" * r.randrange(1, 80) + text
        if r.random() < 0.3:
            text = text.upper()
        if r.random() < 0.3:
            text, base = f"{base}_{text}", r.choice([10, 16, r.randrange(2, 17)])
        return self.spoilt(("-" if n < 0 else r.choice(["", "", "+"])) + text), base

    def float_text(self, of):
        r = self.random
        how = r.randrange(20)
        if how == 0:
            text = r.choice(["inf", "Infinity", "NAN", "INFI", "-INF", "+infinity", "nano", "na", "."])
        elif how < 9:
            digits = str(r.randrange(10**r.randrange(1, 25)))
            point = r.randrange(len(digits) + 1)
            limit = 340 if of.bits == 64 else 55
            text = digits[:point] + r.choice([".", ".", ""]) + digits[point:]
            if r.random() < 0.8:
                text += r.choice("eEdDxX") + r.choice(["", "+"]) + str(r.randrange(-limit, limit))
            text = r.choice(["", "-", "+", ""]) + text
        else:
            magnitude = min(self.bits(of) & ~of.sign, of.infinity - 2)
            fraction, power = of.parts(magnitude)
            upper, upper_power = of.parts(magnitude + 1)
            least = min(power, upper_power)
            tie, power = (fraction << (power - least)) + (upper << (upper_power - least)), least - 1
            if how < 15 or abs(power) > 250:  # the value itself, or some digits of it
                text = format(of.value(magnitude), f".{r.randrange(1, 25)}e")
            else:  # halfway between two values, or next to that
                digits = str(tie * 2**power) if power >= 0 else str(tie * 5**-power)
                nudge = r.choice(["", "", "0000000000000000001", "000"])
                exponent = min(power, 0) - len(nudge)
                text = f"{digits}{nudge}e{exponent}"
            text = r.choice(["", "-"]) + text
        return self.spoilt(text)


# ---- asking and comparing

def format_request(of, bits, prec):
    return f"{of.letter} {prec} {bits:x}", lambda: format_answer(of, bits, prec)


def powers_of_two(of):
    """All of them, with as many digits and as many places as the shortest digits have: below a power of two the
    neighbour is nearer than above it, so rounding to so many digits may give those of the neighbour."""
    powers = [1 << i for i in range(of.fraction_bits)] + list(range(1 << of.fraction_bits, of.infinity,
                                                                    1 << of.fraction_bits))
    for bits in powers:
        digits, exponent = of.shortest(bits)
        yield format_request(of, bits, len(digits) - 1)
        yield format_request(of, bits, max(len(digits) - 1 - exponent, 0))


def requests(kind, maker, count):
    """Pairs of a request and a function that makes the right answer."""
    if kind in FORMATS:
        yield from powers_of_two(FORMATS[kind])
    for _ in range(count):
        if kind in FORMATS:
            of = FORMATS[kind]
            bits = maker.bits(of)
            yield format_request(of, bits, maker.prec(of, bits))
        elif kind.lower() in FORMATS:
            of = FORMATS[kind.lower()]
            text = maker.float_text(of)
            yield f"{kind} 0 {text}", lambda of=of, text=text: scan_float_answer(of, text)
        elif kind == "i":
            n, base = maker.integer(), maker.random.randrange(2, 17)
            yield f"i {base} {n}", lambda n=n, base=base: integer_answer(n, base)
        else:
            text, base = maker.integer_text()
            yield f"I {base} {text}", lambda text=text, base=base: scan_integer_answer(text, base)


KINDS = {"f": "REAL as a text", "d": "LONGREAL as a text", "x": "EXTENDED as a text",
         "i": "INTEGER and LONGINT as texts", "F": "a text as REAL", "D": "a text as LONGREAL",
         "X": "a text as EXTENDED", "I": "a text as INTEGER and LONGINT"}


def differences(programs, kind, count, seed, most=5):
    """Reports of values for which a program does not do what is right."""
    found, all_requests = [], requests(kind, Maker(f"{seed} {kind}"), count)
    while chunk := list(itertools.islice(all_requests, CHUNK)):
        lines, expected = [line for line, _ in chunk], ["\t".join(right()) + "\t" for _, right in chunk]
        for program in programs:
            ran = subprocess.run([program], input="".join(line + "\n" for line in lines).encode("latin-1"),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            answers = ran.stdout.decode("latin-1").split("\n")[:-1]
            name = f"{os.path.basename(program)}, seed {seed}, {KINDS[kind]}"
            if ran.returncode != 0 or len(answers) != len(lines):
                line = lines[min(len(answers), len(lines) - 1)]
                found.append(f"{name}: status {ran.returncode} after request {line!r}: "
                             f"{ran.stderr.decode('latin-1')[-400:]}")
            for line, right, answer in zip(lines, expected, answers):
                if right != answer:
                    want, got = right.split("\t"), answer.split("\t")
                    at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
                    found.append(f"{name}, request {line!r}, field {at}: expected {want[at:at + 1]}, "
                                 f"got {got[at:at + 1]}")
                if len(found) >= most:
                    return found
    return found


def literals(maker, count):
    """Literals of Modula-3 as Fmt writes them, and others; each with an expression that has its value's bits, and with
    these bits."""
    while count > 0:
        of, how = maker.random.choice([REAL, LONGREAL, EXTENDED]), maker.random.randrange(4)
        if how == 0:
            n, base = maker.random.randrange(2**maker.random.randrange(1, 64)), maker.random.randrange(2, 17)
            long = maker.random.choice(["", "L"])
            literal = (str(n) if base == 10 else f"{base}_{digits_in(base, n)}") + long
            yield literal, f"VAL({literal}, INTEGER)", n
        elif how == 1:
            bits = min(maker.bits(of) & ~of.sign, of.infinity - 1)
            text = format_answer(of, bits, maker.random.randrange(of.digits, of.digits + 4))[maker.random.choice([3, 7])]
            yield text, f"{of.unit}.ToBits({text.strip()})", bits
        else:
            text = re.fullmatch(r"[+-]?(\d+)\.?(\d*)[eEdDxX]([+-]?\d+)", maker.float_text(of))
            if text is None:
                continue
            whole, fraction, exponent = text[1], text[2] or "0", text[3]
            bits = nearest(of, f"{whole}.{fraction}e{exponent}")
            if bits >= of.infinity:
                continue
            literal = f"{whole}.{fraction}{maker.random.choice([of.literal, of.convert])}{exponent}"
            yield literal, f"{of.unit}.ToBits({literal})", bits
        count -= 1


def wrong_literals(tenure, directory, count, seed):
    """Reports of literals that the compiler reads wrongly."""
    cases = list(literals(Maker(f"{seed} literals"), count))
    values = "\n".join(f"  P({expression});" for _, expression, _ in cases)
    programs = [build(tenure, directory, level, text=f"""MODULE Main;
IMPORT ExtendedRep, Fmt, IO, LongRealRep, RealRep;
PROCEDURE P(bits: INTEGER) = BEGIN IO.Put(Fmt.Unsigned(bits) & "\\n") END P;
BEGIN
{values}
END Main.
""") for level in LEVELS]
    found = []
    for program in programs:
        answers = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        found += [f"{os.path.basename(program)}, seed {seed}, the literal {literal}: expected {bits:x}, got {answer}"
                  for (literal, _, bits), answer in zip(cases, answers) if format(bits, "x") != answer]
    return found


def build(tenure, directory, *options, text=None):
    source = os.path.join(directory, "Main.m3")
    with open(source, "w", encoding="latin-1") as file:
        file.write(text or program_text())
    program = os.path.join(directory, "program" + "".join(options))
    built = subprocess.run([tenure, "build", source, "-o", program, *options], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    if built.returncode != 0:
        raise AssertionError(built.stdout)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--values", type=int, default=20_000, help="values of each kind")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--kind", choices=sorted(KINDS), help="one of: " + ", ".join(f"{k} {v}" for k, v in KINDS.items()))
    parser.add_argument("--tenure", default=os.path.join(ROOT, "build", "bin", "tenure"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="number-texts-") as directory:
        programs, wrong = [build(arguments.tenure, directory, level) for level in LEVELS], 0
        for kind in [arguments.kind] if arguments.kind else KINDS:
            reports = differences(programs, kind, arguments.values, arguments.seed)
            print("\n".join(reports + [f"{KINDS[kind]}: {arguments.values} values, {len(reports)} differences"]), flush=True)
            wrong += len(reports)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
