(* Checks in golden tests: silent when they hold. *)
INTERFACE Check;

IMPORT RuntimeError;

(* Prints `what` if the condition does not hold. *)
PROCEDURE That(holds: BOOLEAN; what: TEXT);

(* Prints both values if they differ. *)
PROCEDURE Int(got, want: INTEGER; what: TEXT);
PROCEDURE Text(got, want: TEXT; what: TEXT);

(* Prints `what` if p does not end with this run-time error. *)
PROCEDURE Fails(p: PROCEDURE () RAISES ANY; error: RuntimeError.T; what: TEXT);

(* Prints whether all checks hold; else how many failed. *)
PROCEDURE Done();

END Check.
