(* golden: run *)
(* Broadcast lets all threads go that wait, many of them, and a thread that waits again waits for the
   next one; a thread that is alerted leaves the others in their order. *)
MODULE Main;

IMPORT IO, Thread;

CONST Threads = 40;  Rounds = 50;

TYPE
  Worker = Thread.Closure OBJECT OVERRIDES apply := Work END;
  Waiter = Thread.Closure OBJECT OVERRIDES apply := Await END;

VAR
  mu := NEW(MUTEX);
  go, done := NEW(Thread.Condition);
  round, here, early, alerted, freed := 0;
  threads: ARRAY [1 .. Threads] OF Thread.T;

PROCEDURE Work(<*UNUSED*> w: Worker): REFANY =
  BEGIN
    FOR i := 1 TO Rounds DO
      LOCK mu DO
        INC(here);
        IF here = Threads THEN Thread.Signal(done) END;
        Thread.Wait(mu, go);
        IF round # i THEN INC(early) END;
      END;
    END;
    RETURN NIL;
  END Work;

PROCEDURE Await(<*UNUSED*> w: Waiter): REFANY =
  BEGIN
    LOCK mu DO
      INC(here);
      TRY Thread.AlertWait(mu, go); INC(freed) EXCEPT Thread.Alerted => INC(alerted) END;
      IF freed + alerted = Threads THEN Thread.Signal(done) END;
    END;
    RETURN NIL;
  END Await;

PROCEDURE Number(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put("\n");
  END Number;

BEGIN
  FOR i := 1 TO Threads DO threads[i] := Thread.Fork(NEW(Worker)) END;
  FOR i := 1 TO Rounds DO
    LOCK mu DO
      WHILE here < Threads DO Thread.Wait(mu, done) END;
      here := 0;
      round := i;
      Thread.Broadcast(go);
    END;
  END;
  FOR i := 1 TO Threads DO EVAL Thread.Join(threads[i]) END;
  Number(round);
  Number(early);

  FOR i := 1 TO Threads DO threads[i] := Thread.Fork(NEW(Waiter)) END;
  LOOP
    LOCK mu DO IF here = Threads THEN EXIT END END;
    Thread.Pause(0.001D0);
  END;
  FOR i := 1 TO Threads BY 4 DO Thread.Alert(threads[i]) END;
  LOOP
    LOCK mu DO IF alerted = Threads DIV 4 THEN EXIT END END;
    Thread.Pause(0.001D0);
  END;
  LOCK mu DO
    Thread.Signal(go);
    Thread.Broadcast(go);
    WHILE freed + alerted < Threads DO Thread.Wait(mu, done) END;
  END;
  FOR i := 1 TO Threads DO EVAL Thread.Join(threads[i]) END;
  Number(alerted);
  Number(freed);
END Main.
(* expect: 50 *)
(* expect: 0 *)
(* expect: 10 *)
(* expect: 30 *)
