(* golden: run, with lib/Check, lib/Dice *)
(* Float, FloatMode, FloatExtras, IEEESpecial, Sqrt, Math. *)
MODULE Main;

IMPORT Check, Dice, Extended, ExtendedFloat, FloatMode, Fmt, IEEESpecial, Lex,
  LongFloat, LongFloatExtras, LongReal, LongSqrt, Math, Real, RealFloat, RealFloatExtras, RealSqrt,
  Scan, Word;
FROM Ctypes IMPORT int;
FROM FloatMode IMPORT Behavior, Flag, RoundingMode;

<*FATAL FloatMode.Trap*>

VAR
  (* Not constants for the compiler. *)
  one := 1.0d0;
  three := 3.0d0;

PROCEDURE Real32() =
  VAR inf := IEEESpecial.RealPosInf;  nan := IEEESpecial.RealNan;  minusZero := -0.0;
  BEGIN
    Check.That(RealFloat.Scalb(1.5, 3) = 12.0 AND RealFloat.Scalb(1.0, 1000) = inf
               AND RealFloat.Scalb(1.0, LAST(INTEGER)) = inf
               AND RealFloat.Scalb(1.0, -149) = Real.MinPos AND RealFloat.Scalb(1.0, -151) = 0.0,
               "Scalb");
    Check.That(RealFloat.Logb(10.0) = 3.0 AND RealFloat.Logb(0.4) = -2.0
               AND RealFloat.Logb(Real.MinPos) = -126.0
               AND RealFloat.Logb(0.0) = IEEESpecial.RealNegInf
               AND RealFloat.Logb(IEEESpecial.RealNegInf) = inf
               AND RealFloat.IsNaN(RealFloat.Logb(nan)), "Logb");
    Check.That(RealFloat.ILogb(10.0) = 3 AND RealFloat.ILogb(Real.MinPos) = -149
               AND RealFloat.ILogb(-Real.MinPosNormal) = -126
               AND RealFloat.ILogb(0.0) = FIRST(INTEGER) AND RealFloat.ILogb(inf) = LAST(INTEGER)
               AND RealFloat.ILogb(nan) = 0, "ILogb");
    Check.That(RealFloat.NextAfter(0.0, 1.0) = Real.MinPos
               AND RealFloat.NextAfter(minusZero, -1.0) = -Real.MinPos
               AND RealFloat.NextAfter(1.0, 2.0) = 1.0 + RealFloat.Scalb(1.0, -23)
               AND RealFloat.NextAfter(1.0, 0.0) = 1.0 - RealFloat.Scalb(1.0, -24)
               AND RealFloat.NextAfter(-1.0, 0.0) = -1.0 + RealFloat.Scalb(1.0, -24)
               AND RealFloat.NextAfter(Real.MaxFinite, inf) = inf
               AND RealFloat.NextAfter(inf, 0.0) = Real.MaxFinite
               AND RealFloat.NextAfter(Real.MinPos, -1.0) = 0.0
               AND RealFloat.NextAfter(3.0, 3.0) = 3.0
               AND RealFloat.IsNaN(RealFloat.NextAfter(nan, 1.0)), "NextAfter");
    Check.That(RealFloat.CopySign(3.0, minusZero) = -3.0 AND RealFloat.CopySign(-3.0, 1.0) = 3.0,
               "CopySign");
    Check.That(RealFloat.Finite(Real.MaxFinite) AND NOT RealFloat.Finite(inf)
               AND NOT RealFloat.Finite(nan), "Finite");
    Check.That(RealFloat.IsNaN(nan) AND NOT RealFloat.IsNaN(inf), "IsNaN");
    Check.That(RealFloat.Sign(-2.0) = 1 AND RealFloat.Sign(minusZero) = 1
               AND RealFloat.Sign(0.0) = 0, "Sign");
    Check.That(RealFloat.Differs(1.0, 2.0) AND NOT RealFloat.Differs(1.0, 1.0)
               AND NOT RealFloat.Differs(nan, 1.0), "Differs");
    Check.That(RealFloat.Unordered(nan, nan) AND NOT RealFloat.Unordered(1.0, inf), "Unordered");
    Check.That(RealFloat.Sqrt(2.25) = 1.5 AND RealFloat.IsNaN(RealFloat.Sqrt(-1.0))
               AND RealSqrt.Sqrt(9.0) = 3.0, "Sqrt");
    Check.That(RealFloat.Class(nan) = RealFloat.IEEEClass.QuietNaN
               AND RealFloat.Class(-inf) = RealFloat.IEEEClass.Infinity
               AND RealFloat.Class(1.0) = RealFloat.IEEEClass.Normal
               AND RealFloat.Class(Real.MinPos) = RealFloat.IEEEClass.Denormal
               AND RealFloat.Class(minusZero) = RealFloat.IEEEClass.Zero, "Class");
  END Real32;

