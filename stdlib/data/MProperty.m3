MODULE MProperty;

IMPORT PropertyRep, Thread;

REVEAL
  Set = Set_public BRANDED "MProperty.Set" OBJECT
    OVERRIDES
      put := Put;
      get := Get;
      getSub := GetSub;
      remove := Remove;
      removeSub := RemoveSub;
    END;

PROCEDURE Put(s: Set; ref: REFANY) =
  BEGIN
    LOCK s.m DO PropertyRep.Put(s, ref) END;
  END Put;

PROCEDURE Get(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    LOCK s.m DO RETURN PropertyRep.Get(s, tc) END;
  END Get;

PROCEDURE GetSub(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    LOCK s.m DO RETURN PropertyRep.GetSub(s, tc) END;
  END GetSub;

PROCEDURE Remove(s: Set; tc: CARDINAL) =
  BEGIN
    LOCK s.m DO PropertyRep.Remove(s, tc) END;
  END Remove;

PROCEDURE RemoveSub(s: Set; tc: CARDINAL) =
  BEGIN
    LOCK s.m DO PropertyRep.RemoveSub(s, tc) END;
  END RemoveSub;

PROCEDURE New(): Set =
  BEGIN
    RETURN NEW(Set, m := NEW(Thread.Mutex));
  END New;

BEGIN
END MProperty.
