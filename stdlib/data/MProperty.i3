(* Property sets with a lock, which the methods take. *)
INTERFACE MProperty;

IMPORT Property, Thread;

TYPE
  Set <: Set_public;
  Set_public = Property.Set OBJECT
    m: Thread.Mutex;
  END;

(* An empty set. *)
PROCEDURE New(): Set;

END MProperty.
