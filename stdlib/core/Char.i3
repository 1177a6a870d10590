(* CHAR as a key or element. *)
INTERFACE Char;

IMPORT Word;

TYPE
  T = CHAR;

CONST
  Brand = "Char";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Char.
