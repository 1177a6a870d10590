(* ElemList is the instance of List(Elem). *)
GENERIC MODULE SetList(Elem, ElemSet, ElemList);

REVEAL
  T = Public BRANDED "(SetList " & Elem.Brand & ")" OBJECT
      elements: ElemList.T := NIL;
    OVERRIDES
      init := Init;
      fromArray := FromArray;
      copy := Copy;
      member := Member;
      insert := Insert;
      delete := Delete;
      size := Size;
      isEmpty := IsEmpty;
      iterate := Iterate;
    END;

  Iterator = ElemSet.Iterator BRANDED "(SetList.Iterator " & Elem.Brand & ")" OBJECT
      rest: ElemList.T;
      done := FALSE;
    OVERRIDES
      next := Next;
    END;

PROCEDURE Init(s: T): T =
  BEGIN
    s.elements := NIL;
    RETURN s;
  END Init;

PROCEDURE FromArray(s: T; READONLY a: ARRAY OF Elem.T): ElemSet.T =
  BEGIN
    s.elements := NIL;
    FOR i := LAST(a) TO 0 BY -1 DO EVAL Insert(s, a[i]) END;
    RETURN s;
  END FromArray;

PROCEDURE Copy(s: T): ElemSet.T =
  BEGIN
    RETURN NEW(T, elements := ElemList.Append(s.elements, NIL));
  END Copy;

PROCEDURE Member(s: T; e: Elem.T): BOOLEAN =
  BEGIN
    RETURN ElemList.Member(s.elements, e);
  END Member;

PROCEDURE Insert(s: T; e: Elem.T): BOOLEAN =
  BEGIN
    IF ElemList.Member(s.elements, e) THEN RETURN TRUE END;
    s.elements := ElemList.Cons(e, s.elements);
    RETURN FALSE;
  END Insert;

PROCEDURE Delete(s: T; e: Elem.T): BOOLEAN =
  VAR cell := s.elements;  previous: ElemList.T := NIL;
  BEGIN
    WHILE cell # NIL AND NOT Elem.Equal(cell.head, e) DO
      previous := cell;
      cell := cell.tail;
    END;
    IF cell = NIL THEN RETURN FALSE END;
    IF previous = NIL THEN s.elements := cell.tail ELSE previous.tail := cell.tail END;
    RETURN TRUE;
  END Delete;

PROCEDURE Size(s: T): CARDINAL =
  BEGIN
    RETURN ElemList.Length(s.elements);
  END Size;

PROCEDURE IsEmpty(s: T): BOOLEAN =
  BEGIN
    RETURN s.elements = NIL;
  END IsEmpty;

PROCEDURE Iterate(s: T): ElemSet.Iterator =
  BEGIN
    RETURN NEW(Iterator, rest := s.elements);
  END Iterate;

PROCEDURE Next(i: Iterator; VAR e: Elem.T): BOOLEAN =
  BEGIN
    <*ASSERT NOT i.done WITH "SetList: the iterator has come to its end"*>
    IF i.rest = NIL THEN
      i.done := TRUE;
      RETURN FALSE;
    END;
    e := i.rest.head;
    i.rest := i.rest.tail;
    RETURN TRUE;
  END Next;

BEGIN
END SetList.
