MODULE Swap;

IMPORT Compiler, Word;

PROCEDURE GetEndian(): Endian =
  BEGIN
    IF Compiler.ThisEndian = Compiler.ENDIAN.BIG THEN RETURN Endian.Big END;
    RETURN Endian.Little;
  END GetEndian;

(* The low n bytes of i in reverse order, as an unsigned number. *)
PROCEDURE Reverse(i: Word.T; n: CARDINAL): Word.T =
  VAR result: Word.T := 0;
  BEGIN
    FOR k := 0 TO n - 1 DO
      result := Word.Or(Word.Shift(result, 8), Word.Extract(i, 8 * k, 8));
    END;
    RETURN result;
  END Reverse;

(* Sign-extends a number of n bits, whose sign is bit n - 1. *)
PROCEDURE SignExtend(i: Word.T; n: [1..Word.Size - 1]): INTEGER =
  BEGIN
    IF Word.Extract(i, n - 1, 1) = 1 THEN
      RETURN Word.Or(i, Word.Shift(Word.Not(0), n));
    END;
    RETURN i;
  END SignExtend;

PROCEDURE Swap4(i: Int32): Int32 =
  BEGIN
    RETURN SignExtend(Reverse(i, 4), 32);
  END Swap4;

PROCEDURE Swap2(i: Int16): Int16 =
  BEGIN
    RETURN SignExtend(Reverse(i, 2), 16);
  END Swap2;

PROCEDURE Swap2U(i: UInt16): UInt16 =
  BEGIN
    RETURN Reverse(i, 2);
  END Swap2U;

PROCEDURE Swap8(READONLY i: Int64On32): Int64On32 =
  BEGIN
    RETURN Int64On32{a := Swap4(i.b), b := Swap4(i.a)};
  END Swap8;

PROCEDURE SwapInt(i: INTEGER): INTEGER =
  BEGIN
    RETURN Reverse(i, Word.Size DIV 8);
  END SwapInt;

BEGIN
  endian := GetEndian();
END Swap.
