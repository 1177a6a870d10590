(* golden: run, with lib/Check *)
(* Products of matrices and vectors, whose sums the compiler makes several at a time (jammed_loops of the compiler),
   give the sums of the source's order, fail at the same check after the same stores, and see what they store
   themselves. *)
MODULE Main;

IMPORT Check, RuntimeError;

TYPE
  Vector = REF ARRAY OF LONGREAL;
  Matrix = REF ARRAY OF ARRAY OF LONGREAL;
  Fixed = ARRAY [0..5], [0..6] OF REAL;

CONST
  Subscript = RuntimeError.T.SubscriptOutOfRange;
  NilError = RuntimeError.T.BadMemoryReference;

VAR
  a, b, c: Matrix;
  x, y: Vector;
  (* The optimiser does not know them. *)
  rows, columns, inner := 0;
  p, q, r: Fixed;

(* The three loops of a product. *)
PROCEDURE Times() =
  VAR sum: LONGREAL;
  BEGIN
    FOR i := 0 TO rows - 1 DO
      FOR j := 0 TO columns - 1 DO
        sum := 0.0d0;
        FOR k := 0 TO inner - 1 DO sum := sum + a[i, k] * b[k, j] END;
        c[i, j] := sum;
      END;
    END;
  END Times;

(* The same by another way, of which no part is jammed. *)
PROCEDURE Element(i, j: CARDINAL): LONGREAL =
  VAR sum := 0.0d0;  k := 0;
  BEGIN
    WHILE k < inner DO sum := Add(sum, a[i, k] * b[k, j]); INC(k) END;
    RETURN sum;
  END Element;

PROCEDURE Add(s, t: LONGREAL): LONGREAL = BEGIN RETURN s + t END Add;

(* Each sum is of elements of x that were stored by the sums before, if x = y. *)
PROCEDURE ByVector() =
  VAR sum: LONGREAL;
  BEGIN
    FOR i := 0 TO LAST(y^) DO
      sum := 1.0d0;
      FOR k := 0 TO LAST(x^) DO sum := sum + a[i, k] * x[k] END;
      y[i] := sum;
    END;
  END ByVector;

(* Rows of other rows: what is stored may be loaded later. *)
PROCEDURE InPlace(READONLY s, t: ARRAY OF LONGREAL; VAR to: ARRAY OF LONGREAL) =
  VAR sum: LONGREAL;
  BEGIN
    FOR i := 0 TO LAST(to) DO
      sum := 0.0d0;
      FOR k := 0 TO LAST(t) DO sum := sum - s[k] * t[k] END;
      to[i] := sum;
    END;
  END InPlace;

PROCEDURE FixedTimes() =
  VAR sum: REAL;
  BEGIN
    FOR i := FIRST(r) TO LAST(r) DO
      FOR j := 0 TO columns DO
        sum := 0.0;
        FOR k := 0 TO inner DO sum := sum + p[i, k] * q[k, j] END;
        r[i, j] := sum;
      END;
    END;
  END FixedTimes;

(* Of n rows and m columns, with elements whose sums depend on their order. *)
PROCEDURE Make(n, m: CARDINAL; seed: INTEGER): Matrix =
  VAR made := NEW(Matrix, n, m);
  BEGIN
    FOR i := 0 TO n - 1 DO
      FOR j := 0 TO m - 1 DO
        made[i, j] := FLOAT((i * 7 + j * 13 + seed) MOD 19 - 9, LONGREAL) / 3.0d0;
        IF (i + j) MOD 5 = 0 THEN made[i, j] := made[i, j] * 1.0d15 END;
      END;
    END;
    RETURN made;
  END Make;

PROCEDURE Prepare(n, k, m: CARDINAL) =
  BEGIN
    a := Make(n, k, 1);
    b := Make(k, m, 2);
    c := NEW(Matrix, n, m);
    FOR i := 0 TO n - 1 DO FOR j := 0 TO m - 1 DO c[i, j] := -7.0d0 END END;
    rows := n;  columns := m;  inner := k;
  END Prepare;

(* The first `count` elements of c, row by row, are the sums, and no others. *)
PROCEDURE Stored(count: CARDINAL; name: TEXT) =
  VAR right := TRUE;
  BEGIN
    FOR i := 0 TO LAST(c^) DO
      FOR j := 0 TO LAST(c[0]) DO
        IF i * NUMBER(c[0]) + j < count THEN
          right := right AND c[i, j] = Element(i, j);
        ELSE
          right := right AND c[i, j] = -7.0d0;
        END;
      END;
    END;
    Check.That(right, name);
  END Stored;

