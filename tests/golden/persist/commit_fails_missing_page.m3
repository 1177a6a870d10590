(* golden: persist, with lib/FailedCommit, lib/Store, lib/Check, @M3pageserver=memory @M3dbfail=commit-missing:2 *)
(* A page is missing: the error must not be that no transaction is in progress. *)
MODULE Main;

IMPORT FailedCommit;

BEGIN
  FailedCommit.Run(happened := FALSE);
END Main.
(* expect: Failure *)
(* expect: committed *)
(* expect: all checks hold *)
