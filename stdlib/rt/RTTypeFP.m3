UNSAFE MODULE RTTypeFP;

IMPORT Fingerprint, RTType, RTTypes;
FROM RTType IMPORT Typecode;

PROCEDURE ToFingerprint(tc: Typecode): Fingerprint.T =
  BEGIN
    RETURN LOOPHOLE(RTTypes.Fingerprint(tc), Fingerprint.T);
  END ToFingerprint;

PROCEDURE FromFingerprint(READONLY fp: Fingerprint.T): Typecode =
  VAR tc := RTTypes.ByFingerprint(LOOPHOLE(fp, INTEGER));
  BEGIN
    IF tc < 0 THEN RETURN RTType.NoSuchType END;
    RETURN tc;
  END FromFingerprint;

BEGIN
END RTTypeFP.
