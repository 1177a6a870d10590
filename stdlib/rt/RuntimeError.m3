UNSAFE MODULE RuntimeError;

IMPORT RT0, RTSystem, RTTypes;

PROCEDURE Tag(t: T): TEXT =
  BEGIN
    RETURN RTSystem.ErrorText(ORD(t));
  END Tag;

PROCEDURE Raise(t: T) =
  BEGIN
    RTSystem.RaiseError(ORD(t));
  END Raise;

PROCEDURE Self(): RT0.ExceptionPtr =
  BEGIN
    RETURN RTTypes.RuntimeErrorDescriptor();
  END Self;

BEGIN
END RuntimeError.
