(* golden: persist, with lib/Store *)
(* Threads that run transactions of their own take turns; threads started inside of a
   transaction, or that join it, run children of it. *)
MODULE Main;

IMPORT IO, Store, Thread, Transaction;

<*FATAL ANY*>

CONST
  Threads = 8;
  Rounds = 25;

TYPE
  Root = REF RECORD sum, began := 0 END;
  Add = Transaction.Closure OBJECT n := 1; fails := FALSE OVERRIDES apply := Apply END;
  Runner = Thread.Closure OBJECT OVERRIDES apply := RunAll END;
  Beginner = Thread.Closure OBJECT OVERRIDES apply := BeginAll END;
  Child = Thread.Closure OBJECT join: Transaction.T := NIL OVERRIDES apply := RunChild END;

EXCEPTION Enough;

VAR
  db := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  threads: ARRAY [1..2 * Threads] OF Thread.T;
  mu := NEW(MUTEX);
  ready := NEW(Thread.Condition);
  began := FALSE;

PROCEDURE Apply(a: Add) RAISES {Enough} =
  VAR before := root.sum;
  BEGIN
    (* No other thread runs in between. *)
    Thread.Pause(0.0002d0);
    <*ASSERT root.sum = before*>
    root.sum := before + a.n;
    IF a.fails THEN RAISE Enough END;
  END Apply;

PROCEDURE RunAll(<*UNUSED*> r: Runner): REFANY =
  BEGIN
    FOR i := 1 TO Rounds DO
      TRY
        Transaction.Run(NEW(Add, fails := i MOD 5 = 0));
        <*ASSERT i MOD 5 # 0*>
      EXCEPT
      | Enough => <*ASSERT i MOD 5 = 0*>
      ELSE
        <*ASSERT FALSE*>
      END;
    END;
    RETURN NIL;
  END RunAll;

PROCEDURE BeginAll(<*UNUSED*> b: Beginner): REFANY =
  VAR t := NEW(Transaction.T);  before: INTEGER;
  BEGIN
    FOR i := 1 TO Rounds DO
      t.begin();
      before := root.began;
      Thread.Pause(0.0001d0);
      root.began := before + 1;
      CASE i MOD 3 OF 0 => t.abort() | 1 => t.commit() ELSE t.chain(); t.commit() END;
    END;
    RETURN NIL;
  END BeginAll;

PROCEDURE RunChild(c: Child): REFANY =
  BEGIN
    IF c.join # NIL THEN
      (* The thread was started before the transaction. *)
      LOCK mu DO WHILE NOT began DO Thread.Wait(mu, ready) END END;
      c.join.join();
    END;
    Transaction.Run(NEW(Add, n := 1000));
    RETURN NIL;
  END RunChild;

PROCEDURE Sums(what: TEXT) =
  BEGIN
    IO.Put(what & " "); IO.PutInt(root.sum); IO.Put(" "); IO.PutInt(root.began); IO.Put("\n");
  END Sums;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN root := NEW(Root); db.setRoot(root) END;
  tr.commit();

  FOR i := 1 TO Threads DO
    threads[i] := Thread.Fork(NEW(Runner));
    threads[Threads + i] := Thread.Fork(NEW(Beginner));
  END;
  FOR i := FIRST(threads) TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
  tr.begin();
  Sums("turns");

  (* They do not wait for a turn: this thread waits for them. *)
  threads[1] := Thread.Fork(NEW(Child));
  EVAL Thread.Join(threads[1]);
  Sums("started inside");
  tr.abort();

  threads[1] := Thread.Fork(NEW(Child, join := tr));
  tr.begin();
  LOCK mu DO began := TRUE END;
  Thread.Signal(ready);
  EVAL Thread.Join(threads[1]);
  Sums("joined");
  tr.commit();
END Main.
(* expect: turns 160 136 *)
(* expect: started inside 1160 136 *)
(* expect: joined 1160 136 *)
(* restart *)
(* expect: turns 1320 272 *)
(* expect: started inside 2320 272 *)
(* expect: joined 2320 272 *)
