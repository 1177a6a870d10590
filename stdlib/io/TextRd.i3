(* Readers over texts; seekable. A text with a character that is not in CHAR is a checked run-time
   error. *)
INTERFACE TextRd;

IMPORT Rd;

TYPE
  T <: Public;
  Public = Rd.T OBJECT METHODS
    (* Initializes the reader with t as its source. *)
    init(t: TEXT): T;
  END;

PROCEDURE New(t: TEXT): T;

END TextRd.
