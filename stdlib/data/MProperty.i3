(* Property sets with a lock, which the methods take. *)
INTERFACE MProperty;

IMPORT Property, Thread;

TYPE
  Set <: Set_public;
  Set_public = Property.Set OBJECT
    m: Thread.Mutex;  (* NIL in a set from a database: its methods use another mutex *)
  END;

(* An empty set. *)
PROCEDURE New(): Set;

END MProperty.
