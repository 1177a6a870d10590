(* The methods of a mutex, for specialised mutexes. *)
UNSAFE INTERFACE MutexRep;

TYPE
  (* Called by Thread.Acquire, Thread.Release and LOCK. *)
  Public = OBJECT METHODS acquire(); release() END;

REVEAL MUTEX <: Public;

END MutexRep.
