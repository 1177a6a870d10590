(* Properties of EXTENDED, which has the format of LONGREAL here, and EXTENDED as a key or
   element. *)
INTERFACE Extended;

IMPORT Word;

TYPE
  T = EXTENDED;

CONST
  Brand = "Extended";

CONST
  Base: INTEGER = 2;
  Precision: INTEGER = 53;  (* digits in Base, with the hidden one *)
  MaxFinite: T = 1.7976931348623157X+308;
  MinPos: T = 4.9406564584124654X-324;
  MinPosNormal: T = 2.2250738585072014X-308;
  MaxExpDigits = 3;     (* decimal digits that an exponent needs *)
  MaxSignifDigits = 17;  (* decimal digits that always tell a value from all others *)

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Extended.
