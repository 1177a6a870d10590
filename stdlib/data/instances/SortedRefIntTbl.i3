INTERFACE SortedRefIntTbl = SortedTable(Refany, RefIntTbl) END SortedRefIntTbl.
