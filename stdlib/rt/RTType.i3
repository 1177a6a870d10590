(* Types as numbers. A type's typecode is TYPECODE's; it differs from program to program. *)
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

(* Of an object type; NoSuchType for ROOT and for other types. *)
PROCEDURE Supertype(tc: Typecode): Typecode;

(* Whether its references are those that the collector follows. *)
PROCEDURE IsTraced(tc: Typecode): BOOLEAN;

(* The type's descriptor, or NIL if there is no such type. *)
PROCEDURE Get(tc: Typecode): RT0.TypeDefn;

(* How many open dimensions what it refers to has; 0 if that is no open array. *)
PROCEDURE GetNDimensions(tc: Typecode): CARDINAL;

END RTType.
