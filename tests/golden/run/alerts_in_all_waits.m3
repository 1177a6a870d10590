(* golden: run, -w *)
(* Alerts in all waits that can be alerted, while other threads run. A thread that is alerted in
   AlertWait has the mutex again; what was not joined can be joined later; each alert that comes
   while its thread waits is taken. (language.md 28) *)
MODULE Main;

IMPORT Fmt, IO, Thread;

<*FATAL Thread.Alerted*>

CONST
  Many = 60;
  Alerts = 50;

TYPE
  Kind = {Wait, Pause, Join, Lock};
  Waiter = Thread.Closure OBJECT
    kind: Kind;
    partner: Thread.T := NIL;
    taken, outside := 0;    (* with the mutex *)
  OVERRIDES apply := Apply END;
  Partner = Thread.Closure OBJECT OVERRIDES apply := UntilStop END;

VAR
  mutex := NEW(MUTEX);
  never := NEW(Thread.Condition);
  stopped := NEW(Thread.Condition);
  stop := FALSE;
  inside := 0;

PROCEDURE UntilStop(<*UNUSED*> self: Partner): REFANY =
  BEGIN
    LOCK mutex DO WHILE NOT stop DO Thread.Wait(mutex, stopped) END END;
    RETURN mutex;
  END UntilStop;

PROCEDURE Take(self: Waiter) =
  BEGIN
    (* Were the mutex not held, two threads would meet here. *)
    INC(inside);
    IF inside # 1 THEN INC(self.outside) END;
    INC(self.taken);
    DEC(inside);
  END Take;

PROCEDURE Apply(self: Waiter): REFANY =
  BEGIN
    FOR i := 1 TO Alerts DO
      CASE self.kind OF
      | Kind.Wait =>
          LOCK mutex DO
            TRY
              LOOP Thread.AlertWait(mutex, never) END;
            EXCEPT Thread.Alerted => Take(self);
            END;
          END;
      | Kind.Pause =>
          TRY
            LOOP Thread.AlertPause(0.0005D0 * FLOAT(i MOD 5, LONGREAL)) END;
          EXCEPT Thread.Alerted => LOCK mutex DO Take(self) END;
          END;
      | Kind.Join =>
          TRY
            EVAL Thread.AlertJoin(self.partner);
            IO.Put("joined too early\n");
          EXCEPT Thread.Alerted => LOCK mutex DO Take(self) END;
          END;
      | Kind.Lock =>
          (* Waits for the mutex cannot be alerted; the request stays. *)
          WHILE NOT Thread.TestAlert() DO LOCK mutex DO Thread.Pause(0.00001D0) END END;
          LOCK mutex DO Take(self) END;
      END;
    END;
    IF self.kind = Kind.Join THEN
      IF Thread.Join(self.partner) # mutex THEN IO.Put("result\n") END;
    END;
    RETURN NIL;
  END Apply;

VAR
  waiters: ARRAY [0 .. Many - 1] OF Waiter;
  threads: ARRAY [0 .. Many - 1] OF Thread.T;
  taken, outside := 0;
  left: BOOLEAN;
BEGIN
  FOR i := 0 TO Many - 1 DO
    waiters[i] := NEW(Waiter, kind := VAL(i MOD 4, Kind));
    IF waiters[i].kind = Kind.Join THEN waiters[i].partner := Thread.Fork(NEW(Partner)) END;
    threads[i] := Thread.Fork(waiters[i]);
  END;
  (* A request that comes before the last is taken is one with it. *)
  REPEAT
    left := FALSE;
    FOR i := 0 TO Many - 1 DO
      LOCK mutex DO
        IF waiters[i].taken < Alerts THEN left := TRUE; Thread.Alert(threads[i]) END;
      END;
    END;
    Thread.Pause(0.0001D0);
  UNTIL NOT left;
  LOCK mutex DO stop := TRUE END;
  Thread.Broadcast(stopped);
  FOR i := 0 TO Many - 1 DO
    EVAL Thread.Join(threads[i]);
    INC(taken, waiters[i].taken);
    INC(outside, waiters[i].outside);
  END;
  IO.Put(Fmt.Int(taken) & " alerts, " & Fmt.Int(outside) & " outside the mutex\n");

  (* An alert before the wait, and a time limit that passes. *)
  Thread.Alert(Thread.Self());
  TRY Thread.AlertPause(10.0D0); IO.Put("no alert\n") EXCEPT Thread.Alerted => IO.Put("at once\n") END;
  TRY Thread.AlertPause(0.001D0); IO.Put("passed\n") EXCEPT Thread.Alerted => IO.Put("again\n") END;
END Main.
(* expect: 3000 alerts, 0 outside the mutex *)
(* expect: at once *)
(* expect: passed *)
