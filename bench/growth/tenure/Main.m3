(* A store of any size, made by checkpoints in bounded memory, and what single operations in it take
   a fresh process. *)
MODULE Main;

IMPORT
  Database, Fmt, FloatMode, IntRefBPlusTree, IO, Lex, Params, Process, Random, Scan, Stdio, Text, Thread, Tick,
  Transaction, Usage, Wr;

<*FATAL Transaction.TransactionInProgress, Transaction.TransactionNotInProgress*>
<*FATAL Database.DatabaseOpen*>

CONST
  Help =
    "usage: growth create DIR MEGABYTES    makes the store\n" &
    "       growth open DIR 0              opens it\n" &
    "       growth measure DIR SEED        the same, cold faults, look-ups and commits, a line for each\n" &
    "       growth check DIR SEED          whether records that are looked up are there\n";
  RecordsOfMegabyte = 1024;
  RecordsOfCheckpoint = 64 * RecordsOfMegabyte;
  SparesOfCheckpoint = RecordsOfCheckpoint DIV 32;
  Samples = 1024;
  Faults = 200;
  LookUps = 300;
  HotRounds = 20;
  Commits = 200;

TYPE
  (* 1,000 bytes with its header. *)
  Record = REF RECORD
    id, value: INTEGER;
    next: Record;  (* only of spare records *)
    filler: ARRAY [0 .. 967] OF CHAR;
  END;

  Root = REF RECORD
    count: INTEGER;  (* of the records in byId *)
    byId: IntRefBPlusTree.T;
    samples: REF ARRAY OF Record;  (* of them, at equal distances *)
    spare: Record;  (* replaced by every checkpoint: garbage between the records, for the collection of the store *)
  END;

PROCEDURE Fail(message: TEXT; status: INTEGER) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "growth: " & message & "\n");
    Process.Exit(status);
  END Fail;

PROCEDURE NewRecord(id: INTEGER): Record =
  VAR record := NEW(Record, id := id, value := id);
  BEGIN
    FOR i := 0 TO LAST(record.filler) DO record.filler[i] := VAL(ORD('a') + (id + i) MOD 26, CHAR) END;
    RETURN record;
  END NewRecord;

PROCEDURE Spare(): Record =
  VAR head: Record := NIL;
  BEGIN
    FOR i := 1 TO SparesOfCheckpoint DO
      VAR record := NewRecord(-i);
      BEGIN
        record.next := head;
        head := record;
      END;
    END;
    RETURN head;
  END Spare;

PROCEDURE Create(name: TEXT; megabytes: INTEGER) =
  <*FATAL Database.DatabaseNotFound*>
  VAR
    from := Usage.Start();
    db: Database.T;
    tr := NEW(Transaction.T);
    root := NEW(Root, count := megabytes * RecordsOfMegabyte, byId := NEW(IntRefBPlusTree.T).init());
    distance := root.count DIV Samples;
    sampled, waiting := 0;  (* samples in the root; samples that have been made *)
    samples := NEW(REF ARRAY OF Record, Samples);

  (* The root gets samples that have their places: objects that a commit finds behind the same array
     would lie side by side. *)
  PROCEDURE TakeSamples() =
    BEGIN
      WHILE sampled < waiting DO
        root.samples[sampled] := samples[sampled];
        samples[sampled] := NIL;
        INC(sampled);
      END;
    END TakeSamples;

  BEGIN
    IF megabytes < 1 THEN Fail("the size is at least 1 MB", 2) END;
    TRY
      Database.Create(name);
    EXCEPT
    | Database.DatabaseExists => Fail("there is a database at " & name & " already", 1);
    END;
    db := Database.Open(name);
    tr.begin();
    root.samples := NEW(REF ARRAY OF Record, Samples);
    db.setRoot(root);
    FOR id := 0 TO root.count - 1 DO
      VAR record := NewRecord(id);
      BEGIN
        EVAL root.byId.put(id, record);
        IF id MOD distance = 0 AND waiting < Samples THEN
          samples[waiting] := record;
          INC(waiting);
        END;
      END;
      IF (id + 1) MOD RecordsOfCheckpoint = 0 THEN
        root.spare := Spare();
        tr.checkpoint();
        TakeSamples();
      END;
    END;
    root.spare := NIL;
    tr.checkpoint();
    TakeSamples();
    tr.commit();
    Usage.Tell("create", root.count, from, Usage.Now());
    db.close();
  END Create;

PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound => Fail("there is no database at " & name, 1);
    END;
    RETURN NIL;
  END Open;

PROCEDURE Tell(what: TEXT; began: Tick.T; repeats := 1) =
  VAR took := Tick.ToSeconds(Tick.Now() - began) * 1.0d6 / FLOAT(repeats, LONGREAL);
  BEGIN
    IO.Put(Fmt.F("%s elapsed_us %s\n", what, Fmt.LongReal(took, Fmt.Style.Fix, 3)));
  END Tell;

