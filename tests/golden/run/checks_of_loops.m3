(* golden: run, with lib/Check *)
(* A loop that decides before it begins whether a subscript or a range will fail (checked_loops of the compiler) does
   all that it does before the check fails, and fails there; a loop that ends before it comes there does not fail. *)
MODULE Main;

IMPORT Check, RuntimeError;

TYPE
  Ints = REF ARRAY OF INTEGER;
  Reals = REF ARRAY OF ARRAY OF LONGREAL;
  Small = [0..99];

CONST
  Subscript = RuntimeError.T.SubscriptOutOfRange;
  Range = RuntimeError.T.ValueOutOfRange;

VAR
  a, b: Ints;
  x, y: Reals;
  (* The optimiser does not know their values. *)
  first, last, shift := 0;
  step := 1;
  small: ARRAY [0..199] OF Small;
  done := 0;

(* a and b have n and m elements: b[i] = i + 1. *)
PROCEDURE Make(n, m: CARDINAL) =
  BEGIN
    a := NEW(Ints, n);
    b := NEW(Ints, m);
    FOR i := 0 TO n - 1 DO a[i] := -1 END;
    FOR i := 0 TO m - 1 DO b[i] := i + 1 END;
  END Make;

PROCEDURE Copy() = BEGIN FOR i := first TO last DO a[i] := b[i + shift] END END Copy;
PROCEDURE CopyDown() = BEGIN FOR i := last TO first BY -1 DO a[i] := b[i + shift] END END CopyDown;
PROCEDURE CopyByTwo() = BEGIN FOR i := first TO last BY 2 DO a[i] := b[i + shift] END END CopyByTwo;

PROCEDURE CopyWhile() =
  VAR i := first;
  BEGIN
    WHILE i # last + 1 DO a[i] := b[i + shift]; INC(i) END;
  END CopyWhile;

PROCEDURE CopySteps() =
  VAR i := first;
  BEGIN
    WHILE i <= last DO a[i] := b[i]; INC(i, step) END;
  END CopySteps;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO LAST(a^) DO sum := sum + a[i] * b[i] END;
    RETURN sum;
  END Sum;

PROCEDURE SumOnly() = BEGIN EVAL Sum() END SumOnly;

(* Ends at an element, or at a check. *)
PROCEDURE Find() =
  BEGIN
    FOR i := first TO last DO
      done := i;
      IF b[i] = 20 THEN RETURN END;
      a[i] := b[i];
    END;
  END Find;

PROCEDURE Ranges() =
  BEGIN
    FOR i := first TO last DO small[i] := i + shift END;
  END Ranges;

PROCEDURE Product(i, j: CARDINAL): LONGREAL =
  VAR sum := 0.0d0;
  BEGIN
    FOR k := 0 TO LAST(y^) DO sum := sum + x[i, k] * y[k, j] END;
    RETURN sum;
  END Product;

PROCEDURE ProductOnly() = BEGIN EVAL Product(1, 1) END ProductOnly;

