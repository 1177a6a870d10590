(* ROOT as an element, and as the supertype of containers. References have no hash and no order,
   because objects move. *)
INTERFACE Root;

IMPORT Word;

TYPE
  T = ROOT;

CONST
  Brand = "Root";

PROCEDURE Equal(r1, r2: T): BOOLEAN;

(* Checked run-time errors. *)
PROCEDURE Hash(r: T): Word.T;
PROCEDURE Compare(r1, r2: T): [-1..1];

END Root.
