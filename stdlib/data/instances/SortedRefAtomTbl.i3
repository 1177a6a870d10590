INTERFACE SortedRefAtomTbl = SortedTable(Refany, RefAtomTbl) END SortedRefAtomTbl.
