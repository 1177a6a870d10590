(* golden: persist, with lib/Store, lib/Check, @M3cluster=depth *)
(* The report of a commit, and a graph in another order of places. *)
MODULE Main;

IMPORT Check, Database, DatabaseStatistics, IO, Store, Text, Transaction;

FROM DatabaseStatistics IMPORT Get, Kind;

<*FATAL ANY*>

TYPE
  Tree = OBJECT left, right: Tree; n: INTEGER END;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Tree;
  displaced: INTEGER;

PROCEDURE Build(depth: INTEGER): Tree =
  BEGIN
    IF depth = 0 THEN RETURN NIL END;
    RETURN NEW(Tree, left := Build(depth - 1), right := Build(depth - 1), n := depth);
  END Build;

PROCEDURE Sum(tree: Tree): INTEGER =
  BEGIN
    IF tree = NIL THEN RETURN 0 END;
    RETURN tree.n + Sum(tree.left) + Sum(tree.right);
  END Sum;

PROCEDURE Has(part: TEXT) =
  VAR report := DatabaseStatistics.CommitReport();
  BEGIN
    FOR i := 0 TO Text.Length(report) - Text.Length(part) DO
      IF Text.Equal(Text.Sub(report, i, Text.Length(part)), part) THEN RETURN END;
    END;
    IO.Put("not in the report: " & part & "\n" & report);
  END Has;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    Check.Text(DatabaseStatistics.CommitReport(), "", "no commit yet");
    DatabaseStatistics.ReportCommits();
    root := Build(10);
    db.setRoot(root);
    tr.commit();
    displaced := Get(Kind.ObjectsDisplaced);  (* before the next allocation may move them *)
    Check.Int(Get(Kind.ObjectsPersisted), 1023, "objects");
    Check.Int(Get(Kind.BytesPersisted), 1023 * 32, "bytes");
    Check.Int(displaced, 1023, "displaced");
    Check.That(Get(Kind.LogBytes) > 0, "log bytes");
    Has("commit 1: 1023 objects, 32736 bytes newly persistent");
    Has("Main.Tree");
    Has("the root");
    Has("Main.Tree.left");
    Has("still displaced: 1023");
    tr.begin();
    root.n := 11;
    tr.commit();
    Has("commit 2: 0 objects");
  ELSE
    Check.Int(Sum(root), 2037, "the tree");
    tr.commit();
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
