INTERFACE SortedAtomRefTbl = SortedTable(Atom, AtomRefTbl) END SortedAtomRefTbl.
