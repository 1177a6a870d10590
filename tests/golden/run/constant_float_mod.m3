(* golden: run *)
(* A constant MOD has the same value as at run time, also if the quotient is not exact or
   overflows. *)
MODULE Main;

IMPORT Fmt, IO;

VAR x, y: LONGREAL;

PROCEDURE Compare(constant: LONGREAL; a, b: LONGREAL) =
  BEGIN
    x := a;
    y := b;
    IO.Put(Fmt.LongReal(constant) & " " & Fmt.Bool(constant = x MOD y) & "\n");
  END Compare;

BEGIN
  Compare(1.0d18 MOD 3.0d0, 1.0d18, 3.0d0);
  Compare(1.0d0 MOD 0.1d0, 1.0d0, 0.1d0);
  Compare(9007199254740993.0d0 MOD -7.25d0, 9007199254740993.0d0, -7.25d0);
  Compare(1.0d308 MOD 0.1d0, 1.0d308, 0.1d0);
  Compare(1.0d0 MOD 4.9d-324, 1.0d0, 4.9d-324);
  Compare(4.9d-324 MOD -7.25d0, 4.9d-324, -7.25d0);
  Compare(-7.5d0 MOD 2.0d0, -7.5d0, 2.0d0);
  Compare(7.5d0 MOD -2.0d0, 7.5d0, -2.0d0);
  x := MIN(0.0d0, -0.0d0);
  y := MAX(0.0d0, -0.0d0);
  IO.Put(Fmt.Bool(1.0d0 / x > 0.0d0) & " " & Fmt.Bool(1.0d0 / y > 0.0d0) & "\n");
END Main.
(* expect: 1 TRUE *)
(* expect: 0.09999999999999995 TRUE *)
(* expect: -3.5 TRUE *)
(* expect: 0.06093288384329992 TRUE *)
(* expect: 0 TRUE *)
(* expect: -7.25 TRUE *)
(* expect: 0.5 TRUE *)
(* expect: -0.5 TRUE *)
(* expect: TRUE TRUE *)
