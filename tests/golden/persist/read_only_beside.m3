(* golden: persist, with lib/Store, lib/Check *)
(* A write in a read-only transaction that no trap tells of, since the object is not at home yet and
   a store to a neighbour, which is not persistent, has opened the page. *)
MODULE Main;

IMPORT Check, Database, IO, RTCollector, Store, Thread, Transaction;

<*FATAL ANY*>

CONST Pairs = 20;  Threads = 6;

TYPE
  Object = REF RECORD n: INTEGER; next: Object := NIL END;
  Way = {Commit, Abort, Checkpoint, Chain};
  Looker = Transaction.Closure OBJECT
      guilty: BOOLEAN;
      times := 0;
    OVERRIDES
      apply := Look;
    END;
  Runner = Thread.Closure OBJECT
      looker: Looker;
      readOnly := FALSE;  (* has got that exception *)
    OVERRIDES
      apply := RunLooker;
    END;

VAR
  db: Database.T := Store.Open();
  tr, a, b, child := NEW(Transaction.T);
  root: Object;                          (* persistent: kept[1], kept[2] ... *)
  kept, beside: ARRAY [1..Pairs] OF Object;
  mu := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  inside := 0;

(* Pairs of objects beside each other; one of each pair becomes persistent. *)
PROCEDURE Make() =
  BEGIN
    root := NIL;
    FOR i := Pairs TO 1 BY -1 DO
      kept[i] := NEW(Object, n := i, next := root);
      beside[i] := NEW(Object, n := 0);
      root := kept[i];
    END;
    tr.begin();
    db.setRoot(root);
    tr.commit();
  END Make;

(* FALSE: a collection has moved the object, so that a trap has told of the write. *)
PROCEDURE WroteUnseen(i: INTEGER): BOOLEAN =
  BEGIN
    INC(beside[i].n);
    TRY
      kept[i].n := -1;
      RETURN TRUE;
    EXCEPT
      Transaction.ReadOnly => RETURN FALSE;
    END;
  END WroteUnseen;

PROCEDURE EndAfter(wrote: BOOLEAN; unseen: TEXT): TEXT =
  BEGIN
    IF wrote THEN RETURN unseen ELSE RETURN "ends" END;
  END EndAfter;

PROCEDURE CheckKept(what: TEXT) =
  BEGIN
    FOR i := 1 TO Pairs DO
      Check.Int(kept[i].n, i, what);
      Check.That(i = Pairs OR kept[i].next = kept[i + 1], what);
    END;
  END CheckKept;

PROCEDURE Ends(t: Transaction.T; way: Way): TEXT =
  BEGIN
    TRY
      CASE way OF
      | Way.Commit => t.commit();
      | Way.Abort => t.abort();
      | Way.Checkpoint => t.checkpoint();
      | Way.Chain => t.chain();
      END;
      RETURN "ends";
    EXCEPT
    | Transaction.ReadOnly => RETURN "ReadOnly";
    | Transaction.Aborted => RETURN "Aborted";
    | Transaction.TransactionNotInProgress => RETURN "TransactionNotInProgress";
    END;
  END Ends;

PROCEDURE Alone(collects: BOOLEAN) =
  BEGIN
    FOR way := FIRST(Way) TO LAST(Way) DO
      a.beginReadOnly();
      INC(beside[3].n);
      IF collects THEN RTCollector.Collect() END;
      TRY
        kept[3].n := -1;
        kept[3].next := beside[3];
        IF collects THEN RTCollector.Collect() END;
        Check.Text(Ends(a, way), "ReadOnly", "the end of the transaction that has written");
        Check.That(NOT a.isOpen(), "which is over");
      EXCEPT
      | Transaction.ReadOnly => a.abort();
      END;
      CheckKept("undone");
    END;
    (* Stores to neighbours alone are allowed. *)
    a.beginReadOnly();
    beside[3].n := 33;
    Check.Text(Ends(a, Way.Chain), "ends", "chain");
    Check.Text(Ends(a, Way.Commit), "ends", "commit");
    Check.Int(beside[3].n, 33, "a store to a neighbour stays");
  END Alone;

