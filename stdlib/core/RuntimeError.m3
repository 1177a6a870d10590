UNSAFE MODULE RuntimeError;

IMPORT RTSystem;

PROCEDURE Tag(t: T): TEXT =
  BEGIN
    RETURN RTSystem.ErrorText(ORD(t));
  END Tag;

PROCEDURE Raise(t: T) =
  BEGIN
    RTSystem.RaiseError(ORD(t));
  END Raise;

BEGIN
END RuntimeError.
