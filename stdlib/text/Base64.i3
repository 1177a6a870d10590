(* Bytes in Base64 (RFC 4648, sections 4 and 5). A text holds bytes: one in each character.

   Example:

       MODULE Main;
       IMPORT Base64, IO;
       BEGIN
         TRY
           IO.Put(Base64.Encode("light work") & " " & Base64.Decode("TWFu") & "\n");
           IO.Put(Base64.Encode("\377\376", Base64.Alphabet.Url, padded := FALSE) & "\n");
           IO.Put(Base64.Decode("TW*u") & "\n");
         EXCEPT
         | Base64.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       bGlnaHQgd29yaw== Man
       __4
       character 2 is not one of Base64: '*'
*)
INTERFACE Base64;

TYPE
  Alphabet = {
    Standard,  (* with + and / *)
    Url        (* with - and _, for names of files and parts of URLs *)
  };

(* The text says what is wrong at which position, counted from 0. *)
EXCEPTION Error(TEXT);

(* Four characters for each three bytes; the last ones are filled with = if padded. If line > 0, a newline stands behind
   each `line` characters that others follow. A character of t that is not in CHAR is a checked run-time error. *)
PROCEDURE Encode(t: TEXT; alphabet := Alphabet.Standard; padded := TRUE; line: CARDINAL := 0): TEXT;

(* The bytes. Error if a character is not in the alphabet, if the = are not those of Encode (they may be missing
   altogether if not padded), or if bits that no byte has are not zero, so that no two texts mean the same bytes. If
   blanks, then blanks, tabs, carriage returns and newlines may stand anywhere. *)
PROCEDURE Decode(t: TEXT; alphabet := Alphabet.Standard; padded := TRUE; blanks := FALSE): TEXT RAISES {Error};

END Base64.
