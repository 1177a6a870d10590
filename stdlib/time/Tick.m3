UNSAFE MODULE Tick;

IMPORT RTSystem, Word;

CONST
  PerSecond = 1.0d9;
  TwoTo64 = 18446744073709551616.0d0;

PROCEDURE Now(): T =
  BEGIN
    RETURN RTSystem.TickNow();
  END Now;

PROCEDURE ToSeconds(t: Word.T): LONGREAL =
  BEGIN
    IF t < 0 THEN RETURN (FLOAT(t, LONGREAL) + TwoTo64) / PerSecond END;
    RETURN FLOAT(t, LONGREAL) / PerSecond;
  END ToSeconds;

PROCEDURE FromSeconds(s: LONGREAL): Word.T RAISES {Overflow} =
  BEGIN
    IF s < 0.0d0 OR s > 9.2d9 THEN RAISE Overflow END;
    RETURN ROUND(s * PerSecond);
  END FromSeconds;

BEGIN
END Tick.
