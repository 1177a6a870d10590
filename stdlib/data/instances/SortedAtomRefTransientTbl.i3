INTERFACE SortedAtomRefTransientTbl = SortedTable(RootTransient, Atom, AtomRefTransientTbl)
END SortedAtomRefTransientTbl.
