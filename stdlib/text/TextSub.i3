(* Long substrings, which share the characters of the text that they are part of. *)
INTERFACE TextSub;

IMPORT TextClass;

TYPE
  T <: Public;
  Public = TEXT OBJECT END;

(* The characters start .. start + length - 1 of t, which must exist. A piece that is short, or
   less than half of t, is copied, so that it does not keep a much larger text alive. *)
PROCEDURE New(t: TEXT; start, length: CARDINAL): TEXT;

END TextSub.
