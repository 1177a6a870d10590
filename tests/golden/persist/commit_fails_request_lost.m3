(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-unknown-lost:2 *)
(* The commit does not happen, and the session learns this by asking for the outcome. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := FALSE);
END Main.
(* expect: Aborted *)
(* expect: committed *)
(* expect: all checks hold *)
