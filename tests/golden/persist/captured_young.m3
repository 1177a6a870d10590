(* golden: persist, with lib/Store, lib/Check *)
(* A young object becomes persistent: it does not move at first, and moves to its home at the
   next collection. Before and after, and in the next transaction, it is one object with its
   contents. *)
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
    cell := NEW(Cell, number := 17, name := "yo" & "ung", next := root);
    root.next := cell;
    tr.commit();
    Check.That(root.next = cell, "captured: the same object");
    Check.Int(cell.number, 17, "captured: read outside a transaction");
    Check.Text(root.next.name, "young", "captured: its text");

    (* The object is written between the commit and the collection. *)
    tr.begin();
    cell.number := 18;
    Check.Int(root.next.number, 18, "captured: written");
    tr.commit();

    RTCollector.Collect();
    Check.That(root.next = cell, "collected: the same object");
    Check.Int(cell.number, 18, "collected: number");
    Check.Text(root.next.name, "young", "collected: its text");
    Check.That(cell.next = root, "collected: its reference");

    (* Written at home. *)
    tr.begin();
    cell.number := 19;
    cell.name := "old" & "er";
    tr.commit();
    RTCollector.Collect();
    Check.Int(root.next.number, 19, "written at home");
    Check.Text(cell.name, "older", "text written at home");
    tr.begin();
  ELSE
    Check.Int(root.next.number, 19, "reopened: number");
    Check.Text(root.next.name, "older", "reopened: text");
    Check.That(root.next.next = root, "reopened: reference");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
