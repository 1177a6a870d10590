UNSAFE MODULE RealRep;

IMPORT RTFloat, RTSystem, Word;

TYPE
  Bits = BITS 32 FOR [-16_80000000..16_7FFFFFFF];

PROCEDURE ToBits(x: T): Word.T =
  BEGIN
    RETURN Word.And(LOOPHOLE(x, Bits), 16_FFFFFFFF);
  END ToBits;

PROCEDURE FromBits(w: Word.T): T =
  VAR bits: Bits := Word.Minus(Word.Xor(Word.And(w, 16_FFFFFFFF), 16_80000000), 16_80000000);
  BEGIN
    RETURN LOOPHOLE(bits, REAL);
  END FromBits;

PROCEDURE Scalb(x: T; n: INTEGER): T =
  BEGIN
    RETURN RTFloat.ScalbReal(x, n);
  END Scalb;

PROCEDURE Sqrt(x: T): T =
  BEGIN
    RETURN RTFloat.SqrtReal(x);
  END Sqrt;

PROCEDURE Parse(READONLY a: ARRAY OF CHAR): T =
  VAR used: INTEGER;
  BEGIN
    RETURN RTSystem.ParseReal(a, used);
  END Parse;

PROCEDURE Shortest(x: T; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER =
  BEGIN
    RETURN RTSystem.ShortestReal(x, digits, exponent);
  END Shortest;

PROCEDURE Scientific(x: T; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER =
  BEGIN
    RETURN RTSystem.Scientific(FLOAT(x, LONGREAL), decimals, a);
  END Scientific;

BEGIN
END RealRep.
