(* golden: persist, with lib/Store, lib/Check *)
(* An object to which the stack refers cannot move to its home at a collection: it waits. A VAR
   parameter that points into the object stays valid throughout. *)
MODULE Main;

IMPORT Check, Database, Fmt, IO, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD
    number: INTEGER;
    name: TEXT;
    next: Cell;
  END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Cell;

(* number is inside cell. *)
PROCEDURE Work(cell: Cell; VAR number: INTEGER) =
  BEGIN
    FOR round := 1 TO 5 DO
      RTCollector.Collect();
      tr.begin();
      number := 100 + round;
      Check.Int(cell.number, 100 + round, "pinned: round " & Fmt.Int(round));
      Check.Int(root.next.number, 100 + round, "by the root: round " & Fmt.Int(round));
      IF round MOD 2 = 0 THEN
        tr.abort();
        Check.Int(number, 99 + round, "aborted: round " & Fmt.Int(round));
        Check.Int(cell.number, 99 + round, "aborted, by the cell: round " & Fmt.Int(round));
      ELSE
        tr.commit();
      END;
    END;
  END Work;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    (* First run: the root, an object of its own page, is persistent and at home. *)
    db.setRoot(NEW(Cell, number := 0, name := "root"));
    tr.commit();
    IO.Put("made\n");
    Process.Exit();
  END;
  IF root.next = NIL THEN
    root.next := NEW(Cell, number := 17, name := "pinned");
    tr.commit();
    Work(root.next, root.next.number);
    RTCollector.Collect();
    Check.Int(root.next.number, 105, "no longer pinned");
    tr.begin();
  ELSE
    Check.Int(root.next.number, 105, "reopened");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
