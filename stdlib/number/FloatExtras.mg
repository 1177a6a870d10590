(* RealFloat is the instance of Float for Real. *)
GENERIC MODULE FloatExtras(Real, RealFloat);

IMPORT FloatMode, Math, RTReal;

PROCEDURE ToBinary(x: T): Binary RAISES {FloatMode.Trap} =
  VAR result: Binary;  digits: ARRAY [0..127] OF [0..1];  n: CARDINAL := 0;  two := FLOAT(2, T);
      one := FLOAT(1, T);
  BEGIN
    <*ASSERT RealFloat.Finite(x) WITH "FloatExtras.ToBinary: the number is not finite"*>
    x := ABS(x);
    IF x = FLOAT(0, T) THEN
      result.exp := 0;
      result.bits := NEW(REF ARRAY OF [0..1], 1);
      result.bits[0] := 0;
      RETURN result;
    END;
    result.exp := RealFloat.ILogb(x);
    x := RealFloat.Scalb(x, -result.exp);
    WHILE x # FLOAT(0, T) DO
      IF x >= one THEN
        digits[n] := 1;
        x := x - one;
      ELSE
        digits[n] := 0;
      END;
      INC(n);
      x := x * two;
    END;
    result.bits := NEW(REF ARRAY OF [0..1], n);
    result.bits^ := SUBARRAY(digits, 0, n);
    RETURN result;
  END ToBinary;

PROCEDURE Zero(): T =
  BEGIN
    RETURN FLOAT(RTReal.zero, T);
  END Zero;

PROCEDURE Signed(sign: [-1..1]): T =
  BEGIN
    IF sign < 0 THEN RETURN FLOAT(-1, T) ELSE RETURN FLOAT(1, T) END;
  END Signed;

PROCEDURE RaiseInvalid(): T =
  BEGIN
    RETURN Zero() / Zero();
  END RaiseInvalid;

PROCEDURE RaiseDivByZero(sign: [-1..1] := 1): T =
  BEGIN
    RETURN Signed(sign) / Zero();
  END RaiseDivByZero;

PROCEDURE RaiseLargeOverflow(sign: [-1..1] := 1): T =
  BEGIN
    RETURN (Signed(sign) * (Real.MaxFinite + Zero())) * (Real.MaxFinite + Zero());
  END RaiseLargeOverflow;

PROCEDURE RaiseLargeUnderflow(sign: [-1..1] := 1): T =
  BEGIN
    RETURN (Signed(sign) * (Real.MinPosNormal + Zero())) * (Real.MinPosNormal + Zero());
  END RaiseLargeUnderflow;

PROCEDURE Round(x: T): INTEGER =
  BEGIN
    RETURN TRUNC(Math.rint(FLOAT(x, LONGREAL)));
  END Round;

PROCEDURE SetFlag(f: FloatMode.Flag) RAISES {FloatMode.Failure} =
  BEGIN
    EVAL FloatMode.SetFlags(FloatMode.GetFlags() + SET OF FloatMode.Flag{f});
  END SetFlag;

PROCEDURE SetBehaviors(f: SET OF FloatMode.Flag; b: FloatMode.Behavior)
  RAISES {FloatMode.Failure} =
  BEGIN
    FOR x := FIRST(FloatMode.Flag) TO LAST(FloatMode.Flag) DO
      IF x IN f THEN FloatMode.SetBehavior(x, b) END;
    END;
  END SetBehaviors;

BEGIN
END FloatExtras.
