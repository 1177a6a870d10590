(* Runs the clean-ups of weak references. *)
INTERFACE WeakRefCleaner;

CONST
  (* Added to the cookie of a clean-up that is a procedure with the object only. *)
  Final = 1;

(* From here on clean-ups are run, by a thread of their own. Called again it does nothing more. *)
PROCEDURE Start();

END WeakRefCleaner.
