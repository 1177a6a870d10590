(* Types as numbers. A type's typecode is the result of TYPECODE; it differs from program to
   program. *)
INTERFACE RTType;

IMPORT RT0;

TYPE
  Typecode = RT0.Typecode;

CONST
  NoSuchType: Typecode = LAST(Typecode);

(* The greatest typecode of the program. *)
PROCEDURE MaxTypecode(): Typecode;

(* Whether a <: b. *)
PROCEDURE IsSubtype(a, b: Typecode): BOOLEAN;

(* The supertype of an object type; NoSuchType for ROOT and for other types. *)
PROCEDURE Supertype(tc: Typecode): Typecode;

(* Whether the collector follows references of this type. *)
PROCEDURE IsTraced(tc: Typecode): BOOLEAN;

(* The type's descriptor, or NIL if there is no such type. *)
PROCEDURE Get(tc: Typecode): RT0.TypeDefn;

(* The number of open dimensions of the type's referent; 0 if the referent is not an open array. *)
PROCEDURE GetNDimensions(tc: Typecode): CARDINAL;

END RTType.
