MODULE SortedAtomAtomTbl = SortedTable(Atom, Atom, AtomAtomTbl) END SortedAtomAtomTbl.
