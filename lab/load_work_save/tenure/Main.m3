(* The session of Moss' cost model in Tenure: a tree of objects of 40 bytes with their header, half of
   them references, is loaded by a traversal, traversed again, updated and saved (Moss 1990, 8.2). *)
MODULE Main;

IMPORT Database, IO, Lex, FloatMode, Params, Process, Scan, Stdio, Text, Thread, Transaction, Usage, Wr;

<*FATAL Transaction.TransactionInProgress, Database.DatabaseOpen*>

CONST
  Help = "usage: trees create STORE HEIGHT\n" &
         "       trees work STORE PERCENT      loads and visits all objects, updates PERCENT of them, saves\n" &
         "       trees sum STORE               how many updates the objects have\n";
  Visits = 5;

TYPE Node = REF RECORD left, right: Node := NIL;  number, updates := 0 END;

PROCEDURE Fail(message: TEXT; status: INTEGER) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "trees: " & message & "\n");
    Process.Exit(status);
  END Fail;

VAR made := 0;

PROCEDURE Make(height: INTEGER): Node =
  VAR node: Node := NIL;
  BEGIN
    IF height >= 0 THEN
      node := NEW(Node, number := made);
      INC(made);
      node.left := Make(height - 1);
      node.right := Make(height - 1);
    END;
    RETURN node;
  END Make;

PROCEDURE Visit(node: Node): INTEGER =
  VAR n := 1;
  BEGIN
    IF node.left # NIL THEN n := n + Visit(node.left) + Visit(node.right) END;
    RETURN n;
  END Visit;

(* Visits all, and updates those of a hundred in a row that come first. Returns how many. *)
PROCEDURE Update(node: Node; percent: CARDINAL): INTEGER =
  VAR n := 0;
  BEGIN
    (* 61 and 100 have no common factor, so updates are spread evenly over the objects. *)
    IF node.number * 61 MOD 100 < percent THEN INC(node.updates);  n := 1 END;
    IF node.left # NIL THEN
      n := n + Update(node.left, percent) + Update(node.right, percent);
    END;
    RETURN n;
  END Update;

PROCEDURE Sum(node: Node): INTEGER =
  VAR n := node.updates;
  BEGIN
    IF node.left # NIL THEN n := n + Sum(node.left) + Sum(node.right) END;
    RETURN n;
  END Sum;

PROCEDURE Create(store: TEXT; height: CARDINAL) =
  <*FATAL Database.DatabaseNotFound*>
  VAR from := Usage.Start();  db: Database.T;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      Database.Create(store);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & store & " already", 1);
    END;
    db := Database.Open(store);
    tr.begin();
    db.setRoot(Make(height));
    tr.commit();
    Usage.Tell("create", made, from, Usage.Now());
    db.close();
  END Create;

PROCEDURE Work(root: Node; tr: Transaction.T; percent: CARDINAL) =
  VAR from: Usage.T;  n: INTEGER;
  BEGIN
    FOR i := 0 TO Visits DO
      from := Usage.Start();
      n := Visit(root);
      IF i = 0 THEN
        Usage.Tell("load", n, from, Usage.Now());
      ELSE
        Usage.Tell("visit", n, from, Usage.Now());
      END;
    END;
    from := Usage.Start();
    n := Update(root, percent);
    Usage.Tell("update", n, from, Usage.Now());
    from := Usage.Start();
    tr.commit();
    Usage.Tell("save", n, from, Usage.Now());
  END Work;

PROCEDURE Open(store: TEXT; tr: Transaction.T; VAR root: Node): Database.T =
  VAR db: Database.T := NIL;
  BEGIN
    TRY
      db := Database.Open(store);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & store, 1);
    END;
    tr.begin();
    root := db.getRoot();
    RETURN db;
  END Open;

PROCEDURE Number(text: TEXT; most: CARDINAL): CARDINAL =
  VAR n := -1;
  BEGIN
    TRY n := Scan.Int(text) EXCEPT Lex.Error, FloatMode.Trap => (* it is none *) END;
    IF n < 0 OR n > most THEN Fail("'" & text & "' is no such number", 2) END;
    RETURN n;
  END Number;

PROCEDURE Dispatch() =
  VAR db: Database.T;  root: Node;  tr := NEW(Transaction.T);  n := Params.Count;
  BEGIN
    IF n = 2 AND Text.Equal(Params.Get(1), "--help") THEN
      IO.Put(Help);
    ELSIF n = 4 AND Text.Equal(Params.Get(1), "create") THEN
      Create(Params.Get(2), Number(Params.Get(3), 24));
    ELSIF n = 4 AND Text.Equal(Params.Get(1), "work") THEN
      db := Open(Params.Get(2), tr, root);
      Work(root, tr, Number(Params.Get(3), 100));
      db.close();
    ELSIF n = 3 AND Text.Equal(Params.Get(1), "sum") THEN
      db := Open(Params.Get(2), tr, root);
      WITH from = Usage.Start() DO Usage.Tell("sum", Sum(root), from, Usage.Now()) END;
      tr.commit();
      db.close();
    ELSE
      Fail("wrong usage\n" & Help, 2);
    END;
  END Dispatch;

BEGIN
  TRY
    Dispatch();
  EXCEPT
  | Database.Failure (why) => Fail(why, 1);
  | Database.TypeMismatch (why) => Fail(why, 1);
  END;
END Main.
