GENERIC INTERFACE FloatBasic(R);
FROM Arithmetic IMPORT Error;
IMPORT Word;
TYPE T = R.T;
CONST Brand = R.Brand; Zero = FLOAT(0, T); One = FLOAT(1.0, T); Two = One + One; Half = One / Two; MinusOne = -One;
  Equal = R.Equal; Compare = R.Compare;
PROCEDURE Add(READONLY x, y: T): T; PROCEDURE Sub(READONLY x, y: T): T; PROCEDURE Mul(READONLY x, y: T): T;
PROCEDURE Div(READONLY x, y: T): T RAISES {Error};
PROCEDURE Neg(READONLY x: T): T; PROCEDURE IsZero(READONLY x: T): BOOLEAN; PROCEDURE Fmt(READONLY x: T): TEXT;
<*INLINE*> PROCEDURE Hash(x: T): Word.T;
END FloatBasic.
