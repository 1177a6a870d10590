(* Writers that discard their characters and only count them; not seekable. *)
INTERFACE NullWr;

IMPORT Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    init(): T;
  END;

END NullWr.
