MODULE SortedTextIntTbl = SortedTable(Text, Integer, TextIntTbl) END SortedTextIntTbl.
