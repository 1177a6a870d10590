(* Property's operations on variables, in which NIL is the empty set. *)
INTERFACE PropertyV;

IMPORT Property;

TYPE
  Set = Property.Set;

CONST
  NullSet: Set = NIL;

(* Makes a set if ps is NIL. *)
PROCEDURE Put(VAR ps: Set; r: REFANY);

(* These work as the methods of Property.Set with these names. *)
PROCEDURE Remove(VAR ps: Set; tc: CARDINAL);
PROCEDURE Get(ps: Set; tc: CARDINAL): REFANY;
PROCEDURE RemoveSub(VAR ps: Set; tc: CARDINAL);
PROCEDURE GetSub(ps: Set; tc: CARDINAL): REFANY;

END PropertyV.
