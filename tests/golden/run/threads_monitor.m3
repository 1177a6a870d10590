(* golden: run, -w *)
(* Monitors, alerts and results of threads. *)
MODULE Main;

IMPORT IO, Thread, ThreadF, Scheduler;

TYPE
  Buffer = MUTEX OBJECT
    items: ARRAY [0..3] OF INTEGER;
    first, count: CARDINAL := 0;
    changed: Thread.Condition;
  METHODS
    put(i: INTEGER) := Put;
    get(): INTEGER := Get;
  END;
  Producer = Thread.Closure OBJECT b: Buffer; n: CARDINAL OVERRIDES apply := Produce END;
  Consumer = Thread.Closure OBJECT b: Buffer; n: CARDINAL OVERRIDES apply := Consume END;
  Sum = REF INTEGER;
  Sleeper = Thread.SizedClosure OBJECT how: INTEGER; ready := FALSE OVERRIDES apply := Sleep END;

PROCEDURE Put(b: Buffer; i: INTEGER) =
  BEGIN
    LOCK b DO
      WHILE b.count = NUMBER(b.items) DO Thread.Wait(b, b.changed) END;
      b.items[(b.first + b.count) MOD NUMBER(b.items)] := i;
      INC(b.count);
    END;
    Thread.Broadcast(b.changed);
  END Put;

PROCEDURE Get(b: Buffer): INTEGER =
  VAR i: INTEGER;
  BEGIN
    LOCK b DO
      WHILE b.count = 0 DO Thread.Wait(b, b.changed) END;
      i := b.items[b.first];
      b.first := (b.first + 1) MOD NUMBER(b.items);
      DEC(b.count);
    END;
    Thread.Broadcast(b.changed);
    RETURN i;
  END Get;

PROCEDURE Produce(p: Producer): REFANY =
  BEGIN
    FOR i := 1 TO p.n DO p.b.put(i) END;
    RETURN NIL;
  END Produce;

PROCEDURE Consume(c: Consumer): REFANY =
  VAR sum := NEW(Sum);
  BEGIN
    sum^ := 0;
    FOR i := 1 TO c.n DO INC(sum^, c.b.get()) END;
    RETURN sum;
  END Consume;

VAR
  mu := NEW(MUTEX);
  never := NEW(Thread.Condition);
  endless: Thread.T;

PROCEDURE Sleep(s: Sleeper): REFANY =
  BEGIN
    TRY
      CASE s.how OF
      | 0 => LOCK mu DO LOOP Thread.AlertWait(mu, never) END END;
      | 1 => Thread.AlertPause(1000.0d0);
      | 2 => EVAL Thread.AlertJoin(endless);
      | 3 => WHILE NOT Thread.TestAlert() DO Thread.Pause(0.001d0) END; RAISE Thread.Alerted;
      ELSE
      END;
      RETURN NIL;
    EXCEPT
    | Thread.Alerted => <*ASSERT NOT Thread.TestAlert()*> RETURN s;
    END;
  END Sleep;

PROCEDURE Buffers() =
  VAR
    b := NEW(Buffer, changed := NEW(Thread.Condition));
    producers, consumers: ARRAY [1..3] OF Thread.T;
    total := 0;
  BEGIN
    FOR i := 1 TO 3 DO
      consumers[i] := Thread.Fork(NEW(Consumer, b := b, n := 2000));
      producers[i] := Thread.Fork(NEW(Producer, b := b, n := 2000));
    END;
    FOR i := 1 TO 3 DO
      <*ASSERT Thread.Join(producers[i]) = NIL*>
      INC(total, NARROW(Thread.Join(consumers[i]), Sum)^);
    END;
    <*ASSERT b.count = 0*>
    IO.PutInt(total); IO.Put("\n");
  END Buffers;

PROCEDURE Alerts() =
  VAR
    cl: ARRAY [0..3] OF Sleeper;
    t: ARRAY [0..3] OF Thread.T;
  BEGIN
    endless := Thread.Fork(NEW(Sleeper, how := 1));
    FOR i := 0 TO 3 DO
      cl[i] := NEW(Sleeper, how := i, stackSize := 100000);
      t[i] := Thread.Fork(cl[i]);
    END;
    FOR i := 0 TO 3 DO
      Thread.Alert(t[i]);
      IF Thread.Join(t[i]) = cl[i] THEN IO.Put("alerted\n") END;
    END;
    (* A thread whose AlertJoin was alerted can be joined again. *)
    Thread.Alert(endless);
    <*ASSERT Thread.Join(endless) # NIL*>
    (* The request stays until TestAlert or an alertable wait. *)
    Thread.Alert(Thread.Self());
    TRY Thread.AlertPause(1000.0d0) EXCEPT Thread.Alerted => IO.Put("self\n") END;
    <*ASSERT NOT Thread.TestAlert()*>
    <*ASSERT NOT Thread.TestAlert()*>
  END Alerts;

BEGIN
  <*ASSERT Thread.Self() = Thread.Self() AND Thread.Self() # NIL*>
  <*ASSERT ThreadF.MyId() = ThreadF.MyId()*>
  Scheduler.DisableSwitching(); Scheduler.EnableSwitching(); Scheduler.Yield();
  Buffers();
  Alerts();
  (* No thread waits, so these do nothing. *)
  Thread.Signal(never); Thread.Broadcast(never);
  Thread.MinDefaultStackSize(Thread.GetDefaultStackSize() + 1000);
  Thread.IncDefaultStackSize(1000);
  Thread.Pause(0.001d0);
  IO.Put("done\n");
END Main.
(* expect: 6003000 *)
(* expect: alerted *)
(* expect: alerted *)
(* expect: alerted *)
(* expect: alerted *)
(* expect: self *)
(* expect: done *)
