(* golden: run, -w, stress=5000 *)
(* The stack overflows inside the run time, which then holds the heap's lock: again and again, in
   threads. *)
MODULE Main;

IMPORT IO, Fmt, RuntimeError, Thread;

EXCEPTION Deep(INTEGER);

TYPE
  Closure = Thread.Closure OBJECT length: INTEGER OVERRIDES apply := Apply END;

PROCEDURE Arrays(length: INTEGER): INTEGER =
  VAR r := NUMBER(NEW(REF ARRAY OF INTEGER, length)^);
  BEGIN
    RETURN Arrays(length) + r;
  END Arrays;

(* Raises at each level, and so also at the last. *)
PROCEDURE Raising(n: INTEGER): INTEGER RAISES {Deep} =
  BEGIN
    TRY
      RAISE Deep(n);
    EXCEPT
      Deep (level) => RETURN Raising(level + 1) + 1;
    END;
  END Raising;

PROCEDURE Apply(self: Closure): REFANY =
  VAR result: REF TEXT := NEW(REF TEXT);
  BEGIN
    TRY
      IF self.length = 0 THEN EVAL Raising(0) ELSE EVAL Arrays(self.length) END;
    EXCEPT
    | Deep => result^ := "Deep";
    | RuntimeError.E (e) => result^ := RuntimeError.Tag(e);
    END;
    RETURN result;
  END Apply;

BEGIN
  FOR i := 0 TO 5 DO
    VAR thread := Thread.Fork(NEW(Closure, length := i * 700)); BEGIN
      IO.Put(Fmt.Int(i) & " " & NARROW(Thread.Join(thread), REF TEXT)^ & "\n");
    END;
  END;
  (* expect: 0 stack overflow *)
  (* expect: 1 stack overflow *)
  (* expect: 2 stack overflow *)
  (* expect: 3 stack overflow *)
  (* expect: 4 stack overflow *)
  (* expect: 5 stack overflow *)
END Main.
