MODULE SortedIntTextTbl = SortedTable(Integer, Text, IntTextTbl) END SortedIntTextTbl.
