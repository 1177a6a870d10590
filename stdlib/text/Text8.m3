UNSAFE MODULE Text8;

IMPORT RTReport, Text, TextClass;

REVEAL
  T = Public BRANDED "Text8.T" OBJECT
    OVERRIDES
      get_info := GetInfo;
      get_char := GetChar;
    END;

PROCEDURE New(READONLY a: ARRAY OF CHAR): TEXT =
  BEGIN
    RETURN Text.FromChars(a);
  END New;

PROCEDURE Create(n: CARDINAL): T =
  VAR t := NEW(T, contents := NEW(REF ARRAY OF CHAR, n + 1));
  BEGIN
    t.contents[n] := '\000';
    RETURN t;
  END Create;

PROCEDURE GetInfo(t: T; VAR i: TextClass.Info) =
  BEGIN
    i.start := ADR(t.contents[0]);
    i.length := LAST(t.contents^);
    i.wide := FALSE;
  END GetInfo;

PROCEDURE GetChar(t: T; i: CARDINAL): CHAR =
  BEGIN
    IF i >= LAST(t.contents^) THEN RTReport.RaiseSubscript(i, LAST(t.contents^)) END;
    RETURN t.contents[i];
  END GetChar;

BEGIN
END Text8.
