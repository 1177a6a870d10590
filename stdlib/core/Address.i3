(* ADDRESS as a key or element. *)
INTERFACE Address;

IMPORT Word;

TYPE
  T = ADDRESS;

CONST
  Brand = "Address";

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END Address.
