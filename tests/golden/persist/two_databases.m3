(* golden: persist, with lib/Check *)
(* A reference from one database to another one in another directory, which is then removed. *)
MODULE Main;

IMPORT Check, Database, IO, Process, Text, Transaction;

<*FATAL Transaction.TransactionInProgress, Database.DatabaseNotFound, Database.DatabaseOpen, Database.DatabaseExists*>

TYPE
  Node = REF RECORD n: INTEGER; other: Node END;

VAR
  here, there: Database.T;
  tr := NEW(Transaction.T);
  node: Node;
  created := FALSE;

BEGIN
  TRY
    here := Database.Open("here:book");
  EXCEPT
  | Database.DatabaseNotFound =>
    Database.Create("here:book");
    Database.Create("there");
    here := Database.Open("here:book");
    created := TRUE;
  END;
  IF created THEN
    there := Database.Open("there");
    tr.begin();
    node := NEW(Node, n := 1);
    there.setRoot(node);
    tr.commit();
    tr.begin();
    here.setRoot(NEW(Node, n := 2, other := there.getRoot()));
    node.n := 3;
    tr.commit();
    there.close();
    here.close();
    IO.Put("created\n");
    Check.Done();
    Process.Exit();
  END;
  tr.begin();
  node := here.getRoot();
  Check.Int(node.n, 2, "here");
  TRY
    Check.Int(node.other.n, 3, "there");
    tr.commit();
    IO.Put("found\n");
    here.close();
    there := Database.Open("there");
    there.close();
    Database.Delete("there");
  EXCEPT
  | Database.Missing (why) =>
    IO.Put("missing\n");
    Check.That(Text.FindChar(why, ':') >= 0, why);
    tr.abort();
  END;
  Check.Done();
END Main.
(* expect: created *)
(* expect: nothing was checked *)
(* restart *)
(* expect: found *)
(* expect: all checks hold *)
(* restart *)
(* expect: missing *)
(* expect: all checks hold *)
