(* Unique objects for texts: two atoms are the same reference just when their texts are equal. *)
INTERFACE Atom;

TYPE
  T <: REFANY;  (* NIL is not an atom *)

CONST
  Brand = "Atom-1.0";

PROCEDURE FromText(t: TEXT): T;
PROCEDURE ToText(a: T): TEXT;

PROCEDURE Equal(a1, a2: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;

(* A checked run-time error: atoms have no order. *)
PROCEDURE Compare(a1, a2: T): [-1..1];

END Atom.
