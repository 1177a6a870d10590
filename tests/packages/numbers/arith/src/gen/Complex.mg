GENERIC MODULE Complex(R);
FROM Arithmetic IMPORT Error;
PROCEDURE Equal(READONLY x, y: T): BOOLEAN = BEGIN RETURN x = y END Equal;
PROCEDURE Add(READONLY x, y: T): T = BEGIN RETURN T{R.Add(x.re, y.re), R.Add(x.im, y.im)} END Add;
PROCEDURE Sub(READONLY x, y: T): T = VAR z: T; BEGIN z.re := x.re - y.re; z.im := x.im - y.im; RETURN z END Sub;
PROCEDURE Mul(READONLY x, y: T): T = BEGIN RETURN T{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re} END Mul;
PROCEDURE Div(READONLY x, y: T): T RAISES {Error} =
  VAR d := R.Add(R.Mul(y.re, y.re), R.Mul(y.im, y.im)); n := Mul(x, T{y.re, R.Neg(y.im)});
  BEGIN RETURN T{R.Div(n.re, d), R.Div(n.im, d)} END Div;
PROCEDURE Neg(READONLY x: T): T = BEGIN RETURN T{-x.re, -x.im} END Neg;
PROCEDURE IsZero(READONLY x: T): BOOLEAN = BEGIN RETURN x = Zero END IsZero;
PROCEDURE Fmt(READONLY x: T): TEXT = BEGIN RETURN "(" & R.Fmt(x.re) & "," & R.Fmt(x.im) & ")" END Fmt;
BEGIN END Complex.
