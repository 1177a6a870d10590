UNSAFE MODULE WeakRef;

IMPORT RTTypes, WeakRefCleaner;

PROCEDURE FromRef(r: REFANY; p: CleanUpProc := NIL): T =
  VAR cleanUp := p;  (* a checked run-time error if it is local *)
  BEGIN
    <*ASSERT r # NIL WITH "WeakRef.FromRef: a weak reference to NIL"*>
    IF cleanUp # NIL THEN WeakRefCleaner.Start() END;
    RETURN LOOPHOLE(RTTypes.RegisterWeak(r, LOOPHOLE(cleanUp, INTEGER)), T);
  END FromRef;

PROCEDURE ToRef(w: T): REFANY =
  BEGIN
    RETURN RTTypes.WeakTarget(LOOPHOLE(w, INTEGER));
  END ToRef;

BEGIN
END WeakRef.
