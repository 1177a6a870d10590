(* golden: run *)
(* The value that EVAL reads is unused, but NIL is still an error (23). *)
MODULE Main;
IMPORT IO, RuntimeError;
TYPE
  R = RECORD a, b: INTEGER END;
VAR
  r: REF R := NIL;
  o: OBJECT x: INTEGER END := NIL;
PROCEDURE Try (n: INTEGER) =
  BEGIN
    TRY
      CASE n OF
      | 0 => EVAL r.a
      | 1 => EVAL r^
      | 2 => EVAL o.x
      ELSE EVAL n
      END;
      IO.Put("no trap\n")
    EXCEPT
    | RuntimeError.E (e) =>
        IF e = RuntimeError.T.BadMemoryReference THEN IO.Put("trap\n") END
    END
  END Try;
BEGIN
  FOR i := 0 TO 3 DO Try(i) END
END Main.
(* expect: trap *)
(* expect: trap *)
(* expect: trap *)
(* expect: no trap *)
