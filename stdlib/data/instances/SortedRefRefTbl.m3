MODULE SortedRefRefTbl = SortedTable(Refany, Refany, RefRefTbl) END SortedRefRefTbl.
