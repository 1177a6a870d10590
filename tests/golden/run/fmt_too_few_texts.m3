(* golden: run *)
MODULE Main;

IMPORT Fmt, IO;

BEGIN
  IO.Put(Fmt.F("%s %s\n", "one"));
END Main.
(* expect-status: 4 *)
(* expect-stderr: AssertFailed *)
(* expect-stderr: fewer texts than places *)
