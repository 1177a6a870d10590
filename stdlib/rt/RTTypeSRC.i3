(* The names of types: "Interface.Type" or "Module.Type". *)
INTERFACE RTTypeSRC;

IMPORT RT0;

(* Of the type that ref was allocated with; "" if it has no name. *)
PROCEDURE TypeName(ref: REFANY): TEXT;
PROCEDURE TypecodeName(tc: RT0.Typecode): TEXT;

END RTTypeSRC.
