(* The message digest MD5 (RFC 1321) as hexadecimal digits in lower case. *)
INTERFACE MD5;

IMPORT Rd;

(* Of the characters of txt, which are all in CHAR; of what is left of rd, whose failure is a
   checked run-time error. *)
PROCEDURE FromText(txt: TEXT): TEXT;
PROCEDURE FromFile(rd: Rd.T): TEXT;

END MD5.
