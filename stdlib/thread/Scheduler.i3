(* The choice of running threads. Threads run in parallel, and the system chooses. *)
INTERFACE Scheduler;

(* Gives other threads a chance. *)
PROCEDURE Yield();

(* Calls nest. They do not exclude threads that run in parallel: use a mutex for that. An Enable
   without a Disable is a checked run-time error. *)
PROCEDURE DisableSwitching();
PROCEDURE EnableSwitching();

END Scheduler.
