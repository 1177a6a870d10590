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

(* The same for single characters and for arrays, without the quotes around: what EncodedChar(s)Size
   and DecodedCharsSize answer is the room that the result needs and, for arrays, takes. EncodeChar
   and EncodeChars return how many characters they have written, DecodeChars as well; DecodeChar
   returns how many of the first availIn characters it has taken. *)
PROCEDURE EncodedCharSize(charIn: CHAR): CARDINAL;
PROCEDURE EncodeChar(charIn: CHAR; VAR charsOut: ARRAY [0..3] OF CHAR): CARDINAL;
PROCEDURE EncodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL;
PROCEDURE EncodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL;
PROCEDURE DecodeChar(READONLY charsIn: ARRAY [0..3] OF CHAR; availIn: INTEGER; VAR charOut: CHAR):
  CARDINAL RAISES {Fail};
PROCEDURE DecodedCharsSize(READONLY charsIn: ARRAY OF CHAR): CARDINAL RAISES {Fail};
PROCEDURE DecodeChars(READONLY charsIn: ARRAY OF CHAR; VAR charsOut: ARRAY OF CHAR): CARDINAL
  RAISES {Fail};

(* How many pieces the characters in sep separate: one more than there are of them. *)
PROCEDURE ExplodedSize(text: TEXT; READONLY sep: SET OF CHAR): CARDINAL;

(* The pieces; array has ExplodedSize elements. *)
PROCEDURE Explode(text: TEXT; VAR array: ARRAY OF TEXT; READONLY sep: SET OF CHAR);

(* The pieces with sep between them. *)
PROCEDURE Implode(READONLY array: ARRAY OF TEXT; sep: CHAR): TEXT;

END TextConv.
