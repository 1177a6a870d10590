MODULE SortedAtomRefTransientTbl = SortedTable(RootTransient, Atom, RefanyTransient, AtomRefTransientTbl)
END SortedAtomRefTransientTbl.
