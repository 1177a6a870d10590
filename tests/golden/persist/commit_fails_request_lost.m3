(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-unknown-lost:2 *)
(* The commit does not happen, and asking for its outcome tells so. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := FALSE);
END Main.
(* expect: Aborted *)
(* expect: committed *)
(* expect: 3407 checks, 0 failed *)
