(* Uniform numbers in [0 .. 1) from a generator's integers: only r.integer() is called. *)
INTERFACE RandomReal;

IMPORT Random;

PROCEDURE Real(r: Random.T): REAL;
PROCEDURE Longreal(r: Random.T): LONGREAL;
PROCEDURE Extended(r: Random.T): EXTENDED;

END RandomReal.
