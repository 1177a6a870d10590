(* golden: persist, with lib/Check *)
(* Databases by the names of their objects. *)
MODULE Main;

IMPORT Check, Database, ODMG, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  odmg: ODMG.T;
  db: Database.T;
  tr := NEW(Transaction.T);
  counter: Counter;

PROCEDURE Named(name: TEXT): BOOLEAN =
  BEGIN
    TRY
      EVAL odmg.lookup(name);
      RETURN TRUE;
    EXCEPT
    | ODMG.ObjectNameNotFound => RETURN FALSE;
    END;
  END Named;

PROCEDURE First() =
  BEGIN
    ODMG.Create("store");
    odmg := ODMG.Open("store");
    TRY
      EVAL ODMG.Open("store");
      Check.That(FALSE, "open twice");
    EXCEPT
    | Database.DatabaseOpen => Check.That(TRUE, "open twice");
    END;
    tr.begin();
    Check.That(NOT Named("counter"), "nothing at first");
    odmg.bind(NEW(Counter, n := 1), "counter");
    odmg.bind(NEW(Counter, n := 7), "other");
    TRY
      odmg.bind(NIL, "counter");
      Check.That(FALSE, "a name twice");
    EXCEPT
    | ODMG.ObjectNameNotUnique => Check.That(TRUE, "a name twice");
    END;
    TRY
      odmg.close();
      Check.That(FALSE, "close in a transaction");
    EXCEPT
    | Transaction.TransactionInProgress => Check.That(TRUE, "close in a transaction");
    END;
    tr.commit();
    TRY
      odmg.bind(NIL, "late");
      Check.That(FALSE, "bind without a transaction");
    EXCEPT
    | Transaction.TransactionNotInProgress => Check.That(TRUE, "bind without a transaction");
    END;
    odmg.close();
    TRY
      odmg.close();
      Check.That(FALSE, "closed twice");
    EXCEPT
    | Database.Failure => Check.That(TRUE, "closed twice");
    END;
  END First;

PROCEDURE Second() =
  BEGIN
    tr.begin();
    counter := odmg.lookup("counter");
    Check.Int(counter.n, 1, "the object");
    Check.That(odmg.unbind("counter") = counter, "what unbind returns");
    Check.That(NOT Named("counter"), "unbound");
    TRY
      EVAL odmg.unbind("counter");
      Check.That(FALSE, "unbound twice");
    EXCEPT
    | ODMG.ObjectNameNotFound => Check.That(TRUE, "unbound twice");
    END;
    tr.commit();
    odmg.close();
    (* The names are those of the database. *)
    db := Database.Open("store");
    tr.begin();
    counter := db.lookup("other");
    Check.Int(counter.n, 7, "the other object");
    tr.commit();
    db.close();
  END Second;

BEGIN
  TRY
    odmg := ODMG.Open("store");
    Second();
  EXCEPT
  | Database.DatabaseNotFound => First();
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
