(* Readers over texts; seekable. *)
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
