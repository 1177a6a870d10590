(* Making flat texts and arrays; for the modules that implement texts. *)
INTERFACE TextRep;

(* t & u as one flat text, or NIL if it would be longer than TextClass.MaxFlat8 or MaxFlatWide. *)
PROCEDURE FlatIfShort(t, u: TEXT): TEXT;

(* A flat text of the characters start .. start + length - 1 of t, which must exist. *)
PROCEDURE Copy(t: TEXT; start, length: CARDINAL): TEXT;

(* Whether t can be passed to C: all its characters are in CHAR, and none is NUL, where C would
   end the text. *)
PROCEDURE IsForC(t: TEXT): BOOLEAN;

(* Whether all characters of t are in CHAR. *)
PROCEDURE IsNarrow(t: TEXT): BOOLEAN;

(* The characters of t, for interfaces that want an array. For Chars they must all be in CHAR; in the
   result of CharsOr each other character is `instead`. *)
PROCEDURE Chars(t: TEXT): REF ARRAY OF CHAR;
PROCEDURE CharsOr(t: TEXT; instead: CHAR): REF ARRAY OF CHAR;
PROCEDURE WideChars(t: TEXT): REF ARRAY OF WIDECHAR;

END TextRep.