(* The elements of a from `from` to `to` are b's, and no others. *)
PROCEDURE Copied(from, to: INTEGER; READONLY name: TEXT) =
  VAR right := TRUE;
  BEGIN
    FOR i := 0 TO LAST(a^) DO
      IF from <= i AND i <= to THEN
        right := right AND a[i] = i + shift + 1;
      ELSE
        right := right AND a[i] = -1;
      END;
    END;
    Check.That(right, name);
  END Copied;

PROCEDURE Set(f, l, s: INTEGER) = BEGIN first := f; last := l; shift := s END Set;

BEGIN
  Make(50, 40);
  Set(0, 39, 0);
  Copy();  Copied(0, 39, "all");
  Make(50, 40);
  Set(0, 40, 0);
  Check.Fails(Copy, Subscript, "one behind");  Copied(0, 39, "up to the end");
  Make(40, 50);
  Check.Fails(Copy, Subscript, "one behind the stored");  Copied(0, 39, "up to the end of the stored");
  Make(50, 40);
  Set(10, 49, 5);
  Check.Fails(Copy, Subscript, "behind, shifted");  Copied(10, 34, "up to the end, shifted");
  Make(50, 40);
  Set(0, 20, -3);
  Check.Fails(Copy, Subscript, "before, shifted");  Copied(1, 0, "nothing");
  Make(50, 40);
  Set(-1, 20, 3);
  Check.Fails(Copy, Subscript, "before the stored");  Copied(1, 0, "nothing is stored");
  Make(50, 40);
  Set(30, 10, 900);
  Copy();  Copied(1, 0, "no iteration");
  Set(0, LAST(INTEGER), 0);
  Check.Fails(Copy, Subscript, "to the last INTEGER");  Copied(0, 39, "before the last INTEGER");
  Make(50, 40);
  Set(FIRST(INTEGER), 3, 0);
  Check.Fails(Copy, Subscript, "from the first INTEGER");

  Make(50, 40);
  Set(0, 39, 0);
  CopyDown();  Copied(0, 39, "all, down");
  Make(50, 40);
  Set(-1, 30, 0);
  Check.Fails(CopyDown, Subscript, "before, down");  Copied(0, 30, "down to 0");
  Make(50, 40);
  Set(0, 30, -10);
  Check.Fails(CopyDown, Subscript, "before, down, shifted");  Copied(10, 30, "down to the first");

  Make(50, 40);
  Set(0, 60, 0);
  Check.Fails(CopyByTwo, Subscript, "by two");
  Check.That(a[38] = 39 AND a[39] = -1 AND a[40] = -1, "each second");

  Make(50, 40);
  Set(0, 39, 0);
  CopyWhile();  Copied(0, 39, "all by WHILE");
  Make(50, 40);
  Set(0, 45, 0);
  Check.Fails(CopyWhile, Subscript, "by WHILE");  Copied(0, 39, "by WHILE up to the end");
  (* The end is never met: the loop has no end but the check. *)
  Make(50, 40);
  Set(5, 3, 0);
  Check.Fails(CopyWhile, Subscript, "past the end of WHILE");  Copied(5, 39, "from behind the end");

  Make(50, 40);
  Set(0, 45, 0);
  step := 7;
  Check.Fails(CopySteps, Subscript, "by steps");
  Check.That(a[35] = 36 AND a[42] = -1, "steps up to the end");

  Make(30, 30);
  FOR i := 0 TO 29 DO a[i] := 2 END;
  Check.Int(Sum(), 930, "a sum");
  b := NEW(Ints, 29);
  Check.Fails(SumOnly, Subscript, "a sum that is too long");
  a := NEW(Ints, 0);
  Check.Int(Sum(), 0, "an empty sum");

  Make(50, 40);
  Set(0, 49, 0);
  Find();
  Check.Int(done, 19, "found before the end");  Copied(0, 18, "up to what was found");
  Make(50, 10);
  Check.Fails(Find, Subscript, "not found");
  Check.Int(done, 10, "the round that failed");  Copied(0, 9, "up to the round that failed");

  Set(0, 99, 0);
  Ranges();
  Check.Int(small[99], 99, "all in range");
  Set(0, 120, 50);
  Check.Fails(Ranges, Range, "a value out of range");
  Check.That(small[49] = 99 AND small[50] = 50, "stored up to the value");
  Set(0, 120, -50);
  Check.Fails(Ranges, Range, "a negative value");
  Check.Int(small[0], 50, "nothing stored");

  x := NEW(Reals, 3, 20);
  y := NEW(Reals, 20, 4);
  FOR i := 0 TO 2 DO FOR j := 0 TO 19 DO x[i, j] := FLOAT(i + 1, LONGREAL) END END;
  FOR i := 0 TO 19 DO FOR j := 0 TO 3 DO y[i, j] := FLOAT(j + 1, LONGREAL) END END;
  Check.That(Product(1, 1) = 80.0d0, "a product");
  x := NEW(Reals, 3, 19);
  Check.Fails(ProductOnly, Subscript, "a product of other lengths");
  Check.Done();
END Main.
(* expect: all checks hold *)
