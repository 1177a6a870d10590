(* golden: run, -O2 *)
(* <*INLINE*> procedures of other units: the compiler may inline them, also procedures that
   raise, call each other, or use private names of their module. *)
MODULE Main;

IMPORT Counter, IO, Fmt;

VAR total := 0;

BEGIN
  FOR i := 1 TO 10 DO INC(total, Counter.Twice(i)) END;
  IO.Put(Fmt.Int(total) & "\n");  (* expect: 110 *)
  FOR i := 1 TO 3 DO EVAL Counter.Next() END;
  IO.Put(Fmt.Int(Counter.Next()) & "\n");  (* expect: 4 *)
  Counter.limit := 5;
  FOR i := 4 TO 6 DO
    TRY
      IO.Put(Fmt.Int(Counter.Limited(i)) & "\n");
    EXCEPT
    | Counter.TooMuch(n) => IO.Put("too much: " & Fmt.Int(n) & "\n");
    END;
  END;
  (* expect: 4 *)
  (* expect: 5 *)
  (* expect: too much: 6 *)
  IO.Put(Fmt.Int(Counter.Safely(7)) & "\n");  (* expect: -1 *)
  IO.Put(Fmt.Int(Counter.Factorial(10)) & "\n");  (* expect: 3628800 *)
  IO.Put(Fmt.Int(Counter.Sum(ARRAY OF INTEGER{1, 2, 3})) & "\n");  (* expect: 6 *)
END Main.

(* unit: Counter.i3 *)
INTERFACE Counter;

EXCEPTION TooMuch(INTEGER);

VAR limit := 0;

PROCEDURE Twice(i: INTEGER): INTEGER;
PROCEDURE Next(): INTEGER;
PROCEDURE Limited(i: INTEGER): INTEGER RAISES {TooMuch};
PROCEDURE Safely(i: INTEGER): INTEGER;
PROCEDURE Factorial(n: CARDINAL): INTEGER;
PROCEDURE Sum(READONLY a: ARRAY OF INTEGER): INTEGER;

END Counter.

(* unit: Counter.m3 *)
MODULE Counter;

VAR last := 0;

PROCEDURE Double(i: INTEGER): INTEGER =
  BEGIN
    RETURN 2 * i;
  END Double;

<*INLINE*>
PROCEDURE Twice(i: INTEGER): INTEGER =
  BEGIN
    RETURN Double(i);
  END Twice;

<*INLINE*>
PROCEDURE Next(): INTEGER =
  BEGIN
    INC(last);
    RETURN last;
  END Next;

<*INLINE*>
PROCEDURE Limited(i: INTEGER): INTEGER RAISES {TooMuch} =
  BEGIN
    IF i > limit THEN RAISE TooMuch(i) END;
    RETURN i;
  END Limited;

<*INLINE*>
PROCEDURE Safely(i: INTEGER): INTEGER =
  BEGIN
    TRY
      RETURN Limited(i);
    EXCEPT
    | TooMuch => RETURN -1;
    END;
  END Safely;

<*INLINE*>
PROCEDURE Factorial(n: CARDINAL): INTEGER =
  BEGIN
    IF n = 0 THEN RETURN 1 END;
    RETURN n * Factorial(n - 1);
  END Factorial;

<*INLINE*>
PROCEDURE Sum(READONLY a: ARRAY OF INTEGER): INTEGER =
  VAR sum := 0;

  PROCEDURE Add(i: INTEGER) =
    BEGIN
      INC(sum, i);
    END Add;

  BEGIN
    FOR i := 0 TO LAST(a) DO Add(a[i]) END;
    RETURN sum;
  END Sum;

BEGIN
END Counter.
