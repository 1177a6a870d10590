MODULE AtomSetDef = SetDef(Atom, AtomSet, AtomRefTbl) END AtomSetDef.
