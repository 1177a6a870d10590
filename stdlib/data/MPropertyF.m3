MODULE MPropertyF;

IMPORT PropertyRep;
FROM MProperty IMPORT Set;

PROCEDURE Put(ps: Set; r: REFANY) =
  BEGIN
    PropertyRep.Put(ps, r);
  END Put;

PROCEDURE Remove(ps: Set; tc: CARDINAL) =
  BEGIN
    PropertyRep.Remove(ps, tc);
  END Remove;

PROCEDURE Get(ps: Set; tc: CARDINAL): REFANY =
  BEGIN
    RETURN PropertyRep.Get(ps, tc);
  END Get;

PROCEDURE RemoveSub(ps: Set; tc: CARDINAL) =
  BEGIN
    PropertyRep.RemoveSub(ps, tc);
  END RemoveSub;

PROCEDURE GetSub(ps: Set; tc: CARDINAL): REFANY =
  BEGIN
    RETURN PropertyRep.GetSub(ps, tc);
  END GetSub;

BEGIN
END MPropertyF.
