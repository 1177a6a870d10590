MODULE PropertyV;

IMPORT Property;

PROCEDURE Put(VAR ps: Set; r: REFANY) =
  BEGIN
    IF ps = NIL THEN ps := Property.New() END;
    ps.put(r);
  END Put;

PROCEDURE Remove(VAR ps: Set; tc: CARDINAL) =
  BEGIN
    IF ps # NIL THEN ps.remove(tc) END;
  END Remove;

PROCEDURE Get(ps: Set; tc: CARDINAL): REFANY =
  BEGIN
    IF ps = NIL THEN RETURN NIL END;
    RETURN ps.get(tc);
  END Get;

PROCEDURE RemoveSub(VAR ps: Set; tc: CARDINAL) =
  BEGIN
    IF ps # NIL THEN ps.removeSub(tc) END;
  END RemoveSub;

PROCEDURE GetSub(ps: Set; tc: CARDINAL): REFANY =
  BEGIN
    IF ps = NIL THEN RETURN NIL END;
    RETURN ps.getSub(tc);
  END GetSub;

BEGIN
END PropertyV.
