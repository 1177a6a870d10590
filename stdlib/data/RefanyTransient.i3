(* REFANY with references that are not saved, as an element. As objects move, references have no
   hash and no order. *)
INTERFACE RefanyTransient;

IMPORT Word;

TYPE
  T = <*TRANSIENT*> REFANY;

CONST
  Brand = "RefanyTransient";

PROCEDURE Equal(r1, r2: T): BOOLEAN;

(* Checked run-time errors. *)
PROCEDURE Hash(r: T): Word.T;
PROCEDURE Compare(r1, r2: T): [-1..1];

END RefanyTransient.
