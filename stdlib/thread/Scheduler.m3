UNSAFE MODULE Scheduler;

IMPORT RTThread;

VAR
  mu := NEW(MUTEX);
  disabled: CARDINAL := 0;

PROCEDURE Yield() =
  BEGIN
    RTThread.Yield();
  END Yield;

PROCEDURE DisableSwitching() =
  BEGIN
    LOCK mu DO INC(disabled) END;
  END DisableSwitching;

PROCEDURE EnableSwitching() =
  BEGIN
    LOCK mu DO
      <*ASSERT disabled > 0 WITH "Scheduler.EnableSwitching: switching is not disabled"*>
      DEC(disabled);
    END;
  END EnableSwitching;

BEGIN
END Scheduler.
