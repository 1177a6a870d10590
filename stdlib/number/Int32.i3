(* Integers of 32 bits as a key or element. *)
INTERFACE Int32;

IMPORT Word;

TYPE
  T = BITS 32 FOR [-16_7fffffff - 1..16_7fffffff];

CONST
  Brand = "Int32";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Int32.
