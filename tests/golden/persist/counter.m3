(* golden: persist, with lib/Store *)
(* The smallest persistent program: a number. *)
MODULE Main;

IMPORT Database, IO, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  counter: Counter;

BEGIN
  tr.begin();
  counter := db.getRoot();
  IF counter = NIL THEN
    counter := NEW(Counter, n := 0);
    db.setRoot(counter);
  END;
  INC(counter.n);
  IO.PutInt(counter.n);
  IO.Put("\n");
  tr.commit();
END Main.
(* expect: 1 *)
(* restart *)
(* expect: 2 *)
(* restart *)
(* expect: 3 *)
