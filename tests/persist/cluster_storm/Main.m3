(* The program of cluster_storm.py: threads count in a database.

     counters DATABASE FIRST THREADS COMMITS

   Thread i adds 1 to counter FIRST + i, COMMITS times, each in a transaction of its own, and prints
   ack COUNTER VALUE when the commit has returned, or unknown COUNTER VALUE when nobody could tell
   whether it has taken place, and then reason TEXT. With 0 threads the program makes the counters, if
   they are missing, and prints them: count COUNTER VALUE. Exit status: 3 if a thread has ended early,
   because of Database.Failure, which it prints; else 0. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, Process, Scan, Stdio, Thread, Transaction, Wr;

<*FATAL ANY*>

CONST Counters = 64;

TYPE
  (* On a page of its own. *)
  Counter = REF RECORD value := 0;  padding: ARRAY [0 .. 799] OF INTEGER END;
  Root = REF ARRAY OF Counter;
  Worker = Thread.Closure OBJECT counter: INTEGER OVERRIDES apply := Work END;

VAR
  db: Database.T;
  first := Scan.Int(Params.Get(2));
  threads := Scan.Int(Params.Get(3));
  commits := Scan.Int(Params.Get(4));
  early := FALSE;

PROCEDURE Say(what: TEXT; counter, value: INTEGER) =
  BEGIN
    IO.Put(what & " " & Fmt.Int(counter) & " " & Fmt.Int(value) & "\n");
    Wr.Flush(Stdio.stdout);
  END Say;

PROCEDURE Count(t: Transaction.T; counter: INTEGER) =
  VAR value := 0;  root: Root;
  BEGIN
    LOOP
      TRY
        t.begin();
        root := db.getRoot();
        INC(root[counter].value);
        value := root[counter].value;
        t.commit();
        Say("ack", counter, value);
        EXIT;
      EXCEPT
      | Transaction.Aborted => IF t.isOpen() THEN t.abort() END;
      | Transaction.OutcomeUnknown(why) =>
          Say("unknown", counter, value);
          IO.Put("reason " & why & "\n");
          EXIT;
      | Database.Failure(problem) =>
          IF t.isOpen() THEN t.abort() END;
          RAISE Database.Failure(problem);
      END;
    END;
  END Count;

PROCEDURE Work(self: Worker): REFANY =
  VAR t := NEW(Transaction.T);
  BEGIN
    TRY
      FOR i := 1 TO commits DO Count(t, self.counter) END;
    EXCEPT Database.Failure(problem) =>
      IO.Put("failed " & problem & "\n");
      early := TRUE;
    END;
    RETURN NIL;
  END Work;

PROCEDURE Show() =
  VAR t := NEW(Transaction.T);  root: Root;
  BEGIN
    LOOP
      TRY
        t.begin();
        root := db.getRoot();
        IF root = NIL THEN
          root := NEW(Root, Counters);
          FOR i := 0 TO Counters - 1 DO root[i] := NEW(Counter) END;
          db.setRoot(root);
        END;
        FOR i := 0 TO Counters - 1 DO Say("count", i, root[i].value) END;
        t.commit();
        EXIT;
      EXCEPT Transaction.Aborted => IF t.isOpen() THEN t.abort() END;
      END;
    END;
  END Show;

VAR running := NEW(REF ARRAY OF Thread.T, threads);
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
  END;
  IF threads = 0 THEN Show() END;
  FOR i := 0 TO threads - 1 DO running[i] := Thread.Fork(NEW(Worker, counter := first + i)) END;
  FOR i := 0 TO threads - 1 DO EVAL Thread.Join(running[i]) END;
  IF early THEN Process.Exit(3) END;
  db.close();
END Main.
