MODULE TextConv;

IMPORT Text, TextRep;

PROCEDURE Encode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT =
  VAR result: TEXT := "";  start, end: CARDINAL := 0;
  BEGIN
    WHILE NextRun(textIn, start, end) DO
      result := result & EncodeRun(Text.Sub(textIn, start, end - start));
      result := result & WideRun(textIn, end);
    END;
    IF quoted THEN RETURN "\"" & result & "\"" END;
    RETURN result;
  END Encode;

PROCEDURE EncodeRun(t: TEXT): TEXT =
  VAR chars := TextRep.Chars(t);  out := NEW(REF ARRAY OF CHAR, EncodedCharsSize(chars^));
  BEGIN
    EVAL EncodeChars(chars^, out^);
    RETURN Text.FromChars(out^);
  END EncodeRun;

(* Characters that are not in CHAR have no escapes: Encode and Decode copy them, and treat the runs
   of characters between them. Sets start .. end - 1 to the run at `end`, which may be empty; FALSE
   at the end of t. *)
PROCEDURE NextRun(t: TEXT; VAR start, end: CARDINAL): BOOLEAN =
  VAR n := Text.Length(t);
  BEGIN
    start := end;
    IF start = n THEN RETURN FALSE END;
    IF NOT Text.HasWideChars(t) THEN end := n; RETURN TRUE END;
    WHILE end < n AND ORD(Text.GetWideChar(t, end)) <= ORD(LAST(CHAR)) DO INC(end) END;
    RETURN TRUE;
  END NextRun;

(* The characters from `end` on that are not in CHAR; moves `end` behind them. *)
PROCEDURE WideRun(t: TEXT; VAR end: CARDINAL): TEXT =
  VAR start := end;
  BEGIN
    WHILE end < Text.Length(t) AND ORD(Text.GetWideChar(t, end)) > ORD(LAST(CHAR)) DO INC(end) END;
    RETURN Text.Sub(t, start, end - start);
  END WideRun;

PROCEDURE EncodedCharSize(charIn: CHAR): CARDINAL =
  VAR out: ARRAY [0..3] OF CHAR;
  BEGIN
    RETURN EncodeChar(charIn, out);
  END EncodedCharSize;

PROCEDURE EncodeChar(charIn: CHAR; VAR charsOut: ARRAY [0..3] OF CHAR): CARDINAL =

  PROCEDURE Escaped(c: CHAR): CARDINAL =
    BEGIN
      charsOut[0] := Escape;
      charsOut[1] := c;
      RETURN 2;
    END Escaped;

  BEGIN
    CASE charIn OF
    | '\n' => RETURN Escaped('n');
    | '\t' => RETURN Escaped('t');
    | '\r' => RETURN Escaped('r');
    | '\f' => RETURN Escaped('f');
    | '\\', '\'', '\"' => RETURN Escaped(charIn);
    ELSE
      IF charIn IN NonPrinting THEN
        charsOut[0] := Escape;
        charsOut[1] := VAL(ORD('0') + ORD(charIn) DIV 64, CHAR);
        charsOut[2] := VAL(ORD('0') + ORD(charIn) DIV 8 MOD 8, CHAR);
        charsOut[3] := VAL(ORD('0') + ORD(charIn) MOD 8, CHAR);
        RETURN 4;
      END;
      charsOut[0] := charIn;
      RETURN 1;
    END;
  END EncodeChar;

PROCEDURE EncodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL =
  VAR n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(charsIn) DO INC(n, EncodedCharSize(charsIn[i])) END;
    RETURN n;
  END EncodedCharsSize;

PROCEDURE EncodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL =
  VAR n, size: CARDINAL := 0;  out: ARRAY [0..3] OF CHAR;
  BEGIN
    FOR i := 0 TO LAST(charsIn) DO
      size := EncodeChar(charsIn[i], out);
      SUBARRAY(charsOut, n, size) := SUBARRAY(out, 0, size);
      INC(n, size);
    END;
    RETURN n;
  END EncodeChars;

PROCEDURE Decode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT RAISES {Fail} =
  CONST Quote = W'\"';
  VAR result: TEXT := "";  start, end: CARDINAL := 0;  n := Text.Length(textIn);
  BEGIN
    IF quoted THEN
      IF n < 2 OR Text.GetWideChar(textIn, 0) # Quote OR Text.GetWideChar(textIn, n - 1) # Quote THEN RAISE Fail END;
      textIn := Text.Sub(textIn, 1, n - 2);
    END;
    WHILE NextRun(textIn, start, end) DO
      result := result & DecodeRun(Text.Sub(textIn, start, end - start));
      result := result & WideRun(textIn, end);
    END;
    RETURN result;
  END Decode;

