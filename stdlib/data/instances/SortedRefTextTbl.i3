INTERFACE SortedRefTextTbl = SortedTable(Refany, RefTextTbl) END SortedRefTextTbl.
