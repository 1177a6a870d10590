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

(* Every collection also moves objects. *)
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
