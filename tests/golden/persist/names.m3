(* golden: persist, with lib/Store, lib/Check *)
(* Named roots beside the root. *)
MODULE Main;

IMPORT Check, Database, Fmt, RTCollector, Store, Transaction;

<*FATAL ANY*>

CONST
  Many = 200;

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  counter: Counter;
  sum := 0;

PROCEDURE Bound(name: TEXT): BOOLEAN =
  BEGIN
    TRY
      EVAL db.lookup(name);
      RETURN TRUE;
    EXCEPT
    | Database.NameNotFound => RETURN FALSE;
    END;
  END Bound;

BEGIN
  tr.begin();
  IF db.getRoot() = NIL THEN
    Check.That(NOT Bound("a"), "nothing at first");
    counter := NEW(Counter, n := 1);
    db.setRoot(counter);
    db.bind("a", counter);
    db.bind("nothing", NIL);
    Check.That(db.getRoot() = counter, "the root stays");
    tr.commit();
    RTCollector.Collect();
    tr.begin();
    TRY
      db.bind("a", NIL);
      Check.That(FALSE, "a name twice");
    EXCEPT
    | Database.NameInUse => Check.That(TRUE, "a name twice");
    END;
    FOR i := 1 TO Many DO db.bind("name " & Fmt.Int(i), NEW(Counter, n := i)) END;
    db.unbind("nothing");
    tr.checkpoint();
    db.unbind("a");
    Check.That(NOT Bound("a"), "unbound");
    db.setRoot(NIL);
    tr.abort();
    TRY
      EVAL db.lookup("a");
      Check.That(FALSE, "lookup without a transaction");
    EXCEPT
    | Transaction.TransactionNotInProgress => Check.That(TRUE, "no transaction");
    END;
  ELSE
    counter := db.getRoot();
    Check.That(db.lookup("a") = counter, "root and name are one");
    FOR i := 1 TO Many DO
      counter := db.lookup("name " & Fmt.Int(i));
      INC(sum, counter.n);
    END;
    Check.Int(sum, Many * (Many + 1) DIV 2, "all names");
    Check.That(NOT Bound("nothing") AND NOT Bound(""), "other names are not");
    TRY
      db.unbind("nothing");
      Check.That(FALSE, "unbind of what is not bound");
    EXCEPT
    | Database.NameNotFound => Check.That(TRUE, "not bound");
    END;
    tr.commit();
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
