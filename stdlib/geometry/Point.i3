(* Points of the plane with integer coordinates: h grows to the right, v downwards. *)
INTERFACE Point;

IMPORT Axis, Word;

TYPE
  T = RECORD h, v: INTEGER END;

CONST
  Brand = "Point";
  Origin = T{0, 0};

(* Each operation applies to both coordinates. *)
PROCEDURE Add(READONLY p, q: T): T;
PROCEDURE Sub(READONLY p, q: T): T;
PROCEDURE Minus(READONLY p: T): T;
PROCEDURE Mul(READONLY p: T; n: INTEGER): T;
PROCEDURE Div(READONLY p: T; n: INTEGER): T;
PROCEDURE Mod(READONLY p: T; n: INTEGER): T;
PROCEDURE Scale(READONLY p: T; num, den: INTEGER): T;  (* p * num DIV den *)
PROCEDURE Min(READONLY p, q: T): T;
PROCEDURE Max(READONLY p, q: T): T;

(* p with dh and dv added. *)
PROCEDURE MoveH(READONLY p: T; dh: INTEGER): T;
PROCEDURE MoveV(READONLY p: T; dv: INTEGER): T;
PROCEDURE MoveHV(READONLY p: T; dh, dv: INTEGER): T;

(* The square of the distance between them. *)
PROCEDURE DistSquare(READONLY p, q: T): INTEGER;

(* p with its coordinates exchanged if ax is Ver, else p. So code for one axis serves both. *)
PROCEDURE Transpose(READONLY p: T; ax := Axis.T.Ver): T;

PROCEDURE Equal(READONLY p, q: T): BOOLEAN;

(* By h, then by v. *)
PROCEDURE Compare(READONLY p, q: T): [-1..1];
PROCEDURE Hash(READONLY p: T): Word.T;

END Point.
