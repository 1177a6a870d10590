UNSAFE MODULE RTProcess;

IMPORT RTSystem, RTTypes, TextRep, Thread;

TYPE
  Watcher = Thread.Closure OBJECT OVERRIDES apply := Watch END;

VAR
  mu := NEW(MUTEX);
  interruptHandler: InterruptHandler := NIL;
  watching := FALSE;
  enableInterrupts, disableInterrupts: PROCEDURE () := NIL;

PROCEDURE RegisterExitor(p: PROCEDURE ()) =
  VAR exitor := p;  (* a checked run-time error if it is local *)
  BEGIN
    RTSystem.AtExit(exitor);
  END RegisterExitor;

PROCEDURE Exit(n: INTEGER) =
  BEGIN
    IF n # 0 AND n MOD 256 = 0 THEN n := 255 END;  (* the low 8 bits of n would be a success *)
    RTSystem.Exit(n);
  END Exit;

PROCEDURE Crash(msg: TEXT) =
  VAR chars := TextRep.CharsOr(msg, '?');
  BEGIN
    RTSystem.Crash(chars^);
  END Crash;

PROCEDURE InvokeExitors() =
  BEGIN
    RTTypes.RunExitActions();
  END InvokeExitors;

PROCEDURE OnInterrupt(p: InterruptHandler): InterruptHandler =
  VAR old: InterruptHandler;  hook: PROCEDURE () := NIL;
  BEGIN
    LOCK mu DO
      old := interruptHandler;
      interruptHandler := p;
      IF p # NIL AND NOT watching THEN
        watching := TRUE;
        EVAL Thread.Fork(NEW(Watcher));
      END;
      IF (old = NIL) # (p = NIL) THEN
        RTSystem.CatchInterrupts(p # NIL);
        IF p = NIL THEN hook := disableInterrupts ELSE hook := enableInterrupts END;
      END;
    END;
    IF hook # NIL THEN hook() END;
    RETURN old;
  END OnInterrupt;

PROCEDURE RegisterInterruptSetup(enable, disable: PROCEDURE ()) =
  VAR now: BOOLEAN;
  BEGIN
    LOCK mu DO
      enableInterrupts := enable;
      disableInterrupts := disable;
      now := interruptHandler # NIL;
    END;
    IF now AND enable # NIL THEN enable() END;
  END RegisterInterruptSetup;

PROCEDURE Watch(<*UNUSED*> w: Watcher): REFANY =
  VAR seen := 0;  handler: InterruptHandler;
  BEGIN
    LOOP
      seen := RTSystem.AwaitInterrupt(seen);
      LOCK mu DO handler := interruptHandler END;
      IF handler # NIL THEN handler() END;
    END;
  END Watch;

PROCEDURE RegisterForkHandlers(prep, parent, child: ForkHandler): INTEGER =
  VAR p1 := prep;  p2 := parent;  p3 := child;  (* a checked run-time error if one is local *)
  BEGIN
    RETURN RTSystem.RegisterForkHandlers(p1, p2, p3);
  END RegisterForkHandlers;

PROCEDURE Fork(): INTEGER =
  BEGIN
    RETURN RTSystem.Fork();
  END Fork;

BEGIN
END RTProcess.
