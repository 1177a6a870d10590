(* golden: run, -w *)
(* Reals of three formats: NaN, infinities, signed zero, folding in the format, conversions, comparisons of structures; printing. *)
MODULE Main;
IMPORT IO, Fmt, Text, Math, Real, LongReal, RealFloat, LongFloat, IEEESpecial, Extended, ExtendedFloat;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
PROCEDURE R(x: REAL): REAL = BEGIN RETURN x END R;
PROCEDURE L(x: LONGREAL): LONGREAL = BEGIN RETURN x END L;
PROCEDURE X(x: EXTENDED): EXTENDED = BEGIN RETURN x END X;
PROCEDURE Eq(t, u: TEXT; n: INTEGER) = BEGIN IF NOT Text.Equal(t, u) THEN IO.Put("got " & t & "\n"); Ck(FALSE, n) END END Eq;
CONST
  Third = 1.0 / 3.0; ThirdL = 1.0d0 / 3.0d0; Tenth = 0.1; Sum = 0.1 + 0.2; SumL = 0.1d0 + 0.2d0; Big = 16777216.0 + 1.0; Trunc1 = TRUNC(16777216.0 * 2.0); Rnd = ROUND(1.5) + ROUND(2.5) + ROUND(-0.5) + ROUND(-1.5);
  FlC = FLOOR(-0.0001d0); CeC = CEILING(0.0001); Conv = FLOAT(0.1d0); ConvL = FLOAT(0.1, LONGREAL); I2R = FLOAT(16777217); I2L = FLOAT(9007199254740993, LONGREAL); NegZ = -0.0; Md = 7.5 MOD 2.0; MaxR = MAX(1.5, -2.5); AbsR = ABS(-3.5d0); Lt = 1.0 < 2.0; Ge = 1.0d0 >= 2.0d0;
  Arr = ARRAY [0..2] OF REAL{1.0, 0.5, 2.5E1}; Ex = 1.0E10; Exl = 1.0D100; Exx = 1.0x0;
