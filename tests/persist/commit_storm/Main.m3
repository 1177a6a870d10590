(* The program of commit_storm.py: many threads, each of which commits transactions of its own.

     commit_storm DATABASE SINCE FIRST THREADS STEPS SEED [SECOND]

   A step moves money between two accounts and appends an entry to the one list of all steps. The
   accounts lie in the database SECOND, if there is one. First the program compares accounts and list,
   and prints
     found COUNT                       as many steps as there are in the list
     entry POSITION THREAD NUMBER      for each step behind the position SINCE
   Then the threads FIRST, FIRST + 1, ... do STEPS steps each, and print
     ack THREAD NUMBER POSITION        the step's commit has returned
     saw THREAD COUNT                  a transaction that only read has ended
     aborted THREAD NUMBER             the step did not take place
     again THREAD NUMBER               the step, which was aborted, is done again
     unknown THREAD NUMBER TEXT        OutcomeUnknown; the thread ends
     failed THREAD NUMBER TEXT         Database.Failure; the thread ends
   Exit status: 1, and a line "wrong ...", if the database is not what the steps make; 3 if a thread
   has ended early; else 0. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, Process, RTCollector, Scan, Stdio, Thread, Transaction, Word,
       Wr;

<*FATAL ANY*>

CONST
  Accounts = 2000;
  Start = 1000;       (* the balance of a new account *)
  MostThreads = 64;
  BulkNumbers = 70000;  (* more pages than a commit writes at its end *)
  MostTickets = 20;

TYPE
  Account = OBJECT
    balance := Start;
    padding: ARRAY [0 .. 29] OF INTEGER;
    again := Start;  (* the balance *)
  END;
  Entry = REF RECORD
    position, thread, number, from, to, amount: INTEGER;
    previous: Entry;
  END;
  Numbers = REF ARRAY OF INTEGER;  (* all the same *)
  Slot = REF RECORD number := 0;  bulk: Numbers := NIL END;  (* of a thread: its last step *)
  Root = REF RECORD
    count := 0;
    last: Entry := NIL;
    slots: ARRAY [0 .. MostThreads - 1] OF Slot;
  END;
  Ledger = REF RECORD accounts: REF ARRAY OF Account END;
  (* A linear congruential generator; its state. *)
  Random = Word.T;

  Worker = Thread.Closure OBJECT
    id, steps: INTEGER;
    random: Random;
    number := 0;   (* the last step that took place *)
    aborted := 0;  (* the last step that was aborted *)
    early := FALSE;
    t, child: Transaction.T;
  OVERRIDES
    apply := Work;
  END;
  Look = Transaction.Closure OBJECT worker: Worker;  count: INTEGER OVERRIDES apply := LookAtSome END;

VAR
  db, second: Database.T;
  since := Scan.Int(Params.Get(2));

PROCEDURE Below(VAR r: Random; n: INTEGER): INTEGER =
  BEGIN
    r := Word.Plus(Word.Times(r, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(r, 33) MOD n;
  END Below;

PROCEDURE Say(text: TEXT) =
  BEGIN
    IO.Put(text & "\n");
    Wr.Flush(Stdio.stdout);
  END Say;

PROCEDURE Wrong(text: TEXT) =
  BEGIN
    Say("wrong " & text);
    Process.Exit(1);
  END Wrong;

PROCEDURE GetRoot(): Root =
  BEGIN
    RETURN db.getRoot();
  END GetRoot;

(* In one database, the ledger is a named object. *)
PROCEDURE GetLedger(): Ledger =
  BEGIN
    IF second # NIL THEN RETURN second.getRoot() ELSE RETURN db.lookup("ledger") END;
  END GetLedger;

(* ---- Steps *)

PROCEDURE CheckAccount(a: Account) =
  BEGIN
    IF a.balance # a.again THEN
      Wrong("account " & Fmt.Int(a.balance) & " " & Fmt.Int(a.again));
    END;
  END CheckAccount;

(* Returns the position of the step in the list. *)
PROCEDURE Step(w: Worker; number: INTEGER; bulk := FALSE): INTEGER =
  VAR
    root := GetRoot();
    ledger := GetLedger();
    slot := root.slots[w.id];
    from := Below(w.random, Accounts);
    to := Below(w.random, Accounts);
    amount := Below(w.random, 100);
  BEGIN
    IF number <= w.aborted THEN Say("again " & Fmt.Int(w.id) & " " & Fmt.Int(number)) END;
    IF slot.number # number - 1 THEN
      Wrong("thread " & Fmt.Int(w.id) & ": step " & Fmt.Int(slot.number) & " is in the database, "
              & Fmt.Int(number) & " begins");
    END;
    WITH a = ledger.accounts[from], b = ledger.accounts[to] DO
      CheckAccount(a);
      CheckAccount(b);
      DEC(a.balance, amount);
      INC(b.balance, amount);
      DEC(a.again, amount);
      INC(b.again, amount);
    END;
    INC(root.count);
    root.last := NEW(Entry, position := root.count, thread := w.id, number := number, from := from,
                     to := to, amount := amount, previous := root.last);
    slot.number := number;
    IF bulk THEN
      slot.bulk := NEW(Numbers, BulkNumbers);
      FOR i := 0 TO LAST(slot.bulk^) DO slot.bulk[i] := number END;
    END;
    RETURN root.count;
  END Step;

PROCEDURE Acknowledge(w: Worker; number, position: INTEGER) =
  BEGIN
    Say("ack " & Fmt.Int(w.id) & " " & Fmt.Int(number) & " " & Fmt.Int(position));
  END Acknowledge;

PROCEDURE Took(w: Worker; position: INTEGER) =
  BEGIN
    INC(w.number);
    Acknowledge(w, w.number, position);
  END Took;

PROCEDURE TellAborted(w: Worker; number: INTEGER) =
  BEGIN
    w.aborted := MAX(w.aborted, number);
    Say("aborted " & Fmt.Int(w.id) & " " & Fmt.Int(number));
  END TellAborted;

PROCEDURE LookAtSome(self: Look) =
  VAR root := GetRoot();  ledger := GetLedger();  entry := root.last;
  BEGIN
    self.count := root.count;
    FOR i := root.count TO MAX(root.count - 20, 1) BY -1 DO
      IF entry = NIL OR entry.position # i THEN Wrong("list at " & Fmt.Int(i)) END;
      CheckAccount(ledger.accounts[entry.from]);
      CheckAccount(ledger.accounts[entry.to]);
      entry := entry.previous;
    END;
  END LookAtSome;

PROCEDURE Read(w: Worker) =
  VAR look := NEW(Look, worker := w);
  BEGIN
    Transaction.RunReadOnly(look);
    Say("saw " & Fmt.Int(w.id) & " " & Fmt.Int(look.count));
  END Read;

(* Many commits before the first one is waited for. *)
PROCEDURE CommitSeveral(w: Worker) =
  VAR
    tickets: ARRAY [1 .. MostTickets] OF Transaction.Ticket;
    positions: ARRAY [1 .. MostTickets] OF INTEGER;
    number := w.number;
    ordered := 0;
    aborted := FALSE;
  BEGIN
    TRY
      FOR i := 1 TO 1 + Below(w.random, MostTickets) DO
        w.t.begin();
        positions[i] := Step(w, number + i);
        tickets[i] := w.t.commitLater();
        ordered := i;
        w.number := number + i;
        IF Below(w.random, 8) = 0 THEN Thread.Pause(0.0005d0) END;
      END;
    EXCEPT
    | Transaction.Aborted => aborted := TRUE;
    END;
    FOR i := 1 TO ordered DO
      TRY
        tickets[i].wait();
        Acknowledge(w, number + i, positions[i]);
      EXCEPT
      | Transaction.Aborted =>
          TellAborted(w, number + i);
          w.number := MIN(w.number, number + i - 1);
          aborted := TRUE;
      END;
    END;
    IF aborted THEN RAISE Transaction.Aborted END;
  END CommitSeveral;

(* One step or more, in one of many ways. Aborted: the step w.number + 1 did not take place. *)
PROCEDURE Do(w: Worker) =
  VAR t := w.t;  child := w.child;  position: INTEGER;
  BEGIN
    CASE Below(w.random, 32) OF
    | 0, 1 =>
        t.begin();
        EVAL Step(w, w.number + 1);
        t.abort();
    | 2, 3 =>
        t.begin();
        position := Step(w, w.number + 1);
        child.begin();
        EVAL Step(w, w.number + 2);
        child.abort();
        t.commit();
        Took(w, position);
    | 4, 5 =>
        t.begin();
        child.begin();
        position := Step(w, w.number + 1);
        child.commit();
        t.commit();
        Took(w, position);
    | 6, 7 =>
        t.begin();
        position := Step(w, w.number + 1);
        t.chain();
        Took(w, position);
        position := Step(w, w.number + 1);
        t.commit();
        Took(w, position);
    | 8, 9 =>
        t.begin();
        position := Step(w, w.number + 1);
        t.checkpoint();
        Took(w, position);
        EVAL Step(w, w.number + 1);
        t.abort();
    | 10 .. 13 => Read(w);
    | 14 .. 16 => CommitSeveral(w);
    | 17 =>
        IF Below(w.random, 8) = 0 THEN
          t.begin();
          position := Step(w, w.number + 1, bulk := TRUE);
          t.commit();
          Took(w, position);
        ELSE
          RTCollector.Collect();
        END;
    ELSE
      t.begin();
      position := Step(w, w.number + 1);
      t.commit();
      Took(w, position);
    END;
  END Do;

PROCEDURE Number(w: Worker): INTEGER =
  VAR number: INTEGER;
  BEGIN
    LOOP
      TRY
        TRY
          w.t.begin();
          number := GetRoot().slots[w.id].number;
          w.t.commit();
          RETURN number;
        FINALLY
          (* Not open any more after a commit, nor after Aborted. *)
          IF w.t.isOpen() THEN w.t.abort() END;
        END;
      EXCEPT
      | Transaction.Aborted =>
      END;
    END;
  END Number;

PROCEDURE EndEarly(w: Worker; what, why: TEXT) =
  BEGIN
    w.early := TRUE;
    Say(what & " " & Fmt.Int(w.id) & " " & Fmt.Int(w.number + 1) & " " & why);
  END EndEarly;

PROCEDURE Work(w: Worker): REFANY =
  VAR done := 0;
  BEGIN
    TRY
      w.number := Number(w);
      WHILE done < w.steps DO
        TRY
          TRY
            Do(w);
            INC(done);
          FINALLY
            IF w.t.isOpen() THEN w.t.abort() END;
          END;
        EXCEPT
        | Transaction.Aborted => TellAborted(w, w.number + 1);
        END;
      END;
      RETURN NIL;
    EXCEPT
    | Transaction.OutcomeUnknown (why) => EndEarly(w, "unknown", why);
    | Database.Failure (why) => EndEarly(w, "failed", why);
    END;
    RETURN NIL;
  END Work;

(* ---- Opening *)

PROCEDURE Make() =
  VAR root := NEW(Root);  ledger := NEW(Ledger, accounts := NEW(REF ARRAY OF Account, Accounts));
  BEGIN
    FOR i := 0 TO Accounts - 1 DO ledger.accounts[i] := NEW(Account) END;
    IF second # NIL THEN second.setRoot(ledger) ELSE db.bind("ledger", ledger) END;
    FOR i := 0 TO MostThreads - 1 DO root.slots[i] := NEW(Slot) END;
    db.setRoot(root);
  END Make;

(* Compares the databases with the list. *)
PROCEDURE Check(root: Root; ledger: Ledger): REF ARRAY OF Entry =
  VAR
    entries := NEW(REF ARRAY OF Entry, root.count + 1);
    entry := root.last;
    balances := NEW(REF ARRAY OF INTEGER, Accounts);
    numbers := ARRAY [0 .. MostThreads - 1] OF INTEGER {0, ..};
  BEGIN
    FOR i := root.count TO 1 BY -1 DO
      IF entry = NIL OR entry.position # i THEN Wrong("list at " & Fmt.Int(i)) END;
      entries[i] := entry;
      entry := entry.previous;
    END;
    IF entry # NIL THEN Wrong("list at 0") END;
    FOR i := 0 TO Accounts - 1 DO balances[i] := Start END;
    FOR i := 1 TO root.count DO
      WITH e = entries[i] DO
        DEC(balances[e.from], e.amount);
        INC(balances[e.to], e.amount);
        INC(numbers[e.thread]);
        IF e.number # numbers[e.thread] THEN
          Wrong("step " & Fmt.Int(e.number) & " of thread " & Fmt.Int(e.thread) & " is the "
                  & Fmt.Int(numbers[e.thread]) & "th in the list");
        END;
      END;
    END;
    FOR i := 0 TO Accounts - 1 DO
      CheckAccount(ledger.accounts[i]);
      IF ledger.accounts[i].balance # balances[i] THEN
        Wrong("balance of " & Fmt.Int(i) & ": " & Fmt.Int(ledger.accounts[i].balance) & ", not "
                & Fmt.Int(balances[i]));
      END;
    END;
    FOR i := 0 TO MostThreads - 1 DO
      WITH slot = root.slots[i] DO
        IF slot.number # numbers[i] THEN Wrong("number of thread " & Fmt.Int(i)) END;
        IF slot.bulk # NIL THEN
          FOR k := 1 TO LAST(slot.bulk^) DO
            IF slot.bulk[k] # slot.bulk[0] OR slot.bulk[k] > slot.number THEN
              Wrong("bulk of thread " & Fmt.Int(i));
            END;
          END;
        END;
      END;
    END;
    RETURN entries;
  END Check;

PROCEDURE Open(name: TEXT): Database.T =
  BEGIN
    TRY
      RETURN Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound =>
        TRY
          Database.Create(name);
        EXCEPT
        | Database.DatabaseExists =>  (* another program was faster *)
        END;
        RETURN Database.Open(name);
    END;
  END Open;

PROCEDURE OpenAndCheck() =
  VAR t := NEW(Transaction.T);  entries: REF ARRAY OF Entry;
  BEGIN
    db := Open(Params.Get(1));
    IF Params.Count > 7 THEN second := Open(Params.Get(7)) END;
    LOOP
      TRY
        t.begin();
        IF GetRoot() = NIL THEN Make() END;
        IF since >= 0 THEN
          entries := Check(GetRoot(), GetLedger());
          Say("found " & Fmt.Int(LAST(entries^)));
          FOR i := since + 1 TO LAST(entries^) DO
            IO.Put("entry " & Fmt.Int(i) & " " & Fmt.Int(entries[i].thread) & " "
                     & Fmt.Int(entries[i].number) & "\n");
          END;
        END;
        t.commit();
        EXIT;
      EXCEPT
      | Transaction.Aborted => IF t.isOpen() THEN t.abort() END;
      END;
    END;
  END OpenAndCheck;

VAR
  first := Scan.Int(Params.Get(3));
  threads := Scan.Int(Params.Get(4));
  steps := Scan.Int(Params.Get(5));
  seed := Scan.Int(Params.Get(6));
  workers := NEW(REF ARRAY OF Worker, threads);
  running := NEW(REF ARRAY OF Thread.T, threads);
  early := FALSE;
BEGIN
  TRY
    OpenAndCheck();
    FOR i := 0 TO threads - 1 DO
      workers[i] := NEW(Worker, id := first + i, steps := steps,
                        random := Word.Plus(Word.Times(seed, 2654435761), 40503 * i),
                        t := NEW(Transaction.T), child := NEW(Transaction.T));
      FOR k := 1 TO 3 DO EVAL Below(workers[i].random, 2) END;
      running[i] := Thread.Fork(workers[i]);
    END;
    FOR i := 0 TO threads - 1 DO
      EVAL Thread.Join(running[i]);
      early := early OR workers[i].early;
    END;
    db.close();
    IF second # NIL THEN second.close() END;
  EXCEPT
  | Transaction.OutcomeUnknown (why) => Say("unknown -1 0 " & why);  early := TRUE;
  | Database.Failure (why) => Say("failed -1 0 " & why);  early := TRUE;
  | Transaction.Aborted => Say("failed -1 0 aborted");  early := TRUE;
  END;
  IF early THEN Process.Exit(3) END;
END Main.
