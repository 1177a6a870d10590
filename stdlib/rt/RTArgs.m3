UNSAFE MODULE RTArgs;

IMPORT RTSystem, RuntimeError;

PROCEDURE ArgC(): CARDINAL =
  BEGIN
    RETURN RTSystem.ArgumentCount();
  END ArgC;

PROCEDURE GetArg(n: CARDINAL): TEXT =
  BEGIN
    IF n >= ArgC() THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN RTSystem.Argument(n);
  END GetArg;

PROCEDURE EnvC(): CARDINAL =
  BEGIN
    RETURN RTSystem.EnvironmentCount();
  END EnvC;

PROCEDURE GetEnv(n: CARDINAL): TEXT =
  BEGIN
    IF n >= EnvC() THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN RTSystem.EnvironmentEntry(n);
  END GetEnv;

BEGIN
END RTArgs.
