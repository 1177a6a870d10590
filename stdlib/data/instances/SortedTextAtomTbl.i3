INTERFACE SortedTextAtomTbl = SortedTable(Text, TextAtomTbl) END SortedTextAtomTbl.
