MODULE SortedRefTextTbl = SortedTable(Refany, Text, RefTextTbl) END SortedRefTextTbl.
