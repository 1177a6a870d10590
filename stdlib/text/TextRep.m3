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
  VAR info: TextClass.Info;  result: TEXT;
  BEGIN
    t.get_info(info);
    IF info.wide THEN
      result := TextFlat.New16(length);
      t.get_wide_chars(SUBARRAY(TextFlat.Chars16(result)^, 0, length), start);
    ELSE
      result := TextFlat.New8(length);
      t.get_chars(SUBARRAY(TextFlat.Chars8(result)^, 0, length), start);
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
