(* The command line, without the words that belong to the run time (@M3...). *)
INTERFACE Params;

VAR (*CONST*)
  Count: CARDINAL;  (* with the program's name *)

(* Parameter n, the program's name for 0; a checked run-time error if n >= Count. *)
PROCEDURE Get(n: CARDINAL): TEXT;

END Params.
