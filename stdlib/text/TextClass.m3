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
      RETURN LOOPHOLE(info.start + i * BYTESIZE(WIDECHAR), TextFlat.Char16)^;
    ELSE
      RETURN VAL(ORD(LOOPHOLE(info.start + i, TextFlat.Char8)^), WIDECHAR);
    END;
  END GetWideChar;

PROCEDURE GetChars(t: TEXT; VAR a: ARRAY OF CHAR; start: CARDINAL) =
  VAR info: Info;  n, m: CARDINAL;  at: CARDINAL := 0;
  BEGIN
    t.get_info(info);
    IF start >= info.length THEN RETURN END;
    n := MIN(NUMBER(a), info.length - start);
    IF info.start = NIL THEN
      FOR i := 0 TO n - 1 DO a[i] := t.get_char(start + i) END;
    ELSIF info.wide THEN
      info.start := info.start + start * BYTESIZE(WIDECHAR);
      FOR i := 0 TO n - 1 DO
        a[i] := VAL(ORD(LOOPHOLE(info.start + i * BYTESIZE(WIDECHAR), TextFlat.Char16)^), CHAR);
      END;
    ELSE
      WHILE at < n DO
        m := MIN(n - at, TextFlat.Piece);
        SUBARRAY(a, at, m) := SUBARRAY(LOOPHOLE(info.start + (start + at), TextFlat.Array8)^, 0, m);
        INC(at, m);
      END;
    END;
  END GetChars;

PROCEDURE GetWideChars(t: TEXT; VAR a: ARRAY OF WIDECHAR; start: CARDINAL) =
  VAR info: Info;  n, m: CARDINAL;  at: CARDINAL := 0;
  BEGIN
    t.get_info(info);
    IF start >= info.length THEN RETURN END;
    n := MIN(NUMBER(a), info.length - start);
    IF info.start = NIL THEN
      FOR i := 0 TO n - 1 DO a[i] := t.get_wide_char(start + i) END;
    ELSIF info.wide THEN
      WHILE at < n DO
        m := MIN(n - at, TextFlat.Piece);
        SUBARRAY(a, at, m) :=
          SUBARRAY(LOOPHOLE(info.start + (start + at) * BYTESIZE(WIDECHAR), TextFlat.Array16)^, 0, m);
        INC(at, m);
      END;
    ELSE
      info.start := info.start + start;
      FOR i := 0 TO n - 1 DO a[i] := VAL(ORD(LOOPHOLE(info.start + i, TextFlat.Char8)^), WIDECHAR) END;
    END;
  END GetWideChars;

BEGIN
END TextClass.
