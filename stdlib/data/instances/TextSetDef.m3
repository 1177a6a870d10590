MODULE TextSetDef = SetDef(Text, TextSet, TextRefTbl) END TextSetDef.
