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
  MaxExpDigits = 3;  (* greatest number of decimal digits of an exponent *)
  MaxSignifDigits = 17;  (* number of decimal digits that distinguish all values *)

(* All NaNs are equal, and are behind all numbers; plus and minus zero are equal. So Compare is a
   total order, to which Equal and Hash agree, where `=` and `<` of the language follow IEEE 754. *)
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Extended.
