(* What fills the heap. *)
INTERFACE RTHeapStats;

(* Collects, then prints on the standard error how many objects of each type are left and how many
   bytes they take without their headers, the largest share first. *)
PROCEDURE ReportReachable();

END RTHeapStats.
