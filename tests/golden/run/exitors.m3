(* golden: run *)
(* The buffer of stdout is written, and exitors run, when the program ends by Exit. *)
MODULE Main;

IMPORT IO, Process;

PROCEDURE First() =
  BEGIN
    IO.Put("first exitor\n");
  END First;

PROCEDURE Second() =
  BEGIN
    IO.Put("second exitor\n");
  END Second;

BEGIN
  Process.RegisterExitor(First);
  Process.RegisterExitor(Second);
  IO.Put("body\n");
  Process.Exit(3);
END Main.
(* expect: body *)
(* expect: second exitor *)
(* expect: first exitor *)
(* expect-status: 3 *)
