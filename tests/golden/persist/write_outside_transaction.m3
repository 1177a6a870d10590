(* golden: persist, with lib/Store *)
(* The exception arises in a trap; here it ends the program, with its name and place. *)
MODULE Main;

IMPORT Database, IO, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Counter;

BEGIN
  tr.begin();
  root := NEW(Counter, n := 1);
  db.setRoot(root);
  tr.commit();
  RTCollector.Collect();
  IO.PutInt(root.n);
  IO.Put("\n");
  root.n := 2;
  IO.Put("not reached\n");
END Main.
(* expect: 1 *)
(* expect-status: 4 *)
(* expect-stderr: Transaction.TransactionNotInProgress: a persistent object of type *)
(* expect-stderr: is written outside of every transaction: begin a transaction first *)
