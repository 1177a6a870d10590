MODULE Utf8;

IMPORT Text, TextRep, Word;

TYPE
  Chars = REF ARRAY OF CHAR;

PROCEDURE Valid(t: TEXT): BOOLEAN =
  BEGIN
    RETURN FirstInvalid(t) < 0;
  END Valid;

PROCEDURE FirstInvalid(t: TEXT): INTEGER =
  VAR a: Chars;  at: CARDINAL := 0;  code: CodePoint;
  BEGIN
    IF Text.HasWideChars(t) THEN
      FOR i := 0 TO Text.Length(t) - 1 DO
        IF Text.GetWideChar(t, i) > W'\x00FF' THEN RETURN i END;
      END;
    END;
    a := TextRep.Chars(t);
    WHILE at < NUMBER(a^) DO
      IF NOT Take(a^, at, code) THEN RETURN at END;
    END;
    RETURN -1;
  END FirstInvalid;

(* Takes the code point at `at`, which moves on. FALSE, and nothing is taken, if there is none. *)
PROCEDURE Take(READONLY a: ARRAY OF CHAR; VAR at: CARDINAL; VAR code: CodePoint): BOOLEAN =
  VAR first := ORD(a[at]);  more: [0 .. 3];  least, found: INTEGER;
  BEGIN
    CASE first OF
    | 0 .. 16_7F =>
      code := first;
      INC(at);
      RETURN TRUE;
    | 16_C2 .. 16_DF => more := 1; found := first - 16_C0; least := 16_80;
    | 16_E0 .. 16_EF => more := 2; found := first - 16_E0; least := 16_800;
    | 16_F0 .. 16_F4 => more := 3; found := first - 16_F0; least := 16_10000;
    ELSE RETURN FALSE;
    END;
    IF more > LAST(a) - at THEN RETURN FALSE END;
    FOR i := at + 1 TO at + more DO
      WITH byte = ORD(a[i]) DO
        IF byte < 16_80 OR byte > 16_BF THEN RETURN FALSE END;
        found := found * 64 + byte - 16_80;
      END;
    END;
    IF found < least OR found > LAST(CodePoint) OR IsSurrogate(found) THEN RETURN FALSE END;
    code := found;
    INC(at, more + 1);
    RETURN TRUE;
  END Take;

PROCEDURE Following(first: CHAR): [0 .. 3] =
  BEGIN
    CASE first OF
    | '\302' .. '\337' => RETURN 1;
    | '\340' .. '\357' => RETURN 2;
    | '\360' .. '\364' => RETURN 3;
    ELSE RETURN 0;
    END;
  END Following;

(* Without longer forms than needed, surrogates, and codes beyond 16_10FFFF. *)
PROCEDURE Second(first: CHAR; VAR low, high: CHAR) =
  BEGIN
    low := '\200';
    high := '\277';
    CASE first OF
    | '\340' => low := '\240';
    | '\355' => high := '\237';
    | '\360' => low := '\220';
    | '\364' => high := '\217';
    ELSE
    END;
  END Second;

PROCEDURE FirstUnpaired(t: TEXT): INTEGER =
  VAR from := TextRep.WideChars(t);  at, begin: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(from^) DO
      begin := at;
      IF IsSurrogate(TakeWide(from^, at)) THEN RETURN begin END;
    END;
    RETURN -1;
  END FirstUnpaired;

PROCEDURE IsSurrogate(code: INTEGER): BOOLEAN =
  BEGIN
    RETURN 16_D800 <= code AND code <= 16_DFFF;
  END IsSurrogate;

PROCEDURE Repair(t: TEXT): TEXT =
  VAR a: Chars;  codes: CodePoints;  at, n: CARDINAL := 0;  wasInvalid := FALSE;
  BEGIN
    IF Valid(t) THEN RETURN t END;
    IF Text.HasWideChars(t) THEN RETURN FromWide(t) END;
    a := TextRep.Chars(t);
    codes := NEW(CodePoints, NUMBER(a^));
    WHILE at < NUMBER(a^) DO
      IF Take(a^, at, codes[n]) THEN
        wasInvalid := FALSE;
        INC(n);
      ELSE
        IF NOT wasInvalid THEN codes[n] := Replacement; INC(n) END;
        wasInvalid := TRUE;
        INC(at);
      END;
    END;
    RETURN Encode(SUBARRAY(codes^, 0, n));
  END Repair;

