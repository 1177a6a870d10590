(* The bits and the total order of floating-point numbers. *)
INTERFACE RTReal;

IMPORT Word;

(* The order in which Real, LongReal and Extended compare and hash. A REAL is the same number as a
   LONGREAL, so one order serves the three types. All NaNs are equal, and are behind all numbers;
   plus and minus zero are equal. Equal(a, b) is Compare(a, b) = 0, and then the hashes are equal. *)
PROCEDURE Equal(a, b: LONGREAL): BOOLEAN;
PROCEDURE Compare(a, b: LONGREAL): [-1..1];
PROCEDURE Hash(x: LONGREAL): Word.T;

(* Always 0. The compiler does not know this value, so operations on it are carried out at run
   time. *)
VAR
  zero: LONGREAL := 0.0d0;

END RTReal.
