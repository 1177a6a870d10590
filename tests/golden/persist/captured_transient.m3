(* golden: persist, with lib/Store, lib/Check *)
(* TRANSIENT objects are not saved: a reference to one is stored as NIL, but the program keeps
   the reference, also over collections, as long as its page stays in memory (language.md 27.3). *)
MODULE Main;

IMPORT Check, Database, IO, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD
    number: INTEGER;
    name: TEXT;
    next: Cell;
    any: REFANY;
    <*TRANSIENT*> cache: Cell;
    handle: Handle;
  END;

  Handle = <*TRANSIENT*> ROOT OBJECT number: INTEGER; cell: Cell END;

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
    cell := NEW(Cell, number := 17, name := "persistent");
    cell.cache := NEW(Cell, number := 18, name := "cache");
    cell.handle := NEW(Handle, number := 19, cell := NEW(Cell, number := 20));
    cell.any := cell.handle;
    root.next := cell;
    tr.commit();
    Check.Int(cell.cache.number, 18, "captured: marked field");
    Check.Int(cell.handle.number, 19, "captured: transient object");
    Check.That(cell.any = cell.handle, "captured: transient object by REFANY");
    RTCollector.Collect();
    Check.Int(root.next.cache.number, 18, "collected: marked field");
    Check.Int(root.next.handle.number, 19, "collected: transient object");
    Check.Int(root.next.handle.cell.number, 20, "collected: what it refers to");
    Check.That(root.next.any = root.next.handle, "collected: by REFANY");
    tr.begin();
    root.next.cache := NEW(Cell, number := 21, name := "new cache");
    tr.commit();
    RTCollector.Collect();
    Check.Int(root.next.cache.number, 21, "collected: written later");
    tr.begin();
  ELSE
    Check.Int(root.next.number, 17, "reopened: number");
    Check.That(root.next.cache = NIL, "reopened: marked field");
    Check.That(root.next.handle = NIL, "reopened: transient object");
    Check.That(root.next.any = NIL, "reopened: by REFANY");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