PROCEDURE Show(READONLY d: LongFloat.DecimalApprox): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 0 TO d.len - 1 DO t := t & Fmt.Int(d.digits[i]) END;
    RETURN Fmt.F("%s%s e%s %s", ARRAY [0..1] OF TEXT{"+", "-"}[d.sign], t, Fmt.Int(d.exp),
                 Fmt.Int(d.errorSign));
  END Show;

PROCEDURE Decimals() =
  VAR x, y: LONGREAL;  d: LongFloat.DecimalApprox;  right := TRUE;  r: REAL;
      rd: RealFloat.DecimalApprox;  bits: Word.T;
  BEGIN
    Check.Text(Show(LongFloat.ToDecimal(0.1d0)), "+1 e-1 -1", "0.1 is a little more");
    Check.Text(Show(LongFloat.ToDecimal(-0.3d0)), "-3 e-1 1", "0.3 is a little less");
    Check.Text(Show(LongFloat.ToDecimal(1234.5d0)), "+12345 e3 0", "1234.5 is exact");
    Check.Text(Show(LongFloat.ToDecimal(LongReal.MinPos)), "+5 e-324 1", "least number");
    Check.Text(Show(LongFloat.ToDecimal(LongReal.MaxFinite)), "+17976931348623157 e308 -1",
               "greatest number");
    d := LongFloat.ToDecimal(IEEESpecial.LongNegInf);
    Check.That(d.class = LongFloat.IEEEClass.Infinity AND d.sign = 1, "infinity");
    d := LongFloat.ToDecimal(0.0d0);
    Check.That(d.class = LongFloat.IEEEClass.Zero AND d.len = 1 AND d.digits[0] = 0, "zero");
    Check.That(LongFloat.FromDecimal(1, ARRAY OF [0..9]{1, 2, 5}, 1) = -12.5d0, "FromDecimal");
    Check.That(LongFloat.FromDecimal(0, ARRAY OF [0..9]{0, 0, 7}, 2) = 7.0d0, "leading zeros");
    Check.That(LongFloat.FromDecimal(0, ARRAY OF [0..9]{1}, LAST(INTEGER))
               = IEEESpecial.LongPosInf, "too great");
    Check.That(LongFloat.FromDecimal(0, ARRAY OF [0..9]{1}, FIRST(INTEGER)) = 0.0d0, "too small");
    Check.That(LongFloat.FromDecimal(0, ARRAY OF [0..9]{5}, -324) = LongReal.MinPos, "denormal");
    FOR i := 1 TO 20000 DO
      bits := Dice.Roll(LAST(INTEGER));
      x := LongFloat.Scalb(FLOAT(bits, LONGREAL), Dice.Roll(2000) - 1100);
      IF LongFloat.Finite(x) AND x # 0.0d0 THEN
        d := LongFloat.ToDecimal(x);
        y := LongFloat.FromDecimal(d.sign, SUBARRAY(d.digits, 0, d.len), d.exp);
        IF x # y THEN right := FALSE END;
      END;
      r := RealFloat.Scalb(FLOAT(bits), Dice.Roll(250) - 190);
      IF RealFloat.Finite(r) AND r # 0.0 THEN
        rd := RealFloat.ToDecimal(r);
        IF r # RealFloat.FromDecimal(rd.sign, SUBARRAY(rd.digits, 0, rd.len), rd.exp) THEN
          right := FALSE;
        END;
      END;
    END;
    Check.That(right, Dice.With("ToDecimal and FromDecimal"));
  END Decimals;

