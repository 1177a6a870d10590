MODULE Hex;

IMPORT Fmt, Text, TextConv, TextRep;

PROCEDURE Encode(t: TEXT): TEXT =
  VAR bytes := TextRep.Chars(t);  out := NEW(REF ARRAY OF CHAR, 2 * NUMBER(bytes^));
  BEGIN
    FOR i := 0 TO LAST(bytes^) DO
      out[2 * i] := Digits[ORD(bytes[i]) DIV 16];
      out[2 * i + 1] := Digits[ORD(bytes[i]) MOD 16];
    END;
    RETURN Text.FromChars(out^);
  END Encode;

PROCEDURE Value(ch: CHAR): [-1..15] =
  BEGIN
    CASE ch OF
    | '0'..'9' => RETURN ORD(ch) - ORD('0');
    | 'a'..'f' => RETURN ORD(ch) - ORD('a') + 10;
    | 'A'..'F' => RETURN ORD(ch) - ORD('A') + 10;
    ELSE RETURN -1;
    END;
  END Value;

PROCEDURE Decode(t: TEXT): TEXT RAISES {Error} =
  VAR n := Text.Length(t);  out := NEW(REF ARRAY OF CHAR, n DIV 2);  value: INTEGER;
  BEGIN
    FOR i := 0 TO n - 1 DO
      WITH code = ORD(Text.GetWideChar(t, i)) DO
        IF code > ORD(LAST(CHAR)) THEN value := -1 ELSE value := Value(VAL(code, CHAR)) END;
      END;
      IF value < 0 THEN
        RAISE Error("character " & Fmt.Int(i) & " is not a hexadecimal digit: '"
                    & TextConv.Encode(Text.Sub(t, i, 1), quoted := FALSE) & "'");
      ELSIF i MOD 2 = 1 THEN
        out[i DIV 2] := VAL(16 * ORD(out[i DIV 2]) + value, CHAR);
      ELSIF i < n - 1 THEN
        out[i DIV 2] := VAL(value, CHAR);
      END;
    END;
    IF n MOD 2 = 1 THEN
      RAISE Error("character " & Fmt.Int(n - 1) & " is half of a byte: another digit must follow");
    END;
    RETURN Text.FromChars(out^);
  END Decode;

BEGIN
END Hex.
