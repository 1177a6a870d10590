(* The bits of floating-point numbers. *)
INTERFACE RTReal;

IMPORT Word;

(* The IEEE representation of x; plus and minus zero, which are equal, give the same. *)
PROCEDURE Bits(x: LONGREAL): Word.T;

END RTReal.