PROCEDURE Long() =
  BEGIN
    Check.That(LongFloat.Scalb(1.0d0, -1074) = LongReal.MinPos
               AND LongFloat.ILogb(LongReal.MinPos) = -1074
               AND LongFloat.Logb(LongReal.MinPos) = -1022.0d0, "LONGREAL");
    Check.That(LongFloat.NextAfter(1.0d0, 2.0d0) - 1.0d0 = LongFloat.Scalb(1.0d0, -52),
               "NextAfter of LONGREAL");
    Check.That(LongFloat.IsNaN(IEEESpecial.LongNan)
               AND LongFloat.Class(IEEESpecial.LongNan) = LongFloat.IEEEClass.QuietNaN
               AND IEEESpecial.LongNegInf < -LongReal.MaxFinite, "special values");
    Check.That(LongSqrt.Sqrt(2.0d0) = Math.sqrt(2.0d0), "LongSqrt");
    Check.That(ExtendedFloat.Scalb(1.0x0, 4) = 16.0x0
               AND ExtendedFloat.Logb(8.0x0) = 3.0x0 AND ExtendedFloat.ILogb(8.0x0) = 3
               AND ExtendedFloat.NextAfter(Extended.MaxFinite, IEEESpecial.ExtdPosInf)
                   = IEEESpecial.ExtdPosInf
               AND ExtendedFloat.CopySign(1.0x0, IEEESpecial.ExtdNegInf) = -1.0x0
               AND ExtendedFloat.IsNaN(IEEESpecial.ExtdNan)
               AND NOT ExtendedFloat.Finite(IEEESpecial.ExtdNegInf)
               AND ExtendedFloat.Sign(-1.0x0) = 1 AND ExtendedFloat.Differs(1.0x0, 2.0x0)
               AND NOT ExtendedFloat.Unordered(1.0x0, 2.0x0) AND ExtendedFloat.Sqrt(4.0x0) = 2.0x0
               AND ExtendedFloat.Class(0.0x0) = ExtendedFloat.IEEEClass.Zero
               AND ExtendedFloat.FromDecimal(0, ARRAY OF [0..9]{2}, 0) = 2.0x0
               AND ExtendedFloat.ToDecimal(0.5x0).digits[0] = 5, "EXTENDED");
  END Long;

