(* Prints a value and ends the line. *)
INTERFACE Out;

PROCEDURE P(n: INTEGER);
PROCEDURE B(b: BOOLEAN);
PROCEDURE T(t: TEXT);

END Out.
