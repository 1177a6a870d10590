(* golden: persist *)
(* Each mistake raises its exception, and nothing is harmed. *)
MODULE Main;

IMPORT Database, IO, RTCollector, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER END;

VAR
  db, other: Database.T;
  tr := NEW(Transaction.T);
  root: Counter;

PROCEDURE Try(what: TEXT; n: INTEGER) =
  BEGIN
    IO.Put(what & ": ");
    TRY
      CASE n OF
      | 1 => db := Database.Open("store");
      | 2 => Database.Create("store");
      | 3 => other := Database.Open("store");
      | 4 => tr.commit();
      | 5 => tr.begin();
      | 6 => EVAL db.getRoot();
      | 7 => db.setRoot(NIL);
      | 8 => db.close();
      | 9 => Database.Delete("store");
      | 12 => Database.Create(W"store\x1234");
      | 13 => other := Database.Open(W"store\x1234");
      ELSE tr.abort();
      END;
      IO.Put("done\n");
    EXCEPT
    | Database.DatabaseExists => IO.Put("DatabaseExists\n");
    | Database.DatabaseNotFound => IO.Put("DatabaseNotFound\n");
    | Database.DatabaseOpen => IO.Put("DatabaseOpen\n");
    | Transaction.TransactionInProgress => IO.Put("TransactionInProgress\n");
    | Transaction.TransactionNotInProgress => IO.Put("TransactionNotInProgress\n");
    | Database.Failure => IO.Put("Failure\n");
    END;
  END Try;

BEGIN
  Try("open what is not there", 1);
  Try("create", 2);
  Try("create again", 2);
  Try("create with a wide name", 12);
  Try("open with a wide name", 13);
  Try("open", 1);
  Try("open again", 3);
  Try("delete what is open", 9);
  Try("commit without begin", 4);
  Try("abort without begin", 10);
  Try("getRoot without begin", 6);
  Try("setRoot without begin", 7);
  Try("begin", 5);
  Try("begin again", 5);
  Try("close in a transaction", 8);
  root := NEW(Counter, n := 1);
  db.setRoot(root);
  Try("commit", 4);
  RTCollector.Collect();
  Try("begin", 5);
  Try("abort", 10);
  Try("close", 8);
  Try("close again", 8);
  Try("delete", 9);
  Try("open what was deleted", 1);
END Main.
(* expect: open what is not there: DatabaseNotFound *)
(* expect: create: done *)
(* expect: create again: DatabaseExists *)
(* expect: create with a wide name: Failure *)
(* expect: open with a wide name: Failure *)
(* expect: open: done *)
(* expect: open again: DatabaseOpen *)
(* expect: delete what is open: DatabaseOpen *)
(* expect: commit without begin: TransactionNotInProgress *)
(* expect: abort without begin: TransactionNotInProgress *)
(* expect: getRoot without begin: TransactionNotInProgress *)
(* expect: setRoot without begin: TransactionNotInProgress *)
(* expect: begin: done *)
(* expect: begin again: TransactionInProgress *)
(* expect: close in a transaction: TransactionInProgress *)
(* expect: commit: done *)
(* expect: begin: done *)
(* expect: abort: done *)
(* expect: close: done *)
(* expect: close again: Failure *)
(* expect: delete: done *)
(* expect: open what was deleted: DatabaseNotFound *)
