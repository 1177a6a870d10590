MODULE Sched;
IMPORT Thread, Time, RefSeq, ThreadF, Scheduler;
IMPORT Sched AS Me;
REVEAL Me.T = SchedRepT BRANDED "Sched.T" OBJECT ids := 1 OVERRIDES init := Init; at := At; cancel := Cancel; wait := WaitAll END;
TYPE SchedRepT = Me.Public OBJECT work, done: Thread.Condition; q: RefSeq.T; running, finished := 0 END;
  Job = REF RECORD when: Time.T; c: Thread.Closure; id: CARDINAL END;
  Worker = Thread.SizedClosure OBJECT s: Me.T OVERRIDES apply := Work END;
PROCEDURE Init(s: Me.T; n: CARDINAL): Me.T =
  BEGIN
    s.work := NEW(Thread.Condition); s.done := NEW(Thread.Condition); s.q := NEW(RefSeq.T).init();
    FOR i := 1 TO n DO EVAL Thread.Fork(NEW(Worker, s := s, stackSize := 20000)) END;
    global := s;
    RETURN s
  END Init;
PROCEDURE At(s: Me.T; t: Time.T; c: Thread.Closure): Ticket =
  VAR id: CARDINAL; 
  BEGIN
    LOCK s DO id := s.ids; INC(s.ids); s.q.addhi(NEW(Job, when := t, c := c, id := id)); INC(s.running) END;
    Thread.Broadcast(s.work);
    RETURN Ticket{id, s}
  END At;
PROCEDURE Work(w: Worker): REFANY =
  VAR j: Job := NIL; best: INTEGER; now: Time.T;
  BEGIN
    LOOP
      LOCK w.s DO
        REPEAT
          best := -1; now := Time.Now();
          FOR i := 0 TO w.s.q.size() - 1 DO
            IF NARROW(w.s.q.get(i), Job).when <= now THEN best := i; EXIT END
          END;
          IF best < 0 THEN
            IF w.s.q.size() = 0 THEN Thread.Wait(w.s, w.s.work)
            ELSE Thread.Release(w.s); TRY Thread.Pause(0.002d0) FINALLY Thread.Acquire(w.s) END END
          ELSE
            j := w.s.q.get(best);
            IF best = 0 THEN EVAL w.s.q.remlo() ELSE WITH x = w.s.q.remhi() DO IF best < w.s.q.size() THEN w.s.q.put(best, x) END END END
          END
        UNTIL best >= 0;
      END;
      EVAL j.c.apply();
      LOCK w.s DO DEC(w.s.running); INC(w.s.finished); Thread.Signal(w.s.done) END;
    END
  END Work;
PROCEDURE Cancel(s: Me.T; READONLY tk: Ticket): BOOLEAN =
  VAR n: CARDINAL;
  BEGIN
    LOCK s DO
      n := s.q.size();
      FOR i := 1 TO n DO
        WITH j = NARROW(s.q.remlo(), Job) DO
          IF j.id = tk.id THEN DEC(s.running); RETURN TRUE ELSE s.q.addhi(j) END
        END
      END
    END;
    RETURN FALSE
  END Cancel;
PROCEDURE WaitAll(s: Me.T) RAISES {Thread.Alerted} =
  BEGIN LOCK s DO WHILE s.running > 0 DO Thread.AlertWait(s, s.done) END END END WaitAll;
VAR global: Me.T := NIL;
PROCEDURE Self(): Me.T = BEGIN RETURN global END Self;
BEGIN
  Scheduler.Yield(); EVAL ThreadF.MyId();
END Sched.
