UNSAFE MODULE RTType;

IMPORT RT0, RTTypes, Word;

PROCEDURE MaxTypecode(): Typecode =
  BEGIN
    RETURN RTTypes.Count() - 1;
  END MaxTypecode;

PROCEDURE IsSubtype(a, b: Typecode): BOOLEAN =
  BEGIN
    RETURN RTTypes.IsSubtype(a, b) # 0;
  END IsSubtype;

PROCEDURE Supertype(tc: Typecode): Typecode =
  VAR super := RTTypes.Supertype(tc);
  BEGIN
    IF super < 0 THEN RETURN NoSuchType END;
    RETURN super;
  END Supertype;

PROCEDURE IsTraced(tc: Typecode): BOOLEAN =
  BEGIN
    RETURN Word.And(RTTypes.Flags(tc), RTTypes.Untraced) = 0;
  END IsTraced;

PROCEDURE Get(tc: Typecode): RT0.TypeDefn =
  BEGIN
    RETURN RTTypes.Descriptor(tc);
  END Get;

PROCEDURE GetNDimensions(tc: Typecode): CARDINAL =
  BEGIN
    RETURN RTTypes.Dimensions(tc);
  END GetNDimensions;

BEGIN
END RTType.
