UNSAFE MODULE WeakRef;

IMPORT RTTypes, WeakRefCleaner;

PROCEDURE FromRef(r: REFANY; p: CleanUpProc := NIL): T =
  BEGIN
    <*ASSERT r # NIL WITH "WeakRef.FromRef: a weak reference to NIL"*>
    IF p # NIL THEN WeakRefCleaner.Start() END;
    RETURN LOOPHOLE(RTTypes.RegisterWeak(r, LOOPHOLE(p, INTEGER)), T);
  END FromRef;

PROCEDURE ToRef(w: T): REFANY =
  BEGIN
    RETURN RTTypes.WeakTarget(LOOPHOLE(w, INTEGER));
  END ToRef;

BEGIN
END WeakRef.
