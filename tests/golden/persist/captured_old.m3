(* golden: persist, with lib/Store, lib/Check *)
(* The same for an object that was old before: it moves to its home at a major collection. *)
MODULE Main;

IMPORT Check, Database, IO, Process, RTCollector, Store, Transaction;

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
  root, cell: Cell;

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
    cell := NEW(Cell, number := 17, name := "o" & "ld", next := root);
    FOR i := 1 TO 3 DO RTCollector.Collect() END;
    root.next := cell;
    tr.commit();
    Check.That(root.next = cell, "captured: the same object");
    Check.Int(cell.number, 17, "captured: read outside a transaction");

    tr.begin();
    cell.number := 18;
    tr.commit();
    RTCollector.Collect();
    Check.That(root.next = cell, "collected: the same object");
    Check.Int(root.next.number, 18, "collected: number");
    Check.Text(cell.name, "old", "collected: its text");
    tr.begin();
    cell.number := 19;
  ELSE
    Check.Int(root.next.number, 19, "reopened: number");
    Check.Text(root.next.name, "old", "reopened: text");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
