(* golden: run, -w, tenure-gc *)
(* Once an object has been found unreachable all weak references to it are NIL, also those
   without a clean-up, and while the clean-up of another one holds the object. *)
MODULE Main;

IMPORT Fmt, IO, RTCollector, Thread, WeakRef;

TYPE
  Cell = REF RECORD n: INTEGER; next: Cell END;

VAR
  plain: WeakRef.T;
  mutex := NEW(MUTEX);
  cleaned := NEW(Thread.Condition);
  done := FALSE;
  seen := TRUE;
  number := 0;

PROCEDURE Clean(<*UNUSED*> READONLY self: WeakRef.T; r: REFANY) =
  BEGIN
    LOCK mutex DO
      seen := WeakRef.ToRef(plain) # NIL;
      number := NARROW(r, Cell).n;
      done := TRUE;
    END;
    Thread.Signal(cleaned);
  END Clean;

PROCEDURE Make() =
  VAR cell := NEW(Cell, n := 7);
  BEGIN
    plain := WeakRef.FromRef(cell);
    EVAL WeakRef.FromRef(cell, Clean);
  END Make;

PROCEDURE Deep(n: INTEGER): INTEGER =  (* clears the stack of copies *)
  VAR a: ARRAY [0..99] OF INTEGER;
  BEGIN
    FOR i := FIRST(a) TO LAST(a) DO a[i] := n END;
    IF n = 0 THEN RETURN 0 ELSE RETURN Deep(n - 1) + a[n MOD 100] END;
  END Deep;

BEGIN
  Make();
  EVAL Deep(20);
  LOCK mutex DO
    WHILE NOT done DO
      Thread.Release(mutex);
      RTCollector.Collect();
      Thread.Pause(0.01D0);
      Thread.Acquire(mutex);
    END;
  END;
  IO.Put(Fmt.Int(number) & " " & Fmt.Bool(seen) & "\n");
  (* expect: 7 FALSE *)
END Main.
