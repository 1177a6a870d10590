(* Who runs when. Threads run at the same time and the system chooses. *)
INTERFACE Scheduler;

(* Gives other threads a chance. *)
PROCEDURE Yield();

(* Nest. They order nothing between threads that run at the same time: use a mutex. An Enable without
   a Disable is a checked run-time error. *)
PROCEDURE DisableSwitching();
PROCEDURE EnableSwitching();

END Scheduler.
