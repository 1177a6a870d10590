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

PROCEDURE Collect() =
  BEGIN
    RTSystem.Collect();
  END Collect;

BEGIN
END RTCollector.
