(* The program of thread_storm.py: threads change persistent objects, each a part of its own, while
   the first one commits, aborts and collects again and again.

     thread_storm DIR SEED SECONDS

   Prints the state that it finds in DIR and the state that each commit has made durable: `opened
   COMMITS SUM`, and after each `commit COMMITS SUM`. The invariants of every committed state are
   asserted when the database is opened, after an abort, and by the threads as they work. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, RTCollector, Random, Scan, Stdio, Text, Thread, Time, Transaction, Wr;

<*FATAL ANY*>

CONST
  Threads = 5;
  Accounts = 300;      (* of a part *)
  Depth = 6;           (* of an account's history *)
  MostNumbers = 5000;  (* of a large array: some pages *)

TYPE
  Entry = REF RECORD value: INTEGER; text: TEXT; next: Entry END;
  Numbers = REF ARRAY OF INTEGER;  (* all the same *)

  Account = OBJECT
    changes := 0;             (* as many as entries were ever made *)
    history: Entry := NIL;    (* the last ones: changes, changes - 1, ... *)
    numbers: Numbers := NIL;
    other: Account := NIL;
    changesAgain := 0;
  END;
  Friendly = Account OBJECT friends: REF ARRAY OF Account := NIL END;

  Part = REF RECORD changes := 0; accounts: REF ARRAY OF Account END;
  Root = REF RECORD commits := 0; parts: ARRAY [0..Threads - 1] OF Part END;

  Sums = ARRAY [0..Threads - 1] OF INTEGER;
  Worker = Thread.Closure OBJECT part: INTEGER; random: Random.T OVERRIDES apply := Work END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  root: Root;
  stop := FALSE;
  locks: ARRAY [0..Threads - 1] OF MUTEX;  (* of the parts *)
  sums, committed: Sums;                   (* of changes *)
  random := NEW(Random.Default).init(fixed := TRUE);

PROCEDURE CheckAccount(account: Account; whole: BOOLEAN) =
  VAR entry := account.history;  value := account.changes;  count := 0;  numbers := account.numbers;
  BEGIN
    <*ASSERT account.changes = account.changesAgain*>
    WHILE entry # NIL DO
      <*ASSERT entry.value = value AND Text.Equal(entry.text, Fmt.Int(value))*>
      DEC(value);
      INC(count);
      entry := entry.next;
    END;
    <*ASSERT count <= Depth*>
    IF numbers # NIL THEN
      <*ASSERT numbers[0] = numbers[LAST(numbers^)]*>
      IF whole THEN
        FOR i := 1 TO LAST(numbers^) DO <*ASSERT numbers[i] = numbers[0]*> END;
      END;
    END;
    TYPECASE account OF
    | Friendly(f) => FOR i := 0 TO LAST(f.friends^) DO <*ASSERT f.friends[i] # NIL*> END;
    ELSE
    END;
  END CheckAccount;

(* Changes by part. *)
PROCEDURE Check(whole: BOOLEAN): Sums =
  VAR sums := Sums{0, ..};
  BEGIN
    FOR p := 0 TO Threads - 1 DO
      WITH part = root.parts[p] DO
        FOR i := 0 TO LAST(part.accounts^) DO
          CheckAccount(part.accounts[i], whole);
          INC(sums[p], part.accounts[i].changes);
        END;
        <*ASSERT sums[p] = part.changes*>
      END;
    END;
    RETURN sums;
  END Check;

PROCEDURE Total(READONLY sums: Sums): INTEGER =
  VAR total := 0;
  BEGIN
    FOR i := 0 TO LAST(sums) DO INC(total, sums[i]) END;
    RETURN total;
  END Total;

PROCEDURE Tell(what: TEXT) =
  BEGIN
    IO.Put(what & " " & Fmt.Int(root.commits) & " " & Fmt.Int(Total(sums)) & "\n");
    Wr.Flush(Stdio.stdout);
  END Tell;

(* ---- Changes *)

PROCEDURE Copy(account: Account; part: Part; random: Random.T): Account =
  VAR copy: Account;
  BEGIN
    IF random.boolean() THEN
      copy := NEW(Account);
    ELSE
      VAR friends := NEW(REF ARRAY OF Account, 3); BEGIN
        FOR i := 0 TO LAST(friends^) DO friends[i] := Any(part, random) END;
        copy := NEW(Friendly, friends := friends);
      END;
    END;
    copy.changes := account.changes;
    copy.changesAgain := account.changesAgain;
    copy.history := account.history;
    copy.numbers := account.numbers;
    RETURN copy;
  END Copy;

PROCEDURE Any(part: Part; random: Random.T): Account =
  BEGIN
    RETURN part.accounts[random.integer(0, Accounts - 1)];
  END Any;

PROCEDURE Change(part: Part; random: Random.T): INTEGER =
  VAR i := random.integer(0, Accounts - 1);  account := part.accounts[i];  entry: Entry;
  BEGIN
    CheckAccount(account, FALSE);
    IF random.integer(0, 9) = 0 THEN
      account := Copy(account, part, random);
      part.accounts[i] := account;
    END;
    INC(account.changes);
    account.history := NEW(Entry, value := account.changes, text := Fmt.Int(account.changes),
                           next := account.history);
    entry := account.history;
    FOR depth := 2 TO Depth DO IF entry # NIL THEN entry := entry.next END END;
    IF entry # NIL THEN entry.next := NIL END;
    IF random.integer(0, 30) = 0 THEN
      account.numbers := NEW(Numbers, random.integer(1, MostNumbers));
    END;
    IF account.numbers # NIL AND (account.numbers[0] = 0 OR random.integer(0, 5) = 0) THEN
      FOR n := 0 TO LAST(account.numbers^) DO account.numbers[n] := account.changes END;
    END;
    CASE random.integer(0, 7) OF
    | 0 => account.other := Any(part, random);
    | 1 => account.other := NIL;
    ELSE
    END;
    INC(account.changesAgain);
    INC(part.changes);
    entry := NIL;
    FOR garbage := 1 TO 30 DO entry := NEW(Entry, value := garbage, next := entry) END;
    RETURN 1;
  END Change;

PROCEDURE Work(w: Worker): REFANY =
  BEGIN
    WHILE NOT stop DO
      LOCK locks[w.part] DO
        (* The first thread may have begun another transaction. *)
        tr.join();
        FOR change := 0 TO w.random.integer(0, 20) DO
          INC(sums[w.part], Change(root.parts[w.part], w.random));
        END;
      END;
      Thread.Pause(0.0001d0);
    END;
    RETURN NIL;
  END Work;

(* ---- The first thread *)

PROCEDURE End() =
  BEGIN
    INC(root.commits);
    CASE random.integer(0, 9) OF
    | 0, 1 =>
      tr.abort();
      tr.begin();
      sums := Check(whole := FALSE);
      <*ASSERT sums = committed*>
    | 2 => tr.commit(); tr.begin();
    | 3 => tr.checkpoint();
    | 4 => RTCollector.Collect(); tr.chain();
    ELSE tr.chain();
    END;
    committed := sums;
  END End;

PROCEDURE Open(name: TEXT) =
  BEGIN
    TRY
      db := Database.Open(name);
    EXCEPT
    | Database.DatabaseNotFound => Database.Create(name); db := Database.Open(name);
    END;
    tr.begin();
    root := db.getRoot();
    IF root = NIL THEN
      root := NEW(Root);
      FOR p := 0 TO Threads - 1 DO
        root.parts[p] := NEW(Part, accounts := NEW(REF ARRAY OF Account, Accounts));
        FOR i := 0 TO Accounts - 1 DO root.parts[p].accounts[i] := NEW(Account) END;
      END;
      db.setRoot(root);
    END;
    sums := Check(whole := TRUE);
    Tell("opened");
    tr.chain();
    committed := sums;
  END Open;

VAR
  workers: ARRAY [0..Threads - 1] OF Thread.T;
  until: Time.T;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(2)) DO EVAL random.integer() END;
  Open(Params.Get(1));
  until := Time.Now() + Scan.LongReal(Params.Get(3));
  FOR p := 0 TO Threads - 1 DO
    locks[p] := NEW(MUTEX);
    workers[p] := Thread.Fork(NEW(Worker, part := p, random := NEW(Random.Default).init()));
  END;
  WHILE Time.Now() < until DO
    Thread.Pause(FLOAT(random.integer(0, 20), LONGREAL) / 1000.0d0);
    FOR p := 0 TO Threads - 1 DO Thread.Acquire(locks[p]) END;
    End();
    Tell("commit");
    FOR p := 0 TO Threads - 1 DO Thread.Release(locks[p]) END;
  END;
  stop := TRUE;
  FOR p := 0 TO Threads - 1 DO EVAL Thread.Join(workers[p]) END;
  tr.commit();
  Tell("commit");
  db.close();
END Main.
