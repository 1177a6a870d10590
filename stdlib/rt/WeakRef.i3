(* References that do not keep their object alive, and clean-ups that run when the object has
   become unreachable. *)
INTERFACE WeakRef;

TYPE
  (* A value that may be compared and copied; two are equal if they come from the same call of
     FromRef. *)
  T = RECORD
    byte: ARRAY [0..7] OF BITS 8 FOR [0..255];
  END;

  (* Called some time after r has become unreachable. w is the result of FromRef, and no longer
     refers to r. The clean-up may make r reachable again, and give it a new weak reference. *)
  CleanUpProc = PROCEDURE (READONLY w: T; r: REFANY);

(* A weak reference to r, not NIL. An object with a clean-up keeps alive the objects to which it
   refers. So of two such objects the one that refers to the other is cleaned up first, and
   objects on a cycle are never cleaned up. p must be a top-level procedure. The clean-up of an
   object that becomes persistent is dropped. *)
PROCEDURE FromRef(r: REFANY; p: CleanUpProc := NIL): T;

(* The object of w; NIL after the object was found unreachable. NIL also for a T that another
   process made and that came from a database or a file. *)
PROCEDURE ToRef(w: T): REFANY;

END WeakRef.
