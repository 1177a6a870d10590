UNSAFE MODULE Database;

IMPORT RTDatabase, TextRep, Transaction;

REVEAL
  T = Public BRANDED "Database.T" OBJECT
      handle: ADDRESS;  (* the run time's *)
    OVERRIDES
      getRoot := GetRoot;
      setRoot := SetRoot;
      close := Close;
    END;

PROCEDURE Create(name: TEXT) RAISES {DatabaseExists, Transaction.TransactionInProgress} =
  VAR chars := TextRep.Chars(name);  status := RTDatabase.Create(chars^);
  BEGIN
    IF status = RTDatabase.DatabaseExists THEN RAISE DatabaseExists END;
    Check(status);
  END Create;

PROCEDURE Open(name: TEXT): T
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress} =
  VAR chars := TextRep.Chars(name);  handle: ADDRESS := NIL;
      status := RTDatabase.Open(chars^, handle);
  BEGIN
    IF status = RTDatabase.DatabaseNotFound THEN RAISE DatabaseNotFound END;
    IF status = RTDatabase.DatabaseOpen THEN RAISE DatabaseOpen END;
    Check(status);
    RETURN NEW(T, handle := handle);
  END Open;

PROCEDURE Delete(name: TEXT)
  RAISES {DatabaseNotFound, DatabaseOpen, Transaction.TransactionInProgress} =
  VAR chars := TextRep.Chars(name);  status := RTDatabase.Delete(chars^);
  BEGIN
    IF status = RTDatabase.DatabaseNotFound THEN RAISE DatabaseNotFound END;
    IF status = RTDatabase.DatabaseOpen THEN RAISE DatabaseOpen END;
    Check(status);
  END Delete;

PROCEDURE GetRoot(db: T): REFANY =
  VAR root: REFANY := NIL;
  BEGIN
    CheckAccess(RTDatabase.GetRoot(db.handle, root));
    RETURN root;
  END GetRoot;

PROCEDURE SetRoot(db: T; object: REFANY) =
  BEGIN
    CheckAccess(RTDatabase.SetRoot(db.handle, object));
  END SetRoot;

PROCEDURE Close(db: T) RAISES {Transaction.TransactionInProgress} =
  BEGIN
    Check(RTDatabase.Close(db.handle));
    db.handle := NIL;
  END Close;

PROCEDURE Check(status: INTEGER) RAISES {Transaction.TransactionInProgress} =
  BEGIN
    IF status = RTDatabase.TransactionInProgress THEN
      RAISE Transaction.TransactionInProgress;
    END;
    CheckAccess(status);
  END Check;

PROCEDURE CheckAccess(status: INTEGER) =
  BEGIN
    IF status # RTDatabase.Ok THEN RTDatabase.Raise(status) END;
  END CheckAccess;

BEGIN
END Database.
