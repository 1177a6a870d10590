MODULE FmtTest;

IMPORT Fmt, LongReal, Real, Scan, Test;
FROM Fmt IMPORT Style;

PROCEDURE TestIntegersAndTexts(t: Test.T) =
  BEGIN
    t.equalText(Fmt.Bool(TRUE) & Fmt.Bool(FALSE) & Fmt.Char('c'), "TRUEFALSEc");
    t.equalText(Fmt.Int(0) & " " & Fmt.Int(-12) & " " & Fmt.Int(FIRST(INTEGER)) & " " & Fmt.Int(LAST(INTEGER)),
                "0 -12 -9223372036854775808 9223372036854775807");
    t.equalText(Fmt.Int(255, 16) & " " & Fmt.Int(-255, 2) & " " & Fmt.Int(FIRST(INTEGER), 16),
                "ff -11111111 -8000000000000000");
    t.equalText(Fmt.Unsigned(-1) & " " & Fmt.Unsigned(-1, 10) & " " & Fmt.Unsigned(10),
                "ffffffffffffffff 18446744073709551615 a");
    t.equalText(Fmt.LongInt(-77L) & " " & Fmt.LongUnsigned(-1L), "-77 ffffffffffffffff");
    t.equalText(Fmt.Pad("ab", 5) & Fmt.Pad("ab", 5, '.', Fmt.Align.Left) & Fmt.Pad("abcdef", 5), "   abab...abcdef");
    t.equalText(Fmt.F("%s and %s", "one", "two"), "one and two");
    t.equalText(Fmt.F("%5s|%-5s|%05s|%", "a", "b", "42"), "    a|b    |00042|%");
    t.equalText(Fmt.F("100%: %d %%s", "x"), "100%: %d %x");
    t.equalText(Fmt.FN("%s%s%s%s%s%s", ARRAY OF TEXT{"1", "2", "3", "4", "5", "6"}), "123456");
  END TestIntegersAndTexts;

PROCEDURE TestReals(t: Test.T) =
  BEGIN
    t.equalText(Fmt.Real(0.0) & " " & Fmt.Real(1.0) & " " & Fmt.Real(-0.1) & " " & Fmt.Real(123.456),
                "0 1 -0.1 123.456");
    t.equalText(Fmt.LongReal(0.1d0) & " " & Fmt.LongReal(1.0d0 / 3.0d0) & " " & Fmt.LongReal(100.0d0),
                "0.1 0.3333333333333333 100");
    t.equalText(Fmt.LongReal(1.0d6) & " " & Fmt.LongReal(123456.0d0) & " " & Fmt.LongReal(1.5d-7),
                "1e6 123456 1.5e-7");
    t.equalText(Fmt.LongReal(0.00001d0) & " " & Fmt.LongReal(1.25d100), "0.00001 1.25e100");
    t.equalText(Fmt.LongReal(2.5d0, literal := TRUE) & " " & Fmt.LongReal(2.0d0, literal := TRUE) & " " & Fmt.LongReal(1.0d9, literal := TRUE) & " " & Fmt.Real(2.0, literal := TRUE),
                "2.5d0 2.0d0 1.0d9 2.0");
    t.equalText(Fmt.LongReal(2.0d0 / 3.0d0, Style.Fix, 3) & " " & Fmt.LongReal(-2.5d0, Style.Fix, 0) & " " & Fmt.LongReal(1.0d10, Style.Fix, 2),
                "0.667 -2 10000000000.00");
    t.equalText(Fmt.LongReal(12345.678d0, Style.Sci, 2) & " " & Fmt.LongReal(1.0d-300, Style.Sci, 1) & " " & Fmt.Real(12345.678, Style.Sci, 2),
                " 1.23e+004  1.0e-300  1.23e+04");
    t.equalText(Fmt.LongReal(1.0d0 / 3.0d0, Style.Auto, 3) & " " & Fmt.LongReal(999.96d0, Style.Auto, 3),
                "0.3333 1000");
    t.equalText(Fmt.Extended(1.5x0) & " " & Fmt.Extended(1.5x0, literal := TRUE), "1.5 1.5x0");
    t.equalText(Fmt.LongReal(LAST(LONGREAL)) & " " & Fmt.LongReal(-LAST(LONGREAL)), "Infinity -Infinity");
    t.equalText(Fmt.Real(123456.7, Style.Fix, 3) & " " & Fmt.Real(0.1, Style.Fix, 10) & " " & Fmt.LongReal(0.1d0, Style.Fix, 20) & " " & Fmt.Real(-0.1, Style.Sci, 10),
                "123456.700 0.1000000000 0.10000000000000000000 -1.0000000000e-01");
    t.equalText(Fmt.LongReal(1.0d23, Style.Fix, 1) & " " & Fmt.LongReal(1.0d-5, Style.Fix, 7) & " " & Fmt.LongReal(1.0d-5, Style.Fix, 4) & " " & Fmt.LongReal(-0.0d0, Style.Fix, 2),
                "100000000000000000000000.0 0.0000100 0.0000 -0.00");
    t.equalText(Fmt.LongReal(1.0d0, Style.Sci, 0) & " " & Fmt.LongReal(1.0d0, Style.Sci, 0, TRUE) & " " & Fmt.LongReal(1.0d0, Style.Sci, 3) & " " & Fmt.LongReal(1.0d0 / 3.0d0, Style.Sci, 18, TRUE),
                " 1e+000  1.0d+000  1.000e+000  3.333333333333333000d-001");
  END TestReals;

