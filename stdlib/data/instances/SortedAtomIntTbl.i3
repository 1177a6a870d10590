INTERFACE SortedAtomIntTbl = SortedTable(Atom, AtomIntTbl) END SortedAtomIntTbl.
