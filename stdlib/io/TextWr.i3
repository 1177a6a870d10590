(* Writers whose contents become a text; not seekable. *)
INTERFACE TextWr;

IMPORT Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Makes it empty. *)
    init(): T;
  END;

PROCEDURE New(): T;

(* What has been written since the writer was made or last asked; it is then empty again. *)
PROCEDURE ToText(wr: T): TEXT;

END TextWr.
