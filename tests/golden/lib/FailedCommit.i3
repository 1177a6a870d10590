(* A commit that fails, compared with a copy: the second commit of the run fails. *)
INTERFACE FailedCommit;

(* Prints the exception that the second commit raised, or that it raised none, and compares the
   memory with the expected state, before and after a collection and another commit. If
   `happened`, the effects of the second transaction must be there although its commit raised. *)
PROCEDURE Run(happened: BOOLEAN);

END FailedCommit.
