(* Texts with the escapes of Modula-3's literals, and texts in pieces. *)
INTERFACE TextConv;

TYPE
  CharSet = SET OF CHAR;

CONST
  Escape = '\\';
  NonPrinting = CharSet{'\000'..'\037', '\177'..LAST(CHAR)};
  Quotes = CharSet{'\'', '\"'};

(* An escape is not well formed. *)
EXCEPTION Fail;

(* With escapes for what does not print, quotes and backslashes; if quoted, within quotes. Decode is
   the inverse. *)
PROCEDURE Encode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT;
PROCEDURE Decode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT RAISES {Fail};

(* How many pieces the characters in sep separate: one more than there are of them. *)
PROCEDURE ExplodedSize(text: TEXT; READONLY sep: SET OF CHAR): CARDINAL;

(* The pieces; array has ExplodedSize elements. *)
PROCEDURE Explode(text: TEXT; VAR array: ARRAY OF TEXT; READONLY sep: SET OF CHAR);

(* The pieces with sep between them. *)
PROCEDURE Implode(READONLY array: ARRAY OF TEXT; sep: CHAR): TEXT;

END TextConv.
