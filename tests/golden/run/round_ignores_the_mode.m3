(* golden: run *)
(* ROUND gives the nearest integer, the even one at ties, for constants and for variables, whatever rounding FloatMode
   has set; so do FLOOR, CEILING and TRUNC what their names say (language.md 17.1). *)
MODULE Main;

IMPORT FloatMode, Fmt, IO;

<*FATAL ANY*>

CONST
  Values = ARRAY [0..8] OF LONGREAL{-2.5d0, -1.5d0, -0.5d0, 0.5d0, 1.5d0, 2.5d0, 0.49999999999999994d0, 2.51d0,
                                    4503599627370497.5d0};
  Rounded = ARRAY [0..8] OF INTEGER{ROUND(-2.5d0), ROUND(-1.5d0), ROUND(-0.5d0), ROUND(0.5d0), ROUND(1.5d0),
                                    ROUND(2.5d0), ROUND(0.49999999999999994d0), ROUND(2.51d0),
                                    ROUND(4503599627370497.5d0)};
VAR
  x: LONGREAL;  y: REAL;  z: EXTENDED;  wrong := 0;

PROCEDURE Is(a, b: INTEGER) =
  BEGIN
    IF a # b THEN INC(wrong) END;
  END Is;

BEGIN
  FOR mode := FloatMode.RoundingMode.NearestElseEven TO FloatMode.RoundingMode.TowardZero DO
    FloatMode.SetRounding(mode);
    FOR i := 0 TO 8 DO
      x := Values[i];
      z := FLOAT(x, EXTENDED);
      Is(ROUND(x), Rounded[i]);
      Is(ROUND(z), Rounded[i]);
      Is(VAL(ROUND(x, LONGINT), INTEGER), Rounded[i]);
      IF i < 6 THEN y := FLOAT(x, REAL);  Is(ROUND(y), Rounded[i]) END;
    END;
    x := -2.5d0;
    Is(FLOOR(x), -3);
    Is(CEILING(x), -2);
    Is(TRUNC(x), -2);
  END;
  FloatMode.SetRounding(FloatMode.RoundingMode.NearestElseEven);
  FOR i := 0 TO 8 DO IO.Put(" " & Fmt.Int(Rounded[i])) END;
  IO.Put("\n" & Fmt.Int(wrong) & " wrong\n");
END Main.
(* expect:  -2 -2 0 0 2 2 0 3 4503599627370498 *)
(* expect: 0 wrong *)
