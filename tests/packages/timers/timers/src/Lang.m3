MODULE Lang;
PROCEDURE M1(o: Obj; x: INTEGER): INTEGER = BEGIN RETURN o.a + x END M1;
PROCEDURE M2(o: Obj2; x: INTEGER): INTEGER = BEGIN RETURN Obj.m(o, x) * o.b END M2;
PROCEDURE N2(<*UNUSED*>o: Obj2) = BEGIN INC(counter, 10) END N2;
PROCEDURE Q1(o: Obj2) = BEGIN o.n(); o.n(); counter := -counter END Q1;
PROCEDURE Mul(READONLY a, b: Matrix): Matrix =
  VAR c: Matrix;
  BEGIN
    FOR i := FIRST(a) TO LAST(a) DO FOR j := FIRST(a[i]) TO LAST(a[1]) DO
      c[i, j] := 0.0;
      FOR k := 1 TO 3 DO c[i][j] := c[i, j] + a[i, k] * b[k, j] END
    END END;
    RETURN c
  END Mul;
PROCEDURE Sum(READONLY v: Vec): LONGREAL = VAR s := 0.0d0; BEGIN FOR i := 0 TO LAST(v) DO s := s + v[i] END; RETURN s END Sum;
PROCEDURE Trace(READONLY m: Open2): INTEGER = VAR t := 0; BEGIN FOR i := 0 TO MIN(LAST(m), LAST(m[0])) DO INC(t, m[i, i]) END; RETURN t END Trace;
BEGIN counter := 5 END Lang.
