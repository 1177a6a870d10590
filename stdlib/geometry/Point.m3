MODULE Point;

IMPORT Axis, Integer, Word;

PROCEDURE Add(READONLY p, q: T): T =
  BEGIN
    RETURN T{p.h + q.h, p.v + q.v};
  END Add;

PROCEDURE Sub(READONLY p, q: T): T =
  BEGIN
    RETURN T{p.h - q.h, p.v - q.v};
  END Sub;

PROCEDURE Minus(READONLY p: T): T =
  BEGIN
    RETURN T{-p.h, -p.v};
  END Minus;

PROCEDURE Mul(READONLY p: T; n: INTEGER): T =
  BEGIN
    RETURN T{p.h * n, p.v * n};
  END Mul;

PROCEDURE Div(READONLY p: T; n: INTEGER): T =
  BEGIN
    RETURN T{p.h DIV n, p.v DIV n};
  END Div;

PROCEDURE Mod(READONLY p: T; n: INTEGER): T =
  BEGIN
    RETURN T{p.h MOD n, p.v MOD n};
  END Mod;

PROCEDURE Scale(READONLY p: T; num, den: INTEGER): T =
  BEGIN
    RETURN T{p.h * num DIV den, p.v * num DIV den};
  END Scale;

PROCEDURE Min(READONLY p, q: T): T =
  BEGIN
    RETURN T{MIN(p.h, q.h), MIN(p.v, q.v)};
  END Min;

PROCEDURE Max(READONLY p, q: T): T =
  BEGIN
    RETURN T{MAX(p.h, q.h), MAX(p.v, q.v)};
  END Max;

PROCEDURE MoveH(READONLY p: T; dh: INTEGER): T =
  BEGIN
    RETURN T{p.h + dh, p.v};
  END MoveH;

PROCEDURE MoveV(READONLY p: T; dv: INTEGER): T =
  BEGIN
    RETURN T{p.h, p.v + dv};
  END MoveV;

PROCEDURE MoveHV(READONLY p: T; dh, dv: INTEGER): T =
  BEGIN
    RETURN T{p.h + dh, p.v + dv};
  END MoveHV;

PROCEDURE DistSquare(READONLY p, q: T): INTEGER =
  VAR d := Sub(p, q);
  BEGIN
    RETURN d.h * d.h + d.v * d.v;
  END DistSquare;

PROCEDURE Transpose(READONLY p: T; ax := Axis.T.Ver): T =
  BEGIN
    IF ax = Axis.T.Hor THEN RETURN p END;
    RETURN T{p.v, p.h};
  END Transpose;

PROCEDURE Equal(READONLY p, q: T): BOOLEAN =
  BEGIN
    RETURN p = q;
  END Equal;

PROCEDURE Compare(READONLY p, q: T): [-1..1] =
  BEGIN
    IF p.h # q.h THEN RETURN Integer.Compare(p.h, q.h) END;
    RETURN Integer.Compare(p.v, q.v);
  END Compare;

PROCEDURE Hash(READONLY p: T): Word.T =
  BEGIN
    RETURN Word.Plus(Word.Times(p.h, 31), p.v);
  END Hash;

BEGIN
END Point.