PROCEDURE InAChild() =
  VAR wrote: BOOLEAN;
  BEGIN
    tr.begin();
    kept[1].n := 100;
    child.beginReadOnly();
    wrote := WroteUnseen(1);
    wrote := WroteUnseen(2) OR wrote;
    Check.Text(Ends(child, Way.Commit), EndAfter(wrote, "ReadOnly"), "a child that has written");
    Check.That(NOT child.isOpen() AND tr.isOpen(), "the child is over");
    Check.Int(kept[1].n, 100, "what the parent had written");
    Check.Int(kept[2].n, 2, "what nobody had written");
    child.beginReadOnly();
    INC(beside[1].n);
    Check.Text(Ends(child, Way.Commit), "ends", "a child that has not");
    kept[1].n := 1;
    tr.commit();
    CheckKept("after a child");
  END InAChild;

(* Nobody can tell which of two open transactions has written. *)
PROCEDURE Two() =
  VAR wrote: BOOLEAN;
  BEGIN
    EVAL Thread.Join(Thread.Fork(NEW(Second)));
    a.beginReadOnly();
    Check.That(b.isOpen(), "b is another transaction, of a thread that has ended");
    wrote := WroteUnseen(5);
    Check.Text(Ends(a, Way.Commit), EndAfter(wrote, "Aborted"), "the one that ends");
    CheckKept("undone at once");
    Check.That(b.isOpen() AND NOT a.isOpen(), "the other one is not told yet");
    Check.Text(Ends(b, Way.Commit), EndAfter(wrote, "Aborted"), "the other one");
    Check.Text(Ends(b, Way.Commit), "TransactionNotInProgress", "told once");
    (* Again, alone. *)
    a.beginReadOnly();
    wrote := WroteUnseen(5);
    Check.Text(Ends(a, Way.Commit), EndAfter(wrote, "ReadOnly"), "again");
    CheckKept("undone again");
  END Two;

TYPE
  Second = Thread.Closure OBJECT OVERRIDES apply := BeginSecond END;

PROCEDURE BeginSecond(<*UNUSED*> s: Second): REFANY =
  BEGIN
    b.beginReadOnly();
    RETURN NIL;
  END BeginSecond;

PROCEDURE Look(l: Looker) =
  BEGIN
    INC(l.times);
    LOCK mu DO
      INC(inside);
      Thread.Broadcast(changed);
      (* The first time all of them are open together. *)
      WHILE inside < Threads DO Thread.Wait(mu, changed) END;
    END;
    IF l.guilty AND NOT WroteUnseen(7) THEN RAISE Transaction.ReadOnly END;
    Thread.Pause(0.01d0);
  END Look;

PROCEDURE RunLooker(r: Runner): REFANY =
  BEGIN
    TRY
      Transaction.RunReadOnly(r.looker);
    EXCEPT
    | Transaction.ReadOnly => r.readOnly := TRUE;
    END;
    RETURN NIL;
  END RunLooker;

PROCEDURE Many() =
  VAR runners: ARRAY [1..Threads] OF Runner;  threads: ARRAY [1..Threads] OF Thread.T;
  BEGIN
    FOR i := 1 TO Threads DO
      runners[i] := NEW(Runner, looker := NEW(Looker, guilty := i = 2));
      threads[i] := Thread.Fork(runners[i]);
    END;
    FOR i := 1 TO Threads DO EVAL Thread.Join(threads[i]) END;
    FOR i := 1 TO Threads DO
      Check.That(runners[i].readOnly = (i = 2), "only the one that writes gets ReadOnly");
    END;
    CheckKept("after many");
  END Many;

BEGIN
  a := NEW(Transaction.T);  b := NEW(Transaction.T);  child := NEW(Transaction.T);
  Make();
  Alone(collects := FALSE);
  Make();
  InAChild();
  Make();
  Two();
  Make();
  Many();
  Make();
  Alone(collects := TRUE);
  (* How many checks there were depends on where the objects lie. *)
  IO.Put("done\n");
END Main.
(* expect: done *)
