(* INTEGER as a key or element. *)
INTERFACE Integer;

IMPORT Word;

TYPE
  T = INTEGER;

CONST
  Brand = "Integer";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Integer.
