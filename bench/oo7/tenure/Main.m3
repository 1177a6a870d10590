(* OO7: builds the database, and works on it in other processes. *)
MODULE Main;

IMPORT
  Database, DatabaseStatistics, FloatMode, Fmt, IO, Lex, OO7, OO7Build, OO7Export, OO7Operation, OO7Readers, Params,
  Process, RTCollector, Scan, Stdio, Text, Thread, Tick, Transaction, Usage, Wr;

<*FATAL Transaction.TransactionInProgress*>

CONST
  Help =
    "usage: oo7 create DIR [CONFIGURATION]      builds the database and commits it; then the first\n" &
    "                                           collection, in which its objects go home\n" &
    "       oo7 run DIR                         T1 cold and hot, T6, T2A, T2B and T2C with their\n" &
    "                                           commits, T8, T9\n" &
    "       oo7 measure DIR OPERATION [one|many] [MODULE [ITERATIONS]]\n" &
    "                                           five iterations in one transaction or in many,\n" &
    "                                           what each of them took, and what that was\n" &
    "       oo7 measure --memory[=CONFIGURATION] OPERATION\n" &
    "                                           the same without a database\n" &
    "       oo7 readers DIR THREADS [TRANSACTIONS [REPEATS]]\n" &
    "                                           T1 by one thread, and by as many at the same time,\n" &
    "                                           each REPEATS times in each of its read-only\n" &
    "                                           transactions\n" &
    "       oo7 check DIR                       whether all updates of earlier runs are there\n" &
    "       oo7 export DIR                      the objects as text, as the laboratory writes them\n" &
    "CONFIGURATION is small, medium, or one of them with the number of modules: small-x5.\n";

  (* The first is cold, those in the middle are hot, and the last one includes the closing
     (Hosking & Chen 1999, 5.4). *)
  Iterations = 5;

TYPE
  Operation = OO7Operation.T;

PROCEDURE Fail(message: TEXT; status := 1) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "oo7: " & message & "\n");
    Process.Exit(status);
  END Fail;

(* ---- Arguments *)

PROCEDURE Number(text: TEXT): CARDINAL =
  BEGIN
    TRY
      WITH n = Scan.Int(text) DO
        IF n >= 0 THEN RETURN n END;
      END;
    EXCEPT
      Lex.Error, FloatMode.Trap => (* said below *)
    END;
    Fail("'" & text & "' is not a number", 2);
    RETURN 0;
  END Number;

PROCEDURE ConfigurationOf(name: TEXT): OO7.Configuration =
  VAR configuration: OO7.Configuration;  dash := Text.FindChar(name, '-');  size := name;
  BEGIN
    IF dash >= 0 THEN
      size := Text.Sub(name, 0, dash);
      IF Text.Length(name) > dash + 2 AND Text.GetChar(name, dash + 1) = 'x' THEN
        configuration.modules := Number(Text.Sub(name, dash + 2));
      ELSE
        configuration.modules := 0;
      END;
    END;
    IF Text.Equal(size, "medium") THEN
      configuration.atomicParts := 200;
      configuration.manualSize := 1000 * 1000;
    ELSIF NOT Text.Equal(size, "small") THEN
      configuration.modules := 0;
    END;
    IF configuration.modules = 0 THEN Fail("'" & name & "' is not a configuration", 2) END;
    RETURN configuration;
  END ConfigurationOf;

PROCEDURE OperationOf(name: TEXT): Operation =
  VAR operation: Operation;
  BEGIN
    IF NOT OO7Operation.FromName(name, operation) THEN
      Fail("'" & name & "' is not an operation", 2);
    END;
    RETURN operation;
  END OperationOf;

PROCEDURE Argument(n: CARDINAL; default: TEXT): TEXT =
  BEGIN
    IF n < Params.Count THEN RETURN Params.Get(n) ELSE RETURN default END;
  END Argument;

(* ---- Times *)

(* One line for an operation: its name, its count, the time since start. *)
PROCEDURE Report(name: TEXT; count: INTEGER; start: Tick.T) =
  VAR ms := Tick.ToSeconds(Tick.Now() - start) * 1000.0d0;
  BEGIN
    IO.Put(Fmt.F("%s %s %s ms\n", name, Fmt.Int(count), Fmt.LongReal(ms, Fmt.Style.Fix, 3)));
  END Report;

(* ---- Commands *)

