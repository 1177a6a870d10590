MODULE SortedIntRefTbl = SortedTable(Integer, Refany, IntRefTbl) END SortedIntRefTbl.
