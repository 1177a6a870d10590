(* Property's methods as procedures. *)
INTERFACE PropertyF;

FROM Property IMPORT Set;

(* These work as the methods of Set with these names. *)
PROCEDURE Put(ps: Set; r: REFANY);
PROCEDURE Remove(ps: Set; tc: CARDINAL);
PROCEDURE Get(ps: Set; tc: CARDINAL): REFANY;
PROCEDURE RemoveSub(ps: Set; tc: CARDINAL);
PROCEDURE GetSub(ps: Set; tc: CARDINAL): REFANY;

END PropertyF.
