UNSAFE MODULE Env;

IMPORT RTReport, RTSystem, Text, TextRep;

PROCEDURE Get(nm: TEXT): TEXT =
  BEGIN
    IF NOT TextRep.IsForC(nm) THEN RETURN NIL END;
    RETURN RTSystem.Environment(TextRep.Chars(nm)^);
  END Get;

PROCEDURE GetNth(n: CARDINAL; VAR nm, val: TEXT) =
  VAR entry: TEXT;  equals: INTEGER;
  BEGIN
    IF n >= Count THEN RTReport.RaiseSubscript(n, Count) END;
    entry := RTSystem.EnvironmentEntry(n);
    equals := Text.FindChar(entry, '=');
    IF equals < 0 THEN equals := Text.Length(entry) END;
    nm := Text.Sub(entry, 0, equals);
    val := Text.Sub(entry, equals + 1);
  END GetNth;

BEGIN
  Count := RTSystem.EnvironmentCount();
END Env.
