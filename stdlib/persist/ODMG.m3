MODULE ODMG;

IMPORT Database, Transaction;

REVEAL
  T = Public BRANDED "ODMG.T" OBJECT
      db: Database.T;
    OVERRIDES
      close := Close;
      bind := Bind;
      unbind := Unbind;
      lookup := Lookup;
    END;

PROCEDURE Open(database_name: TEXT): T
  RAISES {Database.DatabaseNotFound, Database.DatabaseOpen, Transaction.TransactionInProgress} =
  BEGIN
    RETURN NEW(T, db := Database.Open(database_name));
  END Open;

PROCEDURE Close(t: T) RAISES {Transaction.TransactionInProgress} =
  BEGIN
    t.db.close();
  END Close;

PROCEDURE Bind(t: T; object: REFANY; name: TEXT)
  RAISES {ObjectNameNotUnique, Transaction.TransactionNotInProgress} =
  BEGIN
    TRY
      t.db.bind(name, object);
    EXCEPT
    | Database.NameInUse => RAISE ObjectNameNotUnique;
    END;
  END Bind;

PROCEDURE Unbind(t: T; name: TEXT): REFANY
  RAISES {ObjectNameNotFound, Transaction.TransactionNotInProgress} =
  VAR object := Lookup(t, name);
  BEGIN
    TRY
      t.db.unbind(name);
    EXCEPT
    | Database.NameNotFound => RAISE ObjectNameNotFound;
    END;
    RETURN object;
  END Unbind;

PROCEDURE Lookup(t: T; lookup: TEXT): REFANY
  RAISES {ObjectNameNotFound, Transaction.TransactionNotInProgress} =
  BEGIN
    TRY
      RETURN t.db.lookup(lookup);
    EXCEPT
    | Database.NameNotFound => RAISE ObjectNameNotFound;
    END;
  END Lookup;

BEGIN
END ODMG.
