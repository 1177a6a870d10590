(* Exceptions. *)
INTERFACE RTException;

(* Prints the calling thread's stack on the standard error. *)
PROCEDURE DumpStack();

END RTException.
