(* golden: run *)
MODULE Main;

IMPORT Fmt, IO;
FROM Fmt IMPORT Style;

PROCEDURE P(t: TEXT) =
  BEGIN
    IO.Put(t & "\n");
  END P;

BEGIN
  P(Fmt.Real(0.0) & " " & Fmt.Real(1.0) & " " & Fmt.Real(-0.1) & " " & Fmt.Real(123.456));
  P(Fmt.LongReal(0.1d0) & " " & Fmt.LongReal(1.0d0 / 3.0d0) & " " & Fmt.LongReal(100.0d0));
  P(Fmt.LongReal(1.0d6) & " " & Fmt.LongReal(123456.0d0) & " " & Fmt.LongReal(1.5d-7));
  P(Fmt.LongReal(0.00001d0) & " " & Fmt.LongReal(1.25d100));
  P(Fmt.LongReal(2.5d0, literal := TRUE) & " " & Fmt.LongReal(2.0d0, literal := TRUE) & " "
    & Fmt.LongReal(1.0d9, literal := TRUE) & " " & Fmt.Real(2.0, literal := TRUE));
  P(Fmt.LongReal(2.0d0 / 3.0d0, Style.Fix, 3) & " " & Fmt.LongReal(-2.5d0, Style.Fix, 0) & " "
    & Fmt.LongReal(1.0d10, Style.Fix, 2));
  P(Fmt.LongReal(12345.678d0, Style.Sci, 2) & " " & Fmt.LongReal(1.0d-300, Style.Sci, 1) & " "
    & Fmt.Real(12345.678, Style.Sci, 2));
  P(Fmt.LongReal(1.0d0 / 3.0d0, Style.Auto, 3) & " " & Fmt.LongReal(999.96d0, Style.Auto, 3));
  P(Fmt.Extended(1.5x0) & " " & Fmt.Extended(1.5x0, literal := TRUE));
  P(Fmt.LongReal(LAST(LONGREAL)) & " " & Fmt.LongReal(-LAST(LONGREAL)));
  (* Zeros follow the digits that distinguish the number from its neighbours. *)
  P(Fmt.Real(123456.7, Style.Fix, 3) & " " & Fmt.Real(0.1, Style.Fix, 10) & " "
    & Fmt.LongReal(0.1d0, Style.Fix, 20) & " " & Fmt.Real(-0.1, Style.Sci, 10));
  P(Fmt.LongReal(1.0d23, Style.Fix, 1) & " " & Fmt.LongReal(1.0d-5, Style.Fix, 7) & " "
    & Fmt.LongReal(1.0d-5, Style.Fix, 4) & " " & Fmt.LongReal(-0.0d0, Style.Fix, 2));
  P(Fmt.LongReal(1.0d0, Style.Sci, 0) & " " & Fmt.LongReal(1.0d0, Style.Sci, 0, TRUE) & " "
    & Fmt.LongReal(1.0d0, Style.Sci, 3) & " " & Fmt.LongReal(1.0d0 / 3.0d0, Style.Sci, 18, TRUE));
END Main.
(* expect: 0 1 -0.1 123.456 *)
(* expect: 0.1 0.3333333333333333 100 *)
(* expect: 1e6 123456 1.5e-7 *)
(* expect: 0.00001 1.25e100 *)
(* expect: 2.5d0 2.0d0 1.0d9 2.0 *)
(* expect: 0.667 -2 10000000000.00 *)
(* expect: 1.23e+004 1.0e-300 1.23e+04 *)
(* expect: 0.3333 1000 *)
(* expect: 1.5 1.5x0 *)
(* expect: Infinity -Infinity *)
(* expect: 123456.700 0.1000000000 0.10000000000000000000 -1.0000000000e-01 *)
(* expect: 100000000000000000000000.0 0.0000100 0.0000 -0.00 *)
(* expect: 1e+000 1.0d+000 1.000e+000 3.333333333333333000d-001 *)
