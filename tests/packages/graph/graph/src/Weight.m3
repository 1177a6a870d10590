MODULE Weight;
IMPORT Word, Real;

<*INLINE*> PROCEDURE Equal(a, b: T): BOOLEAN = BEGIN RETURN a = b; END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN RETURN Real.Hash(a); END Hash;

PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1
    ELSIF a > b THEN RETURN 1
    ELSE RETURN 0
    END
  END Compare;

<*INLINE*>
PROCEDURE Sum(a, b: T): T = BEGIN RETURN a + b END Sum;

BEGIN
END Weight.
