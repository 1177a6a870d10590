(* golden: run, with lib/Check, lib/Dice *)
(* Word and Long against arrays of bits, called in line and through procedure values. *)
MODULE Main;

IMPORT Check, LongTest, WordTest;

BEGIN
  WordTest.Run("Word");
  LongTest.Run("Long");
  Check.Done();
END Main.
(* unit: WordTest.i3 *)
INTERFACE WordTest = BitsTest() END WordTest.
(* unit: WordTest.m3 *)
MODULE WordTest = BitsTest(Word) END WordTest.
(* unit: LongTest.i3 *)
INTERFACE LongTest = BitsTest() END LongTest.
(* unit: LongTest.m3 *)
MODULE LongTest = BitsTest(Long) END LongTest.
(* unit: BitsTest.ig *)
GENERIC INTERFACE BitsTest();

PROCEDURE Run(what: TEXT);

END BitsTest.
(* unit: BitsTest.mg *)
GENERIC MODULE BitsTest(Word);

IMPORT Check, Dice, RuntimeError;

TYPE
  T = Word.T;
  Bits = ARRAY [0..63] OF [0..1];
  Binary = PROCEDURE(x, y: T): T;
  Relation = PROCEDURE(x, y: T): BOOLEAN;

CONST
  Plus: Binary = Word.Plus;
  And: Binary = Word.And;

VAR
  zero, one: T;  (* not constants for the compiler *)

PROCEDURE OfBits(READONLY b: Bits): T =
  VAR x := zero;
  BEGIN
    FOR i := 63 TO 0 BY -1 DO x := x + x + VAL(b[i], T) END;
    RETURN x;
  END OfBits;

PROCEDURE Roll(): Bits =
  VAR b: Bits;  n := Dice.Roll(4);
  BEGIN
    FOR i := 0 TO 63 DO
      IF n = 0 THEN b[i] := ORD(i = Dice.Roll(3)) ELSE b[i] := Dice.Roll(2) END;
      IF n = 1 AND i > 8 THEN b[i] := 1 END;
    END;
    RETURN b;
  END Roll;

PROCEDURE Less(READONLY a, b: Bits): BOOLEAN =
  BEGIN
    FOR i := 63 TO 0 BY -1 DO
      IF a[i] # b[i] THEN RETURN a[i] < b[i] END;
    END;
    RETURN FALSE;
  END Less;

PROCEDURE Sum(READONLY a, b: Bits; carry: [0..1] := 0): Bits =
  VAR c: Bits;  n: CARDINAL := carry;
  BEGIN
    FOR i := 0 TO 63 DO
      INC(n, a[i] + b[i]);
      c[i] := n MOD 2;
      n := n DIV 2;
    END;
    RETURN c;
  END Sum;

PROCEDURE Inverse(READONLY a: Bits): Bits =
  VAR c: Bits;
  BEGIN
    FOR i := 0 TO 63 DO c[i] := 1 - a[i] END;
    RETURN c;
  END Inverse;

(* Bit i of the result is bit i - n of a, or 0 outside of a; if turn, the bits rotate. *)
PROCEDURE Moved(READONLY a: Bits; n: INTEGER; turn: BOOLEAN): Bits =
  VAR c: Bits;
  BEGIN
    FOR i := 0 TO 63 DO
      c[i] := 0;
      IF turn THEN c[i] := a[(i - n) MOD 64] END;
      IF NOT turn AND 0 <= i - n AND i - n < 64 THEN c[i] := a[i - n] END;
    END;
    RETURN c;
  END Moved;

PROCEDURE Product(READONLY a, b: Bits): Bits =
  VAR c := Bits{0, ..};
  BEGIN
    FOR i := 0 TO 63 DO
      IF b[i] = 1 THEN c := Sum(c, Moved(a, i, FALSE)) END;
    END;
    RETURN c;
  END Product;

(* By shifting and subtracting. *)
PROCEDURE Divided(READONLY a, b: Bits; VAR rest: Bits): Bits =
  VAR c := Bits{0, ..};  high: [0..1];
  BEGIN
    rest := Bits{0, ..};
    FOR i := 63 TO 0 BY -1 DO
      high := rest[63];
      rest := Moved(rest, 1, FALSE);
      rest[0] := a[i];
      IF high = 1 OR NOT Less(rest, b) THEN
        c[i] := 1;
        rest := Sum(rest, Inverse(b), 1);
      END;
    END;
    RETURN c;
  END Divided;

