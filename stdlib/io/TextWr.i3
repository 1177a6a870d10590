(* Writers whose contents become a text; not seekable. *)
INTERFACE TextWr;

IMPORT Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Makes the writer empty. *)
    init(): T;
  END;

PROCEDURE New(): T;

(* The characters written since the writer was made or since the last ToText; makes the writer
   empty. *)
PROCEDURE ToText(wr: T): TEXT;

END TextWr.
