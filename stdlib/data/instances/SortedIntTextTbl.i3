INTERFACE SortedIntTextTbl = SortedTable(Integer, IntTextTbl) END SortedIntTextTbl.
