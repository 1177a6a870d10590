MODULE Real;

IMPORT RTReal, Word;

PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN a = b;
  END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN
    RETURN Word.Times(RTReal.Bits(FLOAT(a, LONGREAL)), 16_9E3779B97F4A7C15);
  END Hash;

PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1 END;
    IF a > b THEN RETURN 1 END;
    RETURN 0;
  END Compare;

BEGIN
END Real.
