(* OO7: creates the small database, and traverses it in another process.

     oo7 create DIR      builds the database and commits it
     oo7 run DIR         T1 cold and hot, T6, T2A, T2B and T2C with their commits, T8, T9
     oo7 cold DIR        T1 only, and what it read
     oo7 check DIR       whether all updates of earlier runs are there
     oo7 memory          T1 without a database, for comparison with C++ *)
MODULE Main;

IMPORT Database, DatabaseStatistics, Fmt, IO, OO7, Params, Process, Stdio, Text, Thread, Tick, Transaction, Wr;
FROM OO7 IMPORT Kind;

<*FATAL Transaction.TransactionInProgress*>

CONST
  (* The third of the hot iterations counts; the fastest of the others would do as well. *)
  HotIterations = 3;
  KindNames = ARRAY Kind OF TEXT{"T1", "T6", "T2A", "T2B", "T2C"};

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "oo7: " & message & "\n");
    Process.Exit(1);
  END Fail;

(* One line for an operation: name, what it counted, time since start. *)
PROCEDURE Report(name: TEXT; count: INTEGER; start: Tick.T) =
  VAR ms := Tick.ToSeconds(Tick.Now() - start) * 1000.0d0;
  BEGIN
    IO.Put(Fmt.F("%s %s %s ms\n", name, Fmt.Int(count), Fmt.LongReal(ms, Fmt.Style.Fix, 3)));
  END Report;

PROCEDURE Create(name: TEXT) =
  <*FATAL Database.DatabaseNotFound, Database.DatabaseOpen*>
  VAR start := Tick.Now();  db: Database.T;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      Database.Create(name);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & name & " already");
    END;
    db := Database.Open(name);
    tr.begin();
    db.setRoot(OO7.Build());
    tr.commit();
    Report("create", OO7.TotalAtomicParts, start);
    db.close();
  END Create;

PROCEDURE Open(name: TEXT): Database.T =
  <*FATAL Database.DatabaseOpen*>
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & name); RETURN NIL;
    END;
  END Open;

PROCEDURE Run(name: TEXT) =
  VAR
    db := Open(name);
    tr := NEW(Transaction.T);
    m: OO7.Module;
    start: Tick.T;
    count: INTEGER;
  BEGIN
    start := Tick.Now();
    tr.begin();
    m := db.getRoot();
    count := OO7.Traverse(m, Kind.T1);
    Report("T1", count, start);
    FOR i := 1 TO HotIterations DO
      start := Tick.Now();
      count := OO7.Traverse(m, Kind.T1);
      IF i = HotIterations THEN Report("T1-hot", count, start) END;
    END;
    start := Tick.Now();
    count := OO7.Traverse(m, Kind.T6);
    Report("T6", count, start);
    tr.commit();

    FOR kind := Kind.T2A TO Kind.T2C DO
      start := Tick.Now();
      tr.begin();
      count := OO7.Traverse(m, kind);
      INC(m.updates, count);
      tr.commit();
      Report(KindNames[kind], count, start);
    END;

    tr.begin();
    start := Tick.Now();
    count := OO7.CountInManual(m, 'o');
    Report("T8", count, start);
    start := Tick.Now();
    count := OO7.CompareManualEnds(m);
    Report("T9", count, start);
    tr.commit();
    db.close();
  END Run;

TYPE
  Counter = DatabaseStatistics.Kind;

PROCEDURE Count(name: TEXT; counter: Counter) =
  BEGIN
    IO.Put(Fmt.F("%s %s\n", name, Fmt.Int(DatabaseStatistics.Get(counter))));
  END Count;

(* Only the first traversal, for those who want to know what it read. *)
PROCEDURE Cold(name: TEXT) =
  VAR db := Open(name);  tr := NEW(Transaction.T);  m: OO7.Module;  start := Tick.Now();
  BEGIN
    tr.begin();
    m := db.getRoot();
    Report("T1", OO7.Traverse(m, Kind.T1), start);
    Count("read-faults", Counter.ReadFaults);
    Count("bytes-read", Counter.BytesRead);
    tr.commit();
    db.close();
  END Cold;

PROCEDURE Check(name: TEXT) =
  VAR db := Open(name);  tr := NEW(Transaction.T);  m: OO7.Module;  x, y: INTEGER;
  BEGIN
    tr.begin();
    m := db.getRoot();
    OO7.Sum(m, x, y);
    IF x # m.sumX + m.updates OR y # m.sumY + m.updates THEN
      Fail(Fmt.F("the sums over all parts are %s and %s, but should be %s and %s", Fmt.Int(x),
                 Fmt.Int(y), Fmt.Int(m.sumX + m.updates), Fmt.Int(m.sumY + m.updates)));
    END;
    IO.Put(Fmt.F("check %s updates: sums %s and %s are right\n", Fmt.Int(m.updates), Fmt.Int(x),
                 Fmt.Int(y)));
    tr.commit();
    db.close();
  END Check;

PROCEDURE Memory() =
  VAR start := Tick.Now();  m := OO7.Build();  count: INTEGER;
  BEGIN
    Report("build", OO7.TotalAtomicParts, start);
    FOR i := 0 TO HotIterations DO
      start := Tick.Now();
      count := OO7.Traverse(m, Kind.T1);
      IF i = HotIterations THEN Report("T1-hot", count, start) END;
    END;
    FOR kind := Kind.T6 TO Kind.T2C DO
      start := Tick.Now();
      count := OO7.Traverse(m, kind);
      Report(KindNames[kind], count, start);
    END;
    start := Tick.Now();
    count := OO7.CountInManual(m, 'o');
    Report("T8", count, start);
    start := Tick.Now();
    count := OO7.CompareManualEnds(m);
    Report("T9", count, start);
  END Memory;

PROCEDURE Usage() =
  BEGIN
    Fail("usage: oo7 create DIR | run DIR | cold DIR | check DIR | memory");
  END Usage;

PROCEDURE Dispatch() =
  VAR command: TEXT := "";
  BEGIN
    IF Params.Count > 1 THEN command := Params.Get(1) END;
    IF Params.Count = 2 AND Text.Equal(command, "memory") THEN
      Memory();
    ELSIF Params.Count # 3 THEN
      Usage();
    ELSIF Text.Equal(command, "create") THEN
      Create(Params.Get(2));
    ELSIF Text.Equal(command, "run") THEN
      Run(Params.Get(2));
    ELSIF Text.Equal(command, "cold") THEN
      Cold(Params.Get(2));
    ELSIF Text.Equal(command, "check") THEN
      Check(Params.Get(2));
    ELSE
      Usage();
    END;
  END Dispatch;

BEGIN
  TRY
    Dispatch();
  EXCEPT
  | Database.Failure (why) => Fail(why);
  | Database.TypeMismatch (why) => Fail(why);
  END;
END Main.
