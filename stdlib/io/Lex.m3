MODULE Lex;

IMPORT ASCII, Convert, FloatMode, IEEESpecial, Long, Rd, RdClass, Text, TextRep, TextWr, UnsafeRd, Word,
  Wr;
FROM Thread IMPORT Alerted;

CONST
  Digits = SET OF CHAR{'0'..'9'};
  Signs = SET OF CHAR{'+', '-'};
  ExponentLetters = SET OF CHAR{'e', 'E', 'd', 'D', 'x', 'X'};

(* A character that is in none of the sets used here. *)
CONST
  End = '\000';

(* The next character, which stays in the reader; FALSE at the end. The caller has the reader's
   lock. *)
PROCEDURE Peek(rd: Rd.T; VAR ch: CHAR): BOOLEAN RAISES {Rd.Failure, Alerted} =
  BEGIN
    IF rd.cur >= rd.hi OR rd.closed THEN
      IF UnsafeRd.FastEOF(rd) THEN RETURN FALSE END;
    END;
    ch := rd.buff[rd.st + rd.cur - rd.lo];
    RETURN TRUE;
  END Peek;

(* The next character, End at the end; takes it only if it is in cs. *)
PROCEDURE Take(rd: Rd.T; READONLY cs: SET OF CHAR; VAR ch: CHAR): BOOLEAN
  RAISES {Rd.Failure, Alerted} =
  BEGIN
    LOCK rd DO
      IF NOT Peek(rd, ch) THEN ch := End; RETURN FALSE END;
      IF NOT ch IN cs THEN RETURN FALSE END;
      INC(rd.cur);
      RETURN TRUE;
    END;
  END Take;

PROCEDURE Put(wr: TextWr.T; ch: CHAR) =
  <*FATAL Wr.Failure, Alerted*>
  BEGIN
    Wr.PutChar(wr, ch);
  END Put;

PROCEDURE Scan(rd: Rd.T; READONLY cs: SET OF CHAR := NonBlanks): TEXT RAISES {Rd.Failure, Alerted} =
  VAR wr := TextWr.New();
  BEGIN
    TakeAll(rd, cs, wr);
    RETURN TextWr.ToText(wr);
  END Scan;

