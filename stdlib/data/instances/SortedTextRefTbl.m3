MODULE SortedTextRefTbl = SortedTable(Text, Refany, TextRefTbl) END SortedTextRefTbl.
