(* The collector. Disable and Enable nest. *)
INTERFACE RTCollector;

PROCEDURE Disable();  (* no collection until enabled *)
PROCEDURE Enable();

(* A full collection, now. *)
PROCEDURE Collect();

END RTCollector.
