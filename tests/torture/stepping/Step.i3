(* The calling thread stops behind its instructions until another one has collected (step.c). *)
INTERFACE Step;

FROM Ctypes IMPORT long;

(* Of the instructions in this range, each `every`th one. *)
<*EXTERNAL step_between*> PROCEDURE Between(first, last: ADDRESS; every: long);
<*EXTERNAL step_begin*> PROCEDURE Begin();
<*EXTERNAL step_end*> PROCEDURE End();
(* How often the other thread has collected. *)
<*EXTERNAL step_count*> PROCEDURE Count(): long;

(* For the other thread: waits until it is wanted, and says that it has collected. *)
<*EXTERNAL step_await*> PROCEDURE Await();
<*EXTERNAL step_serve*> PROCEDURE Serve();

END Step.
