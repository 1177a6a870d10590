(* Texts as keys, with no difference between the upper and the lower case of ASCII's letters. *)
INTERFACE CIText;

IMPORT Word;

CONST
  Brand = "CIText";

TYPE
  T = TEXT;

PROCEDURE Equal(k1, k2: T): BOOLEAN;
PROCEDURE Hash(k1: T): Word.T;

(* Text.Compare of the texts in lower case. *)
PROCEDURE Compare(k1, k2: T): [-1..1];

END CIText.
