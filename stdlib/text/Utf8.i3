(* UTF-8: texts whose characters are its bytes, their code points, and texts in WIDECHAR.

   A text may hold characters beyond Latin-1 in two ways. Its characters may be the bytes of UTF-8,
   all of them CHAR: source files, files and terminals have texts so, and Text.Length counts bytes.
   Or its characters are WIDECHAR, which has 16 bits: each is then a code unit of UTF-16, and a code
   point from 16_10000 on is a pair of surrogates. FromWide and ToWide convert between the two.

   Valid means: the shortest form of each code point, none above 16_10FFFF, no surrogates.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Text, Utf8;
       <*FATAL Utf8.Error*>
       VAR euro := Utf8.FromCode(16_20AC);  at: CARDINAL := 0;
       BEGIN
         IO.Put(Fmt.Int(Text.Length(euro)) & " bytes, U+"
                & Fmt.Int(Utf8.Decode(euro, at), base := 16) & "\n");
         IO.Put(Fmt.Bool(Text.Equal(Utf8.ToWide(euro), W"\x20AC")) & "\n");
       END Main.

   It prints

       3 bytes, U+20ac
       TRUE
*)
INTERFACE Utf8;

TYPE
  CodePoint = [0 .. 16_10FFFF];
  CodePoints = REF ARRAY OF CodePoint;

CONST
  Replacement = 16_FFFD;  (* stands for what is not valid *)

EXCEPTION
  (* The text is not valid; the position of the first character that is not part of valid UTF-8. *)
  Error(CARDINAL);

(* Whether all of t is valid UTF-8. A text with a character that is not in CHAR is not. *)
PROCEDURE Valid(t: TEXT): BOOLEAN;

(* The position of the first character of t that is not part of valid UTF-8; -1 if t is valid. *)
PROCEDURE FirstInvalid(t: TEXT): INTEGER;

(* t with each run of characters that begin no valid form replaced by the UTF-8 of U+FFFD; t itself
   if it is valid. Of a text that has wide characters, FromWide(t). *)
PROCEDURE Repair(t: TEXT): TEXT;

(* The code point whose bytes begin at position `at`, which moves behind them. A checked run-time
   error if at >= Text.Length(t). *)
PROCEDURE Decode(t: TEXT; VAR at: CARDINAL): CodePoint RAISES {Error};

(* All code points of t, and their number. *)
PROCEDURE Decoded(t: TEXT): CodePoints RAISES {Error};
PROCEDURE Count(t: TEXT): CARDINAL RAISES {Error};

(* The UTF-8 of code points. Surrogates, which have none, become U+FFFD. *)
PROCEDURE FromCode(c: CodePoint): TEXT;
PROCEDURE Encode(READONLY codes: ARRAY OF CodePoint): TEXT;

(* Writes the bytes of a code point at a[n], and moves n behind them; there is room for four. A
   surrogate becomes U+FFFD. *)
PROCEDURE Put(code: CodePoint; VAR a: ARRAY OF CHAR; VAR n: CARDINAL);

(* For readers byte by byte. How many bytes follow one that begins a code point; 0 for ASCII, and for
   bytes that begin none. *)
PROCEDURE Following(first: CHAR): [0 .. 3];
(* The range of the first one of these. The others are in ['\200' .. '\277']. *)
PROCEDURE Second(first: CHAR; VAR low, high: CHAR);

(* The position of the first half of a surrogate pair that stands alone in a text in WIDECHAR; -1 if
   none does. *)
PROCEDURE FirstUnpaired(t: TEXT): INTEGER;

(* The UTF-8 of a text in WIDECHAR. A character below 256 is that of Latin-1; an unpaired surrogate
   becomes U+FFFD. *)
PROCEDURE FromWide(t: TEXT): TEXT;

(* The text in WIDECHAR of UTF-8; without wide characters if all of them are in CHAR. *)
PROCEDURE ToWide(t: TEXT): TEXT RAISES {Error};

END Utf8.
