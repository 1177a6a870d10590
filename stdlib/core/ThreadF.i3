(* Threads for friends: numbers and states for debuggers. *)
INTERFACE ThreadF;

TYPE
  State = {alive, waiting, locking, pausing, blocking, dying, dead};
  Id = INTEGER;

(* The number of the calling thread, never used again. *)
PROCEDURE MyId(): Id RAISES {};

END ThreadF.
