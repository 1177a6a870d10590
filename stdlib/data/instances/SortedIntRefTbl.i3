INTERFACE SortedIntRefTbl = SortedTable(Integer, IntRefTbl) END SortedIntRefTbl.
