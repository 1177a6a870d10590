(* Unique objects for texts: two atoms that FromText gives are the same reference just when their
   texts are equal.

   An atom that is stored in a database is an object of that database. To the program that has
   stored it, it is what FromText gives until the database is closed. To others, and to the same
   program later, it is another reference than the one that FromText gives: equal by Equal, and so
   as a key of tables, but not by "=". FromText(ToText(a)) is the program's own. *)
INTERFACE Atom;

TYPE
  T <: REFANY;  (* NIL is not an atom *)

CONST
  Brand = "Atom-1.0";

(* The atom of a text, made when it is first asked for, and back. *)
PROCEDURE FromText(t: TEXT): T;
PROCEDURE ToText(a: T): TEXT;

(* So that atoms can be keys of tables: Equal compares texts, Hash is that of the text. *)
PROCEDURE Equal(a1, a2: T): BOOLEAN;
PROCEDURE Hash(a: T): INTEGER;

(* A checked run-time error: atoms have no order. *)
PROCEDURE Compare(a1, a2: T): [-1..1];

END Atom.
