(* Concatenations as balanced trees: joining copies no characters beyond a small limit, and a text
   made of n pieces is O(log n) deep, however it was put together. *)
INTERFACE TextCat;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

(* The characters of t and then those of u. *)
PROCEDURE Join(t, u: TEXT): TEXT;

(* Puts in t the child in which the characters start .. start + length - 1 lie, and makes start
   relative to it, as long as one child has them all. *)
PROCEDURE Narrow(VAR t: TEXT; VAR start: CARDINAL; length: CARDINAL);

END TextCat.
