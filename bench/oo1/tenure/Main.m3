(* OO1: builds the database, and works on it in other processes. *)
MODULE Main;

IMPORT Database, IO, OO1, Params, Process, Stdio, Text, Thread, Transaction, Usage, Wr;

<*FATAL Transaction.TransactionInProgress*>

CONST
  Help =
    "usage: oo1 create DIR                              builds the database and commits it\n" &
    "       oo1 measure DIR lookup|traversal|insert     ten iterations, the first of them cold, and\n" &
    "                                                   one more that does what the tenth did\n" &
    "       oo1 measure --memory lookup|traversal|insert   the same without a database\n";
  Iterations = 10;

PROCEDURE Fail(message: TEXT; status: INTEGER) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "oo1: " & message & "\n");
    Process.Exit(status);
  END Fail;

TYPE Operation = PROCEDURE (db: OO1.Database; seed: CARDINAL): INTEGER;

PROCEDURE OperationOf(name: TEXT): Operation =
  BEGIN
    IF Text.Equal(name, "lookup") THEN RETURN OO1.Lookup END;
    IF Text.Equal(name, "traversal") THEN RETURN OO1.Traverse END;
    IF Text.Equal(name, "insert") THEN RETURN OO1.Insert END;
    Fail("'" & name & "' is not an operation", 2);
    RETURN NIL;
  END OperationOf;

PROCEDURE Measure(db: OO1.Database; operation: Operation; tr: Transaction.T) =
  VAR from, to: Usage.T;  count: INTEGER;
  BEGIN
    FOR i := 1 TO Iterations + 1 DO
      from := Usage.Start();
      count := operation(db, MIN(i, Iterations));
      to := Usage.Now();
      IF tr = NIL THEN
        Usage.Tell("iteration", count, from, to);
      ELSE
        tr.chain();
        Usage.Tell("iteration", count, from, to);
        Usage.Tell("chain", 0, to, Usage.Now());
      END;
    END;
  END Measure;

PROCEDURE Create(name: TEXT) =
  <*FATAL Database.DatabaseNotFound, Database.DatabaseOpen*>
  VAR from := Usage.Start();  db: Database.T;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      Database.Create(name);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & name & " already", 1);
    END;
    db := Database.Open(name);
    tr.begin();
    db.setRoot(OO1.Build());
    tr.commit();
    Usage.Tell("create", OO1.Parts, from, Usage.Now());
    db.close();
  END Create;

PROCEDURE MeasureStored(name: TEXT; operation: Operation) =
  <*FATAL Database.DatabaseOpen*>
  VAR from := Usage.Start();  db: Database.T;  tr := NEW(Transaction.T);  root: OO1.Database;
  BEGIN
    TRY
      db := Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & name, 1);
    END;
    tr.begin();
    root := db.getRoot();
    Usage.Tell("open", root.parts, from, Usage.Now());
    Measure(root, operation, tr);
    tr.commit();
    db.close();
  END MeasureStored;

PROCEDURE Dispatch() =
  VAR n := Params.Count;
  BEGIN
    IF n = 2 AND Text.Equal(Params.Get(1), "--help") THEN
      IO.Put(Help);
    ELSIF n = 3 AND Text.Equal(Params.Get(1), "create") THEN
      Create(Params.Get(2));
    ELSIF n = 4 AND Text.Equal(Params.Get(1), "measure") THEN
      WITH operation = OperationOf(Params.Get(3)) DO
        IF Text.Equal(Params.Get(2), "--memory") THEN
          Measure(OO1.Build(), operation, NIL);
        ELSE
          MeasureStored(Params.Get(2), operation);
        END;
        Usage.TellMemory();
      END;
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