(* Copies the longest prefix of characters in cs to wr. *)
PROCEDURE TakeAll(rd: Rd.T; READONLY cs: SET OF CHAR; wr: TextWr.T) RAISES {Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    LOCK rd DO
      WHILE Peek(rd, ch) AND ch IN cs DO
        INC(rd.cur);
        Put(wr, ch);
      END;
    END;
  END TakeAll;

PROCEDURE Skip(rd: Rd.T; READONLY cs: SET OF CHAR := Blanks) RAISES {Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    LOCK rd DO
      WHILE Peek(rd, ch) AND ch IN cs DO INC(rd.cur) END;
    END;
  END Skip;

PROCEDURE Match(rd: Rd.T; t: TEXT) RAISES {Error, Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      IF NOT Take(rd, SET OF CHAR{Text.GetChar(t, i)}, ch) THEN RAISE Error END;
    END;
  END Match;

PROCEDURE Bool(rd: Rd.T): BOOLEAN RAISES {Error, Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    Skip(rd);
    IF Take(rd, SET OF CHAR{'T', 't'}, ch) THEN
      MatchAnyCase(rd, "RUE");
      RETURN TRUE;
    ELSE
      MatchAnyCase(rd, "FALSE");
      RETURN FALSE;
    END;
  END Bool;

(* t is in upper case. *)
PROCEDURE MatchAnyCase(rd: Rd.T; t: TEXT) RAISES {Error, Rd.Failure, Alerted} =
  VAR upper, ch: CHAR;
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      upper := Text.GetChar(t, i);
      IF NOT Take(rd, SET OF CHAR{upper, ASCII.Lower[upper]}, ch) THEN RAISE Error END;
    END;
  END MatchAnyCase;

CONST
  NoDigit = 16;

PROCEDURE DigitOf(ch: CHAR): [0..NoDigit] =
  BEGIN
    IF '0' <= ch AND ch <= '9' THEN RETURN ORD(ch) - ORD('0') END;
    IF 'a' <= ch AND ch <= 'f' THEN RETURN ORD(ch) - ORD('a') + 10 END;
    IF 'A' <= ch AND ch <= 'F' THEN RETURN ORD(ch) - ORD('A') + 10 END;
    RETURN NoDigit;
  END DigitOf;

TYPE
  (* A word that is read digit by digit. *)
  Number = RECORD
    value: Word.T := 0;
    digits: CARDINAL := 0;
    decimal: CARDINAL := 0;  (* the value of the digits in base 10 if it is at most 16; else 17 *)
    overflow := FALSE;
    wrong := FALSE;          (* a digit is not one of the base *)
  END;

CONST
  (* A number below this can take another digit. *)
  Small = Word.Shift(1, Word.Size - 5);

PROCEDURE AddDigit(VAR n: Number; digit: CARDINAL; base: INTEGER) =
  BEGIN
    INC(n.digits);
    IF digit >= base THEN n.wrong := TRUE END;
    IF digit < 10 AND n.decimal <= 16 THEN
      n.decimal := MIN(10 * n.decimal + digit, 17);
    ELSE
      n.decimal := 17;
    END;
    IF 0 <= n.value AND n.value < Small THEN
      n.value := n.value * base + digit;
    ELSIF Word.GT(n.value, Word.Divide(Word.Minus(-1, digit), base)) THEN
      n.overflow := TRUE;
    ELSE
      n.value := Word.Plus(Word.Times(n.value, base), digit);
    END;
  END AddDigit;

(* Takes the longest prefix that begins a number, with a sign if a sign is allowed. *)
PROCEDURE Magnitude(rd: Rd.T; signed: BOOLEAN; defaultBase: [2..16]; VAR negative: BOOLEAN): Word.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR n := Number{};  ch: CHAR;  digit: CARDINAL;  base: INTEGER := defaultBase;
  BEGIN
    LOCK rd DO
      WHILE Peek(rd, ch) AND ch IN Blanks DO INC(rd.cur) END;
      negative := FALSE;
      IF signed AND Peek(rd, ch) AND ch IN Signs THEN
        INC(rd.cur);
        negative := ch = '-';
      END;
      WHILE Peek(rd, ch) DO
        digit := DigitOf(ch);
        IF digit >= MAX(base, 10) THEN EXIT END;
        INC(rd.cur);
        AddDigit(n, digit, base);
      END;
      (* Behind a base and its `_` digits must follow. *)
      IF 2 <= n.decimal AND n.decimal <= 16 AND Peek(rd, ch) AND ch = '_' THEN
        INC(rd.cur);
        base := n.decimal;
        n := Number{};
        WHILE Peek(rd, ch) DO
          digit := DigitOf(ch);
          IF digit >= MAX(base, 10) THEN EXIT END;
          INC(rd.cur);
          AddDigit(n, digit, base);
        END;
      END;
    END;
    IF n.digits = 0 OR n.wrong THEN RAISE Error END;
    IF n.overflow THEN RAISE FloatMode.Trap(FloatMode.Flag.IntOverflow) END;
    RETURN n.value;
  END Magnitude;

(* The magnitude of FIRST(INTEGER) is not an INTEGER, but fits in a word. *)
PROCEDURE Int(rd: Rd.T; defaultBase: [2..16] := 10): INTEGER
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR negative: BOOLEAN;  n := Magnitude(rd, TRUE, defaultBase, negative);
  BEGIN
    IF n < 0 AND NOT (negative AND n = FIRST(INTEGER)) THEN
      RAISE FloatMode.Trap(FloatMode.Flag.IntOverflow);
    END;
    IF negative THEN RETURN Word.Minus(0, n) ELSE RETURN n END;
  END Int;

PROCEDURE LongInt(rd: Rd.T; defaultBase: [2..16] := 10): LONGINT
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  BEGIN
    RETURN VAL(Int(rd, defaultBase), LONGINT);
  END LongInt;

PROCEDURE Unsigned(rd: Rd.T; defaultBase: [2..16] := 16): Word.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR negative: BOOLEAN;
  BEGIN
    RETURN Magnitude(rd, FALSE, defaultBase, negative);
  END Unsigned;

PROCEDURE LongUnsigned(rd: Rd.T; defaultBase: [2..16] := 16): Long.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  BEGIN
    RETURN VAL(Unsigned(rd, defaultBase), LONGINT);
  END LongUnsigned;

TYPE
  Special = {PlusInfinity, MinusInfinity, NaN, None};

(* The rest of a word that began with the first letter of `upper`, which is in upper case. *)
PROCEDURE MatchRest(rd: Rd.T; upper: TEXT) RAISES {Error, Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    FOR i := 1 TO Text.Length(upper) - 1 DO
      WITH letter = Text.GetChar(upper, i) DO
        IF NOT Take(rd, SET OF CHAR{letter, ASCII.Lower[letter]}, ch) THEN RAISE Error END;
      END;
    END;
  END MatchRest;

(* Takes the longest prefix that begins a floating-point number; `special` is FALSE then. *)
PROCEDURE Float(rd: Rd.T; VAR special: Special): REF ARRAY OF CHAR
  RAISES {Error, Rd.Failure, Alerted} =
  VAR
    wr := TextWr.New();
    ch, letter: CHAR;
    first, digits: CARDINAL;
    negative := FALSE;
  BEGIN
    special := Special.None;
    Skip(rd);
    IF Take(rd, Signs, ch) THEN
      Put(wr, ch);
      negative := ch = '-';
    END;
    IF Take(rd, SET OF CHAR{'i', 'I'}, ch) THEN
      MatchRest(rd, "INF");
      IF Take(rd, SET OF CHAR{'i', 'I'}, ch) THEN MatchRest(rd, "INITY") END;
      IF negative THEN
        special := Special.MinusInfinity;
      ELSE
        special := Special.PlusInfinity;
      END;
      RETURN NIL;
    ELSIF Take(rd, SET OF CHAR{'n', 'N'}, ch) THEN
      MatchRest(rd, "NAN");
      special := Special.NaN;
      RETURN NIL;
    END;
    first := Wr.Index(wr);
    TakeAll(rd, Digits, wr);
    digits := Wr.Index(wr) - first;
    IF Take(rd, SET OF CHAR{'.'}, ch) THEN
      IF digits = 0 THEN Put(wr, '0') END;
      Put(wr, ch);
      first := Wr.Index(wr);
      TakeAll(rd, Digits, wr);
      INC(digits, Wr.Index(wr) - first);
    END;
    IF digits = 0 THEN RAISE Error END;
    IF Take(rd, ExponentLetters, letter) THEN
      Put(wr, letter);
      IF Take(rd, Signs, ch) THEN Put(wr, ch) END;
      first := Wr.Index(wr);
      TakeAll(rd, Digits, wr);
      IF Wr.Index(wr) = first THEN RAISE Error END;
    END;
    RETURN TextRep.Chars(TextWr.ToText(wr));
  END Float;

PROCEDURE Real(rd: Rd.T): REAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR special: Special;  chars := Float(rd, special);  used: INTEGER;  value: REAL;
  BEGIN
    IF special # Special.None THEN
      RETURN ARRAY [Special.PlusInfinity..Special.NaN] OF REAL{
               IEEESpecial.RealPosInf, IEEESpecial.RealNegInf, IEEESpecial.RealNan}[special];
    END;
    TRY
      value := Convert.ToFloat(chars^, used);
    EXCEPT
    | Convert.Failed => RAISE Error;
    END;
    IF used = 0 THEN RAISE Error END;
    IF value # 0.0 AND value = value / 2.0 THEN  (* an infinity *)
      RAISE FloatMode.Trap(FloatMode.Flag.Overflow);
    END;
    RETURN value;
  END Real;

PROCEDURE LongReal(rd: Rd.T): LONGREAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR special: Special;  chars := Float(rd, special);  used: INTEGER;  value: LONGREAL;
  BEGIN
    IF special # Special.None THEN
      RETURN ARRAY [Special.PlusInfinity..Special.NaN] OF LONGREAL{
               IEEESpecial.LongPosInf, IEEESpecial.LongNegInf, IEEESpecial.LongNan}[special];
    END;
    TRY
      value := Convert.ToLongFloat(chars^, used);
    EXCEPT
    | Convert.Failed => RAISE Error;
    END;
    IF used = 0 THEN RAISE Error END;
    IF value # 0.0d0 AND value = value / 2.0d0 THEN  (* an infinity *)
      RAISE FloatMode.Trap(FloatMode.Flag.Overflow);
    END;
    RETURN value;
  END LongReal;

PROCEDURE Extended(rd: Rd.T): EXTENDED RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  BEGIN
    RETURN FLOAT(LongReal(rd), EXTENDED);
  END Extended;

BEGIN
END Lex.
