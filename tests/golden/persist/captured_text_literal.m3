(* golden: persist, with lib/Store, lib/Check *)
(* A text literal is not in the heap, so a copy is saved. The program keeps the literal. *)
MODULE Main;

IMPORT Check, Database, IO, Process, RTCollector, Store, Text, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD
    number: INTEGER;
    name: TEXT;
    next: Cell;
  END;

CONST
  Long = "A literal that is long enough not to be anything else, with a \377 in it";
  Wide = W"\004211\004200";

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Cell;

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
    root.next := NEW(Cell, number := 1, name := Long);
    root.next.next := NEW(Cell, number := 2, name := Wide);
    root.next.next.next := NEW(Cell, number := 3, name := Long);
    root.next.next.next.next := NEW(Cell, number := 4, name := "");
    tr.commit();
    Check.Text(root.next.name, Long, "captured");
    Check.Text(Long, root.next.name, "the literal");
    Check.That(Text.Equal(root.next.next.name, Wide), "captured: wide");
    RTCollector.Collect();
    Check.Text(root.next.name, Long, "collected");
    Check.That(Text.Equal(root.next.next.name, Wide), "collected: wide");
    Check.Text(root.next.next.next.name, Long, "collected: used twice");
    tr.begin();
    root.next.name := "another literal";
  ELSE
    Check.Text(root.next.name, "another literal", "reopened");
    Check.That(Text.Equal(root.next.next.name, Wide), "reopened: wide");
    Check.Text(root.next.next.next.name, Long, "reopened: used twice");
    Check.Text(root.next.next.next.next.name, "", "reopened: empty");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
