MODULE RTCollectorSRC;

IMPORT RTCollector;

VAR
  begun := FALSE;

PROCEDURE StartCollection() =
  BEGIN
    begun := TRUE;
  END StartCollection;

PROCEDURE FinishCollection() =
  BEGIN
    IF begun THEN
      begun := FALSE;
      RTCollector.Collect();
    END;
  END FinishCollection;

PROCEDURE StartBackgroundCollection() =
  BEGIN
  END StartBackgroundCollection;

PROCEDURE StartForegroundCollection() =
  BEGIN
  END StartForegroundCollection;

PROCEDURE DisableVM() =
  BEGIN
  END DisableVM;

BEGIN
END RTCollectorSRC.
