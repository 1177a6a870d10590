MODULE Integer;

IMPORT Word;

<*INLINE*>
PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN a = b;
  END Equal;

<*INLINE*>
PROCEDURE Hash(a: T): Word.T =
  BEGIN
    RETURN Word.Xor(a, Word.RightShift(a, 32));
  END Hash;

<*INLINE*>
PROCEDURE Compare(a, b: T): [-1..1] =
  BEGIN
    (* Written without jumps, which the processor could not predict in a
       sort. *)
    RETURN ORD(a > b) - ORD(a < b);
  END Compare;

BEGIN
END Integer.
