(* The bits of floating-point numbers. *)
INTERFACE RTReal;

IMPORT Word;

(* The IEEE representation of x; plus and minus zero, which are equal, have the same result. *)
PROCEDURE Bits(x: LONGREAL): Word.T;

(* Always 0. The compiler does not know this value, so operations on it are carried out at run
   time. *)
VAR
  zero: LONGREAL := 0.0d0;

END RTReal.