PROCEDURE Modes() =
  VAR down, up: LONGREAL;  failed: CARDINAL := 0;  old: SET OF Flag;  state: FloatMode.ThreadState;
  <*FATAL FloatMode.Failure, Lex.Error*>
  BEGIN
    FloatMode.SetRounding(RoundingMode.TowardMinusInfinity);
    down := one / three;
    Check.Int(RealFloatExtras.Round(-2.5), -3, "Round down");
    FloatMode.SetRounding(RoundingMode.TowardPlusInfinity);
    Check.That(FloatMode.GetRounding() = RoundingMode.TowardPlusInfinity, "GetRounding");
    up := one / three;
    Check.Int(LongFloatExtras.Round(2.1d0), 3, "Round up");
    FloatMode.SetRounding(RoundingMode.TowardZero);
    Check.Int(LongFloatExtras.Round(-2.9d0), -2, "Round toward zero");
    Check.That(Scan.LongReal("0.1") = 0.1d0 AND Scan.Real("0.1") = 0.1, "what is read is rounded to nearest");
    Check.That(Scan.LongReal("0.1000000000000000055") = 0.1d0, "also if it is long");
    Check.That(FloatMode.GetRounding() = RoundingMode.TowardZero, "the mode remains");
    FloatMode.SetRounding(FloatMode.RoundDefault);
    Check.Int(LongFloatExtras.Round(2.5d0), 2, "Round to even");
    Check.That(up = LongFloat.NextAfter(down, 1.0d0), "rounding modes");
    FOR md := RoundingMode.NearestElseAwayFromZero TO LAST(RoundingMode) DO
      TRY FloatMode.SetRounding(md) EXCEPT FloatMode.Failure => INC(failed) END;
    END;
    Check.Int(failed, 3, "rounding modes that are not supported");

    old := FloatMode.SetFlags(FloatMode.NoFlags);
    Check.That(Flag.Inexact IN old, "SetFlags gives the old ones");
    Check.That(FloatMode.GetFlags() = FloatMode.NoFlags, "no flags");
    Check.That(LongFloat.IsNaN(LongFloatExtras.RaiseInvalid())
               AND FloatMode.GetFlags() = SET OF Flag{Flag.Invalid}, "Invalid");
    Check.That(RealFloatExtras.RaiseDivByZero(-1) = IEEESpecial.RealNegInf
               AND FloatMode.GetFlags() = SET OF Flag{Flag.Invalid, Flag.DivByZero}, "DivByZero");
    FloatMode.ClearFlag(Flag.Invalid);
    Check.That(FloatMode.GetFlags() = SET OF Flag{Flag.DivByZero}, "ClearFlag");
    EVAL FloatMode.SetFlags(FloatMode.NoFlags);
    Check.That(LongFloatExtras.RaiseLargeOverflow() = IEEESpecial.LongPosInf
               AND FloatMode.GetFlags() = SET OF Flag{Flag.Overflow, Flag.Inexact}, "Overflow");
    EVAL FloatMode.SetFlags(SET OF Flag{Flag.Overflow});
    Check.That(FloatMode.GetFlags() = SET OF Flag{Flag.Overflow}, "SetFlags");
    Check.That(RealFloatExtras.RaiseLargeUnderflow() = 0.0
               AND SET OF Flag{Flag.Underflow, Flag.Inexact} <= FloatMode.GetFlags(), "Underflow");
    failed := 0;
    TRY EVAL FloatMode.SetFlags(SET OF Flag{Flag.IntOverflow})
    EXCEPT FloatMode.Failure => INC(failed)
    END;
    TRY FloatMode.SetBehavior(Flag.Overflow, Behavior.Trap)
    EXCEPT FloatMode.Failure => INC(failed)
    END;
    Check.Int(failed, 2, "what is not supported");
    EVAL FloatMode.SetFlags(FloatMode.NoFlags);
    RealFloatExtras.SetFlag(Flag.Invalid);
    Check.That(FloatMode.GetFlags() = SET OF Flag{Flag.Invalid}, "SetFlag");
    LongFloatExtras.SetBehaviors(SET OF Flag{Flag.Invalid, Flag.Inexact}, Behavior.Ignore);
    Check.That(FloatMode.GetBehavior(Flag.Invalid) = Behavior.Ignore
               AND FloatMode.GetFlags() = FloatMode.NoFlags, "Ignore");
    FloatMode.SetBehavior(Flag.Invalid, Behavior.SetFlag);
    Check.That(FloatMode.GetFlags() = FloatMode.NoFlags
               AND FloatMode.GetBehavior(Flag.Invalid) = Behavior.SetFlag
               AND FloatMode.GetBehavior(Flag.IntDivByZero) = Behavior.Trap
               AND FloatMode.IEEE, "behaviors");
    FloatMode.SetBehavior(Flag.Inexact, Behavior.SetFlag);
    FloatMode.InitThread(state);
    Check.That(state.behavior[Flag.Overflow] = Behavior.SetFlag AND NOT state.sticky[Flag.Invalid],
               "InitThread");
  END Modes;

PROCEDURE Bits(READONLY b: LongFloatExtras.Binary): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 0 TO LAST(b.bits^) DO t := t & Fmt.Int(b.bits[i]) END;
    RETURN t & " " & Fmt.Int(b.exp);
  END Bits;

