MODULE SortedAtomIntTbl = SortedTable(Atom, Integer, AtomIntTbl) END SortedAtomIntTbl.
