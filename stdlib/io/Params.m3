UNSAFE MODULE Params;

IMPORT RTSystem, RuntimeError;

PROCEDURE Get(n: CARDINAL): TEXT =
  BEGIN
    IF n >= Count THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN RTSystem.Argument(n);
  END Get;

BEGIN
  Count := RTSystem.ArgumentCount();
END Params.
