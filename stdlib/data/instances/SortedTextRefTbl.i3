INTERFACE SortedTextRefTbl = SortedTable(Text, TextRefTbl) END SortedTextRefTbl.
