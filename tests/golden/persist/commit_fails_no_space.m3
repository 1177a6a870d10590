(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-nospace:2 *)
(* The disk is full. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := FALSE);
END Main.
(* expect: Failure *)
(* expect: committed *)
(* expect: all checks hold *)
