(* golden: persist, with lib/Store, lib/Check *)
(* Read-only transactions of several threads are open at the same time; they and transactions that
   write wait for each other, first come first served; each is ended on its own. *)
MODULE Main;

IMPORT Check, Database, IO, RTCollector, Store, Thread, Transaction;

<*FATAL ANY*>

CONST Readers = 8;

TYPE
  Root = REF RECORD n := 0; next: Root := NIL END;
  Reader = Thread.Closure OBJECT OVERRIDES apply := Read END;
  Meet = Transaction.Closure OBJECT OVERRIDES apply := MeetOthers END;
  Late = Thread.Closure OBJECT
      name: TEXT;
      readOnly: BOOLEAN;
    OVERRIDES
      apply := RunLate;
    END;
  Note = Transaction.Closure OBJECT name: TEXT; readOnly: BOOLEAN OVERRIDES apply := NoteIt END;
  Forked = Thread.Closure OBJECT
      t: Transaction.T := NIL;
    OVERRIDES
      apply := InForked;
    END;

  (* Has the transaction a open, in a thread that is not stopped by what this one waits for. *)
  Holder = Thread.Closure OBJECT
      commits: BOOLEAN;
    OVERRIDES
      apply := Hold;
    END;

VAR
  db: Database.T := Store.Open();
  tr, a, b := NEW(Transaction.T);
  root: Root;
  mu := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  inside, asked := 0;
  holds, released := FALSE;
  holder: Thread.T;
  order := "";
  threads: ARRAY [1..Readers] OF Thread.T;
  joiner: Thread.T;

(* Waits until all readers are inside of their transactions: they would wait for ever one by one. *)
PROCEDURE MeetOthers(<*UNUSED*> m: Meet) =
  VAR seen := root.n;
  BEGIN
    LOCK mu DO
      INC(inside);
      Thread.Broadcast(changed);
      WHILE inside < Readers DO Thread.Wait(mu, changed) END;
    END;
    <*ASSERT root.n = seen AND root.next.n = seen + 1*>
  END MeetOthers;

PROCEDURE Read(<*UNUSED*> r: Reader): REFANY =
  BEGIN
    Transaction.RunReadOnly(NEW(Meet));
    RETURN NIL;
  END Read;

PROCEDURE NoteIt(n: Note) =
  BEGIN
    LOCK mu DO order := order & n.name END;
    IF NOT n.readOnly THEN INC(root.n);  INC(root.next.n) END;
  END NoteIt;

PROCEDURE RunLate(l: Late): REFANY =
  VAR note := NEW(Note, name := l.name, readOnly := l.readOnly);
  BEGIN
    LOCK mu DO INC(asked) END;
    IF l.readOnly THEN Transaction.RunReadOnly(note) ELSE Transaction.Run(note) END;
    RETURN NIL;
  END RunLate;

(* Returns when the thread waits for its turn, most likely. *)
PROCEDURE ForkLate(name: TEXT; readOnly: BOOLEAN): Thread.T =
  VAR before: INTEGER;  t: Thread.T;
  BEGIN
    LOCK mu DO before := asked END;
    t := Thread.Fork(NEW(Late, name := name, readOnly := readOnly));
    LOOP
      LOCK mu DO IF asked > before THEN EXIT END END;
      Thread.Pause(0.001d0);
    END;
    Thread.Pause(0.05d0);
    RETURN t;
  END ForkLate;

PROCEDURE Hold(h: Holder): REFANY =
  BEGIN
    a.beginReadOnly();
    LOCK mu DO
      holds := TRUE;
      Thread.Broadcast(changed);
      WHILE NOT released DO Thread.Wait(mu, changed) END;
    END;
    IF h.commits THEN a.commit() ELSE a.abort() END;
    RETURN NIL;
  END Hold;

