UNSAFE MODULE RTDatabase;

IMPORT Database, Transaction;

PROCEDURE Raise(status: INTEGER) =
  BEGIN
    CASE status OF
    | Failure => RAISE Database.Failure(Message());
    | TypeMismatch => RAISE Database.TypeMismatch(Message());
    | Missing => RAISE Database.Missing(Message());
    | TransactionNotInProgress => RAISE Transaction.TransactionNotInProgress;
    | Aborted => RAISE Transaction.Aborted;
    | ReadOnly => RAISE Transaction.ReadOnly;
    | OutcomeUnknown => RAISE Transaction.OutcomeUnknown(Message());
    ELSE RAISE Database.Failure(Message());
    END;
  END Raise;

BEGIN
END RTDatabase.
