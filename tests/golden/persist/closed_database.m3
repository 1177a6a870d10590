(* golden: persist, with lib/Store *)
(* A database can be closed and opened again in one process. Objects taken from it before it was
   closed can no longer be accessed. *)
MODULE Main;

IMPORT Database, IO, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER; next: Counter END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  counter, last: Counter;

BEGIN
  FOR i := 1 TO 5 DO
    db := Store.Open();
    tr.begin();
    counter := db.getRoot();
    IF counter = NIL THEN counter := NEW(Counter, n := 0) END;
    INC(counter.n);
    last := NEW(Counter, n := i, next := counter.next);
    counter.next := last;
    db.setRoot(counter);
    tr.commit();
    Database.Checkpoint();
    IO.PutInt(counter.n);
    IO.Put(",");
    RTCollector.Collect();
    db.close();
  END;
  IO.Put("\n");
  IO.PutInt(counter.n);
  IO.Put("not reached\n");
END Main.
(* expect: 1,2,3,4,5, *)
(* expect-status: 4 *)
(* expect-stderr: Database.Failure *)
(* restart *)
(* expect: 6,7,8,9,10, *)
(* expect-status: 4 *)
(* expect-stderr: Database.Failure *)
