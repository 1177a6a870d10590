INTERFACE SortedTextTextTbl = SortedTable(Text, TextTextTbl) END SortedTextTextTbl.
