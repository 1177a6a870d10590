(* golden: run, -w *)
(* A thread that waits while it has a mutex, and takes the mutex again as soon as it has released
   it, does not keep the others from the mutex for ever. (language.md 28) *)
MODULE Main;

IMPORT Fmt, IO, Thread;

TYPE Holder = Thread.Closure OBJECT OVERRIDES apply := Hold END;

VAR
  mutex := NEW(MUTEX);
  stop := FALSE;
  got := 0;

PROCEDURE Hold(<*UNUSED*> self: Holder): REFANY =
  VAR done := FALSE;
  BEGIN
    WHILE NOT done DO
      LOCK mutex DO
        Thread.Pause(0.00001D0);
        done := stop;
      END;
    END;
    RETURN NIL;
  END Hold;

VAR holders: ARRAY [1 .. 3] OF Thread.T;
BEGIN
  FOR i := 1 TO LAST(holders) DO holders[i] := Thread.Fork(NEW(Holder)) END;
  FOR i := 1 TO 20 DO
    Thread.Pause(0.001D0);
    LOCK mutex DO INC(got) END;
  END;
  LOCK mutex DO stop := TRUE END;
  FOR i := 1 TO LAST(holders) DO EVAL Thread.Join(holders[i]) END;
  IO.Put("got the mutex " & Fmt.Int(got) & " times\n");
END Main.
(* expect: got the mutex 20 times *)
