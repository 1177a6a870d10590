MODULE SortedRefIntTbl = SortedTable(Refany, Integer, RefIntTbl) END SortedRefIntTbl.
