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

(* Encode replaces quotes, backslashes and characters that do not print by escapes, and adds
   quotes around the text if quoted. Decode is the inverse. Characters that are not in CHAR stay as
   they are. *)
PROCEDURE Encode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT;
PROCEDURE Decode(textIn: TEXT; quoted: BOOLEAN := TRUE): TEXT RAISES {Fail};

(* The same for single characters and for arrays, without quotes around. EncodedChar(s)Size and
   DecodedCharsSize return the room that the result needs; for arrays this is the exact size.
   EncodeChar, EncodeChars and DecodeChars return the number of characters written; DecodeChar
   returns how many of the first availIn characters it has read. *)
PROCEDURE EncodedCharSize(charIn: CHAR): CARDINAL;
PROCEDURE EncodeChar(charIn: CHAR; VAR charsOut: ARRAY [0..3] OF CHAR): CARDINAL;
PROCEDURE EncodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL;
PROCEDURE EncodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL;
PROCEDURE DecodeChar(READONLY charsIn: ARRAY [0..3] OF CHAR; availIn: INTEGER; VAR charOut: CHAR):
  CARDINAL RAISES {Fail};
PROCEDURE DecodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL RAISES {Fail};
PROCEDURE DecodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL
  RAISES {Fail};

(* The number of pieces into which the characters in sep split the text: one more than the number
   of these characters. *)
PROCEDURE ExplodedSize(text: TEXT; READONLY sep: SET OF CHAR): CARDINAL;

(* The pieces; array has ExplodedSize elements. *)
PROCEDURE Explode(text: TEXT; VAR array: ARRAY OF TEXT; READONLY sep: SET OF CHAR);

(* The pieces with sep between them. *)
PROCEDURE Implode(READONLY array: ARRAY OF TEXT; sep: CHAR): TEXT;

END TextConv.