PROCEDURE DecodeRun(t: TEXT): TEXT RAISES {Fail} =
  VAR chars := TextRep.Chars(t);  decoded := NEW(REF ARRAY OF CHAR, NUMBER(chars^));
  BEGIN
    RETURN Text.FromChars(SUBARRAY(decoded^, 0, DecodeChars(chars^, decoded^)));
  END DecodeRun;

PROCEDURE DecodeChar(READONLY charsIn: ARRAY [0..3] OF CHAR; availIn: INTEGER; VAR charOut: CHAR):
  CARDINAL RAISES {Fail} =
  VAR taken: CARDINAL := 0;
  BEGIN
    IF availIn <= 0 THEN RAISE Fail END;
    charOut := DecodeOne(SUBARRAY(charsIn, 0, MIN(availIn, 4)), taken);
    RETURN taken;
  END DecodeChar;

PROCEDURE DecodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL RAISES {Fail} =
  VAR at, n: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(charsIn) DO
      EVAL DecodeOne(SUBARRAY(charsIn, at, NUMBER(charsIn) - at), at);
      INC(n);
    END;
    RETURN n;
  END DecodedCharsSize;

PROCEDURE DecodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL
  RAISES {Fail} =
  VAR at, n: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(charsIn) DO
      charsOut[n] := DecodeOne(SUBARRAY(charsIn, at, NUMBER(charsIn) - at), at);
      INC(n);
    END;
    RETURN n;
  END DecodeChars;

(* The first character of chars; `at` grows by the number of characters read. *)
PROCEDURE DecodeOne(READONLY chars: ARRAY OF CHAR; VAR at: CARDINAL): CHAR RAISES {Fail} =
  VAR code := 0;
  BEGIN
    INC(at);
    IF chars[0] # Escape THEN RETURN chars[0] END;
    IF NUMBER(chars) < 2 THEN RAISE Fail END;
    INC(at);
    CASE chars[1] OF
    | 'n' => RETURN '\n';
    | 't' => RETURN '\t';
    | 'r' => RETURN '\r';
    | 'f' => RETURN '\f';
    | '\\', '\'', '\"' => RETURN chars[1];
    | '0'..'7' =>
      IF NUMBER(chars) < 4 THEN RAISE Fail END;
      FOR i := 1 TO 3 DO
        IF chars[i] < '0' OR chars[i] > '7' THEN RAISE Fail END;
        code := 8 * code + ORD(chars[i]) - ORD('0');
      END;
      IF code > ORD(LAST(CHAR)) THEN RAISE Fail END;
      INC(at, 2);
      RETURN VAL(code, CHAR);
    ELSE
      RAISE Fail;
    END;
  END DecodeOne;

PROCEDURE IsIn(ch: WIDECHAR; READONLY set: SET OF CHAR): BOOLEAN =
  BEGIN
    RETURN ORD(ch) <= ORD(LAST(CHAR)) AND VAL(ORD(ch), CHAR) IN set;
  END IsIn;

PROCEDURE ExplodedSize(text: TEXT; READONLY sep: SET OF CHAR): CARDINAL =
  VAR chars := TextRep.WideChars(text);  n: CARDINAL := 1;
  BEGIN
    FOR i := 0 TO LAST(chars^) DO
      IF IsIn(chars[i], sep) THEN INC(n) END;
    END;
    RETURN n;
  END ExplodedSize;

PROCEDURE Explode(text: TEXT; VAR array: ARRAY OF TEXT; READONLY sep: SET OF CHAR) =
  VAR chars := TextRep.WideChars(text);  start, n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(chars^) DO
      IF IsIn(chars[i], sep) THEN
        array[n] := TextRep.Copy(text, start, i - start);
        INC(n);
        start := i + 1;
      END;
    END;
    array[n] := TextRep.Copy(text, start, NUMBER(chars^) - start);
  END Explode;

PROCEDURE Implode(READONLY array: ARRAY OF TEXT; sep: CHAR): TEXT =
  VAR result: TEXT := "";
  BEGIN
    FOR i := 0 TO LAST(array) DO
      IF i > 0 THEN result := result & Text.FromChar(sep) END;
      result := result & array[i];
    END;
    RETURN result;
  END Implode;

BEGIN
END TextConv.
