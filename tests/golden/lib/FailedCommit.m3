MODULE FailedCommit;

IMPORT Check, Database, Fmt, IO, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD
    number: INTEGER;
    name: TEXT;
    next: Cell;
  END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  root, fresh: Cell;

(* Cells numbered from first on, in front of tail. *)
PROCEDURE List(n, first: INTEGER; tail: Cell): Cell =
  BEGIN
    FOR i := first + n - 1 TO first BY -1 DO
      tail := NEW(Cell, number := i, name := "cell " & Fmt.Int(i), next := tail);
    END;
    RETURN tail;
  END List;

PROCEDURE CheckList(c: Cell; n, first: INTEGER; what: TEXT) =
  VAR count := 0;
  BEGIN
    WHILE c # NIL AND count <= n DO
      Check.Int(c.number, first + count, what & ": number");
      Check.Text(c.name, "cell " & Fmt.Int(first + count), what & ": name");
      INC(count);
      c := c.next;
    END;
    Check.Int(count, n, what & ": length");
  END CheckList;

PROCEDURE Last(c: Cell): Cell =
  BEGIN
    WHILE c.next # NIL DO c := c.next END;
    RETURN c;
  END Last;

PROCEDURE Commit() =
  BEGIN
    TRY
      tr.commit();
      IO.Put("committed\n");
    EXCEPT
    | Transaction.Aborted => IO.Put("Aborted\n");
    | Transaction.OutcomeUnknown => IO.Put("OutcomeUnknown\n");
    | Database.Failure => IO.Put("Failure\n");
    END;
  END Commit;

PROCEDURE Run(happened: BOOLEAN) =
  VAR n: INTEGER;
  BEGIN
    db := Store.Open();
    tr.begin();
    db.setRoot(List(300, 0, NIL));
    tr.commit();
    root := NIL;
    RTCollector.Collect();

    (* Changes old cells and links new ones to them. *)
    tr.begin();
    root := db.getRoot();
    fresh := List(200, 300, NIL);
    Last(root).next := fresh;
    IF NOT happened THEN
      root.number := 1000;
      root.next.name := "spoilt";
    END;
    Commit();
    Check.That(NOT tr.isOpen(), "closed");
    n := 300;
    IF happened THEN n := 500 END;
    CheckList(root, n, 0, "after the commit");
    CheckList(fresh, 200, 300, "new cells");
    RTCollector.Collect();
    CheckList(root, n, 0, "after a collection");
    CheckList(fresh, 200, 300, "new cells after a collection");

    (* The same transaction succeeds now. *)
    tr.begin();
    Last(root).next := List(50, n, NIL);
    Commit();
    CheckList(root, n + 50, 0, "at the end");
    RTCollector.Collect();
    CheckList(root, n + 50, 0, "at the end, after a collection");
    Check.Done();
  END Run;

BEGIN
END FailedCommit.
