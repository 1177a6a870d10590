MODULE Base64;

IMPORT Fmt, Text, TextConv, TextRep, Word;

CONST
  Letters = ARRAY Alphabet OF TEXT{
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

PROCEDURE Encode(t: TEXT; alphabet := Alphabet.Standard; padded := TRUE; line: CARDINAL := 0): TEXT =
  VAR
    bytes := TextRep.Chars(t);
    n := NUMBER(bytes^);
    letters: ARRAY [0..63] OF CHAR;
    chars := (n * 4 + 2) DIV 3;  (* without padding *)
    whole := chars;
    out: REF ARRAY OF CHAR;
    at: CARDINAL := 0;
    put: CARDINAL := 0;

  PROCEDURE Byte(i: CARDINAL): Word.T =
    BEGIN
      IF i < n THEN RETURN ORD(bytes[i]) END;
      RETURN 0;
    END Byte;

  BEGIN
    Text.SetChars(letters, Letters[alphabet]);
    IF padded THEN whole := (n + 2) DIV 3 * 4 END;
    IF line > 0 AND whole > 0 THEN
      out := NEW(REF ARRAY OF CHAR, whole + (whole - 1) DIV line);
    ELSE
      out := NEW(REF ARRAY OF CHAR, whole);
    END;
    FOR i := 0 TO whole - 1 DO
      IF line > 0 AND i > 0 AND i MOD line = 0 THEN
        out[put] := '\n';
        INC(put);
      END;
      IF i < chars THEN
        at := i * 6 DIV 8;
        WITH two = Word.Or(Word.LeftShift(Byte(at), 8), Byte(at + 1)) DO
          out[put] := letters[Word.Extract(two, 10 - i * 6 MOD 8, 6)];
        END;
      ELSE
        out[put] := '=';
      END;
      INC(put);
    END;
    RETURN Text.FromChars(out^);
  END Encode;

PROCEDURE Decode(t: TEXT; alphabet := Alphabet.Standard; padded := TRUE; blanks := FALSE): TEXT RAISES {Error} =
  CONST None = 64;
  VAR
    values: ARRAY CHAR OF [0..None];
    n := Text.Length(t);
    out := NEW(REF ARRAY OF CHAR, (n * 6 + 7) DIV 8);
    digits, bytes, pads, left, last: CARDINAL := 0;  (* `left`: bits in `bits` that no byte has taken *)
    bits: Word.T := 0;
    code: INTEGER;

  PROCEDURE Wrong(i: CARDINAL; why: TEXT) RAISES {Error} =
    BEGIN
      RAISE Error("character " & Fmt.Int(i) & " " & why);
    END Wrong;

  BEGIN
    FOR ch := FIRST(CHAR) TO LAST(CHAR) DO values[ch] := None END;
    FOR i := 0 TO 63 DO values[Text.GetChar(Letters[alphabet], i)] := i END;
    FOR i := 0 TO n - 1 DO
      code := ORD(Text.GetWideChar(t, i));
      IF blanks AND (code = ORD(' ') OR code = ORD('\t') OR code = ORD('\r') OR code = ORD('\n')) THEN
        (* Nothing. *)
      ELSIF code = ORD('=') THEN
        INC(pads);
        IF digits MOD 4 < 2 OR digits MOD 4 + pads > 4 THEN Wrong(i, "is a = that does not fill four characters") END;
      ELSIF code > ORD(LAST(CHAR)) OR values[VAL(code, CHAR)] = None THEN
        Wrong(i, "is not one of Base64: '" & TextConv.Encode(Text.Sub(t, i, 1), quoted := FALSE) & "'");
      ELSIF pads > 0 THEN
        Wrong(i, "stands behind the end, which is a =");
      ELSE
        bits := Word.Or(Word.LeftShift(bits, 6), values[VAL(code, CHAR)]);
        INC(left, 6);
        INC(digits);
        last := i;
        IF left >= 8 THEN
          DEC(left, 8);
          out[bytes] := VAL(Word.Extract(bits, left, 8), CHAR);
          INC(bytes);
          bits := Word.Extract(bits, 0, left);
        END;
      END;
    END;
    IF digits MOD 4 = 1 THEN Wrong(last, "is alone: it has only six bits of a byte") END;
    IF bits # 0 THEN Wrong(last, "has bits that belong to no byte") END;
    IF (digits + pads) MOD 4 # 0 AND (padded OR pads > 0) THEN
      RAISE Error("the text ends at character " & Fmt.Int(n) & " without the = that fill its last four characters");
    END;
    RETURN Text.FromChars(SUBARRAY(out^, 0, bytes));
  END Decode;

BEGIN
END Base64.
