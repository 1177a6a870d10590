(* Runs the clean-ups of weak references. *)
INTERFACE WeakRefCleaner;

CONST
  (* Added to the cookie of a clean-up whose only parameter is the object. *)
  Final = 1;

(* Starts to run clean-ups, in a thread of their own. A second call does nothing. *)
PROCEDURE Start();

END WeakRefCleaner.
