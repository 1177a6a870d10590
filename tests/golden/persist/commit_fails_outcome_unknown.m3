(* golden: persist, with lib/Store, @M3pageserver=memory @M3dbfail=commit-unknown-silent:2 *)
(* The outcome of the commit cannot be found out: the database is closed in this process. *)
MODULE Main;

IMPORT Database, IO, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root := NEW(Counter, n := 1);

BEGIN
  tr.begin();
  db.setRoot(root);
  tr.commit();
  tr.begin();
  root.n := 2;
  TRY
    tr.commit();
    IO.Put("committed\n");
  EXCEPT
  | Transaction.OutcomeUnknown => IO.Put("OutcomeUnknown\n");
  END;
  tr.begin();
  TRY
    db.setRoot(NIL);
    IO.Put("still open\n");
  EXCEPT
  | Database.Failure => IO.Put("closed\n");
  END;
END Main.
(* expect: OutcomeUnknown *)
(* expect: closed *)
