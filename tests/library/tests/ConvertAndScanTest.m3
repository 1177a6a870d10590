(* Convert on buffers that are just long enough or too short; the procedures of Scan and Lex that
   scan.m3 does not test. *)
MODULE ConvertAndScanTest;

IMPORT Test, Convert, FloatMode, Fmt, Lex, Rd, Scan, Text, TextRd, Thread;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL Rd.Failure, Thread.Alerted*>

VAR
  buffer: ARRAY [0..39] OF CHAR;

PROCEDURE Got(n: INTEGER): TEXT =
  BEGIN
    RETURN Text.FromChars(SUBARRAY(buffer, 0, n));
  END Got;

PROCEDURE TestIntegers(<*UNUSED*> running: Test.T) =
  VAR failed := FALSE;  n: INTEGER;
  <*FATAL Convert.Failed*>
  BEGIN
    test.equalText(Got(Convert.FromInt(buffer, 0)), "0", "FromInt");
    test.equalText(Got(Convert.FromInt(buffer, FIRST(INTEGER))), "-9223372036854775808", "FromInt");
    test.equalText(Got(Convert.FromInt(buffer, -255, 16, TRUE)), "-16_ff", "FromInt");
    test.equalText(Got(Convert.FromInt(buffer, 5, 2)), "101", "FromInt");
    test.equalText(Got(Convert.FromLongInt(buffer, LAST(LONGINT))), "9223372036854775807",
               "FromLongInt");
    test.equalText(Got(Convert.FromLongInt(buffer, -8L, 8, TRUE)), "-8_10", "FromLongInt");
    test.equalText(Got(Convert.FromUnsigned(buffer, -1)), "18446744073709551615", "FromUnsigned");
    test.equalText(Got(Convert.FromUnsigned(buffer, 10, 3, TRUE)), "3_101", "FromUnsigned");
    test.equalText(Got(Convert.FromLongUnsigned(buffer, -1L, 16)), "ffffffffffffffff",
               "FromLongUnsigned");

    (* A number that does not fit raises Failed; one that just fits does not. *)
    FOR size := 0 TO 6 DO
      failed := FALSE;
      TRY
        n := Convert.FromInt(SUBARRAY(buffer, 0, size), -12345);
        test.equalInt(n, 6, "its length");
      EXCEPT
      | Convert.Failed => failed := TRUE;
      END;
      test.check(failed = (size < 6), "FromInt into " & Fmt.Int(size));
      failed := FALSE;
      TRY
        EVAL Convert.FromLongUnsigned(SUBARRAY(buffer, 0, size), 16_1ffL, 16, TRUE);
      EXCEPT
      | Convert.Failed => failed := TRUE;
      END;
      test.check(failed = (size < 6), "FromLongUnsigned into " & Fmt.Int(size));
    END;
  END TestIntegers;

PROCEDURE To(t: TEXT; base: Convert.Base := 10; unsigned := FALSE): TEXT =
  VAR a := NEW(REF ARRAY OF CHAR, Text.Length(t));  used, used2: INTEGER;  value: INTEGER;
      long: LONGINT;
  BEGIN
    Text.SetChars(a^, t);
    IF unsigned THEN
      value := Convert.ToUnsigned(a^, used, base);
      long := Convert.ToLongUnsigned(a^, used2, base);
    ELSE
      value := Convert.ToInt(a^, used, base);
      long := Convert.ToLongInt(a^, used2, base);
    END;
    test.check(used = used2 AND VAL(value, LONGINT) = long, "the same as LONGINT: " & t);
    RETURN Fmt.Int(value) & "/" & Fmt.Int(used);
  END To;

