UNSAFE MODULE Time;

IMPORT RTSystem;

PROCEDURE Now(): T =
  BEGIN
    RETURN RTSystem.TimeNow();
  END Now;

BEGIN
  Grain := RTSystem.TimeGrain();
END Time.
