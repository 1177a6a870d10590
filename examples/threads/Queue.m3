MODULE Queue;

IMPORT RefSeq, Thread;

REVEAL
  T = Public BRANDED "Queue.T" OBJECT
      elements: RefSeq.T;
      most: CARDINAL;
      closed := FALSE;
      notEmpty, notFull: Thread.Condition;
    OVERRIDES
      init := Init;
      put := Put;
      get := Get;
      close := Close;
    END;

PROCEDURE Init(t: T; most: CARDINAL): T =
  BEGIN
    t.elements := NEW(RefSeq.T).init();
    t.most := most;
    t.notEmpty := NEW(Thread.Condition);
    t.notFull := NEW(Thread.Condition);
    RETURN t;
  END Init;

PROCEDURE Put(t: T; element: REFANY) =
  BEGIN
    LOCK t DO
      WHILE t.elements.size() = t.most DO Thread.Wait(t, t.notFull) END;
      t.elements.addhi(element);
      Thread.Signal(t.notEmpty);
    END;
  END Put;

PROCEDURE Get(t: T): REFANY =
  BEGIN
    LOCK t DO
      WHILE t.elements.size() = 0 AND NOT t.closed DO Thread.Wait(t, t.notEmpty) END;
      IF t.elements.size() = 0 THEN RETURN NIL END;
      Thread.Signal(t.notFull);
      RETURN t.elements.remlo();
    END;
  END Get;

PROCEDURE Close(t: T) =
  BEGIN
    LOCK t DO
      t.closed := TRUE;
      Thread.Broadcast(t.notEmpty);
    END;
  END Close;

BEGIN
END Queue.
