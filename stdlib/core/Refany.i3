(* REFANY as a value or element. References have no hash and no order, because objects move. *)
INTERFACE Refany;

IMPORT Word;

TYPE
  T = REFANY;

CONST
  Brand = "Refany";

PROCEDURE Equal(r1, r2: T): BOOLEAN;

(* Checked run-time errors. *)
PROCEDURE Hash(r: T): Word.T;
PROCEDURE Compare(r1, r2: T): [-1..1];

END Refany.
