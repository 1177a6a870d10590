(* How property sets are represented: for Property's friends. *)
INTERFACE PropertyRep;

IMPORT Property;

TYPE
  (* The elements in some order. Typecodes are not kept, so that a set may be persistent: they
     change from program to program. *)
  Cell = REF RECORD
    ref: REFANY;
    next: Cell;
  END;

REVEAL
  Property.Set = Property.Set_public BRANDED "Property.Set" OBJECT
      first: Cell := NIL;
    OVERRIDES
      put := Put;
      get := Get;
      getSub := GetSub;
      remove := Remove;
      removeSub := RemoveSub;
    END;

(* The methods. *)
PROCEDURE Put(s: Property.Set; ref: REFANY);
PROCEDURE Get(s: Property.Set; tc: CARDINAL): REFANY;
PROCEDURE GetSub(s: Property.Set; tc: CARDINAL): REFANY;
PROCEDURE Remove(s: Property.Set; tc: CARDINAL);
PROCEDURE RemoveSub(s: Property.Set; tc: CARDINAL);

END PropertyRep.
