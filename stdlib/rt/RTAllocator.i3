(* Allocation by typecode, with the same initial values as NEW. A typecode of the wrong kind is a
   checked run-time error. *)
INTERFACE RTAllocator;

FROM RTType IMPORT Typecode;

EXCEPTION
  OutOfMemory;

TYPE
  Shape = ARRAY OF INTEGER;  (* the lengths of an open array *)

(* A new object, or a new referent of a reference to a type of fixed size. *)
PROCEDURE NewTraced(tc: Typecode): REFANY RAISES {OutOfMemory};

(* A new object that is not collected. *)
PROCEDURE NewUntracedObject(tc: Typecode): UNTRACED ROOT RAISES {OutOfMemory};

(* A new open array; s has a length for each open dimension. *)
PROCEDURE NewTracedArray(tc: Typecode; READONLY s: Shape): REFANY RAISES {OutOfMemory};

(* A shallow copy of the referent of ref; NIL for NIL. *)
PROCEDURE Clone(ref: REFANY): REFANY RAISES {OutOfMemory};

END RTAllocator.
