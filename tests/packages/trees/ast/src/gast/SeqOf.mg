GENERIC MODULE SeqOf(Elem);
PROCEDURE AddRear(VAR s: T; e: Elem.T) =
  BEGIN IF s = NIL THEN s := NEW(T, elem := e) ELSE AddRear(s.next, e) END END AddRear;
PROCEDURE AddFront(VAR s: T; e: Elem.T) = BEGIN s := NEW(T, elem := e, next := s) END AddFront;
PROCEDURE NewIter(s: T): Iter = BEGIN RETURN Iter{s} END NewIter;
PROCEDURE Next(VAR i: Iter; VAR e: Elem.T): BOOLEAN =
  BEGIN IF i.rest = NIL THEN RETURN FALSE END; e := i.rest.elem; i.rest := i.rest.next; RETURN TRUE END Next;
PROCEDURE Length(s: T): CARDINAL = VAR n := 0; BEGIN WHILE s # NIL DO INC(n); s := s^.next END; RETURN n END Length;
BEGIN END SeqOf.
