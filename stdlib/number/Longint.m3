MODULE Longint;

IMPORT Long;

PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN a = b;
  END Equal;

PROCEDURE Hash(a: T): Long.T =
  BEGIN
    RETURN Long.Xor(a, Long.RightShift(a, 32));
  END Hash;

PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1 END;
    IF a = b THEN RETURN 0 END;
    RETURN 1;
  END Compare;

BEGIN
END Longint.
