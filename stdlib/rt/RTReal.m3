UNSAFE MODULE RTReal;

IMPORT Word;

CONST
  (* What the processor makes of 0/0. Stores have tables with the hash of this NaN. *)
  NaN = Word.Shift(16_FFF8, 48);

<*INLINE*>
PROCEDURE Equal(a, b: LONGREAL): BOOLEAN =
  BEGIN
    RETURN a = b OR a # a AND b # b;
  END Equal;

<*INLINE*>
PROCEDURE Compare(a, b: LONGREAL): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1 END;
    IF a > b THEN RETURN 1 END;
    IF a = b THEN RETURN 0 END;
    RETURN ORD(a # a) - ORD(b # b);
  END Compare;

PROCEDURE Hash(x: LONGREAL): Word.T =
  VAR bits := LOOPHOLE(x, Word.T);
  BEGIN
    IF x = 0.0d0 THEN bits := 0 ELSIF x # x THEN bits := NaN END;
    RETURN Word.Times(bits, 16_9E3779B97F4A7C15);
  END Hash;

BEGIN
END RTReal.
