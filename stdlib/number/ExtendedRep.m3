UNSAFE MODULE ExtendedRep;

IMPORT RTFloat, RTSystem, Word;

PROCEDURE ToBits(x: T): Word.T =
  BEGIN
    RETURN LOOPHOLE(x, Word.T);
  END ToBits;

PROCEDURE FromBits(w: Word.T): T =
  BEGIN
    RETURN LOOPHOLE(w, EXTENDED);
  END FromBits;

PROCEDURE Scalb(x: T; n: INTEGER): T =
  BEGIN
    RETURN FLOAT(RTFloat.Scalb(FLOAT(x, LONGREAL), n), EXTENDED);
  END Scalb;

PROCEDURE Sqrt(x: T): T =
  BEGIN
    RETURN FLOAT(RTFloat.Sqrt(FLOAT(x, LONGREAL)), EXTENDED);
  END Sqrt;

PROCEDURE Parse(READONLY a: ARRAY OF CHAR): T =
  VAR used: INTEGER;
  BEGIN
    RETURN FLOAT(RTSystem.Parse(a, used), EXTENDED);
  END Parse;

PROCEDURE Shortest(x: T; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER =
  BEGIN
    RETURN RTSystem.Shortest(FLOAT(x, LONGREAL), digits, exponent);
  END Shortest;

PROCEDURE Scientific(x: T; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER =
  BEGIN
    RETURN RTSystem.Scientific(FLOAT(x, LONGREAL), decimals, a);
  END Scientific;

BEGIN
END ExtendedRep.
