MODULE SortedAtomTextTbl = SortedTable(Atom, Text, AtomTextTbl) END SortedAtomTextTbl.
