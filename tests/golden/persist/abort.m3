(* golden: persist, with lib/Store, lib/Check *)
(* Abort restores persistent objects, wherever they are; transient objects keep the stored
   values. *)
MODULE Main;

IMPORT Check, Database, Fmt, RTCollector, Store, Transaction;

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
  root, fresh: Cell;
  outside := NEW(Cell, number := 1, name := "outside");

PROCEDURE Length(c: Cell): CARDINAL =
  VAR n := 0;
  BEGIN
    WHILE c # NIL DO INC(n); c := c.next END;
    RETURN n;
  END Length;

(* A list of n cells in which numbers count up from `first`. *)
PROCEDURE List(n, first: INTEGER): Cell =
  BEGIN
    IF n = 0 THEN RETURN NIL END;
    RETURN NEW(Cell, number := first, name := Fmt.Int(first), next := List(n - 1, first + 1));
  END List;

PROCEDURE CheckList(c: Cell; n, first: INTEGER; what: TEXT) =
  BEGIN
    Check.Int(Length(c), n, what & ": length");
    FOR i := first TO first + n - 1 DO
      Check.Int(c.number, i, what & ": number");
      Check.Text(c.name, Fmt.Int(i), what & ": name");
      c := c.next;
    END;
  END CheckList;

(* Changes everything in sight. *)
PROCEDURE Spoil(c: Cell) =
  VAR last := c;
  BEGIN
    WHILE c # NIL DO
      INC(c.number, 1000);
      c.name := "spoilt";
      last := c;
      c := c.next;
    END;
    last.next := List(10, 5000);
  END Spoil;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := List(100, 0);
    db.setRoot(root);
    tr.commit();

    (* Displaced: the object has a home and has not moved there. *)
    tr.begin();
    Spoil(root);
    outside.number := 2;
    outside.next := root;
    tr.abort();
    Check.That(NOT tr.isOpen(), "closed");
    Check.Int(outside.number, 2, "a transient object keeps its number");
    Check.That(outside.next = root, "a transient object keeps its reference");
    CheckList(root, 100, 0, "displaced");

    (* At home. *)
    RTCollector.Collect();
    tr.begin();
    Spoil(root);
    tr.abort();
    CheckList(root, 100, 0, "at home");

    (* With a collection between the writes and the abort. *)
    tr.begin();
    Spoil(root);
    RTCollector.Collect();
    tr.abort();
    CheckList(root, 100, 0, "collected in the transaction");

    (* Objects that were only newly reachable are transient again, and can become reachable
       again. *)
    tr.begin();
    fresh := List(3, 700);
    root.next.next := fresh;
    tr.abort();
    CheckList(root, 100, 0, "newly reachable");
    CheckList(fresh, 3, 700, "transient");
    fresh.number := 700;
    tr.begin();
    outside := root;
    WHILE outside.next # NIL DO outside := outside.next END;
    outside.next := List(5, 100);
    tr.commit();
    CheckList(root, 105, 0, "after all");

    (* setRoot is undone, too. *)
    tr.begin();
    db.setRoot(NIL);
    tr.abort();
    tr.begin();
    Check.That(db.getRoot() = root, "root");
    tr.commit();
  ELSE
    CheckList(root, 105, 0, "reopened");
    Spoil(root);
    tr.abort();
    CheckList(root, 105, 0, "aborted after reopening");
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
