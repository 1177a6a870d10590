(* Texts with their first characters beside them, so that most comparisons need not look at the
   texts; for TextArraySort. *)
INTERFACE KeyedText;

TYPE
  T = RECORD
    key: INTEGER := 0;
    text: TEXT := NIL;
  END;

PROCEDURE Make(text: TEXT): T;

(* The order of Text.Compare on the texts. *)
PROCEDURE Compare(READONLY a, b: T): [-1..1];

END KeyedText.
