(* golden: run *)
(* Of an exit code the system keeps 8 bits; a failure stays one if they are 0. *)
MODULE Main;

IMPORT IO, Process;

PROCEDURE Leave() =
  BEGIN
    IO.Put("leaving\n");
  END Leave;

BEGIN
  Process.RegisterExitor(Leave);
  Process.Exit(512);
END Main.
(* expect: leaving *)
(* expect-status: 255 *)
