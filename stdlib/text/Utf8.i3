(* UTF-8 (RFC 3629) in texts that have a byte in each character, as readers of files give them.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Text, Utf8;
       VAR t := "caf\303\251";
       BEGIN
         TRY
           IO.Put(Fmt.Int(Text.Length(t)) & " bytes, " & Fmt.Int(Utf8.Length(t)) & " characters\n");
           IO.Put(Fmt.Int(ORD(Text.GetWideChar(Utf8.ToWide(t), 3))) & "\n");
           EVAL Utf8.Length("caf\351");
         EXCEPT
         | Utf8.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       5 bytes, 4 characters
       233
       byte 3 is not UTF-8
*)
INTERFACE Utf8;

(* The text says at which position, counted from 0. *)
EXCEPTION Error(TEXT);

(* The position of the first byte that is not UTF-8, or -1 if all are. t must have no characters beyond CHAR; a text with
   such is not UTF-8 from the first of them on. *)
PROCEDURE FindWrong(t: TEXT): INTEGER;

(* The number of characters. *)
PROCEDURE Length(t: TEXT): CARDINAL RAISES {Error};

(* t as UTF-16, in wide characters, and the inverse. Error if half of a surrogate pair stands alone. *)
PROCEDURE ToWide(t: TEXT): TEXT RAISES {Error};
PROCEDURE FromWide(t: TEXT): TEXT RAISES {Error};

(* A character by its code, at most 16_10FFFF. *)
PROCEDURE FromCode(code: CARDINAL): TEXT;

(* For readers byte by byte. How many bytes follow one that begins a character; 0 for ASCII and for bytes that begin none.
   The range of the first one of them; the others are in ['\200'..'\277']. *)
PROCEDURE Following(first: CHAR): [0..3];
PROCEDURE Second(first: CHAR; VAR low, high: CHAR);

(* Writes a character into bytes; returns how many it has. *)
PROCEDURE Encode(code: CARDINAL; VAR bytes: ARRAY [0..3] OF CHAR): [1..4];

END Utf8.
