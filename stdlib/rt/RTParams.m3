UNSAFE MODULE RTParams;

IMPORT M3toC, RTSystem, RuntimeError, Text;

PROCEDURE Nth(n: INTEGER): TEXT =
  BEGIN
    IF n < 0 OR n >= NumParameters THEN
      RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange);
    END;
    RETURN RTSystem.Parameter(n);
  END Nth;

PROCEDURE IsPresent(n: TEXT): BOOLEAN =
  BEGIN
    RETURN Value(n) # NIL;
  END IsPresent;

PROCEDURE Value(n: TEXT): TEXT =
  VAR parameter: TEXT;  equals: INTEGER;
  BEGIN
    FOR i := 0 TO NumParameters - 1 DO
      parameter := RTSystem.Parameter(i);
      equals := Text.FindChar(parameter, '=');
      IF equals < 0 THEN
        IF Text.Equal(parameter, n) THEN RETURN "" END;
      ELSIF Text.Equal(Text.Sub(parameter, 0, equals), n) THEN
        RETURN Text.Sub(parameter, equals + 1);
      END;
    END;
    RETURN NIL;
  END Value;

PROCEDURE RawValue(n: TEXT): ADDRESS =
  VAR value := Value(n);
  BEGIN
    IF value = NIL THEN RETURN NIL END;
    RETURN M3toC.CopyTtoS(value);
  END RawValue;

PROCEDURE Init() =
  BEGIN
  END Init;

BEGIN
  NumParameters := RTSystem.ParameterCount();
END RTParams.
