MODULE SHA256Block;

IMPORT Math, Word;

CONST
  Mask = 16_FFFFFFFF;

VAR
  roots: ARRAY [0..63] OF Word.T;  (* the first 32 bits of the fractions of primes' cube roots *)

PROCEDURE Rotate(x: Word.T; n: [0..31]): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.RightShift(x, n), Word.LeftShift(x, 32 - n)), Mask);
  END Rotate;

PROCEDURE Xor3(a, b, c: Word.T): Word.T =
  BEGIN
    RETURN Word.Xor(a, Word.Xor(b, c));
  END Xor3;

PROCEDURE Add(VAR s: State; READONLY block: ARRAY [0..15] OF Word.T) =
  VAR w: ARRAY [0..63] OF Word.T;  t := s;  t1, t2: Word.T;
  BEGIN
    SUBARRAY(w, 0, 16) := block;
    FOR i := 16 TO 63 DO
      WITH a = w[i - 15], b = w[i - 2] DO
        w[i] := Word.And(w[i - 16] + w[i - 7]
                           + Xor3(Rotate(a, 7), Rotate(a, 18), Word.RightShift(a, 3))
                           + Xor3(Rotate(b, 17), Rotate(b, 19), Word.RightShift(b, 10)), Mask);
      END;
    END;
    FOR i := 0 TO 63 DO
      t1 := t[7] + Xor3(Rotate(t[4], 6), Rotate(t[4], 11), Rotate(t[4], 25))
              + Word.Xor(Word.And(t[4], t[5]), Word.And(Word.Xor(t[4], Mask), t[6]))
              + roots[i] + w[i];
      t2 := Xor3(Rotate(t[0], 2), Rotate(t[0], 13), Rotate(t[0], 22))
        + Xor3(Word.And(t[0], t[1]), Word.And(t[0], t[2]), Word.And(t[1], t[2]));
      SUBARRAY(t, 1, 7) := SUBARRAY(t, 0, 7);
      t[4] := Word.And(t[4] + t1, Mask);
      t[0] := Word.And(t1 + t2, Mask);
    END;
    FOR i := 0 TO 7 DO s[i] := Word.And(s[i] + t[i], Mask) END;
  END Add;

PROCEDURE IsPrime(n: CARDINAL): BOOLEAN =
  BEGIN
    FOR i := 2 TO n - 1 DO
      IF n MOD i = 0 THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsPrime;

PROCEDURE FillRoots() =
  VAR n: CARDINAL := 1;  root: LONGREAL;
  BEGIN
    FOR i := 0 TO 63 DO
      REPEAT INC(n) UNTIL IsPrime(n);
      root := Math.pow(FLOAT(n, LONGREAL), 1.0d0 / 3.0d0);
      roots[i] := TRUNC((root - FLOAT(TRUNC(root), LONGREAL)) * 4294967296.0d0);
    END;
  END FillRoots;

BEGIN
  FillRoots();
END SHA256Block.
