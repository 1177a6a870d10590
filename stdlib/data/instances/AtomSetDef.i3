INTERFACE AtomSetDef = SetDef(AtomSet) END AtomSetDef.
