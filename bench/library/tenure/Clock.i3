(* Processor time: other programs on the machine do not count. *)
INTERFACE Clock;

(* Microseconds of all threads of this process. *)
<*EXTERNAL "clock"*>
PROCEDURE Now(): INTEGER;

END Clock.
