(* Fingerprints of 64 bits: two different texts have equal fingerprints with negligible
   probability, unless somebody searches for such texts. Fingerprints are the same in all
   programs and on all machines; those of texts are those of other Modula-3 systems. *)
INTERFACE Fingerprint;

CONST
  Brand = "Fingerprint";

TYPE
  T = RECORD
    byte: ARRAY [0..7] OF BITS 8 FOR [0..255];
  END;

(* The fingerprint of the characters of txt; a character beyond CHAR counts as two characters,
   its low byte and then its high byte. Never Zero. *)
PROCEDURE FromText(txt: TEXT): T;

(* The fingerprint of the pair (fp1, fp2), which differs from that of (fp2, fp1). *)
PROCEDURE Combine(READONLY fp1, fp2: T): T;

CONST
  Zero = T{ARRAY [0..7] OF BITS 8 FOR [0..255]{0, ..}};

VAR (*CONST*)
  OfEmpty: T;  (* FromText("") *)

(* If fp is the fingerprint of a text, the result is the fingerprint of that text followed by
   buff. *)
PROCEDURE FromChars(READONLY buff: ARRAY OF CHAR; READONLY fp: T): T;

(* So that fingerprints can be keys of tables. *)
PROCEDURE Equal(READONLY fp1, fp2: T): BOOLEAN;
PROCEDURE Hash(READONLY fp: T): INTEGER;

END Fingerprint.