PROCEDURE Create(name: TEXT; READONLY configuration: OO7.Configuration) =
  <*FATAL Database.DatabaseNotFound, Database.DatabaseOpen*>
  VAR
    start := Tick.Now();
    db: Database.T;
    tr := NEW(Transaction.T);
    library: OO7.Library;
  BEGIN
    TRY
      Database.Create(name);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & name & " already");
    END;
    db := Database.Open(name);
    tr.begin();
    library := OO7Build.Build(configuration);
    db.setRoot(library);
    tr.commit();
    Report("create", library.nextComposite * configuration.atomicParts, start);
    start := Tick.Now();
    RTCollector.Collect();
    Report("collect", DatabaseStatistics.Get(DatabaseStatistics.Kind.ObjectsMovedHome), start);
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
  CONST HotIterations = 3;  (* the last iteration counts *)
  VAR
    db := Open(name);
    tr := NEW(Transaction.T);
    library: OO7.Library;
    m: OO7.Module;
    start: Tick.T;

  PROCEDURE Do(operation: Operation) =
    VAR count := OO7Operation.Perform(operation, library, m);
    BEGIN
      IF tr.isOpen() AND operation >= Operation.T2A AND operation <= Operation.T2C THEN
        tr.commit();
      END;
      Report(OO7Operation.Names[operation], count, start);
    END Do;

  BEGIN
    start := Tick.Now();
    tr.begin();
    library := db.getRoot();
    m := library.modules[0];
    Do(Operation.T1);
    FOR i := 1 TO HotIterations DO
      start := Tick.Now();
      WITH count = OO7Operation.Perform(Operation.T1, library, m) DO
        IF i = HotIterations THEN Report("T1-hot", count, start) END;
      END;
    END;
    start := Tick.Now();
    Do(Operation.T6);
    tr.commit();
    FOR operation := Operation.T2A TO Operation.T2C DO
      start := Tick.Now();
      tr.begin();
      Do(operation);
    END;
    tr.begin();
    start := Tick.Now();
    Do(Operation.T8);
    start := Tick.Now();
    Do(Operation.T9);
    tr.commit();
    db.close();
  END Run;

PROCEDURE Repeats(operation: Operation; once: BOOLEAN): CARDINAL =
  BEGIN
    IF once THEN RETURN 1 ELSE RETURN OO7Operation.Repeats[operation] END;
  END Repeats;

PROCEDURE Measure(name: TEXT; operation: Operation; many: BOOLEAN; module, iterations: CARDINAL) =
  VAR
    before := Usage.Now();
    db := Open(name);
    tr := NEW(Transaction.T);
    library: OO7.Library;
    m: OO7.Module;
    from, to: Usage.T;
    count, aborts := 0;
    repeats: CARDINAL;

  PROCEDURE Begin() =
    BEGIN
      tr.begin();
      library := db.getRoot();
      IF module > LAST(library.modules^) THEN
        Fail("there is no module " & Fmt.Int(module), 2);
      END;
      m := library.modules[module];
    END Begin;

  PROCEDURE Iterate(i: CARDINAL) =
    BEGIN
      repeats := Repeats(operation, many OR i = 1);
      OO7Operation.Prepare(operation, library, m);
      from := Usage.Start();
      count := OO7Operation.PerformOften(operation, library, m, repeats);
      to := Usage.Now();
      IF many AND i < iterations THEN
        tr.chain();
        Usage.Tell("iteration", count, from, to, repeats);
        Usage.Tell("chain", 0, to, Usage.Now());
      ELSE
        Usage.Tell("iteration", count, from, to, repeats);
      END;
    END Iterate;

  PROCEDURE IterateAgain(i: CARDINAL) =
    BEGIN
      LOOP
        TRY
          IF NOT tr.isOpen() THEN Begin() END;
          Iterate(i);
          EXIT;
        EXCEPT
          Transaction.Aborted => INC(aborts);  (* other programs use the same pages *)
        END;
      END;
    END IterateAgain;

  BEGIN
    Begin();
    Usage.Tell("open", 0, before, Usage.Now());
    FOR i := 1 TO iterations DO
      IF many THEN IterateAgain(i) ELSE Iterate(i) END;
    END;
    from := Usage.Start();
    tr.commit();
    Usage.Tell("commit", 0, from, Usage.Now());
    db.close();
    IF aborts > 0 THEN IO.Put("aborted times " & Fmt.Int(aborts) & "\n") END;
    Usage.TellMemory();
  END Measure;

