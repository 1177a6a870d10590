MODULE Dice;

IMPORT Env, FloatMode, Fmt, Lex, Random, Scan, Word;

<*FATAL Lex.Error, FloatMode.Trap*>

VAR
  seed, state: Word.T;

PROCEDURE Roll(n: CARDINAL): CARDINAL =
  VAR z: Word.T;
  BEGIN
    state := Word.Plus(state, 16_9E3779B97F4A7C15);
    z := Word.Times(Word.Xor(state, Word.RightShift(state, 30)), 16_BF58476D1CE4E5B9);
    z := Word.Times(Word.Xor(z, Word.RightShift(z, 27)), 16_94D049BB133111EB);
    RETURN Word.Mod(Word.Xor(z, Word.RightShift(z, 31)), n);
  END Roll;

PROCEDURE With(what: TEXT): TEXT =
  BEGIN
    RETURN "seed " & Fmt.Int(seed) & ": " & what;
  END With;

BEGIN
  IF Env.Get("SEED") = NIL THEN
    seed := NEW(Random.Default).init().integer(0, 999999999);
  ELSE
    seed := Scan.Int(Env.Get("SEED"));
  END;
  state := seed;
END Dice.
