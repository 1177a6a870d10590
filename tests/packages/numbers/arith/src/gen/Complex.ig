GENERIC INTERFACE Complex(R);
FROM Arithmetic IMPORT Error;
CONST Brand = R.Brand & "Complex";
TYPE T = RECORD re, im: R.T := R.Zero END;
CONST Zero = T{R.Zero, R.Zero}; One = T{R.One, R.Zero}; I = T{re := R.Zero, im := R.One};
PROCEDURE Equal(READONLY x, y: T): BOOLEAN;
PROCEDURE Add(READONLY x, y: T): T; PROCEDURE Sub(READONLY x, y: T): T; PROCEDURE Mul(READONLY x, y: T): T;
PROCEDURE Div(READONLY x, y: T): T RAISES {Error}; PROCEDURE Neg(READONLY x: T): T; PROCEDURE IsZero(READONLY x: T): BOOLEAN;
PROCEDURE Fmt(READONLY x: T): TEXT;
END Complex.
