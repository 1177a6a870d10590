MODULE Driver;

IMPORT
  Bank, Database, FileRd, FloatMode, Fmt, IO, Lex, OSError, Params, Process, Rd, Scan, Stdio, Text, Thread, Tick,
  Transaction, Usage, Word, Wr;

<*FATAL Transaction.TransactionInProgress, Transaction.TransactionNotInProgress*>

CONST
  Help =
    "usage: transfers create STORE ACCOUNTS\n" &
    "       transfers run STORE DRAWS THREADS FIRST WARM-SECONDS SECONDS\n" &
    "       transfers sum STORE\n";
  Buckets = 3072;
  PairBytes = 8;

TYPE
  Pair = RECORD from, to: INTEGER END;
  Pairs = REF ARRAY OF Pair;

REVEAL
  Tally = PublicTally BRANDED OBJECT
    all, counted, aborted := 0;
    start, warm, end: Tick.T;  (* transfers that end between start + warm and start + end are counted *)
    latencies: ARRAY [0 .. Buckets - 1] OF INTEGER;
  METHODS
    init(start, warm, end: Tick.T): Tally := InitTally;
  OVERRIDES
    durable := Durable;
  END;

PROCEDURE Fail(message: TEXT; status: INTEGER) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "transfers: " & message & "\n");
    Process.Exit(status);
  END Fail;

(* ---- What a thread did *)

PROCEDURE InitTally(t: Tally; start, warm, end: Tick.T): Tally =
  BEGIN
    t.start := start;
    t.warm := warm;
    t.end := end;
    FOR i := 0 TO LAST(t.latencies) DO t.latencies[i] := 0 END;
    RETURN t;
  END InitTally;

(* Buckets of nanoseconds: each below 128, then 64 for each power of two. *)
PROCEDURE BucketOf(seconds: LONGREAL): INTEGER =
  VAR value := MAX(0, TRUNC(seconds * 1.0d9));  shift := 0;
  BEGIN
    WHILE value >= 128 DO
      value := Word.RightShift(value, 1);
      INC(shift);
    END;
    RETURN MIN(shift * 64 + value, Buckets - 1);
  END BucketOf;

PROCEDURE Durable(t: Tally; began: Tick.T) =
  VAR now := Tick.Now();  passed := Word.Minus(now, t.start);
  BEGIN
    INC(t.all);
    IF Word.GE(passed, t.warm) AND Word.LT(passed, t.end) THEN
      INC(t.counted);
      INC(t.latencies[BucketOf(Tick.ToSeconds(Word.Minus(now, began)))]);
    END;
  END Durable;

PROCEDURE Add(sum, t: Tally) =
  BEGIN
    INC(sum.all, t.all);
    INC(sum.counted, t.counted);
    INC(sum.aborted, t.aborted);
    FOR i := 0 TO LAST(t.latencies) DO INC(sum.latencies[i], t.latencies[i]) END;
  END Add;

(* ---- The work of a thread *)

TYPE
  Worker = Thread.Closure OBJECT
    bank: Bank.T;
    pairs: Pairs;
    next: INTEGER;  (* pair *)
    ender: Ender;
    tally: Tally;
  OVERRIDES
    apply := Work;
  END;

(* One transfer, again until nothing undoes it. *)
PROCEDURE Transfer(w: Worker; tr: Transaction.T; READONLY pair: Pair; amount: INTEGER) =
  VAR began := Tick.Now();
  BEGIN
    LOOP
      TRY
        tr.begin();
        Bank.Transfer(w.bank, pair.from, pair.to, amount);
        w.ender.end(tr, began, w.tally);
        EXIT;
      EXCEPT
      | Transaction.Aborted => INC(w.tally.aborted);
      END;
    END;
  END Transfer;

PROCEDURE Work(w: Worker): REFANY =
  VAR tr := NEW(Transaction.T);  made := 0;
  BEGIN
    TRY
      WHILE Word.LT(Word.Minus(Tick.Now(), w.tally.start), w.tally.end) DO
        Transfer(w, tr, w.pairs[w.next], made MOD 100 + 1);
        INC(made);
        w.next := (w.next + 1) MOD NUMBER(w.pairs^);
      END;
      w.ender.finish(w.tally);
    EXCEPT
    | Database.Failure (why) => Fail(why, 1);
    | Transaction.OutcomeUnknown (why) => Fail(why, 1);
    END;
    RETURN NIL;
  END Work;

(* ---- The commands *)

PROCEDURE ReadDraws(path: TEXT): Pairs =
  VAR pairs: Pairs := NIL;

  PROCEDURE NumberAt(READONLY bytes: ARRAY [0 .. PairBytes - 1] OF CHAR; at: INTEGER): INTEGER =
    VAR number := 0;
    BEGIN
      FOR i := 3 TO 0 BY -1 DO number := number * 256 + ORD(bytes[at + i]) END;
      RETURN number;
    END NumberAt;

  BEGIN
    TRY
      VAR rd := FileRd.Open(path);  bytes: ARRAY [0 .. PairBytes - 1] OF CHAR;
      BEGIN
        pairs := NEW(Pairs, Rd.Length(rd) DIV PairBytes);
        FOR i := 0 TO LAST(pairs^) DO
          EVAL Rd.GetSub(rd, bytes);
          pairs[i] := Pair{NumberAt(bytes, 0), NumberAt(bytes, 4)};
        END;
        Rd.Close(rd);
      END;
    EXCEPT
    | OSError.E, Rd.Failure, Thread.Alerted => Fail(path & ": cannot be read", 1);
    END;
    IF NUMBER(pairs^) = 0 THEN Fail(path & ": holds no pairs", 1) END;
    RETURN pairs;
  END ReadDraws;

