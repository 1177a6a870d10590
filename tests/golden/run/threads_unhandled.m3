(* golden: run, -w *)
(* An exception that a thread does not handle ends the program. *)
MODULE Main;

IMPORT IO, Thread;

EXCEPTION Mine(TEXT);

TYPE Bad = Thread.Closure OBJECT OVERRIDES apply := Apply END;

PROCEDURE Apply(<*UNUSED*> b: Bad): REFANY =
  <*FATAL Mine*>
  BEGIN
    RAISE Mine("lost");
  END Apply;

BEGIN
  IO.Put("before\n");
  EVAL Thread.Join(Thread.Fork(NEW(Bad)));
  IO.Put("not reached\n");
END Main.
(* expect: before *)
(* expect-status: 4 *)
