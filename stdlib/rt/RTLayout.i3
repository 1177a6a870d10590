(* What the run time knows about types, and about where the references of an object lie: for the
   library's own modules. A typecode that is none is a checked run-time error, ValueOutOfRange. *)
UNSAFE INTERFACE RTLayout;

(* Typecodes are 0..TypeCount()-1; 0 is NULL's, 1 REFANY's. *)
<*EXTERNAL "tn_layout_type_count"*> PROCEDURE TypeCount(): INTEGER;

(* Whether the type of code tc is, or is a subtype of, that of code super. *)
<*EXTERNAL "tn_layout_is_subtype"*> PROCEDURE IsSubtype(tc, super: INTEGER): BOOLEAN;

(* The code of the supertype; REFANY's for ROOT and for REF types. *)
<*EXTERNAL "tn_layout_supertype"*> PROCEDURE Supertype(tc: INTEGER): INTEGER;

(* The structural fingerprint of a type; the type that has it, or -1. *)
<*EXTERNAL "tn_layout_fingerprint"*> PROCEDURE Fingerprint(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_layout_find"*> PROCEDURE Find(fingerprint: INTEGER): INTEGER;

(* "Module.Type". *)
<*EXTERNAL "tn_layout_name"*> PROCEDURE Name(tc: INTEGER): TEXT;

(* What the objects of a type look like: a fixed part, then if dimensions > 0 that many lengths of 8
   bytes each, and the elements. Names of the places in an array. *)
CONST
  FixedBytes = 0;
  Dimensions = 1;    (* of the open array at the end *)
  ElementBytes = 2;
  Runs = 3;          (* groups of pointers in the fixed part *)
  ElementRuns = 4;   (* and in an element *)
  IsTraced = 5;      (* 0 or 1: in the traced heap, and objects of it can be made *)

TYPE
  Shape = ARRAY [0..5] OF INTEGER;

<*EXTERNAL "tn_layout_shape"*> PROCEDURE GetShape(tc: INTEGER; VAR shape: Shape);

(* The group i of pointers: `count` of them at offset, offset + stride ...; kind is that of
   SlotKind: 0 a reference, 1 a transient one, 2 an untraced one, 3 a procedure. *)
TYPE
  Run = RECORD offset, count, stride, kind: INTEGER END;

<*EXTERNAL "tn_layout_run"*>
PROCEDURE GetRun(tc: INTEGER; inElement: BOOLEAN; i: INTEGER; VAR run: Run);

(* Whether the reference at this offset of the fixed part, or of an element, may be to an object of
   type `to`. Among several references of different types in an array it may be taken for one of
   the others. *)
<*EXTERNAL "tn_layout_may_refer"*>
PROCEDURE MayRefer(tc: INTEGER; inElement: BOOLEAN; offset: INTEGER; to: INTEGER): BOOLEAN;

(* A new object with default values; lengths has one for each dimension, and is not empty. *)
<*EXTERNAL "tn_layout_new"*>
PROCEDURE New(tc: INTEGER; READONLY lengths: ARRAY OF INTEGER): REFANY;

(* Makes ref the value of the reference at `address`, which lies in a traced object. *)
<*EXTERNAL "tn_layout_store"*> PROCEDURE Store(address: ADDRESS; ref: REFANY);

(* How often the collector may have moved objects so far. *)
<*EXTERNAL "tn_layout_moves"*> PROCEDURE Moves(): INTEGER;

END RTLayout.
