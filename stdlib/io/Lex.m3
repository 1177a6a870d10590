MODULE Lex;

IMPORT ASCII, Convert, FloatMode, IEEESpecial, Long, Rd, Text, TextRep, TextWr, Word, Wr;
FROM Thread IMPORT Alerted;

CONST
  Digits = SET OF CHAR{'0'..'9'};
  Signs = SET OF CHAR{'+', '-'};
  ExponentLetters = SET OF CHAR{'e', 'E', 'd', 'D', 'x', 'X'};

(* A character that is in no set that matters here. *)
CONST
  End = '\000';

(* The next character, End at the end; it is taken only if it is in cs. *)
PROCEDURE Take(rd: Rd.T; READONLY cs: SET OF CHAR; VAR ch: CHAR): BOOLEAN
  RAISES {Rd.Failure, Alerted} =
  BEGIN
    TRY
      ch := Rd.GetChar(rd);
    EXCEPT
    | Rd.EndOfFile => ch := End; RETURN FALSE;
    END;
    IF ch IN cs THEN RETURN TRUE END;
    Rd.UnGetChar(rd);
    RETURN FALSE;
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
    WHILE Take(rd, cs, ch) DO Put(wr, ch) END;
  END TakeAll;

PROCEDURE Skip(rd: Rd.T; READONLY cs: SET OF CHAR := Blanks) RAISES {Rd.Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    WHILE Take(rd, cs, ch) DO END;
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

(* The digits of `base`. *)
PROCEDURE DigitsOf(base: [2..16]): SET OF CHAR =
  VAR result := SET OF CHAR{};
  BEGIN
    FOR i := 0 TO base - 1 DO
      IF i < 10 THEN
        result := result + SET OF CHAR{VAL(ORD('0') + i, CHAR)};
      ELSE
        result := result + SET OF CHAR{VAL(ORD('a') + i - 10, CHAR), VAL(ORD('A') + i - 10, CHAR)};
      END;
    END;
    RETURN result;
  END DigitsOf;

(* The longest prefix that can be a number, with a sign if that is allowed. *)
PROCEDURE Number(rd: Rd.T; signed: BOOLEAN; defaultBase: [2..16]): REF ARRAY OF CHAR
  RAISES {Error, Rd.Failure, Alerted} =
  VAR wr := TextWr.New();  ch: CHAR;  first: CARDINAL;  t: TEXT;  base: INTEGER;  used: INTEGER;
  BEGIN
    Skip(rd);
    IF signed AND Take(rd, Signs, ch) THEN Put(wr, ch) END;
    first := Wr.Index(wr);
    TakeAll(rd, DigitsOf(defaultBase) + Digits, wr);
    t := TextWr.ToText(wr);
    IF Take(rd, SET OF CHAR{'_'}, ch) THEN
      WITH chars = TextRep.Chars(Text.Sub(t, first)) DO base := Convert.ToInt(chars^, used) END;
      IF used # Text.Length(t) - first OR base < 2 OR base > 16 THEN RAISE Error END;
      t := t & "_" & Scan(rd, DigitsOf(base));
    END;
    RETURN TextRep.Chars(t);
  END Number;

(* Whether chars look like a number, although it was too large to be converted: all digits fit. *)
PROCEDURE CheckUsed(READONLY chars: ARRAY OF CHAR; used: INTEGER; base: [2..16])
  RAISES {Error, FloatMode.Trap} =
  VAR digits := DigitsOf(base);  first: CARDINAL := 0;
  BEGIN
    IF used = NUMBER(chars) AND used > 0 THEN RETURN END;
    FOR i := 0 TO LAST(chars) DO
      IF chars[i] IN Signs OR chars[i] = '_' THEN first := i + 1 END;
    END;
    IF first >= NUMBER(chars) THEN RAISE Error END;
    FOR i := first TO LAST(chars) DO
      IF first = 0 AND NOT chars[i] IN digits THEN RAISE Error END;
    END;
    IF used # 0 THEN RAISE Error END;
    RAISE FloatMode.Trap(FloatMode.Flag.IntOverflow);
  END CheckUsed;

PROCEDURE Int(rd: Rd.T; defaultBase: [2..16] := 10): INTEGER
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR chars := Number(rd, TRUE, defaultBase);  used: INTEGER;
      value := Convert.ToInt(chars^, used, defaultBase);
  BEGIN
    CheckUsed(chars^, used, defaultBase);
    RETURN value;
  END Int;

PROCEDURE LongInt(rd: Rd.T; defaultBase: [2..16] := 10): LONGINT
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  BEGIN
    RETURN VAL(Int(rd, defaultBase), LONGINT);
  END LongInt;

PROCEDURE Unsigned(rd: Rd.T; defaultBase: [2..16] := 16): Word.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR chars := Number(rd, FALSE, defaultBase);  used: INTEGER;
      value := Convert.ToUnsigned(chars^, used, defaultBase);
  BEGIN
    CheckUsed(chars^, used, defaultBase);
    RETURN value;
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

(* The longest prefix that can be a floating-point number; it is not `special` then. *)
PROCEDURE Float(rd: Rd.T; VAR special: Special): REF ARRAY OF CHAR
  RAISES {Error, Rd.Failure, Alerted} =
  VAR wr := TextWr.New();  ch, letter: CHAR;  first: CARDINAL;  negative := FALSE;  digits: CARDINAL;
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
