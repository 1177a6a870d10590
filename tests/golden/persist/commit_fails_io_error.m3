(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-io:2 *)
(* An input/output error. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := FALSE);
END Main.
(* expect: Failure *)
(* expect: committed *)
(* expect: all checks hold *)
