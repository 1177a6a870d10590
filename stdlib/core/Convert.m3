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
  BEGIN
    IF prefix THEN
      RETURN Copy(buf, Fmt.Int(base) & "_" & Fmt.Unsigned(value, base));
    ELSE
      RETURN Copy(buf, Fmt.Unsigned(value, base));
    END;
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
  BEGIN
    RETURN FromLongFloat(buf, FLOAT(value, LONGREAL), precision, style);
  END FromFloat;

PROCEDURE FromExtended(VAR buf: Buffer; value: EXTENDED; precision: INTEGER := 6;
                       style := Style.Mix): INTEGER RAISES {Failed} =
  BEGIN
    RETURN FromLongFloat(buf, FLOAT(value, LONGREAL), precision, style);
  END FromExtended;

PROCEDURE FromLongFloat(VAR buf: Buffer; value: LONGREAL; precision: INTEGER := 6;
                        style := Style.Mix): INTEGER RAISES {Failed} =
  VAR prec := MAX(precision, 0);  fixed, scientific: TEXT;
  BEGIN
    CASE style OF
    | Style.Flo => RETURN Copy(buf, Fmt.LongReal(value, Fmt.Style.Fix, prec));
    | Style.AltFlo => RETURN Copy(buf, Strip(Fmt.LongReal(value, Fmt.Style.Fix, prec)));
    | Style.Sci => RETURN Copy(buf, Fmt.LongReal(value, Fmt.Style.Sci, prec));
    | Style.AltSci => RETURN Copy(buf, Strip(Fmt.LongReal(value, Fmt.Style.Sci, prec)));
    | Style.Mix =>
      fixed := Strip(Fmt.LongReal(value, Fmt.Style.Fix, prec));
      scientific := Strip(Fmt.LongReal(value, Fmt.Style.Sci, prec));
      IF Text.Length(scientific) < Text.Length(fixed) THEN
        RETURN Copy(buf, scientific);
      ELSE
        RETURN Copy(buf, fixed);
      END;
    END;
  END FromLongFloat;

(* t without the zeros at the end of its fraction, and without the point if nothing follows it. *)
PROCEDURE Strip(t: TEXT): TEXT =
  VAR point := Text.FindChar(t, '.');  e := Text.FindChar(t, 'e');  last: INTEGER;
  BEGIN
    IF point < 0 THEN RETURN t END;
    IF e < 0 THEN e := Text.Length(t) END;
    last := e - 1;
    WHILE Text.GetChar(t, last) = '0' DO DEC(last) END;
    IF last = point THEN DEC(last) END;
    RETURN Text.Sub(t, 0, last + 1) & Text.Sub(t, e);
  END Strip;

PROCEDURE DigitValue(c: CHAR): INTEGER =
  BEGIN
    CASE c OF
    | '0'..'9' => RETURN ORD(c) - ORD('0');
    | 'a'..'f' => RETURN ORD(c) - ORD('a') + 10;
    | 'A'..'F' => RETURN ORD(c) - ORD('A') + 10;
    ELSE RETURN 16;
    END;
  END DigitValue;

(* Reads the digits from buf[start] on, as a word; `end` follows the last. FALSE if there are none
   or the number needs more than a word. *)
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

(* The same with a base before the digits, perhaps. *)
PROCEDURE Number(READONLY buf: Buffer; start: CARDINAL; base: Base; VAR end: CARDINAL;
                 VAR value: Word.T): BOOLEAN =
  VAR prefix: Word.T;  after: CARDINAL;
  BEGIN
    IF Digits(buf, start, 10, after, prefix) AND after < NUMBER(buf) AND buf[after] = '_'
       AND 2 <= prefix AND prefix <= 16 THEN
      IF Digits(buf, after + 1, prefix, end, value) THEN RETURN TRUE END;
      IF end > after + 1 THEN RETURN FALSE END;  (* more of them than a word has *)
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
