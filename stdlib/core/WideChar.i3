(* WIDECHAR as a key or element. *)
INTERFACE WideChar;

IMPORT Word;

TYPE
  T = WIDECHAR;

CONST
  Brand = "WideChar";

  (* The greatest codes of 16 bits and of Unicode. *)
  WideChar16Max = 16_FFFF;
  WideChar32Max = 16_10FFFF;

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];

END WideChar.
