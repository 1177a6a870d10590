(* Fmt writes numbers of at most 15 digits (REAL: 6) with a fixed number of decimals on a short way, and integers of at
   most 16 digits: the values next to these limits, ties, and zeros with a sign. *)
MODULE FmtFixedLimitsTest;

IMPORT Test, Convert, Fmt, FmtBuf, Long, RuntimeError, Text, TextWr, Thread, UnsafeWr, Word, Wr;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL Convert.Failed, Thread.Alerted, Wr.Failure*>

PROCEDURE Fix(x: LONGREAL; prec: CARDINAL; want: TEXT) =
  BEGIN
    test.equalText(Fmt.LongReal(x, Fmt.Style.Fix, prec), want, "LONGREAL");
    test.equalText(Fmt.Extended(FLOAT(x, EXTENDED), Fmt.Style.Fix, prec), want, "EXTENDED");
    test.equalText(Fmt.LongReal(-x, Fmt.Style.Fix, prec), "-" & want, "negative");
  END Fix;

PROCEDURE FixReal(x: REAL; prec: CARDINAL; want: TEXT) =
  BEGIN
    test.equalText(Fmt.Real(x, Fmt.Style.Fix, prec), want, "REAL");
    test.equalText(Fmt.Real(-x, Fmt.Style.Fix, prec), "-" & want, "negative");
  END FixReal;

(* All numbers of n nines, of a one with n zeros, and their neighbours. *)
PROCEDURE Integers() =
  VAR power := 1;  nines := "";  one := "1";
  BEGIN
    FOR digits := 1 TO 18 DO
      power := 10 * power;
      nines := nines & "9";
      one := one & "0";
      test.equalText(Fmt.Int(power - 1), nines, "nines");
      test.equalText(Fmt.Int(1 - power), "-" & nines, "negative nines");
      test.equalText(Fmt.Int(power), one, "a one and zeros");
      test.equalText(Fmt.Int(-power), "-" & one, "a negative one");
      test.equalText(Fmt.Int(power + 7), Text.Sub(one, 0, digits) & "7", "seven more");
      test.equalText(Fmt.Unsigned(power, 10), one, "unsigned");
      test.equalText(Fmt.LongInt(VAL(power, LONGINT)), one, "LONGINT");
    END;
    test.equalText(Fmt.Int(0), "0", "zero");
    test.equalText(Fmt.Int(FIRST(INTEGER)), "-9223372036854775808", "the first INTEGER");
    test.equalText(Fmt.Unsigned(Word.Not(0), 10), "18446744073709551615", "the last word");
    test.equalText(Fmt.LongUnsigned(Long.Not(0L), 16), "ffffffffffffffff", "in base 16");
    test.equalText(Fmt.Int(-255, 2), "-11111111", "in base 2");
  END Integers;

VAR short: ARRAY [0..2] OF CHAR;

PROCEDURE TooShort() = BEGIN EVAL FmtBuf.Int(short, -123) END TooShort;

(* Into arrays, which are not changed if they are too short. *)
PROCEDURE Buffers() =
  VAR b: ARRAY [0..79] OF CHAR;  wr := TextWr.New();  failed := FALSE;
  BEGIN
    test.equalText(Text.FromChars(SUBARRAY(b, 0, FmtBuf.Int(b, FIRST(INTEGER)))), "-9223372036854775808", "FmtBuf.Int");
    test.equalText(Text.FromChars(SUBARRAY(b, 0, FmtBuf.Unsigned(b, -1))), "ffffffffffffffff", "FmtBuf.Unsigned");
    test.equalText(Text.FromChars(SUBARRAY(b, 0, Convert.FromInt(b, -1234567890))), "-1234567890", "Convert.FromInt");
    test.equalText(Text.FromChars(SUBARRAY(b, 0, Convert.FromInt(b, 255, 16, TRUE))), "16_ff", "with its base");
    test.equalInt(FmtBuf.Int(short, 123), 3, "it just fits");
    short := ARRAY OF CHAR{'a', 'b', 'c'};
    EVAL test.fails(TooShort, RuntimeError.T.SubscriptOutOfRange, "a short array");
    TRY EVAL Convert.FromUnsigned(short, 1000) EXCEPT Convert.Failed => failed := TRUE END;
    test.check(failed AND Text.Equal(Text.FromChars(short), "abc"), "not changed");
    UnsafeWr.FastPutInt(wr, -7);
    UnsafeWr.FastPutInt(wr, 12345678901234567);
    test.equalText(TextWr.ToText(wr), "-712345678901234567", "UnsafeWr.FastPutInt");
  END Buffers;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    Buffers();
    Fix(0.0d0, 0, "0");
    Fix(0.0d0, 3, "0.000");
    Fix(0.5d0, 0, "0");
    Fix(1.5d0, 0, "2");
    Fix(2.5d0, 0, "2");
    Fix(0.125d0, 2, "0.12");
    Fix(0.375d0, 2, "0.38");
    Fix(0.1d0, 15, "0.100000000000000");
    Fix(0.1d0, 16, "0.1000000000000000");
    Fix(0.1d0, 20, "0.10000000000000000000");
    Fix(9.9999999999d0, 9, "10.000000000");
    Fix(999999.9999999d0, 6, "1000000.000000");
    Fix(99999999999999.5d0, 0, "100000000000000");
    Fix(999999999999999.0d0, 0, "999999999999999");
    Fix(1.0d15, 0, "1000000000000000");
    Fix(123456789012.345d0, 3, "123456789012.345");
    Fix(1234567890123.45d0, 3, "1234567890123.450");
    Fix(1.0d-300, 6, "0.000000");
    Fix(4.9406564584124654d-324, 2, "0.00");
    FixReal(0.1, 6, "0.100000");
    FixReal(0.1, 7, "0.1000000");
    FixReal(999.9, 3, "999.900");
    FixReal(1234.5, 3, "1234.500");
    FixReal(16777.216, 1, "16777.2");
    FixReal(0.25, 1, "0.2");
    test.equalText(Fmt.LongReal(2.5d0, Fmt.Style.Fix, 0, literal := TRUE), "2.0d0", "a literal");
    Integers();
  END TestAll;

BEGIN
END FmtFixedLimitsTest.
