MODULE Real;

IMPORT RTReal, Word;

<*INLINE*>
PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN RTReal.Equal(FLOAT(a, LONGREAL), FLOAT(b, LONGREAL));
  END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN
    RETURN RTReal.Hash(FLOAT(a, LONGREAL));
  END Hash;

<*INLINE*>
PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    RETURN RTReal.Compare(FLOAT(a, LONGREAL), FLOAT(b, LONGREAL));
  END Compare;

BEGIN
END Real.
