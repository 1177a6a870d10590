UNSAFE MODULE RTProcedure;

IMPORT Fingerprint, RTTypes;

PROCEDURE ToFingerprint(p: Proc): Fingerprint.T =
  VAR name := RTTypes.ProcedureName(p);
  BEGIN
    <*ASSERT name # NIL WITH "RTProcedure.ToFingerprint: not a top-level procedure"*>
    RETURN Fingerprint.FromText(name);
  END ToFingerprint;

PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Proc =
  VAR n := 0;  p: Proc;
  BEGIN
    LOOP
      p := RTTypes.ProcedureAt(n);
      IF p = NIL OR Fingerprint.FromText(RTTypes.ProcedureName(p)) = fp THEN RETURN p END;
      INC(n);
    END;
  END FromFingerprint;

BEGIN
END RTProcedure.
