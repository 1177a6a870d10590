GENERIC MODULE FloatBasic(R);
IMPORT Arithmetic, Word;
IMPORT Fmt AS F;
FROM Arithmetic IMPORT Error;
PROCEDURE Add(READONLY x, y: T): T = BEGIN RETURN x + y END Add;
PROCEDURE Sub(READONLY x, y: T): T = BEGIN RETURN x - y END Sub;
PROCEDURE Mul(READONLY x, y: T): T = BEGIN RETURN x * y END Mul;
PROCEDURE Div(READONLY x, y: T): T RAISES {Error} =
  BEGIN
    IF y = Zero THEN NEW(Arithmetic.ErrDivisionByZero).init().throw(); RAISE Error(NEW(Arithmetic.ErrDivisionByZero).init()) END;
    RETURN x / y
  END Div;
PROCEDURE Neg(READONLY x: T): T = BEGIN RETURN -x END Neg;
PROCEDURE IsZero(READONLY x: T): BOOLEAN = BEGIN RETURN x = Zero END IsZero;
PROCEDURE Fmt(READONLY x: T): TEXT = BEGIN RETURN F.LongReal(FLOAT(x, LONGREAL)) END Fmt;
PROCEDURE Hash(x: T): Word.T = BEGIN RETURN R.Hash(x) END Hash;
BEGIN
  <*ASSERT Half * Two = One AND MinusOne < Zero *>
END FloatBasic.
