(* golden: run *)
(* ThreadF.SuspendOthers: no other thread runs until ResumeOthers has been called as often, and the
   caller can allocate and collect meanwhile. *)
MODULE Main;

IMPORT IO, RTCollector, Thread, ThreadF;

<*FATAL ANY*>

TYPE
  Counter = Thread.Closure OBJECT
    n := 0;
    stop := FALSE;
  OVERRIDES
    apply := Count;
  END;

PROCEDURE Count(self: Counter): REFANY =
  BEGIN
    WHILE NOT self.stop DO
      self.n := (self.n + 1) MOD 1000000000;
      EVAL NEW(REF INTEGER);
    END;
    RETURN NIL;
  END Count;

(* Whether the counter does not change for a while. *)
PROCEDURE Stands(c: Counter): BOOLEAN =
  VAR before := c.n;
  BEGIN
    Thread.Pause(0.05D0);
    RETURN c.n = before;
  END Stands;

VAR
  counters := ARRAY [0..2] OF Counter{NEW(Counter), NEW(Counter), NEW(Counter)};
  threads: ARRAY [0..2] OF Thread.T;
  stand := TRUE;
  list: REF ARRAY OF REFANY;

BEGIN
  FOR i := 0 TO 2 DO threads[i] := Thread.Fork(counters[i]) END;
  FOR i := 0 TO 2 DO
    WHILE counters[i].n = 0 DO Thread.Pause(0.001D0) END;
  END;
  ThreadF.SuspendOthers();
  ThreadF.SuspendOthers();
  FOR i := 0 TO 2 DO stand := stand AND Stands(counters[i]) END;
  FOR i := 1 TO 1000 DO list := NEW(REF ARRAY OF REFANY, i) END;
  RTCollector.Collect();
  ThreadF.ResumeOthers();
  FOR i := 0 TO 2 DO stand := stand AND Stands(counters[i]) END;
  ThreadF.ResumeOthers();
  IO.Put(ARRAY BOOLEAN OF TEXT{"they ran\n", "they stood\n"}[stand]);
  FOR i := 0 TO 2 DO
    WHILE Stands(counters[i]) DO END;
    counters[i].stop := TRUE;
    EVAL Thread.Join(threads[i]);
  END;
  IO.Put("they run\n");
  ThreadF.ResumeOthers();
END Main.
(* expect: they stood *)
(* expect: they run *)
(* expect-status: 4 *)
(* expect-stderr: ThreadF.ResumeOthers without SuspendOthers *)
