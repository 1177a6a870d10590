(* Notes in a database: notes DATABASE add TEXT | change N TEXT | remove N | list | find WORD | undo |
   redo. *)
MODULE Main;

IMPORT Database, FloatMode, Fmt, IntSeq, IO, Lex, Notebook, Params, Process, Scan, Stdio, Text, Thread,
  Transaction, Wr;

(* A Fail in a transaction ends the program, and nothing of the transaction stays. *)
PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "notes: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Check(ok: BOOLEAN; message: TEXT) =
  BEGIN
    IF NOT ok THEN Fail(message) END;
  END Check;

PROCEDURE Number(text: TEXT): CARDINAL =
  VAR n := -1;
  BEGIN
    TRY n := Scan.Int(text) EXCEPT Lex.Error, FloatMode.Trap => END;
    Check(n >= 0, text & " is not the number of a note");
    RETURN n;
  END Number;

PROCEDURE Show(notes: Notebook.T; numbers: IntSeq.T) =
  BEGIN
    FOR i := 0 TO numbers.size() - 1 DO
      IO.Put(Fmt.F("%3s  %s\n", Fmt.Int(numbers.get(i)), notes.text(numbers.get(i))));
    END;
  END Show;

PROCEDURE Execute(notes: Notebook.T) =
  VAR command := Params.Get(2);
  BEGIN
    IF Text.Equal(command, "add") AND Params.Count = 4 THEN
      IO.Put("note " & Fmt.Int(notes.add(Params.Get(3))) & "\n");
    ELSIF Text.Equal(command, "change") AND Params.Count = 5 THEN
      Check(notes.change(Number(Params.Get(3)), Params.Get(4)), "there is no note " & Params.Get(3));
    ELSIF Text.Equal(command, "remove") AND Params.Count = 4 THEN
      Check(notes.remove(Number(Params.Get(3))), "there is no note " & Params.Get(3));
    ELSIF Text.Equal(command, "list") AND Params.Count = 3 THEN
      Show(notes, notes.all());
    ELSIF Text.Equal(command, "find") AND Params.Count = 4 THEN
      Show(notes, notes.find(Params.Get(3)));
    ELSIF Text.Equal(command, "undo") AND Params.Count = 3 THEN
      Check(notes.undo(), "there is nothing to undo");
    ELSIF Text.Equal(command, "redo") AND Params.Count = 3 THEN
      Check(notes.redo(), "there is nothing to redo");
    ELSE
      Fail("unknown command " & command);
    END;
  END Execute;

PROCEDURE Open(name: TEXT): Database.T =
  <*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
  <*FATAL Transaction.TransactionInProgress*>
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
      Database.Create(name);
      RETURN Database.Open(name);
    END;
  END Open;

PROCEDURE Run() =
  <*FATAL Transaction.TransactionInProgress*>
  VAR db := Open(Params.Get(1));  tr := NEW(Transaction.T);  notes: Notebook.T;
  BEGIN
    tr.begin();
    notes := db.getRoot();
    IF notes = NIL THEN
      notes := NEW(Notebook.T).init();
      db.setRoot(notes);
    END;
    Execute(notes);
    tr.commit();
    db.close();
  END Run;

BEGIN
  IF Params.Count < 3 THEN
    Fail("usage: notes DATABASE add TEXT | change N TEXT | remove N | list | find WORD | undo | redo");
  END;
  TRY
    Run();
  EXCEPT
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
