MODULE SortedTextAtomTbl = SortedTable(Text, Atom, TextAtomTbl) END SortedTextAtomTbl.
