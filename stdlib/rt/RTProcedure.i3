(* Top-level procedures by fingerprints of their names, which are the same in every program that
   has the procedures. *)
INTERFACE RTProcedure;

IMPORT Fingerprint;

TYPE
  Proc = ADDRESS;  (* a procedure value *)

(* The fingerprint of "Interface.Proc" or "Module.Proc"; a checked run-time error if p is not a
   top-level procedure. *)
PROCEDURE ToFingerprint(p: Proc): Fingerprint.T;

(* NIL if this program has no such procedure. *)
PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Proc;

END RTProcedure.
