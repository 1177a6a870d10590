(* Threads for friend modules: numbers and states of threads, and stopping threads, for
   debuggers. *)
INTERFACE ThreadF;

TYPE
  State = {alive, waiting, locking, pausing, blocking, dying, dead};
  Id = INTEGER;

(* The number of the calling thread; numbers are never reused. *)
PROCEDURE MyId(): Id RAISES {};

(* Stops all other threads, wherever they are, until ResumeOthers has been called as often as
   this procedure. Meanwhile the caller must not wait for a stopped thread, for example for a
   mutex that it holds, and must not fork. *)
PROCEDURE SuspendOthers();

(* A checked run-time error if the caller has not suspended the others. *)
PROCEDURE ResumeOthers();

END ThreadF.
