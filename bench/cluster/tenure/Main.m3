(* Commits of one object.

     commits DATABASE NUMBER COUNT

   Makes 8 objects, each on a page of its own, if the database has none; prints ready, waits for a line,
   changes object NUMBER in COUNT transactions, and prints the microseconds of each commit, oldest first, in
   one line. Then waits for another line. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, Scan, Stdio, Time, Transaction, Wr;

<*FATAL ANY*>

CONST Objects = 8;

TYPE
  Object = REF RECORD value := 0;  padding: ARRAY [0 .. 799] OF INTEGER END;
  Root = REF ARRAY OF Object;

VAR
  db: Database.T;
  t := NEW(Transaction.T);
  number := Scan.Int(Params.Get(2));
  times := NEW(REF ARRAY OF LONGREAL, Scan.Int(Params.Get(3)));
  root: Root;

PROCEDURE Change(i: INTEGER) =
  VAR begin: Time.T;
  BEGIN
    LOOP
      TRY
        t.begin();
        root := db.getRoot();
        INC(root[number].value);
        begin := Time.Now();
        t.commit();
        times[i] := Time.Now() - begin;
        EXIT;
      EXCEPT Transaction.Aborted => (* again *)
      END;
    END;
  END Change;

PROCEDURE Say(text: TEXT) = BEGIN IO.Put(text & "\n");  Wr.Flush(Stdio.stdout) END Say;

BEGIN
  TRY
    db := Database.Open(Params.Get(1));
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
  END;
  LOOP
    TRY
      t.begin();
      root := db.getRoot();
      IF root = NIL THEN
        root := NEW(Root, Objects);
        FOR i := 0 TO Objects - 1 DO root[i] := NEW(Object) END;
        db.setRoot(root);
      END;
      t.commit();
      EXIT;
    EXCEPT Transaction.Aborted => (* again *)
    END;
  END;
  Say("ready");
  EVAL IO.GetLine();
  FOR i := 0 TO LAST(times^) DO Change(i) END;
  FOR i := 0 TO LAST(times^) DO
    IO.Put(Fmt.Int(ROUND(times[i] * 1.0d6)) & " ");
  END;
  Say("");
  EVAL IO.GetLine();
  db.close();
END Main.