PROCEDURE OpenBank(store: TEXT; VAR db: Database.T): Bank.T =
  <*FATAL Database.DatabaseOpen*>
  VAR bank: Bank.T := NIL;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      db := Database.Open(store);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & store, 1);
    END;
    tr.begin();
    bank := db.getRoot();
    tr.commit();
    RETURN bank;
  END OpenBank;

PROCEDURE Create(store: TEXT; accounts: INTEGER) =
  <*FATAL Database.DatabaseNotFound, Database.DatabaseOpen*>
  VAR db: Database.T;  tr := NEW(Transaction.T);
  BEGIN
    TRY
      Database.Create(store);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & store & " already", 1);
    END;
    db := Database.Open(store);
    tr.begin();
    db.setRoot(Bank.New(accounts));
    tr.commit();
    db.close();
  END Create;

PROCEDURE Tell(sum: Tally; READONLY from, to: Usage.T) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Usage.Tell("done", sum.all, from, to);
    IO.Put(Fmt.F("counted count %s aborted %s\n", Fmt.Int(sum.counted), Fmt.Int(sum.aborted)));
    FOR i := 0 TO LAST(sum.latencies) DO
      IF sum.latencies[i] # 0 THEN
        IO.Put(Fmt.F("latency bucket %s count %s\n", Fmt.Int(i), Fmt.Int(sum.latencies[i])));
      END;
    END;
    IO.Put("end\n");
    Wr.Flush(Stdio.stdout);
  END Tell;

PROCEDURE WaitForLine() =
  BEGIN
    TRY EVAL IO.GetLine() EXCEPT IO.Error => (* the end of the input *) END;
  END WaitForLine;

(* The calling thread is one of the workers: a program with one worker has no other thread. *)
PROCEDURE Run(store: TEXT; pairs: Pairs; threads, first: INTEGER; warm, seconds: LONGREAL; newEnder: NewEnder) =
  <*FATAL Wr.Failure, Thread.Alerted, Tick.Overflow*>
  VAR
    db: Database.T;
    bank := OpenBank(store, db);
    workers := NEW(REF ARRAY OF Worker, threads);
    forked := NEW(REF ARRAY OF Thread.T, threads);
    from, to: Usage.T;
    warmTicks := Tick.FromSeconds(warm);
    endTicks := Tick.FromSeconds(warm + seconds);
    sum := NEW(Tally).init(0, 0, 0);
    start: Tick.T;
  BEGIN
    IO.Put("ready\n");
    Wr.Flush(Stdio.stdout);
    WaitForLine();
    from := Usage.Start();
    start := Tick.Now();
    FOR i := 0 TO threads - 1 DO
      workers[i] := NEW(Worker, bank := bank, pairs := pairs, next := (first + i) * 104729 MOD NUMBER(pairs^),
                        ender := newEnder(), tally := NEW(Tally).init(start, warmTicks, endTicks));
    END;
    FOR i := 1 TO threads - 1 DO forked[i] := Thread.Fork(workers[i]) END;
    EVAL workers[0].apply();
    FOR i := 1 TO threads - 1 DO EVAL Thread.Join(forked[i]) END;
    to := Usage.Now();
    FOR i := 0 TO threads - 1 DO Add(sum, workers[i].tally) END;
    Tell(sum, from, to);
    WaitForLine();
    db.close();
  END Run;

PROCEDURE TellSum(store: TEXT) =
  VAR db: Database.T;  bank := OpenBank(store, db);  tr := NEW(Transaction.T);  sum: Bank.Sum;
  BEGIN
    tr.begin();
    sum := Bank.GetSum(bank);
    tr.commit();
    IO.Put(Fmt.F("sum accounts %s balance %s transfers %s\n", Fmt.Int(sum.accounts), Fmt.Int(sum.balance),
                 Fmt.Int(sum.transfers)));
    db.close();
  END TellSum;

PROCEDURE Dispatch(newEnder: NewEnder) RAISES {Lex.Error, FloatMode.Trap} =
  VAR n := Params.Count;  command := "";
  BEGIN
    IF n > 1 THEN command := Params.Get(1) END;
    IF n = 4 AND Text.Equal(command, "create") THEN
      Create(Params.Get(2), Scan.Int(Params.Get(3)));
    ELSIF n = 8 AND Text.Equal(command, "run") THEN
      Run(Params.Get(2), ReadDraws(Params.Get(3)), MAX(1, Scan.Int(Params.Get(4))), Scan.Int(Params.Get(5)),
          Scan.LongReal(Params.Get(6)), Scan.LongReal(Params.Get(7)), newEnder);
    ELSIF n = 3 AND Text.Equal(command, "sum") THEN
      TellSum(Params.Get(2));
    ELSE
      Fail("wrong usage\n" & Help, 2);
    END;
  END Dispatch;

PROCEDURE Main(newEnder: NewEnder) =
  BEGIN
    TRY
      Dispatch(newEnder);
    EXCEPT
    | Lex.Error, FloatMode.Trap => Fail("an argument is not a number\n" & Help, 2);
    | Database.Failure (why) => Fail(why, 1);
    | Database.TypeMismatch (why) => Fail(why, 1);
    END;
  END Main;

BEGIN
END Driver.
