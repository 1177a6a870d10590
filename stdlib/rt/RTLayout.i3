(* The run time's descriptions of types and of the places of an object's references, for the
   library's own modules. An invalid typecode is a checked run-time error, ValueOutOfRange. *)
UNSAFE INTERFACE RTLayout;

(* Typecodes are 0..TypeCount()-1; 0 is the code of NULL, 1 that of REFANY. *)
<*EXTERNAL "tn_layout_type_count"*> PROCEDURE TypeCount(): INTEGER;

(* Whether the type with code tc is the type with code super or a subtype of it. *)
<*EXTERNAL "tn_layout_is_subtype"*> PROCEDURE IsSubtype(tc, super: INTEGER): BOOLEAN;

(* The code of the supertype; REFANY's for ROOT and for REF types. *)
<*EXTERNAL "tn_layout_supertype"*> PROCEDURE Supertype(tc: INTEGER): INTEGER;

(* The structural fingerprint of a type; the type with a fingerprint, or -1. *)
<*EXTERNAL "tn_layout_fingerprint"*> PROCEDURE Fingerprint(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_layout_find"*> PROCEDURE Find(fingerprint: INTEGER): INTEGER;

(* "Module.Type". *)
<*EXTERNAL "tn_layout_name"*> PROCEDURE Name(tc: INTEGER): TEXT;

(* The form of a type's objects: a fixed part; then, if dimensions > 0, `dimensions` lengths of 8
   bytes each, and the elements. These are the indices of an array with the description. *)
CONST
  FixedBytes = 0;
  Dimensions = 1;    (* number of open dimensions of the open array at the end *)
  ElementBytes = 2;
  Runs = 3;          (* groups of pointers in the fixed part *)
  ElementRuns = 4;   (* groups of pointers in an element *)
  IsTraced = 5;      (* 0 or 1: objects of the type are in the traced heap, and can be made *)

TYPE
  Shape = ARRAY [0..5] OF INTEGER;

<*EXTERNAL "tn_layout_shape"*> PROCEDURE GetShape(tc: INTEGER; VAR shape: Shape);

(* The group i of pointers: `count` of them at offset, offset + stride ...; kind is that of
   SlotKind: 0 a reference, 1 a transient one, 2 an untraced one, 3 a procedure. *)
TYPE
  Run = RECORD offset, count, stride, kind: INTEGER END;

<*EXTERNAL "tn_layout_run"*>
PROCEDURE GetRun(tc: INTEGER; inElement: BOOLEAN; i: INTEGER; VAR run: Run);

(* Whether the reference at this offset of the fixed part, or of an element, may refer to an
   object of type `to`. In an array whose elements have references of several types, the answer
   may be that for another one of these types. *)
<*EXTERNAL "tn_layout_may_refer"*>
PROCEDURE MayRefer(tc: INTEGER; inElement: BOOLEAN; offset: INTEGER; to: INTEGER): BOOLEAN;

(* A new object with default values; lengths has one for each dimension, and is not empty. *)
<*EXTERNAL "tn_layout_new"*>
PROCEDURE New(tc: INTEGER; READONLY lengths: ARRAY OF INTEGER): REFANY;

(* Makes ref the value of the reference at `address`, which lies in a traced object. *)
<*EXTERNAL "tn_layout_store"*> PROCEDURE Store(address: ADDRESS; ref: REFANY);

(* The number of times that the collector may have moved objects so far. *)
<*EXTERNAL "tn_layout_moves"*> PROCEDURE Moves(): INTEGER;

END RTLayout.
