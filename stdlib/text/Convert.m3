UNSAFE MODULE Convert;

IMPORT Fmt, RTSystem, Text, Word;

PROCEDURE FromInt(VAR buf: Buffer; value: INTEGER; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed} =
  VAR magnitude := value;  at: CARDINAL := 0;
  BEGIN
    IF value < 0 THEN
      IF NUMBER(buf) = 0 THEN RAISE Failed END;
      buf[0] := '-';
      at := 1;
      magnitude := Word.Minus(0, value);
    END;
    RETURN at + FromUnsigned(SUBARRAY(buf, at, NUMBER(buf) - at), magnitude, base, prefix);
  END FromInt;

PROCEDURE FromLongInt(VAR buf: Buffer; value: LONGINT; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed} =
  BEGIN
    RETURN FromInt(buf, VAL(value, INTEGER), base, prefix);
  END FromLongInt;

PROCEDURE FromUnsigned(VAR buf: Buffer; value: INTEGER; base: Base := 10; prefix: BOOLEAN := FALSE)
  : INTEGER RAISES {Failed} =
  VAR n: INTEGER;
  BEGIN
    IF prefix THEN RETURN Copy(buf, Fmt.Int(base) & "_" & Fmt.Unsigned(value, base)) END;
    n := RTSystem.IntegerChars(value, base, FALSE, buf);
    IF n < 0 THEN RAISE Failed END;
    RETURN n;
  END FromUnsigned;

PROCEDURE FromLongUnsigned(VAR buf: Buffer; value: LONGINT; base: Base := 10;
                           prefix: BOOLEAN := FALSE): INTEGER RAISES {Failed} =
  BEGIN
    RETURN FromUnsigned(buf, VAL(value, INTEGER), base, prefix);
  END FromLongUnsigned;

PROCEDURE Copy(VAR buf: Buffer; t: TEXT): INTEGER RAISES {Failed} =
  VAR n := Text.Length(t);
  BEGIN
    IF n > NUMBER(buf) THEN RAISE Failed END;
    Text.SetChars(buf, t);
    RETURN n;
  END Copy;

PROCEDURE FromFloat(VAR buf: Buffer; value: REAL; precision: INTEGER := 6; style := Style.Mix)
  : INTEGER RAISES {Failed} =
  VAR prec := MAX(precision, 0);
  BEGIN
    RETURN Copy(buf, Styled(Fmt.Real(value, Fmt.Style.Fix, prec),
                            Fmt.Real(value, Fmt.Style.Sci, prec), 'E', style));
  END FromFloat;

PROCEDURE FromLongFloat(VAR buf: Buffer; value: LONGREAL; precision: INTEGER := 6;
                        style := Style.Mix): INTEGER RAISES {Failed} =
  VAR prec := MAX(precision, 0);
  BEGIN
    RETURN Copy(buf, Styled(Fmt.LongReal(value, Fmt.Style.Fix, prec),
                            Fmt.LongReal(value, Fmt.Style.Sci, prec), 'D', style));
  END FromLongFloat;

PROCEDURE FromExtended(VAR buf: Buffer; value: EXTENDED; precision: INTEGER := 6;
                       style := Style.Mix): INTEGER RAISES {Failed} =
  VAR prec := MAX(precision, 0);
  BEGIN
    RETURN Copy(buf, Styled(Fmt.Extended(value, Fmt.Style.Fix, prec),
                            Fmt.Extended(value, Fmt.Style.Sci, prec), 'X', style));
  END FromExtended;

