GENERIC MODULE Poly(R, V);
IMPORT Arithmetic;
FROM Arithmetic IMPORT Error;
PROCEDURE Eval(x: T; READONLY at: R.T): R.T =
  VAR s := x[LAST(x^)]; BEGIN FOR i := LAST(x^) - 1 TO 0 BY -1 DO s := R.Add(R.Mul(s, at), x[i]) END; RETURN s END Eval;
PROCEDURE Mul(x, y: T): T =
  VAR z := NEW(T, NUMBER(x^) + NUMBER(y^) - 1);
  BEGIN
    FOR i := 0 TO LAST(z^) DO z[i] := R.Zero END;
    FOR i := 0 TO LAST(x^) DO FOR j := 0 TO LAST(y^) DO WITH q = z[i + j] DO q := R.Add(q, R.Mul(x[i], y[j])) END END END;
    RETURN z
  END Mul;
PROCEDURE DivMod(x, y: T): QuotRem RAISES {Error} =
  VAR rem := NEW(T, NUMBER(x^)); quot: T; n := LAST(y^);
  BEGIN
    IF R.IsZero(y[n]) THEN RAISE Error(NEW(Arithmetic.ErrDivisionByZero).init()) END;
    rem^ := x^; quot := NEW(T, MAX(1, NUMBER(x^) - n)); quot[0] := R.Zero;
    FOR k := LAST(x^) - n TO 0 BY -1 DO
      quot[k] := R.Div(rem[k + n], y[n]);
      FOR j := 0 TO n DO rem[k + j] := R.Sub(rem[k + j], R.Mul(quot[k], y[j])) END
    END;
    RETURN QuotRem{quot, FromArray(SUBARRAY(rem^, 0, MAX(n, 1)))}
  END DivMod;
PROCEDURE Fmt(x: T): TEXT = VAR t := ""; BEGIN FOR i := 0 TO LAST(x^) DO t := t & R.Fmt(x[i]) & " " END; RETURN t END Fmt;
BEGIN
  Zero := V.FromArray(TBody{R.Zero}); One := V.FromArray(ARRAY OF R.T{R.One});
END Poly.
