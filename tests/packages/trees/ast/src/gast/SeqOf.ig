GENERIC INTERFACE SeqOf(Elem);
TYPE T = BRANDED "SeqOf " & Elem.Brand REF RECORD elem: Elem.T; next: T := NIL END;
CONST Null: T = NIL;
TYPE Iter = RECORD rest: T END;
PROCEDURE AddRear(VAR s: T; e: Elem.T);
PROCEDURE AddFront(VAR s: T; e: Elem.T);
PROCEDURE NewIter(s: T): Iter;
PROCEDURE Next(VAR i: Iter; VAR e: Elem.T): BOOLEAN;
PROCEDURE Length(s: T): CARDINAL;
END SeqOf.
