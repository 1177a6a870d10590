MODULE SortedTextTextTbl = SortedTable(Text, Text, TextTextTbl) END SortedTextTextTbl.
