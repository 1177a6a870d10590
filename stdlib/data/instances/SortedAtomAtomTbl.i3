INTERFACE SortedAtomAtomTbl = SortedTable(Atom, AtomAtomTbl) END SortedAtomAtomTbl.
