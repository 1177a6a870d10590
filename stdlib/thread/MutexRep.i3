(* That a mutex has methods, for those that are specialised. *)
UNSAFE INTERFACE MutexRep;

TYPE
  (* Called by Thread.Acquire, Thread.Release and LOCK. *)
  Public = OBJECT METHODS acquire(); release() END;

REVEAL MUTEX <: Public;

END MutexRep.
