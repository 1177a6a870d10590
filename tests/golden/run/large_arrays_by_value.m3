(* golden: run, -w, stress=50 *)
(* Open arrays by value that are larger than the stack: copied, kept while the procedure runs,
   also across collections, and freed in whatever way it ends (language.md 11.4, 28). *)
MODULE Main;

IMPORT IO, RTCollector, RuntimeError, Thread;

TYPE
  Pair = RECORD a: INTEGER; c: CHAR END;
  Matrix = ARRAY OF ARRAY OF INTEGER;
  Closure = Thread.Closure OBJECT OVERRIDES apply := Apply END;

EXCEPTION Enough(INTEGER);

VAR
  numbers := NEW(REF ARRAY OF INTEGER, 3000000);
  pairs := NEW(REF ARRAY OF Pair, 700000);
  matrix := NEW(REF Matrix, 1000, 1500);

PROCEDURE Sum(a: ARRAY OF INTEGER): INTEGER =
  VAR sum := 0;
  BEGIN
    a[0] := 5;
    RTCollector.Collect();
    FOR i := 0 TO LAST(a) DO INC(sum, a[i]) END;
    RETURN sum;
  END Sum;

PROCEDURE Fail(a: ARRAY OF INTEGER; at: INTEGER) RAISES {Enough} =
  BEGIN
    a[at] := 5;
    RAISE Enough(a[at] + a[at + 1]);
  END Fail;

PROCEDURE Nested(a: ARRAY OF INTEGER; n: INTEGER): INTEGER =
  PROCEDURE Add() =
    BEGIN
      RTCollector.Collect();
      INC(a[n], n);
    END Add;
  BEGIN
    TRY
      Add();
      Add();
      RETURN a[n];
    FINALLY
      Add();
    END;
  END Nested;

PROCEDURE OfPairs(a: ARRAY OF Pair; n: INTEGER): INTEGER =
  BEGIN
    IF n = 0 THEN RETURN a[LAST(a)].a + ORD(a[LAST(a)].c) END;
    INC(a[LAST(a)].a);
    RETURN OfPairs(a, n - 1);
  END OfPairs;

PROCEDURE OfMatrix(m: Matrix): INTEGER =
  VAR sum := 0;
  BEGIN
    m[0] := m[1];
    FOR i := 0 TO LAST(m) DO
      FOR j := 0 TO LAST(m[i]) DO INC(sum, m[i, j]) END;
    END;
    RETURN sum;
  END OfMatrix;

PROCEDURE OfTexts(a: ARRAY OF TEXT): TEXT =
  BEGIN
    a[1] := a[0] & "b";
    RTCollector.Collect();
    RETURN a[1];
  END OfTexts;

PROCEDURE Apply(<*UNUSED*> self: Closure): REFANY =
  BEGIN
    IO.PutInt(Sum(numbers^));
    IO.Put("\n");
    RETURN NIL;
  END Apply;

BEGIN
  FOR i := 0 TO LAST(numbers^) DO numbers[i] := 1 END;
  IO.PutInt(Sum(numbers^)); IO.Put("\n");
  (* expect: 3000004 *)
  FOR i := 1 TO 20 DO
    TRY Fail(numbers^, i * 1000) EXCEPT Enough(n) => IO.PutInt(n) END;
  END;
  IO.Put("\n");
  (* expect: 66666666666666666666 *)
  IO.PutInt(Nested(numbers^, 7)); IO.Put("\n");
  (* expect: 15 *)
  IO.PutInt(numbers[0] + numbers[7] + numbers[1000]); IO.Put("\n");
  (* expect: 3 *)
  IO.PutInt(Sum(SUBARRAY(numbers^, 1, 2000000))); IO.Put("\n");
  (* expect: 2000004 *)
  pairs[LAST(pairs^)].c := 'A';
  IO.PutInt(OfPairs(pairs^, 5)); IO.Put(" "); IO.PutInt(pairs[LAST(pairs^)].a); IO.Put("\n");
  (* expect: 70 0 *)
  FOR i := 0 TO 999 DO
    FOR j := 0 TO 1499 DO matrix[i, j] := i MOD 2 END;
  END;
  IO.PutInt(OfMatrix(matrix^)); IO.Put(" "); IO.PutInt(matrix[0, 0]); IO.Put("\n");
  (* expect: 751500 0 *)
  IO.Put(OfTexts(ARRAY OF TEXT{"a", NIL}) & "\n");
  (* expect: ab *)
  EVAL Thread.Join(Thread.Fork(NEW(Closure)));
  (* expect: 3000004 *)
  WITH texts = NEW(REF ARRAY OF TEXT, 3000000) DO
    (* Arrays of references stay on the stack, which has no room for this one. *)
    TRY
      IO.Put(OfTexts(texts^));
    EXCEPT
    | RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & "\n");
    END;
  END;
  (* expect: stack overflow *)
END Main.
