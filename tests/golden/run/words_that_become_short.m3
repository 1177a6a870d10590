(* golden: run *)
(* Loops that rotate the low 32 bits of variables of type Word.T, whose upper bits are zero after some iterations
   (narrow_loops of the compiler), whatever the upper bits of the first values are. *)
MODULE Main;

IMPORT Fmt, IO, Word;

CONST Mask = 16_FFFFFFFF;

PROCEDURE Rotate(x: Word.T; n: CARDINAL): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.Shift(x, -n), Word.Shift(x, 32 - n)), Mask);
  END Rotate;

PROCEDURE Add(x, y: Word.T): Word.T = BEGIN RETURN Word.And(Word.Plus(x, y), Mask) END Add;

PROCEDURE Mix(a, b, c: Word.T; rounds: CARDINAL): Word.T =
  VAR t: Word.T;
  BEGIN
    FOR i := 1 TO rounds DO
      t := Add(Word.Xor(Rotate(a, 7), Rotate(a, 18)), Add(b, Word.Xor(c, i)));
      c := b;  b := a;  a := t;
    END;
    RETURN Word.Plus(a, Word.Plus(Word.Times(b, 3), Word.Times(c, 5)));
  END Mix;

(* The same, where nothing is known of the words. *)
VAR shift: [-63..63];
PROCEDURE Slowly(a, b, c: Word.T; rounds: CARDINAL): Word.T =
  VAR t, r, s: Word.T;
  BEGIN
    FOR i := 1 TO rounds DO
      shift := -7;   r := Word.Shift(a, shift);
      shift := 25;   r := Word.And(Word.Or(r, Word.Shift(a, shift)), Mask);
      shift := -18;  s := Word.Shift(a, shift);
      shift := 14;   s := Word.And(Word.Or(s, Word.Shift(a, shift)), Mask);
      t := Add(Word.Xor(r, s), Add(b, Word.Xor(c, i)));
      c := b;  b := a;  a := t;
    END;
    RETURN Word.Plus(a, Word.Plus(Word.Times(b, 3), Word.Times(c, 5)));
  END Slowly;

PROCEDURE Try(a, b, c: Word.T) =
  BEGIN
    FOR rounds := 0 TO 9 DO
      IF Mix(a, b, c, rounds) # Slowly(a, b, c, rounds) THEN
        IO.Put("wrong: " & Fmt.Unsigned(a) & " " & Fmt.Unsigned(b) & " " & Fmt.Unsigned(c) & " "
               & Fmt.Int(rounds) & "\n");
      END;
    END;
  END Try;

BEGIN
  Try(1, 2, 3);
  Try(16_FFFFFFFF, 16_80000000, 16_12345678);
  Try(16_100000000, 2, 3);
  Try(1, 16_123456789ABCDEF0, 3);
  Try(1, 2, Word.Not(0));
  Try(Word.Not(0), Word.Not(1), Word.Not(2));
  Try(16_4000000000000000, 0, 0);
  IO.Put("end " & Fmt.Unsigned(Mix(1, 2, 3, 64)) & "\n");
END Main.
(* expect: end 3714dba15 *)
