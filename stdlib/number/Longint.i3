(* LONGINT as a key or element. *)
INTERFACE Longint;

IMPORT Word;

TYPE
  T = LONGINT;

CONST
  Brand = "Longint";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Longint.
