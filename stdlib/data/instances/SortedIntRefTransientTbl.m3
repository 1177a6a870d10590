MODULE SortedIntRefTransientTbl = SortedTable(RootTransient, Integer, RefanyTransient, IntRefTransientTbl)
END SortedIntRefTransientTbl.
