INTERFACE SortedTextIntTbl = SortedTable(Text, TextIntTbl) END SortedTextIntTbl.
