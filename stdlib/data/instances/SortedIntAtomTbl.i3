INTERFACE SortedIntAtomTbl = SortedTable(Integer, IntAtomTbl) END SortedIntAtomTbl.
