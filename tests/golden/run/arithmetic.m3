(* golden: run, -w *)
(* Integer division rounds down, integers wrap, the functions of Word, conversions of floats. *)
MODULE Main;

IMPORT IO, Word, Fmt;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE Bool(b: BOOLEAN) =
  BEGIN
    IF b THEN IO.Put("T ") ELSE IO.Put("F ") END;
  END Bool;

PROCEDURE Divide(a, b: INTEGER) =
  BEGIN
    Int(a DIV b);
    Int(a MOD b);
  END Divide;

VAR x := 7;  r: REAL;  d: LONGREAL;  i8: [-128..127];  u: CARDINAL := 5;  zero := 0.0d0;

BEGIN
  Divide(7, 2); Divide(-7, 2); Divide(7, -2); Divide(-7, -2); Line();
  Divide(6, 3); Divide(-6, 3); Divide(0, 5); Divide(FIRST(INTEGER), -1); Line();
  Int(-x DIV 2); Int(-x MOD 2); Int(-x DIV 4); Int(-x MOD 4); Int(-x DIV 3); Int(-x MOD 3); Int(x MOD -3); Int(x DIV -3); Line();
  Int(LAST(INTEGER) + x - x); Bool(Word.Plus(LAST(INTEGER), 1) = FIRST(INTEGER)); Line();
  Int(Word.And(12, x)); Int(Word.Or(8, x)); Int(Word.Xor(5, x)); Int(Word.Shift(x, 3)); Int(Word.Shift(x, -1));
  Int(Word.Shift(x, 64)); Int(Word.Shift(x, -64)); Int(Word.Rotate(x, 64)); Int(Word.Rotate(x, -1)); Line();
  Int(Word.Extract(16_ABCD, 4, 8)); Int(Word.Insert(0, x, 8, 4)); Int(Word.Extract(-1, 0, 64)); Line();
  Bool(Word.LT(x, -1)); Bool(Word.GT(x, -1)); Bool(x < -1); Line();
  r := 2.5; d := 1.0d0 / 3.0d0;
  Int(ROUND(r)); Int(ROUND(3.5)); Int(ROUND(-r)); Int(FLOOR(-r)); Int(CEILING(-r)); Int(TRUNC(-r)); Int(TRUNC(2.9)); Line();
  IO.Put(Fmt.LongReal(FLOAT(x, LONGREAL) / 2.0d0) & " " & Fmt.LongReal(-7.5d0 MOD 2.0d0) & " " & Fmt.LongReal(7.5d0 MOD -2.0d0) & "\n");
  Bool(zero / zero = zero / zero); Bool(zero / zero # zero / zero); Bool(zero = -zero); Bool(d < 0.34d0); Line();
  Int(ABS(-x)); Int(MAX(x, 9)); Int(MIN(x, 9)); Int(ORD('A')); Int(ORD(VAL(66, CHAR))); Int(ORD(TRUE)); Line();
  i8 := -100; Int(i8); DEC(i8, 28); Int(i8); INC(u); Int(u); INC(u, -6); Int(u); Line();
  Int(LAST(CARDINAL) - LAST(INTEGER)); Int(16_FFFFFFFFFFFFFFFF); Line();
END Main.
(* expect: 3 1 -4 1 -4 -1 3 -1 . *)
(* expect: 2 0 -2 0 0 0 -9223372036854775808 0 . *)
(* expect: -4 1 -2 1 -3 2 -2 -3 . *)
(* expect: 9223372036854775807 T . *)
(* expect: 4 15 2 56 3 0 0 7 -9223372036854775805 . *)
(* expect: 188 1792 -1 . *)
(* expect: T F F . *)
(* expect: 2 4 -2 -3 -2 -2 2 . *)
(* expect: 3.5 0.5 -0.5 *)
(* expect: F T T T . *)
(* expect: 7 9 7 65 66 1 . *)
(* expect: -100 -128 6 0 . *)
(* expect: 0 -1 . *)
