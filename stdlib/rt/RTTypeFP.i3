(* Types by their fingerprints, which are the same in every program: the fingerprint of a type
   depends only on its structure and its brands. *)
INTERFACE RTTypeFP;

IMPORT Fingerprint;
FROM RTType IMPORT Typecode;

(* The fingerprint of a type; Zero for an invalid typecode. *)
PROCEDURE ToFingerprint(tc: Typecode): Fingerprint.T;

(* The type with a fingerprint; RTType.NoSuchType if this program has none. *)
PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Typecode;

END RTTypeFP.