PROCEDURE TestBack(<*UNUSED*> running: Test.T) =
  BEGIN
    test.equalText(To("123"), "123/3", "ToInt");
    test.equalText(To("-123 x"), "-123/4", "ToInt");
    test.equalText(To("+7"), "7/2", "ToInt");
    test.equalText(To("16_fFg"), "255/5", "ToInt");
    test.equalText(To("12", 2), "1/1", "ToInt");
    test.equalText(To("9223372036854775807"), "9223372036854775807/19", "ToInt");
    test.equalText(To("9223372036854775808"), "0/0", "too large");
    test.equalText(To("-9223372036854775808"), "-9223372036854775808/20", "ToInt");
    test.equalText(To("-9223372036854775809"), "0/0", "too small");
    test.equalText(To(""), "0/0", "nothing");
    test.equalText(To("-"), "0/0", "a sign only");
    test.equalText(To("x"), "0/0", "no number");
    test.equalText(To("18446744073709551615", 10, TRUE), "-1/20", "ToUnsigned");
    test.equalText(To("18446744073709551616", 10, TRUE), "0/0", "ToUnsigned, too large");
    test.equalText(To("-1", 10, TRUE), "0/0", "ToUnsigned with a sign");
    test.equalText(To("2_11", 10, TRUE), "3/4", "ToUnsigned with a base");
    test.equalText(To("16_fffffffffffffffff", 10, TRUE), "0/0", "ToUnsigned with a base, too large");
    test.equalText(To("16_fffffffffffffffff"), "0/0", "ToInt with a base, too large");
    test.equalText(To("16_g"), "16/2", "no digits after the base");
  END TestBack;

PROCEDURE TestFloats(<*UNUSED*> running: Test.T) =
  VAR failed := FALSE;  used: INTEGER;
  <*FATAL Convert.Failed*>
  BEGIN
    test.equalText(Got(Convert.FromFloat(buffer, 1.5, 3, Convert.Style.Flo)), "1.500", "Flo");
    test.equalText(Got(Convert.FromFloat(buffer, 1.5, 3, Convert.Style.AltFlo)), "1.5", "AltFlo");
    test.equalText(Got(Convert.FromLongFloat(buffer, 1.5d10, 3, Convert.Style.Sci)), "1.500D10", "Sci");
    test.equalText(Got(Convert.FromLongFloat(buffer, 1.5d10, 3, Convert.Style.AltSci)), "1.5D10",
               "AltSci");
    test.equalText(Got(Convert.FromLongFloat(buffer, 1.0d30)), "1D30", "Mix");
    test.equalText(Got(Convert.FromLongFloat(buffer, 0.25d0)), "0.25", "Mix");
    test.equalText(Got(Convert.FromExtended(buffer, -2.5x0, 2)), "-2.5", "FromExtended");
    test.equalText(Got(Convert.FromExtended(buffer, -2.5x-9, 2, Convert.Style.Sci)), "-2.50X-9", "X");
    test.equalText(Got(Convert.FromFloat(buffer, 2.0, 3, Convert.Style.AltFlo)), "2.", "the point stays");
    test.equalText(Got(Convert.FromFloat(buffer, 2.0, 3, Convert.Style.AltSci)), "2.E0", "AltSci");
    test.equalText(Got(Convert.FromFloat(buffer, 2.0, 3, Convert.Style.Mix)), "2", "the point goes");
    test.equalText(Got(Convert.FromFloat(buffer, 1.5, 3, Convert.Style.Sci)), "1.500E0", "E");
    FOR size := 0 TO 5 DO
      failed := FALSE;
      TRY
        EVAL Convert.FromFloat(SUBARRAY(buffer, 0, size), 1.5, 3, Convert.Style.Flo);
      EXCEPT
      | Convert.Failed => failed := TRUE;
      END;
      test.check(failed = (size < 5), "FromFloat into " & Fmt.Int(size));
    END;

    Text.SetChars(buffer, "-1.25e2x");
    test.check(Convert.ToFloat(SUBARRAY(buffer, 0, 8), used) = -125.0 AND used = 7, "ToFloat");
    test.check(Convert.ToLongFloat(SUBARRAY(buffer, 0, 8), used) = -125.0d0 AND used = 7,
               "ToLongFloat");
    test.check(Convert.ToExtended(SUBARRAY(buffer, 0, 8), used) = -125.0x0 AND used = 7,
               "ToExtended");
    (* An exponent letter without digits is not part of the number. *)
    test.check(Convert.ToLongFloat(SUBARRAY(buffer, 0, 6), used) = -1.25d0 AND used = 5, "no digits");
    EVAL Convert.ToFloat(SUBARRAY(buffer, 7, 1), used);
    test.equalInt(used, 0, "no number");
  END TestFloats;

(* The result of Scan as a text, "error" or "trap". *)
TYPE Kind = {Bool, Unsigned, LongInt, LongUnsigned, Real, Extended};

