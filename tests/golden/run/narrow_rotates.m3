(* golden: run, with lib/Check *)
(* Rotations of 8, 16 and 32 bits that are made of shifts, in words whose upper bits are zero, and in words whose upper
   bits are not (language.md 16.2): each gives the bits that a loop over single bits gives. *)
MODULE Main;

IMPORT Check, Word;

CONST Mask = 16_FFFFFFFF;

TYPE Narrow = BITS 32 FOR [0..Mask];

VAR
  state: Word.T := 1;
  words: ARRAY [0..63] OF Word.T;
  narrow: ARRAY [0..63] OF Narrow;

PROCEDURE Next(): Word.T =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN state;
  END Next;

(* The low `width` bits of the two shifted words together, bit by bit. *)
PROCEDURE Slowly(x: Word.T; width, n: CARDINAL): Word.T =
  VAR result: Word.T := 0;
  BEGIN
    FOR bit := 0 TO width - 1 DO
      IF bit + n < 64 AND Word.Extract(x, bit + n, 1) = 1 OR
         bit >= width - n AND Word.Extract(x, bit - (width - n), 1) = 1 THEN
        result := Word.Insert(result, 1, bit, 1);
      END;
    END;
    RETURN result;
  END Slowly;

PROCEDURE Rotate(x: Word.T; width, n: CARDINAL): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.Shift(x, -n), Word.Shift(x, width - n)), Word.Minus(Word.Shift(1, width), 1));
  END Rotate;

PROCEDURE Three(READONLY a: ARRAY OF Word.T): Word.T =
  VAR sum: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      sum := Word.Plus(sum, Word.Xor(Word.Xor(Rotate(a[i], 32, 6), Rotate(a[i], 32, 11)), Rotate(a[i], 32, 25)));
      sum := Word.Plus(sum, Word.Xor(Rotate(a[i], 16, 3), Rotate(a[i], 16, 15)));
      sum := Word.Plus(sum, Word.Xor(Rotate(a[i], 8, 1), Rotate(a[i], 8, 7)));
    END;
    RETURN sum;
  END Three;

PROCEDURE ThreeSlowly(READONLY a: ARRAY OF Word.T): Word.T =
  VAR sum: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      sum := Word.Plus(sum, Word.Xor(Word.Xor(Slowly(a[i], 32, 6), Slowly(a[i], 32, 11)), Slowly(a[i], 32, 25)));
      sum := Word.Plus(sum, Word.Xor(Slowly(a[i], 16, 3), Slowly(a[i], 16, 15)));
      sum := Word.Plus(sum, Word.Xor(Slowly(a[i], 8, 1), Slowly(a[i], 8, 7)));
    END;
    RETURN sum;
  END ThreeSlowly;

PROCEDURE OneOfNarrow(READONLY a: ARRAY OF Narrow): Word.T =
  VAR sum: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO sum := Word.Plus(sum, Word.Xor(Rotate(a[i], 32, 9), i)) END;
    RETURN sum;
  END OneOfNarrow;

PROCEDURE OneOfNarrowSlowly(READONLY a: ARRAY OF Narrow): Word.T =
  VAR sum: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO sum := Word.Plus(sum, Word.Xor(Slowly(a[i], 32, 9), i)) END;
    RETURN sum;
  END OneOfNarrowSlowly;

(* Narrow from the second iteration on. *)
PROCEDURE Chain(x: Word.T; n: CARDINAL): Word.T =
  BEGIN
    FOR i := 1 TO n DO
      x := Word.And(Word.Plus(Word.Xor(Rotate(x, 32, 2), Rotate(x, 32, 13)), i), Mask);
    END;
    RETURN x;
  END Chain;

PROCEDURE ChainSlowly(x: Word.T; n: CARDINAL): Word.T =
  BEGIN
    FOR i := 1 TO n DO
      x := Word.And(Word.Plus(Word.Xor(Slowly(x, 32, 2), Slowly(x, 32, 13)), i), Mask);
    END;
    RETURN x;
  END ChainSlowly;

(* The bits above the 32 are wanted, too. *)
PROCEDURE Wide(x: Narrow): Word.T =
  BEGIN
    RETURN Word.Or(Word.RightShift(x, 7), Word.LeftShift(x, 25));
  END Wide;

BEGIN
  FOR i := 0 TO LAST(words) DO
    words[i] := Next();
    narrow[i] := Word.And(Next(), Mask);
  END;
  Check.That(Three(words) = ThreeSlowly(words), "words");
  Check.That(OneOfNarrow(narrow) = OneOfNarrowSlowly(narrow), "narrow words");
  Check.That(Chain(words[0], 20) = ChainSlowly(words[0], 20), "a chain");
  Check.That(Chain(narrow[0], 20) = ChainSlowly(narrow[0], 20), "a chain of narrow words");
  Check.That(Wide(16_80000001) = Word.Or(16_80000001 DIV 128, 16_80000001 * 16_2000000), "a wide result");
  Check.Done();
END Main.
(* expect: all checks hold *)
