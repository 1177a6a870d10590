MODULE Longint;

IMPORT Word;

PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN a = b;
  END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN
    RETURN Word.Xor(VAL(a, INTEGER), Word.RightShift(VAL(a, INTEGER), 32));
  END Hash;

PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    IF a < b THEN RETURN -1 END;
    IF a = b THEN RETURN 0 END;
    RETURN 1;
  END Compare;

BEGIN
END Longint.