(* The number in the style, made from the texts of Fmt in the forms ddd.ddd and d.ddde+dd. *)
PROCEDURE Styled(fixed, scientific: TEXT; letter: CHAR; style: Style): TEXT =
  VAR e := Text.FindChar(scientific, 'e');  mantissa, exponent: TEXT;
  BEGIN
    IF e < 0 THEN RETURN fixed END;  (* an infinity or a NaN *)
    mantissa := Text.Sub(scientific, 0, e);
    IF Text.GetChar(mantissa, 0) = ' ' THEN mantissa := Text.Sub(mantissa, 1) END;  (* Fmt's sign *)
    exponent := Text.FromChar(letter) & ShortExponent(Text.Sub(scientific, e + 1));
    CASE style OF
    | Style.Flo => RETURN fixed;
    | Style.AltFlo => RETURN WithoutZeros(fixed);
    | Style.Sci => RETURN mantissa & exponent;
    | Style.AltSci => RETURN WithoutZeros(mantissa) & exponent;
    | Style.Mix =>
      fixed := WithoutPoint(WithoutZeros(fixed));
      scientific := WithoutPoint(WithoutZeros(mantissa)) & exponent;
      IF Text.Length(scientific) < Text.Length(fixed) THEN RETURN scientific END;
      RETURN fixed;
    END;
  END Styled;

(* Converts an exponent of Fmt, "+010": a sign only if it is negative, and no leading zeros. *)
PROCEDURE ShortExponent(t: TEXT): TEXT =
  VAR first := 1;
  BEGIN
    WHILE first < Text.Length(t) - 1 AND Text.GetChar(t, first) = '0' DO INC(first) END;
    IF Text.GetChar(t, 0) = '-' THEN RETURN "-" & Text.Sub(t, first) END;
    RETURN Text.Sub(t, first);
  END ShortExponent;

(* t without the zeros at the end of its fraction. *)
PROCEDURE WithoutZeros(t: TEXT): TEXT =
  VAR last := Text.Length(t) - 1;
  BEGIN
    IF Text.FindChar(t, '.') < 0 THEN RETURN t END;
    WHILE Text.GetChar(t, last) = '0' DO DEC(last) END;
    RETURN Text.Sub(t, 0, last + 1);
  END WithoutZeros;

(* t without a point at its end. *)
PROCEDURE WithoutPoint(t: TEXT): TEXT =
  VAR last := Text.Length(t) - 1;
  BEGIN
    IF Text.GetChar(t, last) = '.' THEN RETURN Text.Sub(t, 0, last) END;
    RETURN t;
  END WithoutPoint;

PROCEDURE DigitValue(c: CHAR): INTEGER =
  BEGIN
    CASE c OF
    | '0'..'9' => RETURN ORD(c) - ORD('0');
    | 'a'..'f' => RETURN ORD(c) - ORD('a') + 10;
    | 'A'..'F' => RETURN ORD(c) - ORD('A') + 10;
    ELSE RETURN 16;
    END;
  END DigitValue;

(* Reads the digits from buf[start] on, as a word; sets `end` to the index behind the last digit.
   FALSE if there are no digits or the number does not fit in a word. *)
PROCEDURE Digits(READONLY buf: Buffer; start: CARDINAL; base: Base; VAR end: CARDINAL;
                 VAR value: Word.T): BOOLEAN =
  VAR digit: INTEGER;  limit := Word.Divide(Word.Not(0), base);
  BEGIN
    value := 0;
    end := start;
    WHILE end < NUMBER(buf) DO
      digit := DigitValue(buf[end]);
      IF digit >= base THEN EXIT END;
      IF Word.GT(value, limit) THEN RETURN FALSE END;
      value := Word.Times(value, base);
      IF Word.GT(digit, Word.Minus(Word.Not(0), value)) THEN RETURN FALSE END;
      value := Word.Plus(value, digit);
      INC(end);
    END;
    RETURN end > start;
  END Digits;

(* The same; a base may stand before the digits. *)
PROCEDURE Number(READONLY buf: Buffer; start: CARDINAL; base: Base; VAR end: CARDINAL;
                 VAR value: Word.T): BOOLEAN =
  VAR prefix: Word.T;  after: CARDINAL;
  BEGIN
    IF Digits(buf, start, 10, after, prefix) AND after < NUMBER(buf) AND buf[after] = '_'
       AND 2 <= prefix AND prefix <= 16 THEN
      IF Digits(buf, after + 1, prefix, end, value) THEN RETURN TRUE END;
      IF end > after + 1 THEN RETURN FALSE END;  (* more characters than a word has bits *)
    END;
    RETURN Digits(buf, start, base, end, value);
  END Number;

PROCEDURE ToInt(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): INTEGER =
  VAR start, end: CARDINAL := 0;  value: Word.T;  negative := FALSE;
  BEGIN
    used := 0;
    IF NUMBER(buf) > 0 AND (buf[0] = '-' OR buf[0] = '+') THEN
      negative := buf[0] = '-';
      start := 1;
    END;
    IF NOT Number(buf, start, base, end, value) THEN RETURN 0 END;
    IF negative THEN
      IF Word.GT(value, FIRST(INTEGER)) THEN RETURN 0 END;
      value := Word.Minus(0, value);
    ELSIF value < 0 THEN
      RETURN 0;
    END;
    used := end;
    RETURN value;
  END ToInt;

PROCEDURE ToLongInt(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): LONGINT =
  BEGIN
    RETURN VAL(ToInt(buf, used, base), LONGINT);
  END ToLongInt;

PROCEDURE ToUnsigned(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): INTEGER =
  VAR end: CARDINAL := 0;  value: Word.T;
  BEGIN
    used := 0;
    IF NOT Number(buf, 0, base, end, value) THEN RETURN 0 END;
    used := end;
    RETURN value;
  END ToUnsigned;

PROCEDURE ToLongUnsigned(READONLY buf: Buffer; VAR used: INTEGER; base: Base := 10): LONGINT =
  BEGIN
    RETURN VAL(ToUnsigned(buf, used, base), LONGINT);
  END ToLongUnsigned;

PROCEDURE ToFloat(READONLY buf: Buffer; VAR used: INTEGER): REAL =
  BEGIN
    RETURN RTSystem.ParseReal(buf, used);
  END ToFloat;

PROCEDURE ToLongFloat(READONLY buf: Buffer; VAR used: INTEGER): LONGREAL =
  BEGIN
    RETURN RTSystem.Parse(buf, used);
  END ToLongFloat;

PROCEDURE ToExtended(READONLY buf: Buffer; VAR used: INTEGER): EXTENDED =
  BEGIN
    RETURN FLOAT(RTSystem.Parse(buf, used), EXTENDED);
  END ToExtended;

BEGIN
END Convert.
