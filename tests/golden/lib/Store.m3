MODULE Store;

IMPORT Database, Transaction;

<*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
<*FATAL Transaction.TransactionInProgress*>

PROCEDURE Open(): Database.T =
  BEGIN
    TRY
      RETURN Database.Open("store");
    EXCEPT
    | Database.DatabaseNotFound =>
      Database.Create("store");
      RETURN Database.Open("store");
    END;
  END Open;

BEGIN
END Store.
