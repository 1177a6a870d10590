UNSAFE MODULE RTCollector;

IMPORT RTSystem;

PROCEDURE Disable() =
  BEGIN
    RTSystem.DisableCollector();
  END Disable;

PROCEDURE Enable() =
  BEGIN
    RTSystem.EnableCollector();
  END Enable;

(* What collects also moves. *)
PROCEDURE DisableMotion() =
  BEGIN
    RTSystem.DisableCollector();
  END DisableMotion;

PROCEDURE EnableMotion() =
  BEGIN
    RTSystem.EnableCollector();
  END EnableMotion;

PROCEDURE Collect() =
  BEGIN
    RTSystem.Collect();
  END Collect;

BEGIN
END RTCollector.
