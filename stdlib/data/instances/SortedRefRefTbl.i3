INTERFACE SortedRefRefTbl = SortedTable(Refany, RefRefTbl) END SortedRefRefTbl.
