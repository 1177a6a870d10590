(* Threads for friends: numbers and states for debuggers. *)
INTERFACE ThreadF;

TYPE
  State = {alive, waiting, locking, pausing, blocking, dying, dead};
  Id = INTEGER;

(* The number of the calling thread, never used again. *)
PROCEDURE MyId(): Id RAISES {};

(* Stops all other threads, wherever they are, until ResumeOthers has been called as often. Meanwhile
   the caller must not wait for them, since whoever holds a mutex does not give it up, and not fork. *)
PROCEDURE SuspendOthers();

(* A checked run-time error if the caller has not suspended the others. *)
PROCEDURE ResumeOthers();

END ThreadF.
