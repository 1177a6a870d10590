(* golden: run *)
MODULE Main;

IMPORT IO;

VAR t: TEXT := NIL;

BEGIN
  IO.Put("before\n");
  IO.Put("a" & t);
END Main.
(* expect: before *)
(* expect-status: 4 *)
(* expect-stderr: *** run-time error: BadMemoryReference *)
