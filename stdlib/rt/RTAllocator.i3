(* Allocation by typecode, with the initial values that NEW would give. A typecode of the wrong kind
   is a checked run-time error. *)
INTERFACE RTAllocator;

FROM RTType IMPORT Typecode;

EXCEPTION
  OutOfMemory;

TYPE
  Shape = ARRAY OF INTEGER;  (* the lengths of an open array *)

(* An object, or what a reference to a type of fixed size refers to. *)
PROCEDURE NewTraced(tc: Typecode): REFANY RAISES {OutOfMemory};

(* An object that is not collected. *)
PROCEDURE NewUntracedObject(tc: Typecode): UNTRACED ROOT RAISES {OutOfMemory};

(* What a reference to an open array refers to; s has a length for each open dimension. *)
PROCEDURE NewTracedArray(tc: Typecode; READONLY s: Shape): REFANY RAISES {OutOfMemory};

(* A copy of what ref refers to, but not of what that refers to; NIL for NIL. *)
PROCEDURE Clone(ref: REFANY): REFANY RAISES {OutOfMemory};

END RTAllocator.
