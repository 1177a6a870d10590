(* BOOLEAN as a key or element. *)
INTERFACE Boolean;

IMPORT Word;

TYPE
  T = BOOLEAN;

CONST
  Brand = "Boolean";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Boolean.
