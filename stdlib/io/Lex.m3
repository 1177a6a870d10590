MODULE Lex;

IMPORT ASCII, Convert, FloatMode, IEEESpecial, Long, RTReport, Rd, RdClass, Text, UnsafeRd, Word;
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

(* The next character, End at the end; takes it only if it is in cs. The caller has the reader's lock. *)
PROCEDURE Take(rd: Rd.T; READONLY cs: SET OF CHAR; VAR ch: CHAR): BOOLEAN
  RAISES {Rd.Failure, Alerted} =
  BEGIN
    IF NOT Peek(rd, ch) THEN ch := End; RETURN FALSE END;
    IF NOT ch IN cs THEN RETURN FALSE END;
    INC(rd.cur);
    RETURN TRUE;
  END Take;

(* What the reader has from the position `first` on, which it has passed, to the end of the word.
   Reads nothing: characters that have left the reader's buffer, or are not there yet, are
   missing. The caller has the reader's lock. *)
PROCEDURE WordFrom(rd: Rd.T; first: CARDINAL): TEXT =
  CONST Most = 60;
  VAR from, to: CARDINAL;
  BEGIN
    IF rd.closed OR rd.buff = NIL THEN RETURN "" END;
    from := MAX(first, rd.lo);
    to := MAX(from, rd.cur);
    WHILE to < rd.hi AND rd.buff[rd.st + to - rd.lo] IN NonBlanks DO INC(to) END;
    to := MIN(to, from + Most);
    RETURN Text.FromChars(SUBARRAY(rd.buff^, rd.st + from - rd.lo, to - from));
  END WordFrom;

(* Raises Error for a value that began at the position `first`. The caller has the reader's lock. *)
PROCEDURE Fail(rd: Rd.T; first: CARDINAL; isNot: TEXT) RAISES {Error} =
  BEGIN
    RTReport.ExplainWord(WordFrom(rd, first), isNot);
    RAISE Error;
  END Fail;

CONST
  IsNoReal = "is not a real number";
  IsNoInteger = "is not an integer";
  IsNoBoolean = "is not TRUE or FALSE";

(* The number of characters in cs at the beginning of a. *)
<*INLINE*>
PROCEDURE Prefix(READONLY a: ARRAY OF CHAR; READONLY cs: SET OF CHAR): CARDINAL =
  BEGIN
    FOR i := 0 TO LAST(a) DO
      IF NOT a[i] IN cs THEN RETURN i END;
    END;
    RETURN NUMBER(a);
  END Prefix;

(* The longest prefix of characters in cs is taken from the reader's buffer, piece by piece; most prefixes lie in it as
   a whole, and no other text is made for them. *)
PROCEDURE Scan(rd: Rd.T; READONLY cs: SET OF CHAR := NonBlanks): TEXT RAISES {Rd.Failure, Alerted} =
  VAR result := "";  at, ready, n: CARDINAL;  piece: TEXT;
  BEGIN
    LOCK rd DO
      WHILE rd.cur < rd.hi AND NOT rd.closed OR NOT UnsafeRd.FastEOF(rd) DO
        at := rd.st + rd.cur - rd.lo;
        ready := rd.hi - rd.cur;
        WITH chars = SUBARRAY(rd.buff^, at, ready) DO
          n := Prefix(chars, cs);
          piece := Text.FromChars(SUBARRAY(chars, 0, n));
        END;
        INC(rd.cur, n);
        IF Text.Empty(result) THEN result := piece ELSE result := result & piece END;
        IF n < ready THEN EXIT END;
      END;
    END;
    RETURN result;
  END Scan;

PROCEDURE Skip(rd: Rd.T; READONLY cs: SET OF CHAR := Blanks) RAISES {Rd.Failure, Alerted} =
  BEGIN
    LOCK rd DO SkipLocked(rd, cs) END;
  END Skip;

PROCEDURE SkipLocked(rd: Rd.T; READONLY cs: SET OF CHAR := Blanks) RAISES {Rd.Failure, Alerted} =
  VAR ready, n: CARDINAL;
  BEGIN
    WHILE rd.cur < rd.hi AND NOT rd.closed OR NOT UnsafeRd.FastEOF(rd) DO
      ready := rd.hi - rd.cur;
      n := Prefix(SUBARRAY(rd.buff^, rd.st + rd.cur - rd.lo, ready), cs);
      INC(rd.cur, n);
      IF n < ready THEN EXIT END;
    END;
  END SkipLocked;

PROCEDURE Match(rd: Rd.T; t: TEXT) RAISES {Error, Rd.Failure, Alerted} =
  VAR ch: CHAR;  start: CARDINAL;
  BEGIN
    LOCK rd DO
      start := rd.cur;
      FOR i := 0 TO Text.Length(t) - 1 DO
        IF NOT Peek(rd, ch) OR ORD(ch) # ORD(Text.GetWideChar(t, i)) THEN
          Fail(rd, start, "is not \"" & t & "\"");
        END;
        INC(rd.cur);
      END;
    END;
  END Match;

PROCEDURE Bool(rd: Rd.T): BOOLEAN RAISES {Error, Rd.Failure, Alerted} =
  VAR ch: CHAR;  start: CARDINAL;
  BEGIN
    LOCK rd DO
      SkipLocked(rd);
      start := rd.cur;
      IF Take(rd, SET OF CHAR{'T', 't'}, ch) THEN
        MatchAnyCase(rd, "RUE", start, IsNoBoolean);
        RETURN TRUE;
      ELSE
        MatchAnyCase(rd, "FALSE", start, IsNoBoolean);
        RETURN FALSE;
      END;
    END;
  END Bool;

(* t is in upper case, and the rest of a value that began at `start`. The caller has the reader's
   lock. *)
PROCEDURE MatchAnyCase(rd: Rd.T; t: TEXT; start: CARDINAL; isNot: TEXT)
  RAISES {Error, Rd.Failure, Alerted} =
  VAR upper, ch: CHAR;
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      upper := Text.GetChar(t, i);
      IF NOT Peek(rd, ch) OR ch # upper AND ch # ASCII.Lower[upper] THEN Fail(rd, start, isNot) END;
      INC(rd.cur);
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
      start: CARDINAL;
  BEGIN
    LOCK rd DO
      WHILE Peek(rd, ch) AND ch IN Blanks DO INC(rd.cur) END;
      start := rd.cur;
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
      IF n.digits = 0 OR n.wrong THEN Fail(rd, start, IsNoInteger) END;
      IF n.overflow THEN
        RTReport.ExplainWord(WordFrom(rd, start), "does not fit INTEGER");
        RAISE FloatMode.Trap(FloatMode.Flag.IntOverflow);
      END;
    END;
    RETURN n.value;
  END Magnitude;

(* The magnitude of FIRST(INTEGER) is not an INTEGER, but fits in a word. *)
PROCEDURE Int(rd: Rd.T; defaultBase: [2..16] := 10): INTEGER
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR negative: BOOLEAN;  n := Magnitude(rd, TRUE, defaultBase, negative);
  BEGIN
    IF n < 0 AND NOT (negative AND n = FIRST(INTEGER)) THEN
      RTReport.Explain("the number does not fit INTEGER");
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

(* The rest of a word that began with the first letter of `upper`, which is in upper case; the value
   began at `start`. *)
PROCEDURE MatchRest(rd: Rd.T; upper: TEXT; start: CARDINAL) RAISES {Error, Rd.Failure, Alerted} =
  BEGIN
    MatchAnyCase(rd, Text.Sub(upper, 1), start, IsNoReal);
  END MatchRest;

TYPE
  (* The characters of a number: the first `count` of `short`, or of `long` if that is not NIL. *)
  Spelling = RECORD
    count: CARDINAL := 0;
    long: REF ARRAY OF CHAR := NIL;
    short: ARRAY [0..63] OF CHAR;
  END;

PROCEDURE Add(VAR s: Spelling; ch: CHAR) =
  VAR longer: REF ARRAY OF CHAR;
  BEGIN
    IF s.long = NIL AND s.count < NUMBER(s.short) THEN
      s.short[s.count] := ch;
    ELSE
      IF s.long = NIL THEN
        s.long := NEW(REF ARRAY OF CHAR, 4 * s.count);
        SUBARRAY(s.long^, 0, s.count) := s.short;
      ELSIF s.count = NUMBER(s.long^) THEN
        longer := NEW(REF ARRAY OF CHAR, 2 * s.count);
        SUBARRAY(longer^, 0, s.count) := s.long^;
        s.long := longer;
      END;
      s.long[s.count] := ch;
    END;
    INC(s.count);
  END Add;

(* Takes the longest prefix of digits. *)
PROCEDURE AddDigits(rd: Rd.T; VAR s: Spelling): CARDINAL RAISES {Rd.Failure, Alerted} =
  VAR ch: CHAR;  first := s.count;
  BEGIN
    WHILE Take(rd, Digits, ch) DO Add(s, ch) END;
    RETURN s.count - first;
  END AddDigits;

(* Takes the longest prefix that begins a floating-point number. *)
PROCEDURE Float(rd: Rd.T; VAR s: Spelling): Special RAISES {Error, Rd.Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN FloatLocked(rd, s) END;
  END Float;

PROCEDURE FloatLocked(rd: Rd.T; VAR s: Spelling): Special RAISES {Error, Rd.Failure, Alerted} =
  VAR ch, letter: CHAR;  start, digits: CARDINAL;  negative := FALSE;
  BEGIN
    SkipLocked(rd);
    start := rd.cur;
    IF Take(rd, Signs, ch) THEN
      Add(s, ch);
      negative := ch = '-';
    END;
    IF Take(rd, SET OF CHAR{'i', 'I'}, ch) THEN
      MatchRest(rd, "INF", start);
      IF Take(rd, SET OF CHAR{'i', 'I'}, ch) THEN MatchRest(rd, "INITY", start) END;
      IF negative THEN RETURN Special.MinusInfinity ELSE RETURN Special.PlusInfinity END;
    ELSIF Take(rd, SET OF CHAR{'n', 'N'}, ch) THEN
      MatchRest(rd, "NAN", start);
      RETURN Special.NaN;
    END;
    digits := AddDigits(rd, s);
    IF Take(rd, SET OF CHAR{'.'}, ch) THEN
      IF digits = 0 THEN Add(s, '0') END;
      Add(s, ch);
      INC(digits, AddDigits(rd, s));
    END;
    IF digits = 0 THEN Fail(rd, start, IsNoReal) END;
    IF Take(rd, ExponentLetters, letter) THEN
      Add(s, letter);
      IF Take(rd, Signs, ch) THEN Add(s, ch) END;
      IF AddDigits(rd, s) = 0 THEN Fail(rd, start, IsNoReal) END;
    END;
    RETURN Special.None;
  END FloatLocked;

PROCEDURE ToReal(READONLY chars: ARRAY OF CHAR; VAR used: INTEGER): REAL RAISES {Error} =
  BEGIN
    TRY
      RETURN Convert.ToFloat(chars, used);
    EXCEPT
    | Convert.Failed => RAISE Error;
    END;
  END ToReal;

PROCEDURE ToLongReal(READONLY chars: ARRAY OF CHAR; VAR used: INTEGER): LONGREAL RAISES {Error} =
  BEGIN
    TRY
      RETURN Convert.ToLongFloat(chars, used);
    EXCEPT
    | Convert.Failed => RAISE Error;
    END;
  END ToLongReal;

PROCEDURE Real(rd: Rd.T): REAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR s: Spelling;  special := Float(rd, s);  used: INTEGER;  value: REAL;
  BEGIN
    IF special # Special.None THEN
      RETURN ARRAY [Special.PlusInfinity..Special.NaN] OF REAL{
        IEEESpecial.RealPosInf, IEEESpecial.RealNegInf, IEEESpecial.RealNan}[special];
    END;
    IF s.long = NIL THEN
      value := ToReal(SUBARRAY(s.short, 0, s.count), used);
    ELSE
      value := ToReal(SUBARRAY(s.long^, 0, s.count), used);
    END;
    IF used = 0 THEN RAISE Error END;
    IF value # 0.0 AND value = value / 2.0 THEN  (* an infinity *)
      RTReport.Explain("the number does not fit the type");
      RAISE FloatMode.Trap(FloatMode.Flag.Overflow);
    END;
    RETURN value;
  END Real;

PROCEDURE LongReal(rd: Rd.T): LONGREAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted} =
  VAR s: Spelling;  special := Float(rd, s);  used: INTEGER;  value: LONGREAL;
  BEGIN
    IF special # Special.None THEN
      RETURN ARRAY [Special.PlusInfinity..Special.NaN] OF LONGREAL{
        IEEESpecial.LongPosInf, IEEESpecial.LongNegInf, IEEESpecial.LongNan}[special];
    END;
    IF s.long = NIL THEN
      value := ToLongReal(SUBARRAY(s.short, 0, s.count), used);
    ELSE
      value := ToLongReal(SUBARRAY(s.long^, 0, s.count), used);
    END;
    IF used = 0 THEN RAISE Error END;
    IF value # 0.0d0 AND value = value / 2.0d0 THEN  (* an infinity *)
      RTReport.Explain("the number does not fit the type");
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
