(* The contents of the heap, by type. *)
INTERFACE RTHeapStats;

(* Collects, then prints on the standard error for each type the number of remaining objects and
   their bytes without headers, the largest share first. *)
PROCEDURE ReportReachable();

END RTHeapStats.
