MODULE Root;

IMPORT Word;

PROCEDURE Equal(r1, r2: T): BOOLEAN =
  BEGIN
    RETURN r1 = r2;
  END Equal;

PROCEDURE Hash(<*UNUSED*> r: T): Word.T =
  BEGIN
    <*ASSERT FALSE WITH "Root.Hash: references have no hash value"*>
  END Hash;

PROCEDURE Compare(<*UNUSED*> r1, r2: T): [-1..1] =
  BEGIN
    <*ASSERT FALSE WITH "Root.Compare: references have no order"*>
  END Compare;

BEGIN
END Root.
