GENERIC INTERFACE Poly(R, V);
FROM Arithmetic IMPORT Error;
CONST Brand = R.Brand & "Poly";
TYPE TBody = V.TBody; T = REF TBody; QuotRem = RECORD quot, rem: T END;
CONST New = V.New; FromArray = V.FromArray;
VAR (*CONST*) Zero, One: T;
PROCEDURE Eval(x: T; READONLY at: R.T): R.T;
PROCEDURE DivMod(x, y: T): QuotRem RAISES {Error};
PROCEDURE Mul(x, y: T): T;
PROCEDURE Fmt(x: T): TEXT;
END Poly.
