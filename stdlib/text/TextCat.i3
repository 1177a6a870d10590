(* Concatenations as balanced trees: joining copies no characters beyond a small limit, and a
   text made of n pieces is O(log n) deep, in whatever order the pieces were joined. *)
INTERFACE TextCat;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

(* The characters of t and then those of u. *)
PROCEDURE Join(t, u: TEXT): TEXT;

(* While one child of t has all the characters start .. start + length - 1, replaces t by this
   child and makes start relative to it. *)
PROCEDURE Narrow(VAR t: TEXT; VAR start: CARDINAL; length: CARDINAL);

(* The characters start .. start + length - 1 of t, which must exist, from both children of t. Shares the subtrees of t
   that lie in the piece, and keeps nothing else of t alive. *)
PROCEDURE Part(t: T; start, length: CARDINAL): TEXT;

END TextCat.
