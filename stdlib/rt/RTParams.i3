(* The words of the command line that begin with @M3: @M3name or @M3name=value. *)
INTERFACE RTParams;

VAR (*CONST*)
  NumParameters: CARDINAL;

(* Parameter n, "name" or "name=value". *)
PROCEDURE Nth(n: INTEGER): TEXT;

PROCEDURE IsPresent(n: TEXT): BOOLEAN;

(* The value of the parameter n; "" if the parameter has no value, NIL if it
   is absent. *)
PROCEDURE Value(n: TEXT): TEXT;

(* The same as a C string, which remains valid. *)
PROCEDURE RawValue(n: TEXT): ADDRESS;

(* Does nothing: the parameters are there from the start. *)
PROCEDURE Init();

END RTParams.
