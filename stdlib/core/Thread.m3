UNSAFE MODULE Thread;

IMPORT RTSystem;

REVEAL
  MUTEX = BRANDED "MUTEX" OBJECT
    held := FALSE;
  END;

  T = BRANDED "Thread.T" OBJECT
    alerted := FALSE;
  END;

  Condition = BRANDED "Thread.Condition" OBJECT END;

VAR
  self := NEW(T);

PROCEDURE Acquire(m: Mutex) =
  BEGIN
    <*ASSERT NOT m.held WITH "Thread.Acquire: the caller holds the mutex"*>
    m.held := TRUE;
  END Acquire;

PROCEDURE Release(m: Mutex) =
  BEGIN
    <*ASSERT m.held WITH "Thread.Release: the caller does not hold the mutex"*>
    m.held := FALSE;
  END Release;

PROCEDURE Pause(n: LONGREAL) =
  BEGIN
    IF n > 0.0d0 THEN RTSystem.Pause(n) END;
  END Pause;

PROCEDURE Self(): T =
  BEGIN
    RETURN self;
  END Self;

PROCEDURE Alert(t: T) =
  BEGIN
    t.alerted := TRUE;
  END Alert;

PROCEDURE TestAlert(): BOOLEAN =
  VAR result := self.alerted;
  BEGIN
    self.alerted := FALSE;
    RETURN result;
  END TestAlert;

PROCEDURE AlertPause(n: LONGREAL) RAISES {Alerted} =
  BEGIN
    IF TestAlert() THEN RAISE Alerted END;
    Pause(n);
  END AlertPause;

BEGIN
END Thread.
