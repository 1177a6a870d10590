UNSAFE MODULE RTArgs;

IMPORT RTReport, RTSystem;

PROCEDURE ArgC(): CARDINAL =
  BEGIN
    RETURN RTSystem.ArgumentCount();
  END ArgC;

PROCEDURE GetArg(n: CARDINAL): TEXT =
  BEGIN
    IF n >= ArgC() THEN RTReport.RaiseSubscript(n, ArgC()) END;
    RETURN RTSystem.Argument(n);
  END GetArg;

PROCEDURE EnvC(): CARDINAL =
  BEGIN
    RETURN RTSystem.EnvironmentCount();
  END EnvC;

PROCEDURE GetEnv(n: CARDINAL): TEXT =
  BEGIN
    IF n >= EnvC() THEN RTReport.RaiseSubscript(n, EnvC()) END;
    RETURN RTSystem.EnvironmentEntry(n);
  END GetEnv;

BEGIN
END RTArgs.