PROCEDURE Scanned(t: TEXT; kind: Kind; base: [2..16] := 10): TEXT =
  BEGIN
    TRY
      CASE kind OF
      | Kind.Bool => RETURN Fmt.Bool(Scan.Bool(t));
      | Kind.Unsigned => RETURN Fmt.Unsigned(Scan.Unsigned(t));
      | Kind.LongInt => RETURN Fmt.LongInt(Scan.LongInt(t, base));
      | Kind.LongUnsigned => RETURN Fmt.LongUnsigned(Scan.LongUnsigned(t, base));
      | Kind.Real => RETURN Fmt.Real(Scan.Real(t));
      | Kind.Extended => RETURN Fmt.Extended(Scan.Extended(t));
      END;
    EXCEPT
    | Lex.Error => RETURN "error";
    | FloatMode.Trap (flag) =>
      test.check(flag = FloatMode.Flag.IntOverflow OR flag = FloatMode.Flag.Overflow, "flag");
      RETURN "trap";
    END;
  END Scanned;

(* The same for Lex, with the rest of the input. *)
PROCEDURE Read(t: TEXT; kind: Kind; base: [2..16] := 10): TEXT =
  VAR rd := TextRd.New(t);  value := "";
  BEGIN
    TRY
      CASE kind OF
      | Kind.Bool => value := Fmt.Bool(Lex.Bool(rd));
      | Kind.Unsigned => value := Fmt.Unsigned(Lex.Unsigned(rd, base));
      | Kind.LongInt => value := Fmt.LongInt(Lex.LongInt(rd, base));
      | Kind.LongUnsigned => value := Fmt.LongUnsigned(Lex.LongUnsigned(rd, base));
      | Kind.Real => value := Fmt.Real(Lex.Real(rd));
      | Kind.Extended => value := Fmt.Extended(Lex.Extended(rd));
      END;
    EXCEPT
    | Lex.Error => value := "error";
    | FloatMode.Trap => value := "trap";
    END;
    RETURN value & ":" & Rd.GetText(rd, LAST(CARDINAL));
  END Read;

PROCEDURE TestScans(<*UNUSED*> running: Test.T) =
  BEGIN
    test.equalText(Scanned(" TRUE\n", Kind.Bool), "TRUE", "Bool");
    test.equalText(Scanned("false", Kind.Bool), "FALSE", "Bool");
    test.equalText(Scanned("true x", Kind.Bool), "error", "Bool");
    test.equalText(Scanned("yes", Kind.Bool), "error", "Bool");
    test.equalText(Scanned("ff", Kind.Unsigned), "ff", "Unsigned");
    test.equalText(Scanned(" 10_16 ", Kind.Unsigned), "10", "Unsigned");
    test.equalText(Scanned("-1", Kind.Unsigned), "error", "Unsigned");
    test.equalText(Scanned("1ffffffffffffffff", Kind.Unsigned), "trap", "Unsigned");
    test.equalText(Scanned("-9223372036854775808", Kind.LongInt), "-9223372036854775808", "LongInt");
    test.equalText(Scanned("9223372036854775808", Kind.LongInt), "trap", "LongInt");
    test.equalText(Scanned("zz", Kind.LongInt), "error", "LongInt");
    test.equalText(Scanned("7f", Kind.LongInt, 16), "127", "LongInt");
    test.equalText(Scanned("18446744073709551615", Kind.LongUnsigned), "ffffffffffffffff",
               "LongUnsigned");
    test.equalText(Scanned("", Kind.LongUnsigned), "error", "LongUnsigned");
    test.equalText(Scanned("1.5", Kind.Real), "1.5", "Real");
    test.equalText(Scanned("1e39", Kind.Real), "trap", "Real");
    test.equalText(Scanned("1.5.", Kind.Real), "error", "Real");
    test.equalText(Scanned(" -2.5x3 ", Kind.Extended), "-2500", "Extended");
    test.equalText(Scanned("e", Kind.Extended), "error", "Extended");

    test.equalText(Read("  True.", Kind.Bool), "TRUE:.", "Lex.Bool");
    test.equalText(Read("FALSEx", Kind.Bool), "FALSE:x", "Lex.Bool");
    test.equalText(Read("", Kind.Bool), "error:", "Lex.Bool");
    test.equalText(Read("-12L", Kind.LongInt), "-12:L", "Lex.LongInt");
    test.equalText(Read("9223372036854775808,", Kind.LongInt), "trap:,", "Lex.LongInt");
    test.equalText(Read("1f ", Kind.LongUnsigned, 16), "1f: ", "Lex.LongUnsigned");
    test.equalText(Read("+1", Kind.LongUnsigned), "error:+1", "Lex.LongUnsigned");
  END TestScans;

BEGIN
END ConvertAndScanTest.
