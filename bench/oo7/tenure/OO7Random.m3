MODULE OO7Random;

IMPORT Word;

VAR state: Word.T := 1;

<*INLINE*> PROCEDURE Start(seed: CARDINAL) =
  BEGIN
    state := seed;
  END Start;

<*INLINE*> PROCEDURE Draw(n: CARDINAL): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33) MOD n;
  END Draw;

BEGIN
END OO7Random.
