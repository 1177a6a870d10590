(* Readers that are at their end from the beginning. *)
INTERFACE NullRd;

IMPORT Rd;

TYPE
  T <: Public;
  Public = Rd.T OBJECT METHODS
    init(): T;
  END;

END NullRd.
