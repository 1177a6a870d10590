(* golden: persist, with lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-conflict:3 *)
(* Transaction.Run repeats the whole transaction after an abort. *)
MODULE Main;

IMPORT Check, Database, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;
  Add = Transaction.Closure OBJECT
      by: INTEGER;
      runs := 0;
      nested := FALSE;
    OVERRIDES
      apply := Apply;
    END;

EXCEPTION
  Enough(INTEGER);

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  counter: Counter;
  add: Add;

PROCEDURE Apply(add: Add) RAISES ANY =
  BEGIN
    INC(add.runs);
    INC(counter.n, add.by);
    IF add.nested THEN Transaction.Run(NEW(Add, by := 100)) END;
    IF counter.n >= 1000 THEN RAISE Enough(counter.n) END;
  END Apply;

PROCEDURE Value(): INTEGER =
  VAR n: INTEGER;
  BEGIN
    tr.begin();
    n := counter.n;
    tr.abort();
    RETURN n;
  END Value;

BEGIN
  tr.begin();
  counter := NEW(Counter, n := 0);
  db.setRoot(counter);
  tr.commit();
  add := NEW(Add, by := 1);
  Transaction.Run(add);
  Check.Int(add.runs, 1, "once");
  Check.Int(Value(), 1, "added");

  (* The third commit meets a conflict. *)
  Transaction.Run(add);
  Check.Int(add.runs, 3, "again");
  Check.Int(Value(), 2, "added once");

  add.nested := TRUE;
  Transaction.Run(add);
  Check.Int(Value(), 103, "with a child");

  add.by := 1000;
  TRY
    Transaction.Run(add);
    Check.That(FALSE, "an exception aborts");
  EXCEPT
  | Enough (n) => Check.Int(n, 1203, "the exception");
  END;
  Check.Int(Value(), 103, "aborted");

  (* A lock acquires the same permission as a touch. *)
  tr.begin();
  tr.lock(counter, Transaction.LockMode.WRITE);
  tr.lock("a literal", Transaction.LockMode.WRITE);
  tr.lock(NIL, Transaction.LockMode.READ);
  tr.lock(NEW(Counter), Transaction.LockMode.WRITE);
  tr.abort();
  TRY
    tr.lock(counter, Transaction.LockMode.READ);
    Check.That(FALSE, "lock without a transaction");
  EXCEPT
  | Transaction.TransactionNotInProgress =>
  END;
  Check.Int(Value(), 103, "locks change nothing");
  Check.Done();
END Main.
(* expect: all checks hold *)
