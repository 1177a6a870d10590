(* Unique objects for texts: two atoms returned by FromText are the same reference exactly when
   their texts are equal.

   An atom that is stored in a database is an object of that database. In the program that stored
   the atom, FromText returns this object until the database is closed. In other programs, and in
   the same program later, FromText returns another reference: the two are equal by Equal, and so
   as keys of tables, but not by "=". FromText(ToText(a)) is the program's own. *)
INTERFACE Atom;

TYPE
  T <: REFANY;  (* NIL is not an atom *)

CONST
  Brand = "Atom-1.0";

(* The atom of a text, which is made at the first call; the text of an atom. *)
PROCEDURE FromText(t: TEXT): T;
PROCEDURE ToText(a: T): TEXT;

(* For tables with atoms as keys: Equal compares texts, Hash is the hash of the text. *)
PROCEDURE Equal(a1, a2: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;

(* A checked run-time error: atoms have no order. *)
PROCEDURE Compare(a1, a2: T): [-1..1];

END Atom.
