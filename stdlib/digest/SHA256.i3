(* The message digest SHA-256 (FIPS 180-4) as hexadecimal digits in lower case. *)
INTERFACE SHA256;

IMPORT Rd;

(* The digest of the characters of txt, which must all be in CHAR; the digest of the rest of rd.
   A failure of rd is a checked run-time error. *)
PROCEDURE FromText(txt: TEXT): TEXT;
PROCEDURE FromFile(rd: Rd.T): TEXT;

END SHA256.
