INTERFACE SortedIntIntTbl = SortedTable(Integer, IntIntTbl) END SortedIntIntTbl.
