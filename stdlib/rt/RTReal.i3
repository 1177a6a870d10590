(* The bits of floating-point numbers. *)
INTERFACE RTReal;

IMPORT Word;

(* The IEEE representation of x; plus and minus zero, which are equal, give the same. *)
PROCEDURE Bits(x: LONGREAL): Word.T;

(* Always 0; the compiler does not know that, and so operations on it happen in the program. *)
VAR
  zero: LONGREAL := 0.0d0;

END RTReal.