TYPE Ids = ARRAY [0 .. LookUps - 1] OF INTEGER;

PROCEDURE DrawIds(chance: Random.T; count: INTEGER): Ids =
  VAR ids: Ids;
  BEGIN
    FOR i := 0 TO LAST(ids) DO ids[i] := chance.integer(0, count - 1) END;
    RETURN ids;
  END DrawIds;

(* An opening ends when the root can be used. *)
PROCEDURE MeasureOpening(name: TEXT) =
  VAR
    began := Tick.Now();
    db := Open(name);
    tr := NEW(Transaction.T);
  BEGIN
    tr.begin();
    IF NARROW(db.getRoot(), Root).count < 1 THEN Fail("there are no records", 1) END;
    Tell("open", began);
    tr.commit();
    db.close();
  END MeasureOpening;

PROCEDURE Measure(name: TEXT; seed: INTEGER) =
  VAR
    began := Tick.Now();
    db := Open(name);
    tr := NEW(Transaction.T);
    chance := NEW(Random.Default).init(TRUE);
    root: Root;
    first, sum := 0;
    found: REFANY;
    ids: Ids;
  BEGIN
    tr.begin();
    root := db.getRoot();
    sum := root.count;
    Tell("open", began);
    FOR i := 1 TO seed DO first := chance.integer(0, Samples - 1) END;

    (* The array is read first, so that each fault is one of a record's page alone. *)
    IF root.samples[0] = NIL THEN Fail("a sample is missing", 1) END;
    FOR i := 0 TO Faults - 1 DO
      WITH sample = root.samples[(first + i * 5) MOD Samples] DO
        began := Tick.Now();
        INC(sum, sample.value);
        Tell("fault", began);
      END;
    END;

    ids := DrawIds(chance, root.count);
    FOR i := 0 TO LAST(ids) DO
      began := Tick.Now();
      IF NOT root.byId.get(ids[i], found) THEN Fail("a record is missing", 1) END;
      Tell("lookup", began);
    END;
    FOR round := 1 TO HotRounds DO
      began := Tick.Now();
      FOR i := 0 TO LAST(ids) DO EVAL root.byId.get(ids[i], found) END;
      Tell("hot_lookup", began, LookUps);
    END;

    tr.commit();
    FOR i := 0 TO Commits - 1 DO
      began := Tick.Now();
      tr.begin();
      INC(root.samples[(first + i MOD Faults * 5) MOD Samples].value);
      tr.commit();
      Tell("commit", began);
    END;
    IO.Put(Fmt.F("seen sum %s\n", Fmt.Int(sum)));
    Usage.TellMemory();
    db.close();
  END Measure;

PROCEDURE Check(name: TEXT; seed: INTEGER) =
  VAR
    db := Open(name);
    tr := NEW(Transaction.T);
    chance := NEW(Random.Default).init(TRUE);
    root: Root;
    found: REFANY;
    ids: Ids;
  BEGIN
    tr.begin();
    root := db.getRoot();
    IF root.byId.size() # root.count THEN Fail("the tree has another number of records", 1) END;
    FOR round := 0 TO seed DO ids := DrawIds(chance, root.count) END;
    FOR i := 0 TO LAST(ids) DO
      IF NOT root.byId.get(ids[i], found) THEN Fail("record " & Fmt.Int(ids[i]) & " is missing", 1) END;
      WITH record = NARROW(found, Record) DO
        IF record.id # ids[i] OR record.filler[LAST(record.filler)] # NewRecord(ids[i]).filler[LAST(record.filler)] THEN
          Fail("record " & Fmt.Int(ids[i]) & " is not what was stored", 1);
        END;
      END;
    END;
    IO.Put(Fmt.F("checked count %s\n", Fmt.Int(NUMBER(ids))));
    tr.commit();
    db.close();
  END Check;

PROCEDURE Dispatch() RAISES {Lex.Error, FloatMode.Trap} =
  VAR command := "";
  BEGIN
    IF Params.Count = 4 THEN command := Params.Get(1) END;
    IF Text.Equal(command, "create") THEN
      Create(Params.Get(2), Scan.Int(Params.Get(3)));
    ELSIF Text.Equal(command, "open") THEN
      MeasureOpening(Params.Get(2));
    ELSIF Text.Equal(command, "measure") THEN
      Measure(Params.Get(2), Scan.Int(Params.Get(3)));
    ELSIF Text.Equal(command, "check") THEN
      Check(Params.Get(2), Scan.Int(Params.Get(3)));
    ELSE
      Fail("wrong usage\n" & Help, 2);
    END;
  END Dispatch;

BEGIN
  TRY
    Dispatch();
  EXCEPT
  | Lex.Error, FloatMode.Trap => Fail("an argument is not a number\n" & Help, 2);
  | Database.Failure (why) => Fail(why, 1);
  | Database.TypeMismatch (why) => Fail(why, 1);
  END;
END Main.
