MODULE SortedIntIntTbl = SortedTable(Integer, Integer, IntIntTbl) END SortedIntIntTbl.
