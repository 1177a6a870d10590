GENERIC INTERFACE Vector(R);
FROM Arithmetic IMPORT Error;
CONST Brand = R.Brand & "Vector";
TYPE TBody = ARRAY OF R.T; T = REF TBody;
PROCEDURE New(n: CARDINAL): T;
PROCEDURE FromArray(READONLY x: TBody): T;
PROCEDURE Inner(x, y: T): R.T RAISES {Error};
PROCEDURE Scale(VAR x: TBody; READONLY f: R.T);
PROCEDURE Map(READONLY x: TBody; f: PROCEDURE(READONLY x: R.T): R.T): T;
END Vector.
