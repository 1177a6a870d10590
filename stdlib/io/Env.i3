(* Environment variables, as the program got them. *)
INTERFACE Env;

VAR (*CONST*)
  Count: CARDINAL;

(* The value of nm; NIL if there is none. *)
PROCEDURE Get(nm: TEXT): TEXT;

(* Name and value of variable n, of Count. *)
PROCEDURE GetNth(n: CARDINAL; VAR nm, val: TEXT);

END Env.
