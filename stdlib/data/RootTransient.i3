(* ROOT with references that are not saved, as an element and as the supertype
   of containers. References have no hash and no order, because objects move. *)
INTERFACE RootTransient;

IMPORT Word;

TYPE
  T = <*TRANSIENT*> ROOT;

CONST
  Brand = "RootTransient";

PROCEDURE Equal(r1, r2: T): BOOLEAN;

(* Checked run-time errors. *)
PROCEDURE Hash(r: T): Word.T;
PROCEDURE Compare(r1, r2: T): [-1..1];

END RootTransient.
