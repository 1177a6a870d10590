GENERIC MODULE List(Elem);

PROCEDURE Cons(READONLY head: Elem.T; tail: T): T =
  BEGIN
    RETURN NEW(T, head := head, tail := tail);
  END Cons;

PROCEDURE List1(READONLY e1: Elem.T): T =
  BEGIN
    RETURN NEW(T, head := e1, tail := NIL);
  END List1;

PROCEDURE List2(READONLY e1, e2: Elem.T): T =
  BEGIN
    RETURN NEW(T, head := e1, tail := List1(e2));
  END List2;

PROCEDURE List3(READONLY e1, e2, e3: Elem.T): T =
  BEGIN
    RETURN NEW(T, head := e1, tail := List2(e2, e3));
  END List3;

PROCEDURE FromArray(READONLY e: ARRAY OF Elem.T): T =
  VAR result: T := NIL;
  BEGIN
    FOR i := LAST(e) TO FIRST(e) BY -1 DO
      result := NEW(T, head := e[i], tail := result);
    END;
    RETURN result;
  END FromArray;

PROCEDURE Length(l: T): CARDINAL =
  VAR n: CARDINAL := 0;
  BEGIN
    WHILE l # NIL DO INC(n); l := l.tail END;
    RETURN n;
  END Length;

PROCEDURE Nth(l: T; n: CARDINAL): Elem.T =
  BEGIN
    WHILE n > 0 DO l := l.tail; DEC(n) END;
    RETURN l.head;
  END Nth;

PROCEDURE Member(l: T; READONLY e: Elem.T): BOOLEAN =
  BEGIN
    WHILE l # NIL DO
      IF Elem.Equal(l.head, e) THEN RETURN TRUE END;
      l := l.tail;
    END;
    RETURN FALSE;
  END Member;

PROCEDURE Append(l1: T; l2: T): T =
  VAR first, last, cell: T;
  BEGIN
    IF l1 = NIL THEN RETURN l2 END;
    first := NEW(T, head := l1.head, tail := l2);
    last := first;
    l1 := l1.tail;
    WHILE l1 # NIL DO
      cell := NEW(T, head := l1.head, tail := l2);
      last.tail := cell;
      last := cell;
      l1 := l1.tail;
    END;
    RETURN first;
  END Append;

PROCEDURE AppendD(l1: T; l2: T): T =
  VAR last := l1;
  BEGIN
    IF l1 = NIL THEN RETURN l2 END;
    WHILE last.tail # NIL DO last := last.tail END;
    last.tail := l2;
    RETURN l1;
  END AppendD;

PROCEDURE Reverse(l: T): T =
  VAR result: T := NIL;
  BEGIN
    WHILE l # NIL DO
      result := NEW(T, head := l.head, tail := result);
      l := l.tail;
    END;
    RETURN result;
  END Reverse;

PROCEDURE ReverseD(l: T): T =
  VAR result: T := NIL;  next: T;
  BEGIN
    WHILE l # NIL DO
      next := l.tail;
      l.tail := result;
      result := l;
      l := next;
    END;
    RETURN result;
  END ReverseD;

BEGIN
END List.
