(* The collector. The pairs of Disable and Enable nest. *)
INTERFACE RTCollector;

PROCEDURE Disable();  (* no collection until enabled *)
PROCEDURE Enable();

(* Objects keep their addresses until enabled. *)
PROCEDURE DisableMotion();
PROCEDURE EnableMotion();

(* A full collection, now. *)
PROCEDURE Collect();

END RTCollector.
