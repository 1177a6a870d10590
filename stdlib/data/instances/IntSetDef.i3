INTERFACE IntSetDef = SetDef(IntSet) END IntSetDef.
