UNSAFE MODULE Params;

IMPORT RTReport, RTSystem;

PROCEDURE Get(n: CARDINAL): TEXT =
  BEGIN
    IF n >= Count THEN RTReport.RaiseSubscript(n, Count) END;
    RETURN RTSystem.Argument(n);
  END Get;

BEGIN
  Count := RTSystem.ArgumentCount();
END Params.
