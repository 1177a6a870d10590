(* Top-level procedures by what they are called, the same in every program that has them. *)
INTERFACE RTProcedure;

IMPORT Fingerprint;

TYPE
  Proc = ADDRESS;  (* a procedure value *)

(* That of "Interface.Proc" or "Module.Proc"; it is a checked run-time error if p is no top-level
   procedure. *)
PROCEDURE ToFingerprint(p: Proc): Fingerprint.T;

(* NIL if this program has no such procedure. *)
PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Proc;

END RTProcedure.
