INTERFACE TextSetDef = SetDef(TextSet) END TextSetDef.
