(* Wide texts whose characters lie in an array that their maker fills. *)
INTERFACE Text16;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT
    contents: REF ARRAY OF WIDECHAR;  (* one more element than the text has characters; the last
                                         is zero *)
  END;

(* A text with the characters of a. *)
PROCEDURE New(READONLY a: ARRAY OF WIDECHAR): TEXT;

(* A text of n characters, which the caller puts into contents before anyone else sees it. *)
PROCEDURE Create(n: CARDINAL): T;

END Text16.
