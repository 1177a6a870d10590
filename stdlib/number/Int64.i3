(* LONGINTs of 64 bits as a key or element. *)
INTERFACE Int64;

IMPORT Word;

TYPE
  T = BITS 64 FOR [-16_7fffffffffffffffL - 1L..16_7fffffffffffffffL];

CONST
  Brand = "Int64";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Int64.
