INTERFACE SortedAtomTextTbl = SortedTable(Atom, AtomTextTbl) END SortedAtomTextTbl.
