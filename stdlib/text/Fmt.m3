UNSAFE MODULE Fmt;

IMPORT Long, RTSystem, Text, TextRep, Word, Real AS R, LongReal AS LR, Extended AS ER;

PROCEDURE Bool(b: BOOLEAN): TEXT =
  BEGIN
    IF b THEN RETURN "TRUE" ELSE RETURN "FALSE" END;
  END Bool;

PROCEDURE Char(c: CHAR): TEXT =
  BEGIN
    RETURN Text.FromChar(c);
  END Char;

CONST
  Digits = ARRAY [0..15] OF CHAR{'0', '1', '2', '3', '4', '5', '6', '7',
                                 '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

PROCEDURE Int(n: INTEGER; base: Base := 10): TEXT =
  BEGIN
    (* The magnitude of FIRST(INTEGER) is not an INTEGER, but fits in a word. *)
    IF n < 0 THEN RETURN RTSystem.IntegerText(Word.Minus(0, n), base, TRUE) END;
    RETURN RTSystem.IntegerText(n, base, FALSE);
  END Int;

PROCEDURE Unsigned(n: Word.T; base: Base := 16): TEXT =
  BEGIN
    RETURN RTSystem.IntegerText(n, base, FALSE);
  END Unsigned;

PROCEDURE LongInt(n: LONGINT; base: Base := 10): TEXT =
  BEGIN
    RETURN Int(VAL(n, INTEGER), base);
  END LongInt;

PROCEDURE LongUnsigned(n: Long.T; base: Base := 16): TEXT =
  BEGIN
    RETURN Unsigned(VAL(n, INTEGER), base);
  END LongUnsigned;

TYPE
  (* A number on its way to a text: digit[0] . digit[1] ... digit[count - 1] times ten to the power
     of exponent. *)
  Decimal = RECORD
    count: INTEGER;
    digit: ARRAY [0..31] OF CHAR;
    exponent: INTEGER;
  END;

PROCEDURE Real(x: REAL; style := Style.Auto; prec: CARDINAL := R.MaxSignifDigits - 1;
               literal := FALSE): TEXT =
  VAR d: Decimal;  t: TEXT;
  BEGIN
    IF style = Style.Fix AND NOT literal THEN
      t := RTSystem.FixedText(FLOAT(x, LONGREAL), prec, 6);
      IF t # NIL THEN RETURN t END;
    END;
    d.count := RTSystem.ShortestReal(x, d.digit, d.exponent);
    RETURN Float(FLOAT(x, LONGREAL), d, style, prec, literal, 'e', R.MaxExpDigits);
  END Real;

PROCEDURE LongReal(x: LONGREAL; style := Style.Auto; prec: CARDINAL := LR.MaxSignifDigits - 1;
                   literal := FALSE): TEXT =
  VAR d: Decimal;  t: TEXT;
  BEGIN
    IF style = Style.Auto AND NOT literal AND prec >= LR.MaxSignifDigits - 1 THEN
      t := RTSystem.RealText(x);
      IF t # NIL THEN RETURN t END;
    ELSIF style = Style.Fix AND NOT literal THEN
      t := RTSystem.FixedText(x, prec, 15);
      IF t # NIL THEN RETURN t END;
    END;
    d.count := RTSystem.Shortest(x, d.digit, d.exponent);
    RETURN Float(x, d, style, prec, literal, 'd', LR.MaxExpDigits);
  END LongReal;

PROCEDURE Extended(x: EXTENDED; style := Style.Auto; prec: CARDINAL := ER.MaxSignifDigits - 1;
                   literal := FALSE): TEXT =
  VAR d: Decimal;  y := FLOAT(x, LONGREAL);  t: TEXT;
  BEGIN
    IF style = Style.Fix AND NOT literal THEN
      t := RTSystem.FixedText(y, prec, 15);
      IF t # NIL THEN RETURN t END;
    END;
    d.count := RTSystem.Shortest(y, d.digit, d.exponent);
    RETURN Float(y, d, style, prec, literal, 'x', ER.MaxExpDigits);
  END Extended;

(* shortest: the shortest digits of x, or a count below 0 if x is an infinity or a NaN. The
   shortest digits stand for x; the exact value of x is rounded only if there is no room for
   them. *)
PROCEDURE Float(x: LONGREAL; VAR shortest: Decimal; style: Style; prec: CARDINAL;
                literal: BOOLEAN; letter: CHAR; expDigits: CARDINAL): TEXT =
  VAR result: TEXT;
  BEGIN
    IF shortest.count = -2 THEN RETURN "NaN" END;
    IF shortest.count < 0 THEN
      IF x < 0.0d0 THEN RETURN "-Infinity" ELSE RETURN "Infinity" END;
    END;
    CASE style OF
    | Style.Fix =>
      IF shortest.count - 1 - shortest.exponent <= prec THEN
        result := FixedDigits(shortest, Negative(x), prec);
      ELSE
        result := FromC(x, prec, FALSE);  (* the exact value of x, rounded *)
      END;
      IF literal AND prec = 0 THEN result := result & ".0" END;
      IF literal AND letter # 'e' THEN result := result & Text.FromChar(letter) & "0" END;
    | Style.Sci =>
      IF shortest.count > prec + 1 THEN Round(x, prec, shortest) END;
      result := Scientific(shortest, Negative(x), prec, letter, literal, expDigits);
    | Style.Auto =>
      (* More digits than asked for: let the exactly rounded form be shortened. *)
      IF shortest.count > prec + 1 THEN Round(x, prec, shortest) END;
      result := Auto(shortest, Negative(x), letter, literal);
    END;
    RETURN result;
  END Float;

PROCEDURE Negative(x: LONGREAL): BOOLEAN =
  BEGIN
    RETURN x < 0.0d0 OR x = 0.0d0 AND 1.0d0 / x < 0.0d0;
  END Negative;

(* d with prec digits after the point; d has no more digits than that. *)
PROCEDURE FixedDigits(READONLY d: Decimal; negative: BOOLEAN; prec: CARDINAL): TEXT =
  VAR buffer: ARRAY [0..511] OF CHAR;
  BEGIN
    IF prec <= 100 THEN RETURN PutFixed(d, negative, prec, buffer) END;
    WITH long = NEW(REF ARRAY OF CHAR, 400 + prec) DO
      RETURN PutFixed(d, negative, prec, long^);
    END;
  END FixedDigits;

PROCEDURE PutFixed(READONLY d: Decimal; negative: BOOLEAN; prec: CARDINAL;
                   VAR buffer: ARRAY OF CHAR): TEXT =
  VAR n: CARDINAL := 0;
  BEGIN
    IF negative THEN buffer[0] := '-'; n := 1 END;
    (* i is the place of a digit; the first digit has place 0. *)
    FOR i := MIN(0, d.exponent) TO d.exponent + prec DO
      IF 0 <= i AND i < d.count THEN buffer[n] := d.digit[i] ELSE buffer[n] := '0' END;
      INC(n);
      IF i = d.exponent AND prec > 0 THEN buffer[n] := '.'; INC(n) END;
    END;
    RETURN Text.FromChars(SUBARRAY(buffer, 0, n));
  END PutFixed;

(* C's %.*f or %.*e of x. *)
PROCEDURE FromC(x: LONGREAL; prec: CARDINAL; scientific: BOOLEAN): TEXT =
  VAR buffer: ARRAY [0..511] OF CHAR;
  BEGIN
    IF prec <= 100 THEN RETURN Convert(x, prec, scientific, buffer) END;
    WITH long = NEW(REF ARRAY OF CHAR, 400 + prec) DO
      RETURN Convert(x, prec, scientific, long^);
    END;
  END FromC;

PROCEDURE Convert(x: LONGREAL; prec: CARDINAL; scientific: BOOLEAN;
                  VAR buffer: ARRAY OF CHAR): TEXT =
  VAR n: CARDINAL;
  BEGIN
    IF scientific THEN
      n := RTSystem.Scientific(x, prec, buffer);
    ELSE
      n := RTSystem.Fixed(x, prec, buffer);
    END;
    RETURN Text.FromChars(SUBARRAY(buffer, 0, n));
  END Convert;

(* d with prec digits after the point; d has no more digits than that. *)
PROCEDURE Scientific(READONLY d: Decimal; negative: BOOLEAN; prec: CARDINAL; letter: CHAR; literal: BOOLEAN;
                     expDigits: CARDINAL): TEXT =
  VAR out: ARRAY [0..127] OF CHAR;
  BEGIN
    IF literal THEN prec := MAX(prec, 1) ELSE letter := 'e' END;
    IF prec <= 100 THEN RETURN PutScientific(d, negative, prec, letter, expDigits, out) END;
    WITH long = NEW(REF ARRAY OF CHAR, prec + 20) DO
      RETURN PutScientific(d, negative, prec, letter, expDigits, long^);
    END;
  END Scientific;

PROCEDURE PutScientific(READONLY d: Decimal; negative: BOOLEAN; prec: CARDINAL; letter: CHAR; expDigits: CARDINAL;
                        VAR out: ARRAY OF CHAR): TEXT =
  VAR n: CARDINAL := 0;  exponent := ABS(d.exponent);

  PROCEDURE Put(ch: CHAR) =
    BEGIN
      out[n] := ch;
      INC(n);
    END Put;

  BEGIN
    IF negative THEN Put('-') ELSE Put(' ') END;
    Put(d.digit[0]);
    IF prec > 0 THEN Put('.') END;
    FOR i := 1 TO prec DO
      IF i < d.count THEN Put(d.digit[i]) ELSE Put('0') END;
    END;
    Put(letter);
    IF d.exponent < 0 THEN Put('-') ELSE Put('+') END;
    (* expDigits is 2 or 3. *)
    IF expDigits = 3 THEN Put(Digits[exponent DIV 100]) END;
    Put(Digits[exponent DIV 10 MOD 10]);
    Put(Digits[exponent MOD 10]);
    RETURN Text.FromChars(SUBARRAY(out, 0, n));
  END PutScientific;

(* Puts x in d, rounded to prec + 1 digits, without zeros at the end. *)
PROCEDURE Round(x: LONGREAL; prec: CARDINAL; VAR d: Decimal) =
  VAR c := FromC(ABS(x), prec, TRUE);  e := Text.FindChar(c, 'e');  ch: CHAR;
  BEGIN
    d.count := 0;
    FOR i := 0 TO e - 1 DO
      ch := Text.GetChar(c, i);
      IF ch # '.' THEN d.digit[d.count] := ch; INC(d.count) END;
    END;
    WHILE d.count > 1 AND d.digit[d.count - 1] = '0' DO DEC(d.count) END;
    d.exponent := 0;
    FOR i := e + 2 TO Text.Length(c) - 1 DO
      d.exponent := 10 * d.exponent + ORD(Text.GetChar(c, i)) - ORD('0');
    END;
    IF Text.GetChar(c, e + 1) = '-' THEN d.exponent := -d.exponent END;
  END Round;

PROCEDURE Auto(READONLY d: Decimal; negative: BOOLEAN; letter: CHAR; literal: BOOLEAN): TEXT =
  VAR out: ARRAY [0..63] OF CHAR;  n: CARDINAL := 0;

  PROCEDURE Put(ch: CHAR) =
    BEGIN
      out[n] := ch;
      INC(n);
    END Put;

  PROCEDURE Zeros(count: CARDINAL) =
    BEGIN
      FOR i := 1 TO count DO Put('0') END;
    END Zeros;

  PROCEDURE PutDigits(from, to: INTEGER) =
    VAR count := to - from + 1;
    BEGIN
      SUBARRAY(out, n, count) := SUBARRAY(d.digit, from, count);
      INC(n, count);
    END PutDigits;

  PROCEDURE PutExponent(e: INTEGER) =
    BEGIN
      IF e < 0 THEN Put('-'); e := -e END;
      IF e >= 100 THEN Put(Digits[e DIV 100]) END;
      IF e >= 10 THEN Put(Digits[e DIV 10 MOD 10]) END;
      Put(Digits[e MOD 10]);
    END PutExponent;

  BEGIN
    IF negative THEN Put('-') END;
    IF ABS(d.exponent) >= 6 THEN
      Put(d.digit[0]);
      IF d.count > 1 THEN
        Put('.');
        PutDigits(1, d.count - 1);
      ELSIF literal THEN
        Put('.'); Put('0');
      END;
      IF literal THEN Put(letter) ELSE Put('e') END;
      PutExponent(d.exponent);
    ELSE
      IF d.exponent < 0 THEN
        Put('0'); Put('.');
        Zeros(-d.exponent - 1);
        PutDigits(0, d.count - 1);
      ELSIF d.count <= d.exponent + 1 THEN
        PutDigits(0, d.count - 1);
        Zeros(d.exponent + 1 - d.count);
        IF literal THEN Put('.'); Put('0') END;
      ELSE
        PutDigits(0, d.exponent);
        Put('.');
        PutDigits(d.exponent + 1, d.count - 1);
      END;
      IF literal AND letter # 'e' THEN Put(letter); Put('0') END;
    END;
    RETURN Text.FromChars(SUBARRAY(out, 0, n));
  END Auto;

PROCEDURE Pad(text: TEXT; length: CARDINAL; padChar: CHAR := ' ';
              align: Align := Align.Right): TEXT =
  VAR n := Text.Length(text);  padding: REF ARRAY OF CHAR;
  BEGIN
    IF n >= length THEN RETURN text END;
    padding := NEW(REF ARRAY OF CHAR, length - n);
    FOR i := 0 TO LAST(padding^) DO padding[i] := padChar END;
    IF align = Align.Left THEN
      RETURN text & Text.FromChars(padding^);
    ELSE
      RETURN Text.FromChars(padding^) & text;
    END;
  END Pad;

PROCEDURE F(fmt: TEXT; t1, t2, t3, t4, t5: TEXT := NIL): TEXT =
  VAR texts := ARRAY [0..4] OF TEXT{t1, t2, t3, t4, t5};  n: CARDINAL := 0;
  BEGIN
    WHILE n < NUMBER(texts) AND texts[n] # NIL DO INC(n) END;
    FOR i := n TO LAST(texts) DO
      <*ASSERT texts[i] = NIL WITH "Fmt.F: a text follows a NIL"*>
    END;
    RETURN FN(fmt, SUBARRAY(texts, 0, n));
  END F;

PROCEDURE FN(fmt: TEXT; READONLY texts: ARRAY OF TEXT): TEXT =
  VAR
    result: TEXT := "";
    chars := TextRep.CharsOr(fmt, '\000');  (* no part of a place for a text *)
    start: CARDINAL := 0;   (* the part of fmt before this index is in result *)
    at: CARDINAL := 0;
    next: CARDINAL := 0;    (* the text for the next place *)
    end, width: CARDINAL;
    padChar: CHAR;
    align: Align;
  BEGIN
    WHILE at < NUMBER(chars^) DO
      IF chars[at] = '%' AND Place(chars^, at, end, width, padChar, align) THEN
        <*ASSERT next < NUMBER(texts) WITH "Fmt.FN: fewer texts than places for them"*>
        result := result & Text.Sub(fmt, start, at - start)
                  & Pad(texts[next], width, padChar, align);
        INC(next);
        start := end;
        at := end;
      ELSE
        INC(at);
      END;
    END;
    <*ASSERT next = NUMBER(texts) WITH "Fmt.FN: more texts than places for them"*>
    RETURN result & Text.Sub(fmt, start);
  END FN;

(* Whether a place for a text begins at a[at], which is a '%'; sets its width and other
   properties, and `end` to the index behind it. *)
PROCEDURE Place(READONLY a: ARRAY OF CHAR; at: CARDINAL; VAR end, width: CARDINAL;
                VAR padChar: CHAR; VAR align: Align): BOOLEAN =
  CONST MaxWidth = 1000000;
  BEGIN
    padChar := ' ';
    align := Align.Right;
    width := 0;
    INC(at);
    IF at < NUMBER(a) AND a[at] = '-' THEN align := Align.Left; INC(at) END;
    IF at < NUMBER(a) AND a[at] = '0' THEN padChar := '0'; INC(at) END;
    WHILE at < NUMBER(a) AND '0' <= a[at] AND a[at] <= '9' AND width < MaxWidth DO
      width := 10 * width + ORD(a[at]) - ORD('0');
      INC(at);
    END;
    end := at + 1;
    RETURN at < NUMBER(a) AND a[at] = 's';
  END Place;

BEGIN
END Fmt.
