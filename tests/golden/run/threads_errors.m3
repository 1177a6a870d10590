(* golden: run, -w *)
(* Checked run-time errors of threads, and run-time errors raised in threads. *)
MODULE Main;

IMPORT IO, Thread, RuntimeError;

TYPE
  Ref = REF RECORD n: INTEGER; next: Ref END;
  Try = Thread.Closure OBJECT what: INTEGER OVERRIDES apply := Apply END;

VAR
  mu := NEW(MUTEX);
  c := NEW(Thread.Condition);
  none: Ref := NIL;
  zero := 0;

PROCEDURE Deep(n: INTEGER): INTEGER =
  VAR a: ARRAY [0..99] OF INTEGER;
  BEGIN
    a[n MOD 100] := Deep(n + 1);
    RETURN a[(n + 1) MOD 100] + n;
  END Deep;

PROCEDURE Apply(t: Try): REFANY =
  VAR a: ARRAY [0..9] OF INTEGER;
  BEGIN
    TRY
      CASE t.what OF
      | 0 => Thread.Release(mu);        (* the main thread has it *)
      | 1 => Thread.Wait(mu, c);
      | 2 => none.n := 1;
      | 3 => a[10 + zero] := 1;
      | 4 => a[0] := 7 DIV zero;
      | 5 => a[0] := Deep(0);
      | 6 => a[0] := NEW(Ref).next.n;
      ELSE
      END;
    EXCEPT
    | RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & "\n");
    END;
    RETURN NIL;
  END Apply;

VAR t: Thread.T;
BEGIN
  Thread.Acquire(mu);
  FOR i := 0 TO 6 DO EVAL Thread.Join(Thread.Fork(NEW(Try, what := i))) END;
  Thread.Release(mu);
  TRY LOCK mu DO LOCK mu DO END END
  EXCEPT RuntimeError.E => IO.Put("twice\n")
  END;
  LOCK mu DO END;
  t := Thread.Fork(NEW(Try, what := 99));
  EVAL Thread.Join(t);
  TRY EVAL Thread.Join(t) EXCEPT RuntimeError.E => IO.Put("joined\n") END;
END Main.
(* expect: assertion failed *)
(* expect: assertion failed *)
(* expect: dereference of NIL or of a bad address *)
(* expect: subscript out of range *)
(* expect: integer division by zero *)
(* expect: stack overflow *)
(* expect: dereference of NIL or of a bad address *)
(* expect: twice *)
(* expect: joined *)
