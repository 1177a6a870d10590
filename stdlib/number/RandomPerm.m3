MODULE RandomPerm;

IMPORT Random, Word;

REVEAL
  (* The numbers of a linear congruential generator modulo the least power of two that is >= n;
     its period is that power. Numbers >= n are left out. *)
  LowQuality = T OBJECT METHODS
      init(n: CARDINAL; r: Random.T): LowQuality;
    END BRANDED "RandomPerm.LowQuality" OBJECT
      n, given: CARDINAL := 0;
      mask, state, factor, step: Word.T := 0;
    OVERRIDES
      init := LowInit;
      size := LowSize;
      index := LowIndex;
      copy := LowCopy;
      next := LowNext;
    END;

  HighQuality = T OBJECT METHODS
      init(n: CARDINAL; r: Random.T): HighQuality;
    END BRANDED "RandomPerm.HighQuality" OBJECT
      numbers: REF ARRAY OF CARDINAL := NIL;
      given: CARDINAL := 0;
    OVERRIDES
      init := HighInit;
      size := HighSize;
      index := HighIndex;
      copy := HighCopy;
      next := HighNext;
    END;

PROCEDURE LowInit(p: LowQuality; n: CARDINAL; r: Random.T): LowQuality =
  VAR power: Word.T := 1;
  BEGIN
    WHILE Word.LT(power, n) DO power := Word.LeftShift(power, 1) END;
    p.n := n;
    p.given := 0;
    p.mask := Word.Minus(power, 1);
    (* The full period needs an odd step and a factor that is 1 modulo 4 (Knuth 1998, 3.2.1.2). *)
    p.factor := Word.Or(Word.And(r.integer(), Word.Not(3)), 1);
    p.step := Word.Or(r.integer(), 1);
    p.state := r.integer();
    RETURN p;
  END LowInit;

PROCEDURE LowSize(p: LowQuality): CARDINAL =
  BEGIN
    RETURN p.n;
  END LowSize;

PROCEDURE LowIndex(p: LowQuality): CARDINAL =
  BEGIN
    RETURN p.given;
  END LowIndex;

PROCEDURE LowCopy(p: LowQuality): T =
  BEGIN
    RETURN NEW(LowQuality, n := p.n, given := p.given, mask := p.mask, state := p.state,
               factor := p.factor, step := p.step);
  END LowCopy;

PROCEDURE LowNext(p: LowQuality): CARDINAL RAISES {Exhausted} =
  BEGIN
    IF p.given = p.n THEN RAISE Exhausted END;
    INC(p.given);
    REPEAT
      p.state := Word.Plus(Word.Times(p.state, p.factor), p.step);
    UNTIL Word.LT(Word.And(p.state, p.mask), p.n);
    RETURN Word.And(p.state, p.mask);
  END LowNext;

PROCEDURE HighInit(p: HighQuality; n: CARDINAL; r: Random.T): HighQuality =
  BEGIN
    p.numbers := NEW(REF ARRAY OF CARDINAL, n);
    p.given := 0;
    Fill(p.numbers^, r);
    RETURN p;
  END HighInit;

PROCEDURE HighSize(p: HighQuality): CARDINAL =
  BEGIN
    RETURN NUMBER(p.numbers^);
  END HighSize;

PROCEDURE HighIndex(p: HighQuality): CARDINAL =
  BEGIN
    RETURN p.given;
  END HighIndex;

PROCEDURE HighCopy(p: HighQuality): T =
  BEGIN
    RETURN NEW(HighQuality, numbers := p.numbers, given := p.given);
  END HighCopy;

PROCEDURE HighNext(p: HighQuality): CARDINAL RAISES {Exhausted} =
  BEGIN
    IF p.given = NUMBER(p.numbers^) THEN RAISE Exhausted END;
    INC(p.given);
    RETURN p.numbers[p.given - 1];
  END HighNext;

PROCEDURE Fill(VAR perm: ARRAY OF CARDINAL; r: Random.T) =
  VAR j: CARDINAL;
  BEGIN
    FOR i := 0 TO LAST(perm) DO
      j := r.integer(0, i);
      perm[i] := perm[j];
      perm[j] := i;
    END;
  END Fill;

BEGIN
END RandomPerm.
