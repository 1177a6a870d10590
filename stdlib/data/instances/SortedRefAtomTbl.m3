MODULE SortedRefAtomTbl = SortedTable(Refany, Atom, RefAtomTbl) END SortedRefAtomTbl.
