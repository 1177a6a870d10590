MODULE TextConv;

IMPORT Fmt, Text, TextRep;

PROCEDURE Encode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT =
  VAR chars := TextRep.Chars(textIn);  result: TEXT := "";
  BEGIN
    IF quoted THEN result := "\"" END;
    FOR i := 0 TO LAST(chars^) DO result := result & EncodeOne(chars[i]) END;
    IF quoted THEN result := result & "\"" END;
    RETURN result;
  END Encode;

PROCEDURE EncodeOne(ch: CHAR): TEXT =
  BEGIN
    CASE ch OF
    | '\n' => RETURN "\\n";
    | '\t' => RETURN "\\t";
    | '\r' => RETURN "\\r";
    | '\f' => RETURN "\\f";
    | '\\' => RETURN "\\\\";
    | '\'' => RETURN "\\'";
    | '\"' => RETURN "\\\"";
    ELSE
      IF ch IN NonPrinting THEN RETURN "\\" & Fmt.Pad(Fmt.Int(ORD(ch), 8), 3, '0') END;
      RETURN Text.FromChar(ch);
    END;
  END EncodeOne;

PROCEDURE Decode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT RAISES {Fail} =
  VAR
    chars := TextRep.Chars(textIn);
    decoded := NEW(REF ARRAY OF CHAR, NUMBER(chars^));
    at, n: CARDINAL := 0;
    end: CARDINAL := NUMBER(chars^);
  BEGIN
    IF quoted THEN
      IF end < 2 OR chars[0] # '\"' OR chars[end - 1] # '\"' THEN RAISE Fail END;
      at := 1;
      DEC(end);
    END;
    WHILE at < end DO
      decoded[n] := DecodeOne(SUBARRAY(chars^, at, end - at), at);
      INC(n);
    END;
    RETURN Text.FromChars(SUBARRAY(decoded^, 0, n));
  END Decode;

(* The character that chars begins with; `at` grows by what it takes. *)
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

PROCEDURE ExplodedSize(text: TEXT; READONLY sep: SET OF CHAR): CARDINAL =
  VAR chars := TextRep.Chars(text);  n: CARDINAL := 1;
  BEGIN
    FOR i := 0 TO LAST(chars^) DO
      IF chars[i] IN sep THEN INC(n) END;
    END;
    RETURN n;
  END ExplodedSize;

PROCEDURE Explode(text: TEXT; VAR array: ARRAY OF TEXT; READONLY sep: SET OF CHAR) =
  VAR chars := TextRep.Chars(text);  start, n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(chars^) DO
      IF chars[i] IN sep THEN
        array[n] := Text.FromChars(SUBARRAY(chars^, start, i - start));
        INC(n);
        start := i + 1;
      END;
    END;
    array[n] := Text.FromChars(SUBARRAY(chars^, start, NUMBER(chars^) - start));
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
