UNSAFE MODULE Random;

IMPORT RTSystem, RuntimeError, Word;

REVEAL
  (* The generator splitmix64: a counter and a mixing function, whose period is 2 to the 64th. *)
  Default = T OBJECT METHODS
      init(fixed := FALSE): Default;
    END BRANDED "Random.Default" OBJECT
      state: Word.T := 0;
    OVERRIDES
      init := Init;
      integer := Integer;
      real := Real;
      longreal := LongReal;
      extended := Extended;
      boolean := Boolean;
    END;

CONST
  Step = 16_9E3779B97F4A7C15;  (* 2 to the 64th divided by the golden ratio *)

PROCEDURE Init(r: Default; fixed: BOOLEAN): Default =
  BEGIN
    IF fixed THEN r.state := 0 ELSE r.state := RTSystem.RandomSeed() END;
    RETURN r;
  END Init;

PROCEDURE Next(r: Default): Word.T =
  VAR z: Word.T;
  BEGIN
    r.state := Word.Plus(r.state, Step);
    z := r.state;
    z := Word.Times(Word.Xor(z, Word.RightShift(z, 30)), 16_BF58476D1CE4E5B9);
    z := Word.Times(Word.Xor(z, Word.RightShift(z, 27)), 16_94D049BB133111EB);
    RETURN Word.Xor(z, Word.RightShift(z, 31));
  END Next;

PROCEDURE Integer(r: Default; min, max: INTEGER): INTEGER =
  VAR range, limit, z: Word.T;
  BEGIN
    IF min > max THEN RuntimeError.Raise(RuntimeError.T.ValueOutOfRange) END;
    range := Word.Plus(Word.Minus(max, min), 1);  (* 0 stands for 2 to the 64th *)
    IF range = 0 THEN RETURN Next(r) END;
    IF Word.And(range, Word.Minus(range, 1)) = 0 THEN
      RETURN Word.Plus(min, Word.And(Next(r), Word.Minus(range, 1)));
    END;
    (* Reject the numbers beyond the last multiple of range, so that the rest is uniform. *)
    limit := Word.Times(Word.Divide(Word.Not(0), range), range);
    REPEAT z := Next(r) UNTIL Word.LT(z, limit);
    RETURN Word.Plus(min, Word.Mod(z, range));
  END Integer;

(* Whether a bound is finite; an infinity minus itself is a NaN. *)
PROCEDURE CheckBound(x: LONGREAL) =
  BEGIN
    IF NOT x - x = 0.0d0 THEN RuntimeError.Raise(RuntimeError.T.ValueOutOfRange) END;
  END CheckBound;

PROCEDURE Real(r: Default; min, max: REAL): REAL =
  VAR x: REAL;
  BEGIN
    CheckBound(FLOAT(min, LONGREAL));
    CheckBound(FLOAT(max, LONGREAL));
    (* Half of a width that overflows does not overflow. *)
    IF ABS(max - min) >= LAST(REAL) THEN
      REPEAT x := 2.0 * Real(r, min / 2.0, max / 2.0) UNTIL x < max OR min >= max;
      RETURN x;
    END;
    (* Rounding may give max itself. *)
    REPEAT
      x := min + (max - min) * (FLOAT(Word.RightShift(Next(r), 40)) / 16777216.0);
    UNTIL x < max OR min >= max;
    RETURN x;
  END Real;

PROCEDURE LongReal(r: Default; min, max: LONGREAL): LONGREAL =
  VAR x: LONGREAL;
  BEGIN
    CheckBound(min);
    CheckBound(max);
    IF ABS(max - min) >= LAST(LONGREAL) THEN
      REPEAT x := 2.0d0 * LongReal(r, min / 2.0d0, max / 2.0d0) UNTIL x < max OR min >= max;
      RETURN x;
    END;
    REPEAT
      x := min + (max - min)
                 * (FLOAT(Word.RightShift(Next(r), 11), LONGREAL) / 9007199254740992.0d0);
    UNTIL x < max OR min >= max;
    RETURN x;
  END LongReal;

PROCEDURE Extended(r: Default; min, max: EXTENDED): EXTENDED =
  BEGIN
    RETURN FLOAT(LongReal(r, FLOAT(min, LONGREAL), FLOAT(max, LONGREAL)), EXTENDED);
  END Extended;

PROCEDURE Boolean(r: Default): BOOLEAN =
  BEGIN
    RETURN Next(r) < 0;
  END Boolean;

BEGIN
END Random.
