(* The programs of Hosking & Moss 1993 in Tenure: ten iterations of an operation, with other parts
   each, the first of them cold; and more and more repeats of the last traversal. *)
MODULE Main;

IMPORT Database, IO, Params, Parts, Process, Stdio, Text, Thread, Transaction, Usage, Wr;

<*FATAL Transaction.TransactionInProgress, Database.DatabaseOpen*>

CONST
  Help = "usage: parts create STORE\n" &
         "       parts lookup|traversal STORE\n" &
         "       parts hot STORE RUNS         each number of traversals is measured RUNS times\n";
  Iterations = 10;

PROCEDURE Fail(message: TEXT; status: INTEGER) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "parts: " & message & "\n");
    Process.Exit(status);
  END Fail;

PROCEDURE Number(text: TEXT): CARDINAL =
  VAR n := 0;
  BEGIN
    FOR i := 0 TO Text.Length(text) - 1 DO
      WITH c = Text.GetChar(text, i) DO
        IF c < '0' OR c > '9' OR n > 1000 THEN Fail("'" & text & "' is not a number of runs", 2) END;
        n := 10 * n + ORD(c) - ORD('0');
      END;
    END;
    RETURN n;
  END Number;

PROCEDURE Create(store: TEXT) =
  <*FATAL Database.DatabaseNotFound*>
  VAR db: Database.T;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      Database.Create(store);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & store & " already", 1);
    END;
    db := Database.Open(store);
    tr.begin();
    db.setRoot(Parts.Build());
    tr.commit();
    db.close();
  END Create;

PROCEDURE Iterate(library: Parts.Library; lookup: BOOLEAN) =
  VAR from: Usage.T;  sum: INTEGER;
  BEGIN
    FOR i := 0 TO Iterations - 1 DO
      from := Usage.Start();
      IF lookup THEN sum := Parts.Lookup(library, i) ELSE sum := Parts.Traverse(library, i) END;
      Usage.Tell("iteration", sum, from, Usage.Now());
    END;
  END Iterate;

PROCEDURE Hot(library: Parts.Library; runs: CARDINAL) =
  CONST Step = 50;
  VAR from: Usage.T;  sum: INTEGER;
  BEGIN
    FOR i := 0 TO Iterations - 1 DO EVAL Parts.Traverse(library, i) END;
    FOR times := 1 TO 5 DO
      FOR run := 1 TO runs DO
        sum := 0;
        from := Usage.Start();
        FOR i := 1 TO Step * times DO INC(sum, Parts.Traverse(library, Iterations - 1)) END;
        Usage.Tell("hot", sum, from, Usage.Now(), Step * times);
      END;
    END;
  END Hot;

PROCEDURE Measure(operation, store: TEXT; runs: CARDINAL := 0) =
  VAR db: Database.T;  tr := NEW(Transaction.T);  library: Parts.Library;
  BEGIN
    TRY
      db := Database.Open(store);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & store, 1);
    END;
    tr.begin();
    library := db.getRoot();
    IF Text.Equal(operation, "hot") THEN
      Hot(library, runs);
    ELSE
      Iterate(library, Text.Equal(operation, "lookup"));
    END;
    tr.commit();
    db.close();
  END Measure;

PROCEDURE Dispatch() =
  BEGIN
    IF Params.Count = 2 AND Text.Equal(Params.Get(1), "--help") THEN
      IO.Put(Help);
    ELSIF Params.Count = 3 AND Text.Equal(Params.Get(1), "create") THEN
      Create(Params.Get(2));
    ELSIF Params.Count = 3 AND (Text.Equal(Params.Get(1), "lookup")
                                OR Text.Equal(Params.Get(1), "traversal")) THEN
      Measure(Params.Get(1), Params.Get(2));
    ELSIF Params.Count = 4 AND Text.Equal(Params.Get(1), "hot") THEN
      Measure("hot", Params.Get(2), Number(Params.Get(3)));
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
