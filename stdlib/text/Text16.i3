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

(* A text of n characters. The caller must fill `contents` before it passes the text on. *)
PROCEDURE Create(n: CARDINAL): T;

END Text16.
