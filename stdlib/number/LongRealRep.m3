UNSAFE MODULE LongRealRep;

IMPORT RTFloat, RTSystem, Word;

PROCEDURE ToBits(x: T): Word.T =
  BEGIN
    RETURN LOOPHOLE(x, Word.T);
  END ToBits;

PROCEDURE FromBits(w: Word.T): T =
  BEGIN
    RETURN LOOPHOLE(w, LONGREAL);
  END FromBits;

PROCEDURE Scalb(x: T; n: INTEGER): T =
  BEGIN
    RETURN RTFloat.Scalb(x, n);
  END Scalb;

PROCEDURE Sqrt(x: T): T =
  BEGIN
    RETURN RTFloat.Sqrt(x);
  END Sqrt;

PROCEDURE Parse(READONLY a: ARRAY OF CHAR): T =
  VAR used: INTEGER;
  BEGIN
    RETURN RTSystem.Parse(a, used);
  END Parse;

PROCEDURE Shortest(x: T; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER =
  BEGIN
    RETURN RTSystem.Shortest(x, digits, exponent);
  END Shortest;

PROCEDURE Scientific(x: T; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER =
  BEGIN
    RETURN RTSystem.Scientific(x, decimals, a);
  END Scientific;

BEGIN
END LongRealRep.
