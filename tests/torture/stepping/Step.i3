(* The calling thread stops behind its instructions until another one has collected (step.c). *)
INTERFACE Step;

FROM Ctypes IMPORT long;

(* Stops behind every `every`th instruction in this range. *)
<*EXTERNAL step_between*> PROCEDURE Between(first, last: ADDRESS; every: long);
<*EXTERNAL step_begin*> PROCEDURE Begin();
<*EXTERNAL step_end*> PROCEDURE End();
(* The number of collections by the other thread. *)
<*EXTERNAL step_count*> PROCEDURE Count(): long;

(* For the other thread: waits until a collection is wanted; reports that it has collected. *)
<*EXTERNAL step_await*> PROCEDURE Await();
<*EXTERNAL step_serve*> PROCEDURE Serve();

END Step.
