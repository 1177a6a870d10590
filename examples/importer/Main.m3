(* Imports a large file into a database, in bounded memory: importer DATABASE load FILE [MOST] |
   show NUMBER | country NAME | count. A load that was ended goes on where its last checkpoint was. *)
MODULE Main;

IMPORT Database, FileRd, FloatMode, Fmt, IO, Lex, OSError, Params, Places, Process, Rd, RdUtils, Scan,
  Stdio, Text, Thread, Transaction, Wr;

CONST
  (* The new objects of one transaction must fit in the heap; a checkpoint begins anew. *)
  LinesBetweenCheckpoints = 20000;

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "importer: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Number(text: TEXT): CARDINAL =
  VAR n := -1;
  BEGIN
    TRY n := Scan.Int(text) EXCEPT Lex.Error, FloatMode.Trap => END;
    IF n < 0 THEN Fail(text & " is not a number") END;
    RETURN n;
  END Number;

(* Imports until the end of the file, or until there are `most` lines in the database. *)
PROCEDURE Load(tr: Transaction.T; places: Places.T; path: TEXT; most: CARDINAL) =
  <*FATAL Thread.Alerted, Transaction.TransactionNotInProgress*>
  VAR rd: Rd.T;
  BEGIN
    TRY
      rd := FileRd.Open(path);
      Places.Skip(places, rd);
      WHILE places.lines < most
        AND Places.AddLines(places, rd, MIN(LinesBetweenCheckpoints, most - places.lines)) DO
        tr.checkpoint();
      END;
      Rd.Close(rd);
    EXCEPT
    | Places.Malformed (line) =>
      Fail(Fmt.F("%s, line %s: %s", path, Fmt.Int(places.lines + 1), line));
    | OSError.E (why) => Fail(RdUtils.FailureText(why));
    | Rd.Failure (why) => Fail(path & ": " & RdUtils.FailureText(why));
    END;
    IO.Put(Fmt.Int(places.lines) & " places\n");
  END Load;

PROCEDURE Show(place: Places.Place) =
  BEGIN
    IO.Put(Fmt.F("%s  %s, %s\n", Fmt.Int(place.number), place.name, place.country.name));
  END Show;

PROCEDURE ShowCountry(places: Places.T; name: TEXT) =
  VAR country := Places.FindCountry(places, name);
  BEGIN
    IF country = NIL THEN Fail("there is no place in " & name) END;
    FOR i := 0 TO MIN(country.places.size(), 3) - 1 DO
      Show(Places.Find(places, country.places.get(i)));
    END;
    IO.Put(Fmt.Int(country.places.size()) & " places in " & name & "\n");
  END ShowCountry;

PROCEDURE Execute(tr: Transaction.T; places: Places.T) =
  VAR command := Params.Get(2);
  BEGIN
    IF Text.Equal(command, "load") AND Params.Count = 4 THEN
      Load(tr, places, Params.Get(3), LAST(CARDINAL));
    ELSIF Text.Equal(command, "load") AND Params.Count = 5 THEN
      Load(tr, places, Params.Get(3), Number(Params.Get(4)));
    ELSIF Text.Equal(command, "show") AND Params.Count = 4 THEN
      WITH place = Places.Find(places, Number(Params.Get(3))) DO
        IF place = NIL THEN Fail("there is no place " & Params.Get(3)) END;
        Show(place);
      END;
    ELSIF Text.Equal(command, "country") AND Params.Count = 4 THEN
      ShowCountry(places, Params.Get(3));
    ELSIF Text.Equal(command, "count") AND Params.Count = 3 THEN
      IO.Put(Fmt.Int(places.byNumber.size()) & " places\n");
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
  VAR db := Open(Params.Get(1));  tr := NEW(Transaction.T);  places: Places.T;
  BEGIN
    tr.begin();
    places := db.getRoot();
    IF places = NIL THEN
      places := Places.New();
      db.setRoot(places);
    END;
    Execute(tr, places);
    tr.commit();
    db.close();
  END Run;

BEGIN
  IF Params.Count < 3 THEN
    Fail("usage: importer DATABASE load FILE [MOST] | show NUMBER | country NAME | count");
  END;
  TRY
    Run();
  EXCEPT
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
