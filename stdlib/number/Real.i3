(* Properties of REAL, and REAL as a key or element. *)
INTERFACE Real;

IMPORT Word;

TYPE
  T = REAL;

CONST
  Brand = "Real";

CONST
  Base: INTEGER = 2;
  Precision: INTEGER = 24;  (* digits in Base, with the hidden one *)
  MaxFinite: T = 3.40282347E+38;
  MinPos: T = 1.40239846E-45;
  MinPosNormal: T = 1.17549435E-38;
  MaxExpDigits = 2;     (* greatest number of decimal digits of an exponent *)
  MaxSignifDigits = 9;  (* number of decimal digits that distinguish all values *)

(* All NaNs are equal, and are behind all numbers; plus and minus zero are equal. So Compare is a
   total order, to which Equal and Hash agree, where `=` and `<` of the language follow IEEE 754. *)
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Real.
