UNSAFE MODULE RTTypeSRC;

IMPORT RT0, RTTypes;

PROCEDURE TypeName(ref: REFANY): TEXT =
  BEGIN
    RETURN TypecodeName(TYPECODE(ref));
  END TypeName;

PROCEDURE TypecodeName(tc: RT0.Typecode): TEXT =
  VAR name := RTTypes.Name(tc);
  BEGIN
    IF name = NIL THEN RETURN "" END;
    RETURN name;
  END TypecodeName;

BEGIN
END RTTypeSRC.