PROCEDURE Trial(): BOOLEAN =
  VAR a := Roll();  b := Roll();  x := OfBits(a);  y := OfBits(b);  right := TRUE;
      n := Dice.Roll(64);  m := Dice.Roll(200) - 100;  width := Dice.Roll(65 - n);
      both, either, differ, cut, put, rest: Bits;

  PROCEDURE Is(x: T; READONLY b: Bits) =
    BEGIN
      IF x # OfBits(b) THEN right := FALSE END;
    END Is;

  PROCEDURE Same(p: Relation; x, y: T; want: BOOLEAN) =
    BEGIN
      IF p(x, y) # want THEN right := FALSE END;
    END Same;

  BEGIN
    FOR i := 0 TO 63 DO
      both[i] := a[i] * b[i];
      either[i] := MAX(a[i], b[i]);
      differ[i] := ABS(a[i] - b[i]);
      cut[i] := 0;
      put[i] := a[i];
      IF i < width THEN cut[i] := a[n + i] END;
      IF n <= i AND i < n + width THEN put[i] := b[i - n] END;
    END;
    Is(Word.And(x, y), both);
    Is(And(x, y), both);
    Is(Word.Or(x, y), either);
    Is(Word.Xor(x, y), differ);
    Is(Word.Not(x), Inverse(a));
    Is(Word.Plus(x, y), Sum(a, b));
    Is(Plus(x, y), Sum(a, b));
    Is(Word.Minus(x, y), Sum(a, Inverse(b), 1));
    Is(Word.Times(x, y), Product(a, b));
    IF y # zero THEN
      Is(Word.Divide(x, y), Divided(a, b, rest));
      Is(Word.Mod(x, y), rest);
    END;
    Is(Word.Shift(x, m), Moved(a, m, FALSE));
    Is(Word.LeftShift(x, n), Moved(a, n, FALSE));
    Is(Word.RightShift(x, n), Moved(a, -n, FALSE));
    Is(Word.Rotate(x, m), Moved(a, m, TRUE));
    Is(Word.LeftRotate(x, n), Moved(a, n, TRUE));
    Is(Word.RightRotate(x, n), Moved(a, -n, TRUE));
    Is(Word.Extract(x, n, width), cut);
    Is(Word.Insert(x, y, n, width), put);
    Same(Word.LT, x, y, Less(a, b));
    Same(Word.LE, x, y, NOT Less(b, a));
    Same(Word.GT, x, y, Less(b, a));
    Same(Word.GE, x, y, NOT Less(a, b));
    RETURN right AND Word.LT(x, y) = Less(a, b) AND Word.LE(x, x) AND Word.GE(x, x)
           AND NOT Word.GT(x, x);
  END Trial;

PROCEDURE Errors(what: TEXT) =
  VAR failed: CARDINAL := 0;  x := zero;  n := 60;
  BEGIN
    TRY x := Word.Divide(one, zero) EXCEPT RuntimeError.E => INC(failed) END;
    TRY x := Word.Mod(one, zero) EXCEPT RuntimeError.E => INC(failed) END;
    TRY x := Word.Extract(one, n, 5) EXCEPT RuntimeError.E => INC(failed) END;
    TRY x := Word.Insert(one, one, n, 5) EXCEPT RuntimeError.E => INC(failed) END;
    n := 64;
    TRY x := Word.LeftShift(one, n) EXCEPT RuntimeError.E => INC(failed) END;
    TRY x := Word.RightRotate(one, n) EXCEPT RuntimeError.E => INC(failed) END;
    Check.Int(failed, 6, what & ": errors");
    Check.That(x = zero AND Word.Shift(one, n) = zero AND Word.Shift(one, -n) = zero
               AND Word.Extract(one, n, 0) = zero AND Word.Size = 64, what & ": at the limits");
  END Errors;

PROCEDURE Run(what: TEXT) =
  VAR right := TRUE;
  BEGIN
    FOR i := 1 TO 500 DO
      IF NOT Trial() THEN right := FALSE END;
    END;
    Check.That(right, Dice.With(what));
    Errors(what);
  END Run;

BEGIN
  zero := VAL(Dice.Roll(1), T);
  one := VAL(Dice.Roll(1) + 1, T);
END BitsTest.
(* expect: all checks hold *)