(* The neighbour below a power of two is nearer than the one above: rounding the exact value to the number of the
   shortest digits can give digits of the neighbour. *)
PROCEDURE TestPowersOfTwoInStyleSciReadBack(t: Test.T) RAISES ANY =
  VAR x := LongReal.MinPos;  y := Real.MinPos;
  BEGIN
    t.equalText(Fmt.LongReal(1.0d0 / 17592186044416.0d0, Style.Sci, 16), " 5.6843418860808020e-014");
    WHILE x < LongReal.MaxFinite / 4.0d0 DO
      t.check(Scan.LongReal(Fmt.LongReal(-x, Style.Sci, 20)) = -x);
      x := 2.0d0 * x;
    END;
    WHILE y < Real.MaxFinite / 4.0 DO
      t.check(Scan.Real(Fmt.Real(y, Style.Sci, 20)) = y);
      y := 2.0 * y;
    END;
  END TestPowersOfTwoInStyleSciReadBack;

(* Numbers at the limits of the ways that Fmt takes for frequent ones. *)
PROCEDURE TestLimitsOfTheFastPaths(t: Test.T) =
  BEGIN
    t.equalText(Fmt.LongReal(0.0d0), "0");
    t.equalText(Fmt.LongReal(-0.0d0), "-0");
    t.equalText(Fmt.LongReal(0.00001d0), "0.00001");
    t.equalText(Fmt.LongReal(0.000009d0), "9e-6");
    t.equalText(Fmt.LongReal(-0.25d0), "-0.25");
    t.equalText(Fmt.LongReal(1.0d0), "1");
    t.equalText(Fmt.LongReal(999999.0d0), "999999");
    t.equalText(Fmt.LongReal(999999.9999d0), "999999.9999");
    t.equalText(Fmt.LongReal(1000000.0d0), "1e6");
    t.equalText(Fmt.LongReal(-123456.0d0), "-123456");
    t.equalText(Fmt.LongReal(0.1d0 + 0.2d0), "0.30000000000000004");
    t.equalText(Fmt.Int(FIRST(INTEGER)), "-9223372036854775808");
    t.equalText(Fmt.Int(0), "0");
    t.equalText(Fmt.Int(-255, 16), "-ff");
    t.equalText(Fmt.Int(FIRST(INTEGER), 2), "-1000000000000000000000000000000000000000000000000000000000000000");
    t.equalText(Fmt.Unsigned(-1), "ffffffffffffffff");
    t.equalText(Fmt.Unsigned(-1, 10), "18446744073709551615");
  END TestLimitsOfTheFastPaths;

BEGIN
END FmtTest.
