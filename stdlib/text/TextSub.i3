(* Long substrings, which share the characters of the text that they are part of. *)
INTERFACE TextSub;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

(* The characters start .. start + length - 1 of t, which must exist. A short piece is copied, and so is one of less than
   half of a text without parts, so that it does not keep a much larger text alive. A longer piece of a concatenation is
   a concatenation of its parts: it does not keep the rest alive, however often pieces of pieces are taken. *)
PROCEDURE New(t: TEXT; start, length: CARDINAL): TEXT;

END TextSub.
