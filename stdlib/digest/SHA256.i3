(* The message digest SHA-256 (FIPS 180-4) as hexadecimal digits in lower case. *)
INTERFACE SHA256;

IMPORT Rd;

(* Of the characters of txt, which are all in CHAR; of what is left of rd, whose failure is a
   checked run-time error. *)
PROCEDURE FromText(txt: TEXT): TEXT;
PROCEDURE FromFile(rd: Rd.T): TEXT;

END SHA256.
