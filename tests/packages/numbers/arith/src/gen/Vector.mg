GENERIC MODULE Vector(R);
IMPORT Arithmetic; FROM Arithmetic IMPORT Error;
PROCEDURE New(n: CARDINAL): T = BEGIN RETURN NEW(T, n) END New;
PROCEDURE FromArray(READONLY x: TBody): T = VAR v := NEW(T, NUMBER(x)); BEGIN v^ := x; RETURN v END FromArray;
PROCEDURE Inner(x, y: T): R.T RAISES {Error} =
  VAR s := R.Zero;
  BEGIN
    IF NUMBER(x^) # NUMBER(y^) THEN RAISE Error(NEW(Arithmetic.ErrIndexOutOfRange, i := NUMBER(y^)).init()) END;
    FOR i := FIRST(x^) TO LAST(x^) DO s := R.Add(s, R.Mul(x[i], y[i])) END;
    RETURN s
  END Inner;
PROCEDURE Scale(VAR x: TBody; READONLY f: R.T) = BEGIN FOR i := 0 TO LAST(x) DO x[i] := R.Mul(x[i], f) END END Scale;
PROCEDURE Map(READONLY x: TBody; f: PROCEDURE(READONLY x: R.T): R.T): T =
  VAR z := NEW(T, NUMBER(x)); BEGIN FOR i := 0 TO LAST(x) DO z[i] := f(x[i]) END; RETURN z END Map;
BEGIN END Vector.
