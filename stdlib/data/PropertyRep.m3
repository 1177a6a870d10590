UNSAFE MODULE PropertyRep EXPORTS PropertyRep, Property;

IMPORT RTLayout, RuntimeError;

PROCEDURE Put(s: Set; ref: REFANY) =
  VAR cell: Cell;
  BEGIN
    IF ref = NIL THEN RuntimeError.Raise(RuntimeError.T.BadMemoryReference) END;
    cell := Find(s, TYPECODE(ref));
    IF cell # NIL THEN
      cell.ref := ref;
    ELSE
      s.first := NEW(Cell, ref := ref, next := s.first);
    END;
  END Put;

PROCEDURE Find(s: Set; tc: CARDINAL): Cell =
  VAR cell := s.first;
  BEGIN
    WHILE cell # NIL AND TYPECODE(cell.ref) # tc DO cell := cell.next END;
    RETURN cell;
  END Find;

PROCEDURE FindSub(s: Set; tc: CARDINAL): Cell =
  VAR cell := s.first;
  BEGIN
    WHILE cell # NIL AND NOT RTLayout.IsSubtype(TYPECODE(cell.ref), tc) DO
      cell := cell.next;
    END;
    RETURN cell;
  END FindSub;

PROCEDURE RefOf(cell: Cell): REFANY =
  BEGIN
    IF cell = NIL THEN RETURN NIL ELSE RETURN cell.ref END;
  END RefOf;

PROCEDURE Get(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    RETURN RefOf(Find(s, tc));
  END Get;

PROCEDURE GetSub(s: Set; tc: CARDINAL): REFANY =
  BEGIN
    RETURN RefOf(FindSub(s, tc));
  END GetSub;

PROCEDURE TakeOut(s: Set; cell: Cell) =
  VAR previous: Cell;
  BEGIN
    IF cell = NIL THEN RETURN END;
    IF s.first = cell THEN
      s.first := cell.next;
    ELSE
      previous := s.first;
      WHILE previous.next # cell DO previous := previous.next END;
      previous.next := cell.next;
    END;
  END TakeOut;

PROCEDURE Remove(s: Set; tc: CARDINAL) =
  BEGIN
    TakeOut(s, Find(s, tc));
  END Remove;

PROCEDURE RemoveSub(s: Set; tc: CARDINAL) =
  BEGIN
    TakeOut(s, FindSub(s, tc));
  END RemoveSub;

PROCEDURE New(): Set =
  BEGIN
    RETURN NEW(Set);
  END New;

BEGIN
END PropertyRep.
