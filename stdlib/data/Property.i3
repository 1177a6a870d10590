(* Sets of references with at most one of each allocated type. *)
INTERFACE Property;

TYPE
  Set <: Set_public;
  Set_public = OBJECT METHODS
    (* Adds ref in place of the element of the same type; a checked run-time error for NIL. *)
    put(ref: REFANY);

    (* The element whose type has the typecode tc, or NIL; for Sub, one whose type is tc's or a
       subtype of it. *)
    get(tc: CARDINAL): REFANY;
    getSub(tc: CARDINAL): REFANY;

    (* Takes out the element whose type has the typecode tc, if there is one. *)
    remove(tc: CARDINAL);
    removeSub(tc: CARDINAL);
  END;

(* An empty set. *)
PROCEDURE New(): Set;

END Property.
