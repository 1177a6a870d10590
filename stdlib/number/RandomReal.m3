MODULE RandomReal;

IMPORT Random, Word;

PROCEDURE Real(r: Random.T): REAL =
  BEGIN
    RETURN FLOAT(Word.RightShift(r.integer(), 40)) / 16777216.0;
  END Real;

PROCEDURE Longreal(r: Random.T): LONGREAL =
  BEGIN
    RETURN FLOAT(Word.RightShift(r.integer(), 11), LONGREAL) / 9007199254740992.0d0;
  END Longreal;

PROCEDURE Extended(r: Random.T): EXTENDED =
  BEGIN
    RETURN FLOAT(Longreal(r), EXTENDED);
  END Extended;

BEGIN
END RandomReal.
