UNSAFE MODULE WeakRefCleaner;

IMPORT RTTypes, WeakRef;

TYPE
  FinalCleanUp = PROCEDURE(r: REFANY);

VAR
  running := FALSE;

(* Without a second thread they run when the program collects, or asks for another one. *)
PROCEDURE Start() =
  BEGIN
    Run();
  END Start;

PROCEDURE Run() =
  VAR id, cookie: INTEGER;  r: REFANY;
  BEGIN
    IF running THEN RETURN END;
    running := TRUE;
    TRY
      LOOP
        r := RTTypes.TakeCleanup(id, cookie);
        IF r = NIL THEN EXIT END;
        IF cookie MOD 2 = Final THEN
          WITH p = LOOPHOLE(cookie - Final, FinalCleanUp) DO p(r) END;
        ELSE
          WITH p = LOOPHOLE(cookie, WeakRef.CleanUpProc) DO p(LOOPHOLE(id, WeakRef.T), r) END;
        END;
      END;
    FINALLY
      running := FALSE;
    END;
  END Run;

BEGIN
END WeakRefCleaner.
