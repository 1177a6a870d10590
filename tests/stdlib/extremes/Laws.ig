(* The laws of Compare, Equal or Hash over extreme values, whose ranks tell what is right: values of one rank are equal,
   and those of a smaller rank come first. *)
GENERIC INTERFACE Laws(Values);

CONST Brand = "(Laws " & Values.Brand & ")";

(* The number of pairs and triples of values for which a law does not hold. *)
PROCEDURE Broken(): CARDINAL;

END Laws.
