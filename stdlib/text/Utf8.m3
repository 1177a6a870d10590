MODULE Utf8;

IMPORT Fmt, Text, TextRep, Word;

PROCEDURE Following(first: CHAR): [0..3] =
  BEGIN
    CASE first OF
    | '\302'..'\337' => RETURN 1;
    | '\340'..'\357' => RETURN 2;
    | '\360'..'\364' => RETURN 3;
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

PROCEDURE Encode(code: CARDINAL; VAR bytes: ARRAY [0..3] OF CHAR): [1..4] =
  VAR n: [1..4];
  BEGIN
    <*ASSERT code <= 16_10FFFF, "there is no such character"*>
    IF code < 16_80 THEN
      bytes[0] := VAL(code, CHAR);
      RETURN 1;
    ELSIF code < 16_800 THEN
      n := 2;
      bytes[0] := VAL(16_C0 + code DIV 64, CHAR);
    ELSIF code < 16_10000 THEN
      n := 3;
      bytes[0] := VAL(16_E0 + code DIV 4096, CHAR);
    ELSE
      n := 4;
      bytes[0] := VAL(16_F0 + code DIV 262144, CHAR);
    END;
    FOR i := 1 TO n - 1 DO bytes[i] := VAL(16_80 + Word.Extract(code, 6 * (n - 1 - i), 6), CHAR) END;
    RETURN n;
  END Encode;

PROCEDURE FromCode(code: CARDINAL): TEXT =
  VAR bytes: ARRAY [0..3] OF CHAR;  n := Encode(code, bytes);
  BEGIN
    RETURN Text.FromChars(SUBARRAY(bytes, 0, n));
  END FromCode;

(* Whether a character stands at `at`; then moves `at` behind it. *)
PROCEDURE Pass(READONLY chars: ARRAY OF CHAR; VAR at: CARDINAL; VAR code: CARDINAL): BOOLEAN =
  CONST Bits = ARRAY [0..3] OF CARDINAL{7, 5, 4, 3};  (* of the code in the first byte *)
  VAR first := chars[at];  n := Following(first);  low, high: CHAR;
  BEGIN
    IF n = 0 AND first > '\177' OR at + n > LAST(chars) THEN RETURN FALSE END;
    code := Word.Extract(ORD(first), 0, Bits[n]);
    FOR i := 1 TO n DO
      IF i = 1 THEN
        Second(first, low, high);
      ELSE
        low := '\200';
        high := '\277';
      END;
      IF chars[at + i] < low OR high < chars[at + i] THEN RETURN FALSE END;
      code := 64 * code + Word.Extract(ORD(chars[at + i]), 0, 6);
    END;
    INC(at, n + 1);
    RETURN TRUE;
  END Pass;

PROCEDURE FindWrong(t: TEXT): INTEGER =
  VAR chars := TextRep.CharsOr(t, '\377');  at, code: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(chars^) DO
      IF chars[at] <= '\177' THEN
        INC(at);
      ELSIF NOT Pass(chars^, at, code) THEN
        RETURN at;
      END;
    END;
    RETURN -1;
  END FindWrong;

PROCEDURE Wrong(at: CARDINAL) RAISES {Error} =
  BEGIN
    RAISE Error("byte " & Fmt.Int(at) & " is not UTF-8");
  END Wrong;

PROCEDURE Length(t: TEXT): CARDINAL RAISES {Error} =
  VAR chars := TextRep.CharsOr(t, '\377');  at, code, count: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(chars^) DO
      IF NOT Pass(chars^, at, code) THEN Wrong(at) END;
      INC(count);
    END;
    RETURN count;
  END Length;

PROCEDURE ToWide(t: TEXT): TEXT RAISES {Error} =
  VAR
    chars := TextRep.CharsOr(t, '\377');
    wide := NEW(REF ARRAY OF WIDECHAR, NUMBER(chars^));
    at, code, n: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(chars^) DO
      IF NOT Pass(chars^, at, code) THEN Wrong(at) END;
      IF code > 16_FFFF THEN
        wide[n] := VAL(16_D800 + (code - 16_10000) DIV 1024, WIDECHAR);
        wide[n + 1] := VAL(16_DC00 + code MOD 1024, WIDECHAR);
        INC(n, 2);
      ELSE
        wide[n] := VAL(code, WIDECHAR);
        INC(n);
      END;
    END;
    RETURN Text.FromWideChars(SUBARRAY(wide^, 0, n));
  END ToWide;

PROCEDURE FromWide(t: TEXT): TEXT RAISES {Error} =
  VAR
    wide := TextRep.WideChars(t);
    out := NEW(REF ARRAY OF CHAR, 3 * NUMBER(wide^));
    bytes: ARRAY [0..3] OF CHAR;
    at, count, code, n: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(wide^) DO
      code := ORD(wide[at]);
      IF 16_D800 <= code AND code <= 16_DFFF THEN
        IF code >= 16_DC00 OR at = LAST(wide^) OR ORD(wide[at + 1]) < 16_DC00 OR 16_DFFF < ORD(wide[at + 1]) THEN
          RAISE Error("character " & Fmt.Int(at) & " is half of a surrogate pair");
        END;
        INC(at);
        code := 16_10000 + (code - 16_D800) * 1024 + ORD(wide[at]) - 16_DC00;
      END;
      INC(at);
      n := Encode(code, bytes);
      SUBARRAY(out^, count, n) := SUBARRAY(bytes, 0, n);
      INC(count, n);
    END;
    RETURN Text.FromChars(SUBARRAY(out^, 0, count));
  END FromWide;

BEGIN
END Utf8.
