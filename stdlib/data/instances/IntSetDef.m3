MODULE IntSetDef = SetDef(Integer, IntSet, IntRefTbl) END IntSetDef.
