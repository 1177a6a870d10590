(* Readers of a text with a buffer of a few characters, so that every token crosses its end. *)
INTERFACE TinyRd;

IMPORT Rd;

(* With a buffer of size characters; 0: of the whole text. *)
PROCEDURE New(t: TEXT; size: CARDINAL): Rd.T;

END TinyRd.
