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

VAR
  (* One mutex for all sets from databases: mutexes are not stored, and giving a set a new mutex
     may need a transaction. *)
  common := NEW(Thread.Mutex);

PROCEDURE MutexOf(s: Set): Thread.Mutex =
  VAR m := s.m;
  BEGIN
    IF m = NIL THEN RETURN common ELSE RETURN m END;
  END MutexOf;

PROCEDURE Put(s: Set; ref: REFANY) =
  BEGIN
    LOCK MutexOf(s) DO PropertyRep.Put(s, ref) END;
  END Put;

PROCEDURE Get(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    LOCK MutexOf(s) DO RETURN PropertyRep.Get(s, tc) END;
  END Get;

PROCEDURE GetSub(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    LOCK MutexOf(s) DO RETURN PropertyRep.GetSub(s, tc) END;
  END GetSub;

PROCEDURE Remove(s: Set; tc: CARDINAL) =
  BEGIN
    LOCK MutexOf(s) DO PropertyRep.Remove(s, tc) END;
  END Remove;

PROCEDURE RemoveSub(s: Set; tc: CARDINAL) =
  BEGIN
    LOCK MutexOf(s) DO PropertyRep.RemoveSub(s, tc) END;
  END RemoveSub;

PROCEDURE New(): Set =
  BEGIN
    RETURN NEW(Set, m := NEW(Thread.Mutex));
  END New;

BEGIN
END MProperty.
