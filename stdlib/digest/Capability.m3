UNSAFE MODULE Capability;

IMPORT RTSystem, TimeStamp, Word;

PROCEDURE New(): T =
  VAR t: T;  random := RTSystem.RandomSeed();
  BEGIN
    t.ts := TimeStamp.New();
    FOR i := 0 TO 7 DO t.random[i] := Word.Extract(random, 8 * i, 8) END;
    RETURN t;
  END New;

PROCEDURE Equal(READONLY t1, t2: T): BOOLEAN =
  BEGIN
    RETURN t1 = t2;
  END Equal;

PROCEDURE Hash(READONLY t: T): INTEGER =
  VAR hash: Word.T := 0;
  BEGIN
    FOR i := 0 TO 7 DO hash := Word.Insert(hash, t.random[i], 8 * i, 8) END;
    RETURN hash;
  END Hash;

BEGIN
END Capability.
