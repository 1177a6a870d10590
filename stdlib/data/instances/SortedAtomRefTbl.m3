MODULE SortedAtomRefTbl = SortedTable(Atom, Refany, AtomRefTbl) END SortedAtomRefTbl.
