(* golden: persist, with lib/Store *)
(* join: other threads work inside the transaction; it fails when none is open. *)
MODULE Main;

IMPORT IO, Store, Thread, Transaction;

<*FATAL Transaction.TransactionInProgress*>

TYPE
  Root = REF RECORD sum := 0 END;
  Worker = Thread.Closure OBJECT n: INTEGER OVERRIDES apply := Work END;

VAR
  db := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  mu := NEW(MUTEX);

PROCEDURE Work(w: Worker): REFANY =
  BEGIN
    tr.join();
    LOCK mu DO INC(root.sum, w.n) END;
    RETURN NIL;
  END Work;

PROCEDURE Fails(t: Transaction.T): BOOLEAN =
  BEGIN
    TRY
      t.join();
      RETURN FALSE;
    EXCEPT
    | Transaction.TransactionNotInProgress => RETURN TRUE;
    END;
  END Fails;

VAR
  workers: ARRAY [1..4] OF Thread.T;

BEGIN
  IF NOT Fails(tr) THEN IO.Put("joined what has not begun\n") END;
  tr.begin();
  IF Fails(tr) THEN IO.Put("the own transaction\n") END;
  IF NOT Fails(NEW(Transaction.T)) THEN IO.Put("joined another one\n") END;
  root := db.getRoot();
  IF root = NIL THEN root := NEW(Root); db.setRoot(root) END;
  FOR i := 1 TO 4 DO workers[i] := Thread.Fork(NEW(Worker, n := i)) END;
  FOR i := 1 TO 4 DO EVAL Thread.Join(workers[i]) END;
  tr.commit();
  IF NOT Fails(tr) THEN IO.Put("joined what has ended\n") END;
  tr.begin();
  IO.PutInt(root.sum); IO.Put("\n");
  FOR i := 1 TO 4 DO workers[i] := Thread.Fork(NEW(Worker, n := i)) END;
  FOR i := 1 TO 4 DO EVAL Thread.Join(workers[i]) END;
  tr.abort();
END Main.
(* expect: 10 *)
(* restart *)
(* expect: 20 *)
