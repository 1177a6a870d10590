(* golden: run *)
(* The system keeps 8 bits of an exit code; a failure whose low 8 bits are 0 is
   still a failure. *)
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
