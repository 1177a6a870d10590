(* The representation of property sets, for Property's friends. *)
INTERFACE PropertyRep;

IMPORT Property;

TYPE
  (* The elements in some order. Typecodes are not kept, because they differ from program to
     program and a set may be persistent. *)
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
