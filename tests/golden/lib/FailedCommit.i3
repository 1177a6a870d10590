(* A commit that fails, against a copy: the second commit of the run is the one to fail. *)
INTERFACE FailedCommit;

(* Prints which exception the second commit raised, or that it raised none, and compares what is in
   memory with what must be there then, before and after a collection and another commit. With
   happened, what the second transaction did must be there although its commit raised. *)
PROCEDURE Run(happened: BOOLEAN);

END FailedCommit.
