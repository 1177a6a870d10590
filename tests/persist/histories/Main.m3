(* The program of histories.py: threads append unique values to lists and read lists.

     histories PROGRAM THREADS TRANSACTIONS SEED DATABASE ...

   The lists lie in all the databases, in turn. Each thread does TRANSACTIONS transactions; with 0
   threads the program makes the lists that are missing and reads all lists in one transaction. Each
   transaction is a line
     KIND THREAD BEGIN END OPERATION ...
   with KIND ok, fail (did not take place), info (may have taken place) or final (ok, and all lists);
   THREAD is unique among the programs; the times are seconds. Operations are a:LIST:VALUE, appended,
   and r:LIST:VALUE,VALUE,... the values that were read, oldest first; an info has appends only. The
   values of a transaction are the same but for the last digit.

   Exit status: 3 if a thread has ended early, because of Database.Failure, else 0. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, Process, RTCollector, Scan, Stdio, Text, TextWr, Thread, Time,
       Transaction, Word, Wr;

<*FATAL ANY*>

CONST
  Lists = 400;
  Window = 6;        (* lists that are used at the same time *)
  Rate = 8;          (* transactions of a thread before the window moves *)
  MostThreads = 64;  (* of a program *)
  MostOperations = 6;
  MostTickets = 8;

TYPE
  Item = REF RECORD value: INTEGER;  previous: Item END;
  (* On a page of its own. *)
  List = REF RECORD last: Item := NIL;  padding: ARRAY [0 .. 799] OF INTEGER END;
  Root = REF RECORD lists: ARRAY [0 .. Lists - 1] OF List END;
  Random = Word.T;
  Operation = RECORD list: INTEGER;  append: BOOLEAN;  value: INTEGER;  read: TEXT END;
  Operations = RECORD
    count := 0;
    at: ARRAY [0 .. MostOperations - 1] OF Operation;
  END;
  Kept = RECORD ticket: Transaction.Ticket;  begin: Time.T;  operations: Operations END;

  Worker = Thread.Closure OBJECT
    id: INTEGER;  (* of the thread *)
    random: Random;
    number := 0;  (* of the transaction *)
    t, child: Transaction.T;
    kept: ARRAY [0 .. MostTickets - 1] OF Kept;
    tickets := 0;
    early := FALSE;
  OVERRIDES
    apply := Work;
  END;
  Look = Transaction.Closure OBJECT worker: Worker;  operations: Operations OVERRIDES apply := ReadAll END;

VAR
  dbs: REF ARRAY OF Database.T;
  program := Scan.Int(Params.Get(1));
  threads := Scan.Int(Params.Get(2));
  transactions := Scan.Int(Params.Get(3));
  seed := Scan.Int(Params.Get(4));

PROCEDURE Below(VAR r: Random; n: INTEGER): INTEGER =
  BEGIN
    r := Word.Plus(Word.Times(r, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(r, 33) MOD n;
  END Below;

(* ---- Lists *)

PROCEDURE ListOf(list: INTEGER): List =
  VAR root: Root := dbs[list MOD NUMBER(dbs^)].getRoot();
  BEGIN
    RETURN root.lists[list];
  END ListOf;

PROCEDURE PutItems(wr: Wr.T; item: Item) =
  BEGIN
    IF item.previous # NIL THEN
      PutItems(wr, item.previous);
      Wr.PutText(wr, ",");
    END;
    Wr.PutText(wr, Fmt.Int(item.value));
  END PutItems;

PROCEDURE Read(list: INTEGER): TEXT =
  VAR wr := TextWr.New();  l := ListOf(list);
  BEGIN
    IF l.last # NIL THEN PutItems(wr, l.last) END;
    RETURN TextWr.ToText(wr);
  END Read;

PROCEDURE Do(VAR operation: Operation) =
  BEGIN
    IF operation.append THEN
      WITH l = ListOf(operation.list) DO
        l.last := NEW(Item, value := operation.value, previous := l.last);
      END;
    ELSE
      operation.read := Read(operation.list);
    END;
  END Do;

(* ---- Lines *)

PROCEDURE Line(kind: TEXT; thread: INTEGER; begin: Time.T; READONLY operations: Operations) =
  VAR wr := TextWr.New();  end := Time.Now();
  BEGIN
    Wr.PutText(wr, kind & " " & Fmt.Int(thread) & " " & Fmt.LongReal(begin, Fmt.Style.Fix, 6) & " "
                     & Fmt.LongReal(end, Fmt.Style.Fix, 6));
    FOR i := 0 TO operations.count - 1 DO
      WITH o = operations.at[i] DO
        IF o.append THEN
          Wr.PutText(wr, " a:" & Fmt.Int(o.list) & ":" & Fmt.Int(o.value));
        ELSIF Text.Equal(kind, "ok") THEN
          Wr.PutText(wr, " r:" & Fmt.Int(o.list) & ":" & o.read);
        END;
      END;
    END;
    IO.Put(TextWr.ToText(wr) & "\n");
    Wr.Flush(Stdio.stdout);
  END Line;

(* ---- Transactions *)

(* A new number, and for it at least one operation. *)
PROCEDURE Plan(w: Worker; appends: BOOLEAN): Operations =
  VAR ops: Operations;  first := w.number DIV Rate;
  BEGIN
    INC(w.number);
    ops.count := 1 + Below(w.random, MostOperations);
    FOR i := 0 TO ops.count - 1 DO
      WITH o = ops.at[i] DO
        o.list := (first + Below(w.random, Window)) MOD Lists;
        o.append := appends AND Below(w.random, 2) = 0;
        o.value := (w.id * 1000000 + w.number) * 10 + i;
      END;
    END;
    RETURN ops;
  END Plan;

PROCEDURE PauseSometimes(w: Worker) =
  BEGIN
    IF Below(w.random, 4) = 0 THEN Thread.Pause(FLOAT(Below(w.random, 20), LONGREAL) * 1.0d-4) END;
  END PauseSometimes;

PROCEDURE ReadAll(self: Look) =
  BEGIN
    FOR i := 0 TO self.operations.count - 1 DO
      Do(self.operations.at[i]);
      PauseSometimes(self.worker);
    END;
  END ReadAll;

PROCEDURE ReadOnly(w: Worker) =
  VAR look := NEW(Look, worker := w, operations := Plan(w, FALSE));  begin := Time.Now();
  BEGIN
    Transaction.RunReadOnly(look);
    Line("ok", w.id, begin, look.operations);
  END ReadOnly;

PROCEDURE AwaitTickets(w: Worker) =
  VAR count := w.tickets;
  BEGIN
    w.tickets := 0;
    FOR i := 0 TO count - 1 DO
      WITH k = w.kept[i] DO
        TRY
          k.ticket.wait();
          Line("ok", w.id, k.begin, k.operations);
        EXCEPT
        | Transaction.Aborted => Line("fail", w.id, k.begin, k.operations);
        | Transaction.OutcomeUnknown(why) =>
            Line("info", w.id, k.begin, k.operations);
            IO.Put("unknown " & why & "\n");
            w.early := TRUE;
        | Database.Failure =>
            Line("info", w.id, k.begin, k.operations);
            w.early := TRUE;
        END;
      END;
    END;
  END AwaitTickets;

PROCEDURE ReadAndWrite(w: Worker) =
  VAR
    ops := Plan(w, TRUE);
    undone: Operations;
    begin := Time.Now();
    t := w.t;
    way := Below(w.random, 16);
    half := ops.count DIV 2;
  BEGIN
    TRY
      t.begin();
      IF way <= 1 THEN w.child.begin() END;
      FOR i := 0 TO ops.count - 1 DO
        Do(ops.at[i]);
        IF way <= 1 AND i = half THEN w.child.commit() END;
        IF way = 2 AND i = half THEN
          undone := Plan(w, TRUE);
          w.child.begin();
          FOR k := 0 TO undone.count - 1 DO Do(undone.at[k]) END;
          w.child.abort();
          Line("fail", w.id, begin, undone);
        END;
        PauseSometimes(w);
      END;
      IF way = 3 THEN
        t.abort();
        Line("fail", w.id, begin, ops);
      ELSIF way >= 10 THEN
        WITH k = w.kept[w.tickets] DO
          k.ticket := t.commitLater();
          k.begin := begin;
          k.operations := ops;
        END;
        INC(w.tickets);
        IF w.tickets = MostTickets OR Below(w.random, 4) = 0 THEN AwaitTickets(w) END;
      ELSE
        t.commit();
        Line("ok", w.id, begin, ops);
      END;
    EXCEPT
    | Transaction.Aborted =>
        IF t.isOpen() THEN t.abort() END;
        Line("fail", w.id, begin, ops);
    | Transaction.OutcomeUnknown(why) =>
        Line("info", w.id, begin, ops);
        IO.Put("unknown " & why & "\n");
        w.early := TRUE;
    | Database.Failure =>
        IF t.isOpen() THEN t.abort() END;
        Line("info", w.id, begin, ops);
        w.early := TRUE;
    END;
  END ReadAndWrite;

PROCEDURE Work(w: Worker): REFANY =
  BEGIN
    TRY
      WHILE w.number < transactions AND NOT w.early DO
        CASE Below(w.random, 16) OF
        | 0 .. 5 => ReadOnly(w);
        | 6 => IF Below(w.random, 16) = 0 THEN RTCollector.Collect() END;
        ELSE ReadAndWrite(w);
        END;
      END;
    EXCEPT
    | Transaction.OutcomeUnknown, Database.Failure => w.early := TRUE;
    END;
    AwaitTickets(w);
    RETURN NIL;
  END Work;

(* ---- *)

PROCEDURE Make() =
  VAR root: Root;
  BEGIN
    FOR d := 0 TO LAST(dbs^) DO
      root := dbs[d].getRoot();
      IF root = NIL THEN
        root := NEW(Root);
        FOR i := d TO Lists - 1 BY NUMBER(dbs^) DO root.lists[i] := NEW(List) END;
        dbs[d].setRoot(root);
      END;
    END;
  END Make;

PROCEDURE Final() =
  VAR t := NEW(Transaction.T);  begin := Time.Now();  wr := TextWr.New();
  BEGIN
    t.begin();
    Make();
    FOR i := 0 TO Lists - 1 DO Wr.PutText(wr, " r:" & Fmt.Int(i) & ":" & Read(i)) END;
    t.commit();
    IO.Put("final " & Fmt.Int(program * MostThreads) & " " & Fmt.LongReal(begin, Fmt.Style.Fix, 6) & " "
             & Fmt.LongReal(Time.Now(), Fmt.Style.Fix, 6) & TextWr.ToText(wr) & "\n");
  END Final;

PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
        Database.Create(name);
        RETURN Database.Open(name);
    END;
  END Open;

VAR
  workers := NEW(REF ARRAY OF Worker, threads);
  running := NEW(REF ARRAY OF Thread.T, threads);
  early := FALSE;
BEGIN
  dbs := NEW(REF ARRAY OF Database.T, Params.Count - 5);
  FOR d := 0 TO LAST(dbs^) DO dbs[d] := Open(Params.Get(5 + d)) END;
  IF threads = 0 THEN Final() END;
  FOR i := 0 TO threads - 1 DO
    workers[i] := NEW(Worker, id := program * MostThreads + i,
                      random := Word.Plus(Word.Times(seed, 2654435761), 40503 * (i + 64 * program)),
                      t := NEW(Transaction.T), child := NEW(Transaction.T));
    FOR k := 1 TO 3 DO EVAL Below(workers[i].random, 2) END;
    running[i] := Thread.Fork(workers[i]);
  END;
  FOR i := 0 TO threads - 1 DO
    EVAL Thread.Join(running[i]);
    early := early OR workers[i].early;
  END;
  IF early THEN Process.Exit(3) END;
  FOR d := 0 TO LAST(dbs^) DO dbs[d].close() END;
END Main.
