MODULE LongReal;

IMPORT RTReal, Word;

<*INLINE*>
PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN RTReal.Equal(a, b);
  END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN
    RETURN RTReal.Hash(a);
  END Hash;

<*INLINE*>
PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    RETURN RTReal.Compare(a, b);
  END Compare;

BEGIN
END LongReal.
