UNSAFE MODULE Text16;

IMPORT RTReport, Text, TextClass;

REVEAL
  T = Public BRANDED "Text16.T" OBJECT
    OVERRIDES
      get_info := GetInfo;
      get_wide_char := GetWideChar;
    END;

PROCEDURE New(READONLY a: ARRAY OF WIDECHAR): TEXT =
  BEGIN
    RETURN Text.FromWideChars(a);
  END New;

PROCEDURE Create(n: CARDINAL): T =
  VAR t := NEW(T, contents := NEW(REF ARRAY OF WIDECHAR, n + 1));
  BEGIN
    t.contents[n] := W'\000000';
    RETURN t;
  END Create;

PROCEDURE GetInfo(t: T; VAR i: TextClass.Info) =
  BEGIN
    i.start := ADR(t.contents[0]);
    i.length := LAST(t.contents^);
    i.wide := TRUE;
  END GetInfo;

PROCEDURE GetWideChar(t: T; i: CARDINAL): WIDECHAR =
  BEGIN
    IF i >= LAST(t.contents^) THEN RTReport.RaiseSubscript(i, LAST(t.contents^)) END;
    RETURN t.contents[i];
  END GetWideChar;

BEGIN
END Text16.
