(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-unknown-done:2 *)
(* The commit happens, its answer is lost, and the session asks for the outcome. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := TRUE);
END Main.
(* expect: committed *)
(* expect: committed *)
(* expect: all checks hold *)
