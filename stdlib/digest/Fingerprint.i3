(* Fingerprints of 64 bits: different texts have different ones with a probability that is
   negligible unless somebody looks for equal ones. The same in all programs and on all machines. *)
INTERFACE Fingerprint;

CONST
  Brand = "Fingerprint";

TYPE
  T = RECORD
    byte: ARRAY [0..7] OF BITS 8 FOR [0..255];
  END;

(* Of the characters of txt; one beyond CHAR counts as the characters of its two bytes, the low one
   first. Never Zero. *)
PROCEDURE FromText(txt: TEXT): T;

(* Of the pair: not the same as that of (fp2, fp1). *)
PROCEDURE Combine(READONLY fp1, fp2: T): T;

CONST
  Zero = T{ARRAY [0..7] OF BITS 8 FOR [0..255]{0, ..}};

VAR (*CONST*)
  OfEmpty: T;  (* FromText("") *)

(* If fp is the fingerprint of a text, that of the text with buff after it. *)
PROCEDURE FromChars(READONLY buff: ARRAY OF CHAR; READONLY fp: T): T;

(* So that fingerprints can be keys of tables. *)
PROCEDURE Equal(READONLY fp1, fp2: T): BOOLEAN;
PROCEDURE Hash(READONLY fp: T): INTEGER;

END Fingerprint.