PROCEDURE ForkHolder(commits: BOOLEAN) =
  BEGIN
    holds := FALSE;  released := FALSE;
    holder := Thread.Fork(NEW(Holder, commits := commits));
    LOCK mu DO WHILE NOT holds DO Thread.Wait(mu, changed) END END;
  END ForkHolder;

PROCEDURE Release() =
  BEGIN
    LOCK mu DO released := TRUE END;
    Thread.Broadcast(changed);
    EVAL Thread.Join(holder);
  END Release;

PROCEDURE Joined(READONLY threads: ARRAY OF Thread.T) =
  BEGIN
    FOR i := 0 TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
  END Joined;

(* A thread that was started inside of a read-only transaction, or has joined it, works in it. *)
PROCEDURE InForked(f: Forked): REFANY =
  VAR child := NEW(Transaction.T);
  BEGIN
    IF f.t # NIL THEN
      LOCK mu DO WHILE inside > 0 DO Thread.Wait(mu, changed) END END;
      f.t.join();
    END;
    child.begin();
    TRY
      root.n := 100;
      Check.That(FALSE, "a thread of a read-only transaction writes");
    EXCEPT
    | Transaction.ReadOnly =>
    END;
    child.commit();
    RETURN NIL;
  END InForked;

PROCEDURE NotInProgress(t: Transaction.T): BOOLEAN =
  BEGIN
    TRY
      t.commit();
      RETURN FALSE;
    EXCEPT
    | Transaction.TransactionNotInProgress => RETURN TRUE;
    END;
  END NotInProgress;

PROCEDURE Make() =
  BEGIN
    tr.begin();
    root := NEW(Root, next := NEW(Root, n := 1));
    db.setRoot(root);
    tr.commit();
  END Make;

BEGIN
  a := NEW(Transaction.T);  b := NEW(Transaction.T);
  Make();
  (* The objects go home, so that a trap tells of each write. *)
  RTCollector.Collect();

  FOR i := 1 TO Readers DO threads[i] := Thread.Fork(NEW(Reader)) END;
  Joined(threads);
  IO.Put("readers meet\n");

  (* A writer that waits comes before readers that come later. *)
  ForkHolder(commits := TRUE);
  threads[1] := ForkLate("w", FALSE);
  threads[2] := ForkLate("r", TRUE);
  threads[3] := ForkLate("r", TRUE);
  threads[4] := ForkLate("W", FALSE);
  threads[5] := ForkLate("R", TRUE);
  Check.Text(order, "", "all wait for the first reader");
  Check.Int(root.n, 0, "before the writers");
  Release();
  Joined(SUBARRAY(threads, 0, 5));
  IO.Put(order & "\n");

  (* Readers do not wait for each other, nor behind readers that wait for nothing. *)
  order := "";
  ForkHolder(commits := FALSE);
  Joined(ARRAY OF Thread.T {ForkLate("r", TRUE), ForkLate("r", TRUE)});
  Check.That(a.isOpen(), "the ends of others do not end it");
  threads[1] := ForkLate("w", FALSE);
  Release();
  Joined(SUBARRAY(threads, 0, 1));
  IO.Put(order & "\n");

  (* Threads of the same transaction. *)
  joiner := Thread.Fork(NEW(Forked, t := a));
  a.beginReadOnly();
  LOCK mu DO inside := 0 END;
  Thread.Broadcast(changed);
  Check.Int(root.n, 3, "what the writers have done");
  (* One after the other: what two threads of one transaction begin is nested. *)
  EVAL Thread.Join(joiner);
  EVAL Thread.Join(Thread.Fork(NEW(Forked)));
  b.begin();
  Check.That(a.isOpen() AND b.isOpen(), "a child");
  a.commit();
  Check.That(NOT b.isOpen() AND NotInProgress(b), "the child has ended with its parent");
  Check.That(NotInProgress(a), "a transaction ends once");
  Check.Done();
END Main.
(* expect: readers meet *)
(* expect: wrrWR *)
(* expect: rrw *)
(* expect: all checks hold *)