VAR sum: LONGREAL;  expected: Vector;
BEGIN
  FOR n := 0 TO 9 DO
    FOR k := 0 TO 6 DO
      FOR m := 0 TO 9 DO
        Prepare(n, k, m);
        Times();
        IF n * m # 0 THEN Stored(n * m, "products") END;
      END;
    END;
  END;

  (* Checks that fail: in the inner loop, for both matrices, and at the store. *)
  Prepare(5, 6, 7);
  a := Make(5, 4, 1);
  Check.Fails(Times, Subscript, "too few columns of a");  Stored(0, "nothing");
  Prepare(5, 6, 7);
  b := Make(5, 7, 2);
  Check.Fails(Times, Subscript, "too few rows of b");  Stored(0, "nothing yet");
  Prepare(5, 6, 7);
  columns := 8;
  Check.Fails(Times, Subscript, "too few columns of b");  columns := 7;  Stored(7, "the first row");
  Prepare(5, 6, 7);
  rows := 6;
  Check.Fails(Times, Subscript, "too few rows");  Stored(35, "all rows");
  Prepare(5, 6, 12);
  c := NEW(Matrix, 5, 9);
  FOR i := 0 TO 4 DO FOR j := 0 TO 8 DO c[i, j] := -7.0d0 END END;
  Check.Fails(Times, Subscript, "too few columns of c");  Stored(9, "up to the end of c's row");
  Prepare(5, 6, 7);
  c := NIL;
  Check.Fails(Times, NilError, "NIL");

  (* Where the sums are stored in one of the factors, later sums see them. *)
  Prepare(8, 8, 8);
  c := a;
  WITH copy = NEW(Matrix, 8, 8) DO
    copy^ := a^;
    Times();
    a := copy;
    FOR i := 0 TO 7 DO
      FOR j := 0 TO 7 DO copy[i, j] := Element(i, j) END;
    END;
    Check.That(c^ = copy^, "stored in a");
  END;
  Prepare(8, 8, 8);
  c := b;
  WITH copy = NEW(Matrix, 8, 8) DO
    copy^ := b^;
    Times();
    b := copy;
    FOR i := 0 TO 7 DO
      FOR j := 0 TO 7 DO copy[i, j] := Element(i, j) END;
    END;
    Check.That(c^ = copy^, "stored in b");
  END;

  FOR n := 0 TO 13 DO
    a := Make(n, n, 3);
    x := NEW(Vector, n);
    expected := NEW(Vector, n);
    FOR i := 0 TO n - 1 DO x[i] := FLOAT(i, LONGREAL) / 7.0d0 END;
    FOR i := 0 TO n - 1 DO
      sum := 1.0d0;
      FOR k := 0 TO n - 1 DO sum := Add(sum, a[i, k] * x[k]) END;
      expected[i] := sum;
    END;
    y := NEW(Vector, n);
    ByVector();
    Check.That(y^ = expected^, "by a vector");
    (* In place. *)
    FOR i := 0 TO n - 1 DO expected[i] := x[i] END;
    FOR i := 0 TO n - 1 DO
      sum := 1.0d0;
      FOR k := 0 TO n - 1 DO sum := Add(sum, a[i, k] * expected[k]) END;
      expected[i] := sum;
    END;
    y := x;
    ByVector();
    Check.That(y^ = expected^, "by a vector, in place");
  END;
  a := Make(9, 9, 3);
  x := NEW(Vector, 9);
  y := NEW(Vector, 11);
  FOR i := 0 TO 8 DO x[i] := 1.0d0 END;
  FOR i := 0 TO 10 DO y[i] := -7.0d0 END;
  Check.Fails(ByVector, Subscript, "too few rows for y");
  Check.That(y[8] # -7.0d0 AND y[9] = -7.0d0, "y up to the last row");

  x := NEW(Vector, 20);
  FOR i := 0 TO 19 DO x[i] := FLOAT(i + 1, LONGREAL) END;
  InPlace(SUBARRAY(x^, 0, 5), SUBARRAY(x^, 5, 5), SUBARRAY(x^, 12, 6));
  Check.That(x[11] = 12.0d0 AND x[12] = -130.0d0 AND x[17] = -130.0d0 AND x[18] = 19.0d0, "beside");
  InPlace(SUBARRAY(x^, 0, 2), SUBARRAY(x^, 2, 2), SUBARRAY(x^, 1, 6));
  (* x[1], then x[2], x[3] change what the sums are of. *)
  Check.That(x[1] = -11.0d0 AND x[2] = 41.0d0 AND x[3] = 3.0d0 AND x[4] = -8.0d0 AND x[6] = -8.0d0, "over itself");

  FOR i := 0 TO 5 DO
    FOR j := 0 TO 6 DO p[i, j] := FLOAT(i + 2 * j); q[i, j] := FLOAT(3 * i - j); r[i, j] := -1.0 END;
  END;
  columns := 6;  inner := 5;
  FixedTimes();
  sum := 0.0d0;
  FOR i := 0 TO 5 DO FOR j := 0 TO 6 DO sum := sum + FLOAT(r[i, j], LONGREAL) END END;
  Check.That(sum = 12915.0d0, "of fixed arrays");
  inner := 6;
  Check.Fails(FixedTimes, Subscript, "behind a fixed array");
END Main.
