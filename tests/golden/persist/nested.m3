(* golden: persist, with lib/Store, lib/Check *)
(* A child's abort restores exactly its parent's state; its commit passes its changes to the
   parent. *)
MODULE Main;

IMPORT Check, Database, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

TYPE
  Node = REF RECORD n: INTEGER; next: Node END;

VAR
  db: Database.T := Store.Open();
  top, child, grandchild, other := NEW(Transaction.T);
  root: Node;
  fresh, alone: Node;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;  node := root;
  BEGIN
    WHILE node # NIL DO
      INC(sum, node.n);
      node := node.next;
    END;
    RETURN sum;
  END Sum;

BEGIN
  child := NEW(Transaction.T);
  grandchild := NEW(Transaction.T);
  other := NEW(Transaction.T);
  top.begin();
  root := db.getRoot();
  IF root # NIL THEN
    Check.Int(Sum(), 411, "in the next process");
    top.commit();
    Check.Done();
    Process.Exit();
  END;
  FOR i := 1 TO 3 DO root := NEW(Node, n := i, next := root) END;
  db.setRoot(root);
  top.commit();
  FOR round := 1 TO 2 DO
    (* In the second round the objects are at home. *)
    top.begin();
    root.n := 10;
    child.begin();
    Check.That(top.isOpen() AND child.isOpen(), "both are open");
    root.n := 20;
    root.next.n := 200;
    fresh := NEW(Node, n := 5);
    root.next.next.next := fresh;
    Check.Int(Sum(), 226, "in the child");
    RTCollector.Collect();
    child.abort();
    Check.That(top.isOpen() AND NOT child.isOpen(), "the parent is open");
    Check.Int(root.n, 10, "the parent's write is left");
    Check.Int(Sum(), 13, "after the child's abort");
    Check.Int(fresh.n, 5, "what is not persistent keeps its value");

    child.begin();
    root.n := 30;
    grandchild.begin();
    root.n := 40;
    root.next.n := 41;
    grandchild.commit();
    Check.Int(Sum(), 82, "the grandchild's writes are the child's");
    grandchild.begin();
    root.n := 50;
    RTCollector.Collect();
    grandchild.abort();
    Check.Int(Sum(), 82, "after the grandchild's abort");
    child.checkpoint();
    root.n := 60;
    child.abort();
    Check.Int(Sum(), 82, "back at the child's checkpoint");

    child.begin();
    db.setRoot(NIL);
    child.abort();
    Check.That(db.getRoot() = root, "the root is what it was");
    top.abort();
    Check.Int(Sum(), 6, "after the abort of all");
    RTCollector.Collect();
  END;

  (* The objects that the parent has made are not persistent yet, but a commit would make them
     persistent. *)
  top.begin();
  root.n := 1;
  fresh := NEW(Node, n := 4, next := NEW(Node, n := 5));
  root.next.next.next := fresh;
  alone := NEW(Node, n := 6);
  child.begin();
  fresh.n := 40;
  fresh.next := NIL;
  RTCollector.Collect();
  grandchild.begin();
  fresh.n := 400;
  alone.n := 60;
  RTCollector.Collect();
  grandchild.abort();
  Check.Int(fresh.n, 40, "back at the grandchild's begin");
  child.abort();
  Check.Int(Sum(), 13, "what the parent made is as it was");
  Check.Int(alone.n, 60, "what nothing persistent leads to keeps what is stored in it");
  child.begin();
  fresh.n := 7;
  child.commit();
  Check.Int(Sum(), 16, "after the child's commit");
  top.abort();
  Check.Int(Sum(), 6, "and none of it is left");

  (* The end of a transaction aborts its children. *)
  top.begin();
  root.n := 400;
  child.begin();
  grandchild.begin();
  root.next.n := 1000;
  child.commit();
  Check.That(NOT grandchild.isOpen(), "ended with its parent");
  child.begin();
  root.next.n := 10;
  child.commit();
  other.begin();
  root.next.n := 77;
  top.commit();
  Check.That(NOT other.isOpen() AND NOT top.isOpen(), "none is open");
  top.begin();
  Check.Int(Sum(), 411, "committed");
  TRY
    top.begin();
    Check.That(FALSE, "begin of an open one");
  EXCEPT
  | Transaction.TransactionInProgress =>
  END;
  top.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
