(* golden: persist, with lib/Store, lib/Check *)
MODULE Main;

IMPORT Check, Database, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Counter = REF RECORD n: INTEGER; next: Counter END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Counter;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Counter, n := 1);
    db.setRoot(root);

    (* A later abort comes back to the checkpoint. *)
    tr.checkpoint();
    Check.That(tr.isOpen(), "open after checkpoint");
    root.n := 2;
    root.next := NEW(Counter, n := 20);
    tr.abort();
    Check.Int(root.n, 1, "aborted after checkpoint");
    Check.That(root.next = NIL, "reference aborted after checkpoint");

    tr.begin();
    root.n := 3;
    tr.checkpoint();
    RTCollector.Collect();
    root.n := 4;
    tr.checkpoint();
    root.n := 5;
    tr.abort();
    Check.Int(root.n, 4, "aborted after two checkpoints");

    tr.begin();
    root.n := 6;
    root.next := NEW(Counter, n := 60);
    tr.chain();
    Check.That(tr.isOpen(), "open after chain");
    root.n := 7;
    root.next.n := 70;
    tr.abort();
    Check.Int(root.n, 6, "aborted after chain");
    Check.Int(root.next.n, 60, "captured at the chain");

    (* This process ends inside a transaction: only the checkpoint is durable. *)
    tr.begin();
    root.n := 8;
    tr.checkpoint();
    root.n := 9;
    Check.Done();
    Process.Exit();
  END;
  Check.Int(root.n, 8, "reopened");
  Check.Int(root.next.n, 60, "reopened: captured at the chain");
  tr.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
