(* Types by what they are, the same in every program: the fingerprint of a type depends on its
   structure and its brands only. *)
INTERFACE RTTypeFP;

IMPORT Fingerprint;
FROM RTType IMPORT Typecode;

(* Zero for what is no type. *)
PROCEDURE ToFingerprint(tc: Typecode): Fingerprint.T;

(* RTType.NoSuchType if this program has no such type. *)
PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Typecode;

END RTTypeFP.
