(* References that do not keep what they refer to, and actions for its end. *)
INTERFACE WeakRef;

TYPE
  (* A value, which may be compared and copied; two are equal if they come from one FromRef. *)
  T = RECORD
    byte: ARRAY [0..7] OF BITS 8 FOR [0..255];
  END;

  (* Called some time after r has become unreachable; w is what FromRef gave, and no longer refers to
     r. It may make r reachable again, and give it a new weak reference. *)
  CleanUpProc = PROCEDURE(READONLY w: T; r: REFANY);

(* A weak reference to r, not NIL. Objects with a clean-up keep what they refer to, so that of two of
   them the one that refers to the other is cleaned first, and those on a cycle never are. p must be
   a top-level procedure. The clean-up of an object that has become persistent is forgotten. *)
PROCEDURE FromRef(r: REFANY; p: CleanUpProc := NIL): T;

(* What it refers to; NIL once that has been found unreachable. A T that another process made, and that
   a database or a file has brought here, refers to nothing: NIL. *)
PROCEDURE ToRef(w: T): REFANY;

END WeakRef.
