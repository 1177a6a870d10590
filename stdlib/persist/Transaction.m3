UNSAFE MODULE Transaction;

IMPORT RTDatabase;

REVEAL
  T = Public BRANDED "Transaction.T" OBJECT
      handle: ADDRESS := NIL;  (* the run time's; NIL before the first begin *)
    OVERRIDES
      begin := Begin;
      commit := Commit;
      chain := Chain;
      checkpoint := Checkpoint;
      abort := Abort;
      isOpen := IsOpen;
      lock := Lock;
      join := Join;
    END;

PROCEDURE Begin(t: T) RAISES {TransactionInProgress} =
  VAR status := RTDatabase.Begin(t.handle);
  BEGIN
    IF status = RTDatabase.TransactionInProgress THEN RAISE TransactionInProgress END;
    Check(status);
  END Begin;

PROCEDURE Commit(t: T) =
  BEGIN
    Check(RTDatabase.Commit(t.handle));
  END Commit;

PROCEDURE Chain(t: T) =
  BEGIN
    Check(RTDatabase.Chain(t.handle));
  END Chain;

PROCEDURE Checkpoint(t: T) =
  BEGIN
    Check(RTDatabase.Checkpoint(t.handle));
  END Checkpoint;

PROCEDURE Abort(t: T) =
  BEGIN
    Check(RTDatabase.Abort(t.handle));
  END Abort;

PROCEDURE IsOpen(t: T): BOOLEAN =
  BEGIN
    RETURN t.handle # NIL AND RTDatabase.IsOpen(t.handle);
  END IsOpen;

PROCEDURE Lock(t: T; object: REFANY; mode: LockMode) =
  BEGIN
    Check(RTDatabase.Lock(t.handle, object, mode = LockMode.WRITE));
  END Lock;

PROCEDURE Join(t: T) RAISES {TransactionInProgress} =
  VAR status := RTDatabase.Join(t.handle);
  BEGIN
    IF status = RTDatabase.TransactionInProgress THEN RAISE TransactionInProgress END;
    Check(status);
  END Join;

PROCEDURE Check(status: INTEGER) =
  BEGIN
    IF status # RTDatabase.Ok THEN RTDatabase.Raise(status) END;
  END Check;

PROCEDURE Run(c: Closure) RAISES ANY =
  VAR t := NEW(T);  child := RTDatabase.Depth() > 0;
  BEGIN
    LOOP
      TRY
        t.begin();
        TRY
          c.apply();
          (* It has handled Aborted. *)
          IF NOT t.isOpen() THEN RAISE Aborted END;
          t.commit();
          RETURN;
        FINALLY
          IF t.isOpen() THEN t.abort() END;
        END;
      EXCEPT
      | Aborted => IF child THEN RAISE Aborted END;
      END;
    END;
  END Run;

BEGIN
END Transaction.