TYPE P = RECORD x, y: REAL END; A = ARRAY [0..1] OF LONGREAL;
VAR z := 0.0; zl := 0.0d0; zx := 0.0x0; nan, inf: REAL; nanl, infl: LONGREAL; p, q: P; a, b: A; ok: BOOLEAN;
BEGIN
  Ck(Third = R(1.0) / R(3.0) AND ThirdL = L(1.0d0) / L(3.0d0) AND FLOAT(Third, LONGREAL) # ThirdL, 1);
  Ck(Sum = R(0.1) + R(0.2) AND SumL = L(0.1d0) + L(0.2d0) AND SumL # 0.3d0 AND Big = 16777216.0 AND R(16777216.0) + R(1.0) = Big, 2);
  Ck(Trunc1 = 33554432 AND Rnd = 2 + 2 + 0 - 2 AND FlC = -1 AND CeC = 1, 3);
  Ck(Conv = Tenth AND ConvL # 0.1d0 AND I2R = 16777216.0 AND FLOAT(16777217) = I2R AND I2L = 9007199254740992.0d0, 4);
  Ck(R(1.0) / NegZ < 0.0 AND NegZ = 0.0 AND 1.0 / R(-0.0) < R(0.0) AND Md = 1.5 AND MaxR = 1.5 AND AbsR = 3.5d0 AND Lt AND NOT Ge, 5);
  nan := z / z; nanl := zl / zl; inf := 1.0 / z; infl := -1.0d0 / zl;
  Ck(nan # nan AND NOT nan = nan AND NOT nan < 0.0 AND NOT nan > 0.0 AND NOT nan <= nan AND NOT nan >= nan, 6);
  Ck(nanl # nanl AND NOT (nanl < 1.0d0) AND NOT (nanl >= 1.0d0), 7); ok := nan < 1.0; Ck(NOT ok, 8); ok := NOT (nan < 1.0); Ck(ok, 9); IF nan >= 1.0 THEN Ck(FALSE, 10) END; WHILE nan # nan DO EXIT END;
  Ck(inf > Real.MaxFinite AND infl < -LongReal.MaxFinite AND inf = LAST(REAL) AND infl = FIRST(LONGREAL) AND inf - inf # inf - inf, 11);
  p := P{1.0, nan}; q := p; Ck(p # q, 12); p.y := 0.0; q.y := -z; Ck(p = q, 13); a := A{0.0d0, 1.0d0}; b := A{-zl, 1.0d0}; Ck(a = b, 14);
  Ck(X(1.0x0) / X(3.0x0) > 0.333x0 AND zx = -zx AND FLOAT(X(2.5x0)) = 2.5 AND FLOAT(R(2.5), EXTENDED) = 2.5x0 AND FLOAT(L(2.5d0), EXTENDED) = 2.5x0, 15);
  Ck(TRUNC(R(-2.7)) = -2 AND FLOOR(L(-2.7d0)) = -3 AND CEILING(X(-2.7x0)) = -2 AND ROUND(R(-2.5)) = -2 AND ROUND(L(3.5d0)) = 4 AND ROUND(X(4.5x0)) = 4, 16);
  Ck(TRUNC(L(1.0d18)) = 1000000000000000000 AND ROUND(L(4503599627370497.5d0)) = 4503599627370498 AND FLOOR(R(1.0E9)) = 1000000000, 17);
  Ck(R(5.0) MOD R(3.0) = 2.0 AND R(-5.0) MOD R(3.0) = 1.0 AND L(5.0d0) MOD L(-3.0d0) = -1.0d0 AND R(5.5) MOD R(0.5) = 0.0, 18);
  Ck(MAX(R(1.0), R(2.0)) = 2.0 AND MIN(L(1.0d0), L(-2.0d0)) = -2.0d0 AND ABS(R(-1.5)) = 1.5 AND ABS(L(-0.0d0)) = 0.0d0, 19);
  Ck(RealFloat.IsNaN(nan) AND NOT RealFloat.Finite(inf) AND LongFloat.IsNaN(nanl) AND LongFloat.Scalb(1.0d0, 3) = 8.0d0 AND RealFloat.Logb(8.0) = 3.0 AND RealFloat.CopySign(1.0, -2.0) = -1.0, 20);
  Ck(Math.sqrt(2.0d0) * Math.sqrt(2.0d0) > 1.9999d0 AND Math.floor(-1.5d0) = -2.0d0 AND ABS(Math.sin(Math.Pi)) < 1.0d-10 AND Math.pow(2.0d0, 10.0d0) = 1024.0d0 AND Math.atan2(0.0d0, 1.0d0) = 0.0d0, 21);
  Ck(IEEESpecial.RealPosInf = inf AND IEEESpecial.LongNegInf = infl, 22);
  Ck(Real.Precision = 24 AND LongReal.Precision = 53 AND Real.Base = 2 AND Real.MinPosNormal > Real.MinPos AND Real.MaxExpDigits = 2 AND Extended.Base = 2, 23);
  Eq(Fmt.Real(1.5), "1.5", 24); Eq(Fmt.LongReal(0.1d0), "0.1", 25); Eq(Fmt.Real(3.14159, Fmt.Style.Fix, 2), "3.14", 26);
  VAR s := 0.0; BEGIN FOR i := 1 TO 10 DO s := s + 0.1 END; Ck(s # 1.0 AND ABS(s - 1.0) < 1.0e-6, 28) END;
  VAR s := 0.0d0; BEGIN FOR i := FIRST(Arr) TO LAST(Arr) DO s := s + FLOAT(Arr[i], LONGREAL) END; Ck(s = 26.5d0 AND Ex = 1.0e10 AND Exl > Exl / 10.0d0 AND Exx = 1.0x0, 29) END;
  VAR i := 0; BEGIN FOR k := 1 TO 20 DO INC(i, TRUNC(FLOAT(k) / 3.0)) END; Ck(i = 63, 30) END;
  Ck(R(1.0) + R(1.0E-9) = 1.0 AND (R(1.0E30) + R(1.0)) - R(1.0E30) = 0.0 AND R(Real.MaxFinite) * 2.0 = inf, 31);
  Ck(R(1.0E-45) > 0.0 AND L(4.9d-324) > 0.0d0 AND L(4.9d-324) / 2.0d0 = 0.0d0, 32);
  Ck(FLOAT(LAST(INTEGER), LONGREAL) = 9223372036854775808.0d0 AND FLOAT(FIRST(LONGINT), LONGREAL) = -9223372036854775808.0d0, 33);
  Ck(-R(0.0) = 0.0 AND 1.0 / -R(0.0) < 0.0 AND 0.0 - R(0.0) = 0.0 AND 1.0 / (0.0 - R(0.0)) > 0.0, 34);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
