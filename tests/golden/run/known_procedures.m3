(* golden: run, -O2, with lib/Check *)
(* A procedure value that is the same in all calls is called directly: through recursion, through other procedures,
   from another unit. Values that differ, closures and NIL stay what they are. (language.md 11.2, 12.3) *)
MODULE Main;

IMPORT Check, Order, RuntimeError;

TYPE
  Before = PROCEDURE (a, b: INTEGER): BOOLEAN;
  Ints = ARRAY OF INTEGER;

VAR
  (* The optimiser does not know its value. *)
  zero := 0;
  kept: Before := NIL;

PROCEDURE Less(a, b: INTEGER): BOOLEAN = BEGIN RETURN a < b END Less;

PROCEDURE Greater(a, b: INTEGER): BOOLEAN = BEGIN RETURN a > b END Greater;

(* All calls pass Less. *)
PROCEDURE SortUp(VAR a: Ints; before: Before) =
  VAR i := 0;  j := LAST(a);  pivot, t: INTEGER;
  BEGIN
    IF NUMBER(a) < 2 THEN RETURN END;
    pivot := a[NUMBER(a) DIV 2];
    WHILE i <= j DO
      WHILE before(a[i], pivot) DO INC(i) END;
      WHILE before(pivot, a[j]) DO DEC(j) END;
      IF i <= j THEN t := a[i]; a[i] := a[j]; a[j] := t; INC(i); DEC(j) END;
    END;
    SortUp(SUBARRAY(a, 0, j + 1), before);
    SortUp(SUBARRAY(a, i, NUMBER(a) - i), before);
  END SortUp;

(* Calls pass different procedures, and a closure. *)
PROCEDURE Insert(VAR a: Ints; before: Before) =
  VAR t: INTEGER;
  BEGIN
    FOR i := 1 TO LAST(a) DO
      FOR j := i TO 1 BY -1 DO
        IF before(a[j], a[j - 1]) THEN t := a[j]; a[j] := a[j - 1]; a[j - 1] := t END;
      END;
    END;
  END Insert;

(* All calls pass the same comparison of another unit, which it passes on. *)
PROCEDURE InsertBy(VAR a: Ints; before: Before; factor: INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(a) DO a[i] := a[i] * factor END;
    Insert(a, before);
  END InsertBy;

(* All calls pass the same number, but the procedure changes its parameter. *)
PROCEDURE CountDown(from: INTEGER; step: INTEGER): INTEGER =
  VAR count := 0;
  BEGIN
    WHILE from > 0 DO DEC(from, step); INC(count) END;
    RETURN count;
  END CountDown;

(* Its value is also kept, so other calls may pass other arguments. *)
PROCEDURE SameDigit(a, b: INTEGER): BOOLEAN =
  BEGIN
    RETURN a MOD 10 < b MOD 10;
  END SameDigit;

PROCEDURE CallNil(before: Before): BOOLEAN = BEGIN RETURN before(1, 2) END CallNil;

PROCEDURE CallsNil() = BEGIN EVAL CallNil(NIL) END CallsNil;

PROCEDURE Fill(VAR a: Ints) =
  BEGIN
    FOR i := 0 TO LAST(a) DO a[i] := i * 7919 MOD 101 END;
  END Fill;

PROCEDURE Closures() =
  VAR calls := 0;  a: ARRAY [0..20] OF INTEGER;

  PROCEDURE Counted(x, y: INTEGER): BOOLEAN =
    BEGIN
      INC(calls);
      RETURN x < y;
    END Counted;

  BEGIN
    Fill(a);
    Insert(a, Counted);
    Check.Int(calls, 210, "calls of the closure");
    FOR i := 1 TO 20 DO Check.That(a[i - 1] <= a[i], "by the closure") END;
  END Closures;

VAR a: ARRAY [0..100] OF INTEGER;  b: ARRAY [0..20] OF INTEGER;
BEGIN
  Fill(a);
  SortUp(a, Less);
  FOR i := 0 TO 100 DO Check.Int(a[i], i, "sorted") END;
  Fill(b);
  Insert(b, Greater);
  FOR i := 1 TO 20 DO Check.That(b[i - 1] >= b[i], "downwards") END;
  Fill(b);
  InsertBy(b, Order.IsBefore, -1);
  FOR i := 1 TO 20 DO Check.That(b[i - 1] >= b[i], "by another unit") END;
  Closures();
  Check.Int(CountDown(10 + zero, 3), 4, "count");
  Check.Int(CountDown(11 + zero, 3), 4, "count");
  kept := SameDigit;
  Check.That(SameDigit(1, 2), "called");
  Check.That(NOT kept(12, 1), "kept");
  Check.Fails(CallsNil, RuntimeError.T.BadMemoryReference, "NIL");
  Check.Int(Order.Asked(), 210, "calls of the other unit");
  Check.Done();
END Main.

(* unit: Order.i3 *)
INTERFACE Order;

PROCEDURE IsBefore(a, b: INTEGER): BOOLEAN;
PROCEDURE Asked(): INTEGER;

END Order.

(* unit: Order.m3 *)
MODULE Order;

VAR asked := 0;

PROCEDURE IsBefore(a, b: INTEGER): BOOLEAN =
  BEGIN
    INC(asked);
    RETURN b < a;
  END IsBefore;

PROCEDURE Asked(): INTEGER = BEGIN RETURN asked END Asked;

BEGIN
END Order.
(* expect: all checks hold *)
