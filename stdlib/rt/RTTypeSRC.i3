(* The names of types: "Interface.Type" or "Module.Type". *)
INTERFACE RTTypeSRC;

IMPORT RT0;

(* The name of the type with which ref was allocated; "" if the type has no
   name. *)
PROCEDURE TypeName(ref: REFANY): TEXT;
PROCEDURE TypecodeName(tc: RT0.Typecode): TEXT;

END RTTypeSRC.
