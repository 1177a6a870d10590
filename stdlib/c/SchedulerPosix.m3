UNSAFE MODULE SchedulerPosix;

IMPORT Scheduler, ThreadInput, Uexec;
FROM Ctypes IMPORT int;
FROM Thread IMPORT Alerted;
FROM ThreadInput IMPORT State;

CONST
  Results = ARRAY State OF WaitResult{WaitResult.Timeout, WaitResult.Ready, WaitResult.Error,
                                      WaitResult.FDError};

PROCEDURE IOWait(fd: INTEGER; read: BOOLEAN; timeoutInterval: LONGREAL): WaitResult =
  <*FATAL Alerted*>  (* asked for no alert *)
  BEGIN
    RETURN Wait(fd, read, timeoutInterval, alertable := FALSE);
  END IOWait;

PROCEDURE IOAlertWait(fd: INTEGER; read: BOOLEAN; timeoutInterval: LONGREAL): WaitResult
  RAISES {Alerted} =
  BEGIN
    RETURN Wait(fd, read, timeoutInterval, alertable := TRUE);
  END IOAlertWait;

PROCEDURE Wait(fd: INTEGER; read: BOOLEAN; timeoutInterval: LONGREAL; alertable: BOOLEAN): WaitResult
  RAISES {Alerted} =
  BEGIN
    IF fd < 0 THEN RETURN WaitResult.FDError END;
    RETURN Results[ThreadInput.AwaitFile(fd, NOT read, timeoutInterval, alertable)];
  END Wait;

PROCEDURE WaitProcess(pid: int; VAR status: int): int =
  BEGIN
    RETURN Uexec.waitpid(pid, ADR(status), 0);
  END WaitProcess;

PROCEDURE DisableSwitching() =
  BEGIN
    Scheduler.DisableSwitching();
  END DisableSwitching;

PROCEDURE EnableSwitching() =
  BEGIN
    Scheduler.EnableSwitching();
  END EnableSwitching;

BEGIN
END SchedulerPosix.