PROCEDURE Decode(t: TEXT; VAR at: CARDINAL): CodePoint RAISES {Error} =
  VAR a: ARRAY [0 .. 3] OF CHAR;  n := MIN(NUMBER(a), Text.Length(t) - at);  used: CARDINAL := 0;
      code: CodePoint;
  BEGIN
    <*ASSERT n > 0 WITH "Utf8.Decode: at the end of the text"*>
    FOR i := 0 TO n - 1 DO
      WITH c = Text.GetWideChar(t, at + i) DO
        IF c > W'\x00FF' THEN
          IF i = 0 THEN RAISE Error(at) END;
          n := i;
          EXIT;
        END;
        a[i] := VAL(ORD(c), CHAR);
      END;
    END;
    IF NOT Take(SUBARRAY(a, 0, n), used, code) THEN RAISE Error(at) END;
    INC(at, used);
    RETURN code;
  END Decode;

PROCEDURE Decoded(t: TEXT): CodePoints RAISES {Error} =
  VAR codes := NEW(CodePoints, Count(t));  a := TextRep.Chars(t);  at: CARDINAL := 0;  good: BOOLEAN;
  BEGIN
    FOR i := 0 TO LAST(codes^) DO
      good := Take(a^, at, codes[i]);
      <*ASSERT good*>
    END;
    RETURN codes;
  END Decoded;

PROCEDURE Count(t: TEXT): CARDINAL RAISES {Error} =
  VAR bad := FirstInvalid(t);  a: Chars;  n: CARDINAL := 0;
  BEGIN
    IF bad >= 0 THEN RAISE Error(bad) END;
    a := TextRep.Chars(t);
    FOR i := 0 TO LAST(a^) DO
      IF Word.And(ORD(a[i]), 16_C0) # 16_80 THEN INC(n) END;
    END;
    RETURN n;
  END Count;

PROCEDURE FromCode(c: CodePoint): TEXT =
  BEGIN
    RETURN Encode(ARRAY [0 .. 0] OF CodePoint{c});
  END FromCode;

PROCEDURE Encode(READONLY codes: ARRAY OF CodePoint): TEXT =
  VAR a := NEW(Chars, 4 * NUMBER(codes));  n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(codes) DO Put(codes[i], a^, n) END;
    RETURN Text.FromChars(SUBARRAY(a^, 0, n));
  END Encode;

PROCEDURE Put(code: CodePoint; VAR a: ARRAY OF CHAR; VAR n: CARDINAL) =

  PROCEDURE Byte(mark, shift: INTEGER) =
    BEGIN
      a[n] := VAL(mark + Word.And(Word.RightShift(code, shift), 63), CHAR);
      INC(n);
    END Byte;

  BEGIN
    IF IsSurrogate(code) THEN code := Replacement END;
    IF code < 16_80 THEN
      a[n] := VAL(code, CHAR);
      INC(n);
      RETURN;
    ELSIF code < 16_800 THEN
      Byte(16_C0, 6);
    ELSE
      IF code < 16_10000 THEN
        Byte(16_E0, 12);
      ELSE
        Byte(16_F0, 18);
        Byte(16_80, 12);
      END;
      Byte(16_80, 6);
    END;
    Byte(16_80, 0);
  END Put;

PROCEDURE FromWide(t: TEXT): TEXT =
  VAR
    from := TextRep.WideChars(t);
    a := NEW(Chars, 3 * NUMBER(from^));
    n, at: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(from^) DO Put(TakeWide(from^, at), a^, n) END;
    RETURN Text.FromChars(SUBARRAY(a^, 0, n));
  END FromWide;

(* The code point of one code unit of UTF-16 or two; of an unpaired surrogate, itself. *)
PROCEDURE TakeWide(READONLY a: ARRAY OF WIDECHAR; VAR at: CARDINAL): CodePoint =
  VAR first := ORD(a[at]);
  BEGIN
    INC(at);
    IF 16_D800 <= first AND first <= 16_DBFF AND at < NUMBER(a) THEN
      WITH second = ORD(a[at]) DO
        IF 16_DC00 <= second AND second <= 16_DFFF THEN
          INC(at);
          RETURN 16_10000 + (first - 16_D800) * 1024 + second - 16_DC00;
        END;
      END;
    END;
    RETURN first;
  END TakeWide;

PROCEDURE ToWide(t: TEXT): TEXT RAISES {Error} =
  VAR
    codes := Decoded(t);
    a := NEW(REF ARRAY OF WIDECHAR, 2 * NUMBER(codes^));
    n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(codes^) DO
      IF codes[i] < 16_10000 THEN
        a[n] := VAL(codes[i], WIDECHAR);
      ELSE
        a[n] := VAL(16_D800 + (codes[i] - 16_10000) DIV 1024, WIDECHAR);
        INC(n);
        a[n] := VAL(16_DC00 + codes[i] MOD 1024, WIDECHAR);
      END;
      INC(n);
    END;
    RETURN Text.FromWideChars(SUBARRAY(a^, 0, n));
  END ToWide;

BEGIN
END Utf8.
