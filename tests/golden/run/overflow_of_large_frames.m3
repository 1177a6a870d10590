(* golden: run *)
(* A procedure with many variables reaches the end of the stack at its beginning (language.md
   23). *)
MODULE Main;

IMPORT IO, RuntimeError, Thread;

TYPE
  Other = Thread.Closure OBJECT OVERRIDES apply := Apply END;

VAR
  last := -5;

(* 72 KB. *)
PROCEDURE Large(n: INTEGER): INTEGER =
  VAR a: ARRAY [0..9000] OF INTEGER;
  BEGIN
    a[n MOD 9000] := n;
    IF n = last THEN RETURN 0 END;
    RETURN Large(n + 1) + a[(n * 7) MOD 9000];
  END Large;

PROCEDURE Try(where: TEXT) =
  BEGIN
    FOR i := 1 TO 2 DO
      TRY
        EVAL Large(0);
        IO.Put("it ends\n");
      EXCEPT
      | RuntimeError.E (t) => IO.Put(where & RuntimeError.Tag(t) & "\n");
      END;
    END;
  END Try;

PROCEDURE Apply(<*UNUSED*> self: Other): REFANY =
  BEGIN
    Try("in a thread: ");
    RETURN NIL;
  END Apply;

BEGIN
  Try("");
  EVAL Thread.Join(Thread.Fork(NEW(Other)));
  last := 20;
  Try("");
END Main.
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: in a thread: stack overflow *)
(* expect: in a thread: stack overflow *)
(* expect: it ends *)
(* expect: it ends *)
