UNSAFE MODULE TextRep;

IMPORT TextClass, TextFlat;

PROCEDURE FlatIfShort(t, u: TEXT): TEXT =
  VAR ti, ui: TextClass.Info;  n: CARDINAL;  result: TEXT;
  BEGIN
    t.get_info(ti);
    u.get_info(ui);
    n := ti.length + ui.length;
    IF NOT ti.wide AND NOT ui.wide THEN
      IF n > TextClass.MaxFlat8 THEN RETURN NIL END;
      result := TextFlat.New8(n);
      WITH chars = TextFlat.Chars8(result) DO
        t.get_chars(SUBARRAY(chars^, 0, ti.length), 0);
        u.get_chars(SUBARRAY(chars^, ti.length, ui.length), 0);
      END;
    ELSE
      IF n > TextClass.MaxFlatWide THEN RETURN NIL END;
      result := TextFlat.New16(n);
      WITH chars = TextFlat.Chars16(result) DO
        t.get_wide_chars(SUBARRAY(chars^, 0, ti.length), 0);
        u.get_wide_chars(SUBARRAY(chars^, ti.length, ui.length), 0);
      END;
    END;
    RETURN result;
  END FlatIfShort;

PROCEDURE Copy(t: TEXT; start, length: CARDINAL): TEXT =
  VAR info: TextClass.Info;  result: TEXT;  to: ADDRESS;  n: CARDINAL;
  BEGIN
    t.get_info(info);
    IF info.wide THEN result := TextFlat.New16(length) ELSE result := TextFlat.New8(length) END;
    to := LOOPHOLE(result, ADDRESS) + TextFlat.Header;
    WHILE length > 0 DO
      n := MIN(length, TextFlat.Piece);
      IF info.wide THEN
        t.get_wide_chars(SUBARRAY(LOOPHOLE(to, TextFlat.Array16)^, 0, n), start);
        to := to + n * BYTESIZE(WIDECHAR);
      ELSE
        t.get_chars(SUBARRAY(LOOPHOLE(to, TextFlat.Array8)^, 0, n), start);
        to := to + n;
      END;
      INC(start, n);
      DEC(length, n);
    END;
    RETURN result;
  END Copy;

PROCEDURE IsForC(t: TEXT): BOOLEAN =
  VAR info: TextClass.Info;  code: INTEGER;
  BEGIN
    t.get_info(info);
    FOR i := 0 TO info.length - 1 DO
      code := ORD(t.get_wide_char(i));
      IF code = 0 OR code > ORD(LAST(CHAR)) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsForC;

PROCEDURE IsNarrow(t: TEXT): BOOLEAN =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    IF NOT info.wide THEN RETURN TRUE END;
    FOR i := 0 TO info.length - 1 DO
      IF ORD(t.get_wide_char(i)) > ORD(LAST(CHAR)) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsNarrow;

PROCEDURE CharsOr(t: TEXT; instead: CHAR): REF ARRAY OF CHAR =
  VAR wide: REF ARRAY OF WIDECHAR;  chars: REF ARRAY OF CHAR;
  BEGIN
    IF IsNarrow(t) THEN RETURN Chars(t) END;
    wide := WideChars(t);
    chars := NEW(REF ARRAY OF CHAR, NUMBER(wide^));
    FOR i := 0 TO LAST(wide^) DO
      IF ORD(wide[i]) > ORD(LAST(CHAR)) THEN chars[i] := instead ELSE chars[i] := VAL(ORD(wide[i]), CHAR) END;
    END;
    RETURN chars;
  END CharsOr;

PROCEDURE WideChars(t: TEXT): REF ARRAY OF WIDECHAR =
  VAR info: TextClass.Info;  chars: REF ARRAY OF WIDECHAR;
  BEGIN
    t.get_info(info);
    chars := NEW(REF ARRAY OF WIDECHAR, info.length);
    t.get_wide_chars(chars^, 0);
    RETURN chars;
  END WideChars;

PROCEDURE Chars(t: TEXT): REF ARRAY OF CHAR =
  VAR info: TextClass.Info;  chars: REF ARRAY OF CHAR;
  BEGIN
    t.get_info(info);
    chars := NEW(REF ARRAY OF CHAR, info.length);
    t.get_chars(chars^, 0);
    RETURN chars;
  END Chars;

BEGIN
END TextRep.
