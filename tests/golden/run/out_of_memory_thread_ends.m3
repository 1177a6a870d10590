(* golden: run, @M3maxheap=8M, -w, tenure-gc, stress=20000 *)
(* Objects that a thread has dropped are free for the thread that joins it: stale words on the
   ended thread's stack do not keep them. *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError, Text, Thread;

TYPE List = REF RECORD next: List; block: ARRAY [1..100] OF INTEGER END;

VAR filled := 0;

PROCEDURE Fill(<*UNUSED*> self: Thread.Closure): REFANY =
  VAR list: List;
  BEGIN
    TRY
      LOOP list := NEW(List, next := list) END;
    EXCEPT RuntimeError.E =>
      list := NIL;
      INC(filled);
    END;
    RETURN NIL;
  END Fill;

VAR text: TEXT;
BEGIN
  FOR i := 1 TO 20 DO
    EVAL Thread.Join(Thread.Fork(NEW(Thread.Closure, apply := Fill)));
    text := "";
    FOR k := 1 TO 50 DO text := text & Fmt.Int(k) END;
    <*ASSERT Text.Length(text) = 91*>
  END;
  IO.Put("filled " & Fmt.Int(filled) & " times\n");
END Main.
(* expect: filled 20 times *)
