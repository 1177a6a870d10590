UNSAFE MODULE TextClass;

IMPORT RTReport, TextFlat;

PROCEDURE GetChar(t: TEXT; i: CARDINAL): CHAR =
  BEGIN
    RETURN VAL(ORD(t.get_wide_char(i)), CHAR);
  END GetChar;

PROCEDURE GetWideChar(t: TEXT; i: CARDINAL): WIDECHAR =
  VAR info: Info;
  BEGIN
    t.get_info(info);
    IF i >= info.length THEN RTReport.RaiseSubscript(i, info.length) END;
    IF info.start = NIL THEN
      RETURN VAL(ORD(t.get_char(i)), WIDECHAR);
    ELSIF info.wide THEN
      RETURN LOOPHOLE(info.start, TextFlat.Array16)[i];
    ELSE
      RETURN VAL(ORD(LOOPHOLE(info.start, TextFlat.Array8)[i]), WIDECHAR);
    END;
  END GetWideChar;

PROCEDURE GetChars(t: TEXT; VAR a: ARRAY OF CHAR; start: CARDINAL) =
  VAR info: Info;  n: CARDINAL;
  BEGIN
    t.get_info(info);
    IF start >= info.length THEN RETURN END;
    n := MIN(NUMBER(a), info.length - start);
    IF info.start = NIL THEN
      FOR i := 0 TO n - 1 DO a[i] := t.get_char(start + i) END;
    ELSIF info.wide THEN
      WITH chars = LOOPHOLE(info.start, TextFlat.Array16) DO
        FOR i := 0 TO n - 1 DO a[i] := VAL(ORD(chars[start + i]), CHAR) END;
      END;
    ELSE
      WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
        SUBARRAY(a, 0, n) := SUBARRAY(chars^, start, n);
      END;
    END;
  END GetChars;

PROCEDURE GetWideChars(t: TEXT; VAR a: ARRAY OF WIDECHAR; start: CARDINAL) =
  VAR info: Info;  n: CARDINAL;
  BEGIN
    t.get_info(info);
    IF start >= info.length THEN RETURN END;
    n := MIN(NUMBER(a), info.length - start);
    IF info.start = NIL THEN
      FOR i := 0 TO n - 1 DO a[i] := t.get_wide_char(start + i) END;
    ELSIF info.wide THEN
      WITH chars = LOOPHOLE(info.start, TextFlat.Array16) DO
        SUBARRAY(a, 0, n) := SUBARRAY(chars^, start, n);
      END;
    ELSE
      WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
        FOR i := 0 TO n - 1 DO a[i] := VAL(ORD(chars[start + i]), WIDECHAR) END;
      END;
    END;
  END GetWideChars;

BEGIN
END TextClass.
