UNSAFE MODULE RTDatabase;

IMPORT Database, RTReport, Transaction;

PROCEDURE Raise(status: INTEGER) =
  BEGIN
    CASE status OF
    | Failure => RAISE Database.Failure(Message());
    | TypeMismatch => RAISE Database.TypeMismatch(Message());
    | Missing => RAISE Database.Missing(Message());
    | TransactionNotInProgress =>
      RTReport.Explain(Message());
      RAISE Transaction.TransactionNotInProgress;
    | Aborted =>
      RTReport.Explain(Message());
      RAISE Transaction.Aborted;
    | ReadOnly =>
      RTReport.Explain(Message());
      RAISE Transaction.ReadOnly;
    | OutcomeUnknown => RAISE Transaction.OutcomeUnknown(Message());
    ELSE RAISE Database.Failure(Message());
    END;
  END Raise;

BEGIN
END RTDatabase.
