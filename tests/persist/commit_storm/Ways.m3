MODULE Ways;

IMPORT Transaction;

PROCEDURE CommitsLater(): BOOLEAN =
  BEGIN
    RETURN FALSE;
  END CommitsLater;

PROCEDURE Commit(t: Transaction.T): REFANY =
  BEGIN
    t.commit();
    RETURN NIL;
  END Commit;

PROCEDURE Wait(<*UNUSED*> ticket: REFANY) =
  BEGIN
  END Wait;

PROCEDURE Read(c: Transaction.Closure) RAISES ANY =
  BEGIN
    Transaction.Run(c);
  END Read;

BEGIN
END Ways.
