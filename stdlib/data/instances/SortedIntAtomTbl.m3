MODULE SortedIntAtomTbl = SortedTable(Integer, Atom, IntAtomTbl) END SortedIntAtomTbl.
