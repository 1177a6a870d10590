UNSAFE MODULE WeakRefCleaner;

IMPORT RTThread, RTTypes, Thread, WeakRef;

TYPE
  FinalCleanUp = PROCEDURE (r: REFANY);
  Cleaner = Thread.Closure OBJECT OVERRIDES apply := CleanForEver END;

VAR
  mu := NEW(MUTEX);
  started := FALSE;

PROCEDURE Start() =
  BEGIN
    LOCK mu DO
      IF NOT started THEN
        started := TRUE;
        EVAL Thread.Fork(NEW(Cleaner));
      END;
    END;
  END Start;

(* Clean-ups run in a thread of their own, because they may wait for locks held by the thread in
   which the collector ran. *)
PROCEDURE CleanForEver(<*UNUSED*> c: Cleaner): REFANY =
  BEGIN
    LOOP
      RTThread.AwaitCleanups();
      Run();
    END;
  END CleanForEver;

PROCEDURE Run() =
  VAR id, cookie: INTEGER;  r: REFANY;
  BEGIN
    LOOP
      r := RTTypes.TakeCleanup(id, cookie);
      IF r = NIL THEN EXIT END;
      IF cookie MOD 2 = Final THEN
        WITH p = LOOPHOLE(cookie - Final, FinalCleanUp) DO p(r) END;
      ELSE
        WITH p = LOOPHOLE(cookie, WeakRef.CleanUpProc) DO p(LOOPHOLE(id, WeakRef.T), r) END;
      END;
    END;
  END Run;

BEGIN
END WeakRefCleaner.
