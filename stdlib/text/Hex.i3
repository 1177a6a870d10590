(* Bytes as hexadecimal digits. A text holds bytes: one in each character.

   Example:

       MODULE Main;
       IMPORT Hex, IO;
       BEGIN
         TRY
           IO.Put(Hex.Encode("M3\n") & " " & Hex.Decode("4d33") & "\n");
           IO.Put(Hex.Decode("4d3x") & "\n");
         EXCEPT
         | Hex.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       4d330a M3
       character 3 is not a hexadecimal digit: 'x'
*)
INTERFACE Hex;

(* The text says what is wrong at which position, counted from 0. *)
EXCEPTION Error(TEXT);

(* Two digits a byte, letters in lower case. A character of t that is not in CHAR is a checked run-time error. *)
PROCEDURE Encode(t: TEXT): TEXT;

(* The bytes; letters may be in lower or upper case. *)
PROCEDURE Decode(t: TEXT): TEXT RAISES {Error};

(* The value of a digit, 0 to 15; -1 for another character. *)
PROCEDURE Value(ch: CHAR): [-1..15];

CONST
  Digits = ARRAY [0..15] OF CHAR{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

END Hex.