PROCEDURE Readers(name: TEXT; most, transactions, repeats: CARDINAL) =
  VAR db := Open(name);

  PROCEDURE Tell(threads: CARDINAL) =
    VAR
      from, to: Usage.T;
      count := OO7Readers.Run(db, threads, transactions, repeats, from, to);
    BEGIN
      Usage.Tell("readers-" & Fmt.Int(threads), count, from, to, threads * transactions * repeats);
    END Tell;

  BEGIN
    Tell(1);
    IF most > 1 THEN Tell(most) END;
    db.close();
  END Readers;

PROCEDURE MeasureInMemory(READONLY configuration: OO7.Configuration; operation: Operation) =
  VAR
    from := Usage.Start();
    library := OO7Build.Build(configuration);
    m := library.modules[0];
    count: INTEGER;
    repeats: CARDINAL;
  BEGIN
    Usage.Tell("build", library.nextComposite * configuration.atomicParts, from, Usage.Now());
    FOR i := 1 TO Iterations DO
      repeats := Repeats(operation, i = 1);
      OO7Operation.Prepare(operation, library, m);
      from := Usage.Start();
      count := OO7Operation.PerformOften(operation, library, m, repeats);
      Usage.Tell("iteration", count, from, Usage.Now(), repeats);
    END;
    Usage.TellMemory();
  END MeasureInMemory;

PROCEDURE Check(name: TEXT) =
  VAR db := Open(name);  tr := NEW(Transaction.T);  library: OO7.Library;  x, y, updates := 0;
  BEGIN
    tr.begin();
    library := db.getRoot();
    FOR i := 0 TO LAST(library.modules^) DO
      WITH m = library.modules[i] DO
        OO7.Sum(m, x, y);
        IF x # m.sumX + m.updates OR y # m.sumY + m.updates THEN
          Fail(Fmt.F("the sums over all parts are %s and %s, but should be %s and %s", Fmt.Int(x),
                     Fmt.Int(y), Fmt.Int(m.sumX + m.updates), Fmt.Int(m.sumY + m.updates)));
        END;
        INC(updates, m.updates);
      END;
    END;
    IO.Put(Fmt.F("check %s updates: sums %s and %s are right\n", Fmt.Int(updates), Fmt.Int(x),
                 Fmt.Int(y)));
    tr.commit();
    db.close();
  END Check;

PROCEDURE Export(name: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  VAR db := Open(name);  tr := NEW(Transaction.T);
  BEGIN
    tr.begin();
    OO7Export.Export(db.getRoot(), Stdio.stdout);
    tr.commit();
    db.close();
  END Export;

PROCEDURE IsMany(mode: TEXT): BOOLEAN =
  BEGIN
    IF NOT Text.Equal(mode, "one") AND NOT Text.Equal(mode, "many") THEN
      Fail("'" & mode & "' is neither one nor many", 2);
    END;
    RETURN Text.Equal(mode, "many");
  END IsMany;

PROCEDURE Dispatch() =
  CONST Memory = "--memory";
  VAR command := Argument(1, "");  name := Argument(2, "");
  BEGIN
    IF Text.Equal(command, "--help") THEN
      IO.Put(Help);
    ELSIF Text.Equal(command, "create") AND (Params.Count = 3 OR Params.Count = 4) THEN
      Create(name, ConfigurationOf(Argument(3, "small")));
    ELSIF Text.Equal(command, "run") AND Params.Count = 3 THEN
      Run(name);
    ELSIF Text.Equal(command, "measure") AND Params.Count = 4
          AND Text.Equal(Text.Sub(name, 0, Text.Length(Memory)), Memory) THEN
      name := Text.Sub(name, MIN(Text.Length(Memory) + 1, Text.Length(name)));
      IF Text.Empty(name) THEN name := "small" END;
      MeasureInMemory(ConfigurationOf(name), OperationOf(Params.Get(3)));
    ELSIF Text.Equal(command, "measure") AND Params.Count >= 4 AND Params.Count <= 7 THEN
      Measure(name, OperationOf(Params.Get(3)), IsMany(Argument(4, "one")),
              Number(Argument(5, "0")), Number(Argument(6, Fmt.Int(Iterations))));
    ELSIF Text.Equal(command, "readers") AND Params.Count >= 4 AND Params.Count <= 6 THEN
      Readers(name, MAX(Number(Params.Get(3)), 1), Number(Argument(4, "20")),
              Number(Argument(5, "5")));
    ELSIF Text.Equal(command, "check") AND Params.Count = 3 THEN
      Check(name);
    ELSIF Text.Equal(command, "export") AND Params.Count = 3 THEN
      Export(name);
    ELSE
      Fail("wrong usage\n" & Help, 2);
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