PROCEDURE Mathematics() =
  VAR n: int := 0;  i: LONGREAL;
  BEGIN
    Check.Text(Bits(LongFloatExtras.ToBinary(-10.0d0)), "101 3", "ToBinary");
    Check.Text(Bits(LongFloatExtras.ToBinary(0.0d0)), "0 0", "ToBinary of zero");
    Check.Text(Bits(LongFloatExtras.ToBinary(LongReal.MinPos)), "1 -1074", "of the least number");
    Check.Int(NUMBER(RealFloatExtras.ToBinary(0.1).bits^), 24, "ToBinary of 0.1");
    Check.That(Math.frexp(12.0d0, n) = 0.75d0 AND n = 4, "frexp");
    Check.That(Math.ldexp(0.75d0, 4) = 12.0d0, "ldexp");
    Check.That(Math.modf(-3.25d0, i) = -0.25d0 AND i = -3.0d0, "modf");
    Check.That(Math.cabs(Math.Complex{3.0d0, 4.0d0}) = 5.0d0, "cabs");
    Check.That(ABS(Math.gamma(-0.5d0) - 1.2655121234846454d0) < 1.0d-14 AND Math.signgam = -1,
               "gamma");
    Check.That(Math.jn(0, 2.0d0) = Math.j0(2.0d0) AND Math.yn(1, 2.0d0) = Math.y1(2.0d0),
               "Bessel functions");
    Check.That(ABS(Math.exp(1.0d0) - Math.E) < 1.0d-15 AND Math.expm1(0.0d0) = 0.0d0
               AND Math.log(Math.exp(2.0d0)) = 2.0d0 AND Math.log10(1000.0d0) = 3.0d0
               AND Math.log1p(0.0d0) = 0.0d0 AND Math.pow(2.0d0, 10.0d0) = 1024.0d0,
               "exponentials");
    Check.That(Near(Math.cos(Math.Pi), -1.0d0) AND Near(Math.sin(Math.Pi / 2.0d0), 1.0d0)
               AND Near(Math.tan(Math.Degree * 45.0d0), 1.0d0)
               AND Near(Math.acos(-1.0d0), Math.Pi) AND Near(Math.asin(1.0d0), Math.Pi / 2.0d0)
               AND Near(Math.atan(1.0d0) * 4.0d0, Math.Pi)
               AND Near(Math.atan2(0.0d0, -1.0d0), Math.Pi), "circle");
    Check.That(Near(Math.sinh(1.0d0), (Math.E - 1.0d0 / Math.E) / 2.0d0)
               AND Near(Math.cosh(1.0d0), (Math.E + 1.0d0 / Math.E) / 2.0d0)
               AND Near(Math.tanh(Math.atanh(0.5d0)), 0.5d0)
               AND Near(Math.asinh(Math.sinh(2.0d0)), 2.0d0)
               AND Near(Math.acosh(Math.cosh(2.0d0)), 2.0d0), "hyperbola");
    Check.That(Math.ceil(-1.5d0) = -1.0d0 AND Math.floor(-1.5d0) = -2.0d0
               AND Math.rint(2.5d0) = 2.0d0 AND Math.fabs(-1.0d0) = 1.0d0
               AND Math.hypot(5.0d0, 12.0d0) = 13.0d0 AND Math.fmod(-7.0d0, 3.0d0) = -1.0d0
               AND Math.drem(8.0d0, 3.0d0) = -1.0d0 AND Math.remainder(7.0d0, 3.0d0) = 1.0d0,
               "rounding and remainders");
    Check.That(Near(Math.erf(1.0d0) + Math.erfc(1.0d0), 1.0d0)
               AND Near(Math.j1(1.0d0), 0.4400505857449335d0)
               AND Near(Math.y0(1.0d0), 0.08825696421567698d0), "others");
    Check.That(Near(Math.LogPi, Math.log(Math.Pi)) AND Near(Math.SqrtPi, Math.sqrt(Math.Pi)),
               "constants");
  END Mathematics;

PROCEDURE Near(x, y: LONGREAL): BOOLEAN =
  BEGIN
    RETURN ABS(x - y) < 1.0d-14;
  END Near;

BEGIN
  Real32();
  Decimals();
  Long();
  Modes();
  Mathematics();
  Check.Done();
END Main.
(* expect: all checks hold *)
