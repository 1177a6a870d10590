(* Processor time: other programs on the machine do not count. *)
INTERFACE Clock;

(* Microseconds of all threads of this process. *)
<*EXTERNAL "clock"*>
PROCEDURE Now(): INTEGER;

(* A statistic of the collector; Pauses selects the microseconds of all pauses until now. *)
<*EXTERNAL "tn_gc_statistic"*>
PROCEDURE Collector(which: INTEGER): INTEGER;

CONST Pauses = 5;

END Clock.
