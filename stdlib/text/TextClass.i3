(* The class of texts, for modules that add a representation of texts. Other modules use Text.

   A text is immutable: its characters never change after it has been handed out, and no
   representation may write to itself later, not even to make itself faster, because the text may
   be persistent and no transaction may be open. A subtype overrides get_info, and, when get_info
   gives no start, at least one of get_char and get_wide_char. *)
INTERFACE TextClass;

CONST
  Brand = "Text-2.0";

TYPE
  Info = RECORD
    start: ADDRESS;     (* address of the characters if they lie one after the other, else NIL *)
    length: CARDINAL;   (* in characters *)
    wide: BOOLEAN;      (* characters at start are WIDECHARs; some may not be in CHAR *)
  END;

REVEAL
  TEXT = BRANDED Brand OBJECT METHODS
    get_info(VAR i: Info);

    (* The character at position i; a checked run-time error if i is outside the text. *)
    get_char(i: CARDINAL): CHAR := GetChar;
    get_wide_char(i: CARDINAL): WIDECHAR := GetWideChar;

    (* Copy characters from position start on, until a is full or the text ends. *)
    get_chars(VAR a: ARRAY OF CHAR; start: CARDINAL) := GetChars;
    get_wide_chars(VAR a: ARRAY OF WIDECHAR; start: CARDINAL) := GetWideChars;
  END;

VAR
  (* A concatenation no longer than this is copied into one flat text. *)
  MaxFlat8: CARDINAL := 64;
  MaxFlatWide: CARDINAL := 32;

(* The methods' defaults. *)
PROCEDURE GetChar(t: TEXT; i: CARDINAL): CHAR;
PROCEDURE GetWideChar(t: TEXT; i: CARDINAL): WIDECHAR;
PROCEDURE GetChars(t: TEXT; VAR a: ARRAY OF CHAR; start: CARDINAL);
PROCEDURE GetWideChars(t: TEXT; VAR a: ARRAY OF WIDECHAR; start: CARDINAL);

END TextClass.
