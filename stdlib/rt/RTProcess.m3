UNSAFE MODULE RTProcess;

IMPORT RTSystem, RTTypes, TextRep;

PROCEDURE RegisterExitor(p: PROCEDURE()) =
  BEGIN
    RTSystem.AtExit(p);
  END RegisterExitor;

PROCEDURE Exit(n: INTEGER) =
  BEGIN
    RTSystem.Exit(n);
  END Exit;

PROCEDURE Crash(msg: TEXT) =
  VAR chars := TextRep.Chars(msg);
  BEGIN
    RTSystem.Crash(chars^);
  END Crash;

PROCEDURE InvokeExitors() =
  BEGIN
    RTTypes.RunExitActions();
  END InvokeExitors;

PROCEDURE RegisterForkHandlers(prep, parent, child: ForkHandler): INTEGER =
  BEGIN
    RETURN RTSystem.RegisterForkHandlers(prep, parent, child);
  END RegisterForkHandlers;

PROCEDURE Fork(): INTEGER =
  BEGIN
    RETURN RTSystem.Fork();
  END Fork;

BEGIN
END RTProcess.
