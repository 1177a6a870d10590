(* ElemRefTbl is the instance of Table(Elem, Refany); the elements are its keys. *)
GENERIC MODULE SetDef(Elem, ElemSet, ElemRefTbl);

REVEAL
  T = Public BRANDED "(SetDef " & Elem.Brand & ")" OBJECT
      table: ElemRefTbl.Default := NIL;
    OVERRIDES
      init := Init;
      fromArray := FromArray;
      copy := Copy;
      member := Member;
      insert := Insert;
      delete := Delete;
      size := Size;
      iterate := Iterate;
    END;

  Iterator = ElemSet.Iterator BRANDED "(SetDef.Iterator " & Elem.Brand & ")" OBJECT
      entries: ElemRefTbl.Iterator;
    OVERRIDES
      next := Next;
    END;

PROCEDURE Init(s: T; sizeHint: CARDINAL): T =
  BEGIN
    s.table := NEW(ElemRefTbl.Default).init(sizeHint);
    RETURN s;
  END Init;

PROCEDURE FromArray(s: T; READONLY a: ARRAY OF Elem.T): ElemSet.T =
  BEGIN
    EVAL Init(s, NUMBER(a));
    FOR i := 0 TO LAST(a) DO EVAL Insert(s, a[i]) END;
    RETURN s;
  END FromArray;

PROCEDURE Copy(s: T): ElemSet.T =
  VAR result := NEW(T).init(s.table.size());  i := s.table.iterate();  e: Elem.T;  r: REFANY;
  BEGIN
    WHILE i.next(e, r) DO EVAL result.table.put(e, NIL) END;
    RETURN result;
  END Copy;

PROCEDURE Member(s: T; e: Elem.T): BOOLEAN =
  VAR r: REFANY;
  BEGIN
    RETURN s.table.get(e, r);
  END Member;

PROCEDURE Insert(s: T; e: Elem.T): BOOLEAN =
  BEGIN
    RETURN s.table.put(e, NIL);
  END Insert;

PROCEDURE Delete(s: T; e: Elem.T): BOOLEAN =
  VAR r: REFANY;
  BEGIN
    RETURN s.table.delete(e, r);
  END Delete;

PROCEDURE Size(s: T): CARDINAL =
  BEGIN
    RETURN s.table.size();
  END Size;

PROCEDURE Iterate(s: T): ElemSet.Iterator =
  BEGIN
    RETURN NEW(Iterator, entries := s.table.iterate());
  END Iterate;

PROCEDURE Next(i: Iterator; VAR e: Elem.T): BOOLEAN =
  VAR r: REFANY;
  BEGIN
    RETURN i.entries.next(e, r);
  END Next;

BEGIN
END SetDef.
