MODULE DecimalTest;

IMPORT Decimal, Test;

TYPE
  Rounding = Decimal.Rounding;

PROCEDURE Of(t: TEXT): Decimal.T RAISES {Decimal.Error} =
  BEGIN
    RETURN Decimal.Parse(t);
  END Of;

PROCEDURE TestRounding(t: Test.T) RAISES {Decimal.Error} =
  CONST
    Values = ARRAY OF TEXT{"2.5", "3.5", "-2.5", "2.51", "-2.49", "7"};
    Rounded = ARRAY Rounding OF ARRAY [0..5] OF INTEGER{
      ARRAY OF INTEGER{2, 4, -2, 3, -2, 7},   (* HalfEven *)
      ARRAY OF INTEGER{3, 4, -3, 3, -2, 7},   (* HalfUp *)
      ARRAY OF INTEGER{2, 3, -2, 3, -2, 7},   (* HalfDown *)
      ARRAY OF INTEGER{2, 3, -2, 2, -2, 7},   (* Down *)
      ARRAY OF INTEGER{3, 4, -3, 3, -3, 7},   (* Up *)
      ARRAY OF INTEGER{2, 3, -3, 2, -3, 7},   (* Floor *)
      ARRAY OF INTEGER{3, 4, -2, 3, -2, 7}};  (* Ceiling *)
  BEGIN
    FOR rounding := FIRST(Rounding) TO LAST(Rounding) DO
      FOR i := 0 TO LAST(Values) DO
        t.equalInt(Decimal.ToInt(Decimal.Round(Of(Values[i]), 0, rounding)), Rounded[rounding][i]);
      END;
    END;
    t.equalText(Decimal.ToText(Decimal.Round(Of("1.5"), 4)), "1.5000");
    t.equalText(Decimal.ToText(Decimal.Divide(Of("-1"), Of("3"), 18)), "-0.333333333333333333");
    t.equalText(Decimal.ToText(Decimal.Times(Of("99999999.99"), Of("99999999.99"), 2)), "9999999998000000.00");
  END TestRounding;

PROCEDURE TestErrors(t: Test.T) =
  PROCEDURE Why(i: [1..9]): TEXT =
    VAR most := Decimal.Of(LAST(INTEGER));
    BEGIN
      TRY
        CASE i OF
        | 1 => EVAL Decimal.Add(most, Decimal.Of(1));
        | 2 => EVAL Decimal.Add(most, Of("0.1"));
        | 3 => EVAL Decimal.Divide(most, Of("0.00"), 2);
        | 4 => EVAL Decimal.Multiply(Of("0.000000000001"), Of("0.0000001"));
        | 5 => EVAL Decimal.ToInt(Of("1.5"));
        | 6 => EVAL Of("1.2.3");
        | 7 => EVAL Of("9223372036854775808");
        | 8 => EVAL Decimal.Parse("1,23,456", ",");
        | 9 => EVAL Decimal.Share(most, ARRAY OF CARDINAL{0, 0});
        END;
        RETURN "";
      EXCEPT
      | Decimal.Error (why) => RETURN why;
      END;
    END Why;
  BEGIN
    t.equalText(Why(1), "9223372036854775807 + 1 does not fit 9223372036854775807 units of scale 0");
    t.equalText(Why(2), "9223372036854775807 + 0.1 does not fit 9223372036854775807 units of scale 1");
    t.equalText(Why(3), "9223372036854775807 / 0.00 has no value");
    t.equalText(Why(4), "0.000000000001 * 0.0000001 has more than 18 digits behind the point");
    t.equalText(Why(5), "1.5 is not an integer");
    t.equalText(Why(6), "\"1.2.3\" is not a decimal number: character 3: a digit must stand here");
    t.equalText(Why(7), "\"9223372036854775808\" is not a decimal number: character 18: the number has too many digits");
    t.equalText(Why(8), "\"1,23,456\" is not a decimal number: character 4: three digits must stand in front of this place");
    t.equalText(Why(9), "a share needs a weight that is not 0");
  END TestErrors;

PROCEDURE TestShares(t: Test.T) RAISES {Decimal.Error} =
  VAR shares := Decimal.Share(Of("-0.05"), ARRAY OF CARDINAL{1, 3, 0});
  BEGIN
    t.equalText(Decimal.ToText(shares[0]), "-0.01");
    t.equalText(Decimal.ToText(shares[1]), "-0.04");
    t.equalText(Decimal.ToText(shares[2]), "0.00");
    t.equalText(Decimal.ToText(Of("-1234567.5"), thousands := "'", point := ","), "-1'234'567,5");
    t.check(Decimal.Equal(Decimal.Absolute(Of("-1.50")), Of("1.5")));
    t.equalInt(Decimal.Normal(Of("-100.00")).scale, 0);
    t.check(Decimal.ToLongReal(Of("0.1")) = 0.1D0);
  END TestShares;

BEGIN
END DecimalTest.
