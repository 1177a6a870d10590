(* Writers that forget what is written, but not how much that was; not seekable. *)
INTERFACE NullWr;

IMPORT Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    init(): T;
  END;

END NullWr.
