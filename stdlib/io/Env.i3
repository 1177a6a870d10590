(* Environment variables at the start of the program. *)
INTERFACE Env;

VAR (*CONST*)
  Count: CARDINAL;

(* The value of the variable nm; NIL if it is not set. *)
PROCEDURE Get(nm: TEXT): TEXT;

(* The name and the value of variable n, for 0 <= n < Count. *)
PROCEDURE GetNth(n: CARDINAL; VAR nm, val: TEXT);

END Env.
