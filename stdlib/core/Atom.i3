(* Unique objects for texts: two atoms are the same reference just when their texts are equal. *)
INTERFACE Atom;

TYPE
  T <: REFANY;  (* NIL is not an atom *)

CONST
  Brand = "Atom-1.0";

(* The atom of a text, made when it is first asked for, and back. *)
PROCEDURE FromText(t: TEXT): T;
PROCEDURE ToText(a: T): TEXT;

(* So that atoms can be keys of tables; Hash is that of the text. *)
PROCEDURE Equal(a1, a2: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;

(* A checked run-time error: atoms have no order. *)
PROCEDURE Compare(a1, a2: T): [-1..1];

END Atom.
