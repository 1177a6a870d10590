MODULE MD5Block;

IMPORT Math, Word;

CONST
  Mask = 16_FFFFFFFF;
  Shifts = ARRAY [0..3], [0..3] OF [0..31]{ARRAY [0..3] OF [0..31]{7, 12, 17, 22},
                                          ARRAY [0..3] OF [0..31]{5, 9, 14, 20},
                                          ARRAY [0..3] OF [0..31]{4, 11, 16, 23},
                                          ARRAY [0..3] OF [0..31]{6, 10, 15, 21}};

VAR
  sines: ARRAY [0..63] OF Word.T;  (* the first 32 bits of the fraction of ABS(sin(i + 1)) *)

PROCEDURE Rotate(x: Word.T; n: [0..31]): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.LeftShift(x, n), Word.RightShift(x, 32 - n)), Mask);
  END Rotate;

PROCEDURE Add(VAR s: State; READONLY block: ARRAY [0..15] OF Word.T) =
  VAR a := s[0];  b := s[1];  c := s[2];  d := s[3];  f, next: Word.T;  g: [0..15];
  BEGIN
    FOR i := 0 TO 63 DO
      CASE i DIV 16 OF
      | 0 =>
        f := Word.Or(Word.And(b, c), Word.And(Word.Not(b), d));
        g := i;
      | 1 =>
        f := Word.Or(Word.And(d, b), Word.And(Word.Not(d), c));
        g := (5 * i + 1) MOD 16;
      | 2 =>
        f := Word.Xor(b, Word.Xor(c, d));
        g := (3 * i + 5) MOD 16;
      ELSE
        f := Word.Xor(c, Word.Or(b, Word.Xor(d, Mask)));
        g := 7 * i MOD 16;
      END;
      next := Word.And(Word.And(f, Mask) + a + sines[i] + block[g], Mask);
      a := d;
      d := c;
      c := b;
      b := Word.And(b + Rotate(next, Shifts[i DIV 16, i MOD 4]), Mask);
    END;
    s[0] := Word.And(s[0] + a, Mask);
    s[1] := Word.And(s[1] + b, Mask);
    s[2] := Word.And(s[2] + c, Mask);
    s[3] := Word.And(s[3] + d, Mask);
  END Add;

BEGIN
  FOR i := 0 TO 63 DO
    sines[i] := TRUNC(ABS(Math.sin(FLOAT(i + 1, LONGREAL))) * 4294967296.0d0);
  END;
END MD5Block.
